// An entry's title and text. Pure.
import { displayName } from '#domain/broker.ts'
import { formatHour } from '#domain/format.ts'
import { type Command, type Entry } from '#domain/outbox/command.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { visitWords } from '#domain/next-action/visit.ts'
import type { Stage } from '#domain/stage.ts'
import { FIELD_LABEL, formatValue, LOSS_REASONS, type LeadFields } from '#domain/lead/fields.ts'

const moveTitle = (name: string, stage: string) => `Mover ${name} para ${stage}`

export function stageName(stages: readonly Stage[], slug: string): string {
  return stages.find((stage) => stage.slug === slug)?.name ?? slug
}

/** For example 'Mover Rogério Bastos para Conversa'. */
export function titleOf({ command }: Entry, stages: readonly Stage[]): string {
  const name = leadTitle(command.lead)
  switch (command.kind) {
    case 'lead.move':
      return moveTitle(name, stageName(stages, command.toSlug))
    case 'lead.note':
      return `Nota sobre ${name}`
    case 'lead.rename':
      return `Nome de ${name}`
    case 'message.send':
      return `Mensagem para ${name}`
    case 'material.send':
      return `Material de ${command.development.name} para ${name}`
    case 'interest.add':
    case 'interest.remove':
      return `Interesse de ${name}`
    case 'message.react':
      return `Reação a uma mensagem de ${name}`
    case 'message.edit':
      return `Edição de uma mensagem para ${name}`
    case 'message.delete':
      return `Apagar uma mensagem para ${name}`
    case 'message.schedule':
    case 'message.unschedule':
      return `Mensagem agendada para ${name}`
    case 'visit.save':
    case 'visit.outcome':
      return `Visita com ${name}`
    case 'lead.fields':
      return `Dados de ${name}`
    case 'lead.private':
      return `Tirar ${name} do quadro`
    case 'lead.public':
      return `Voltar ${name} para o quadro`
    case 'lead.pass':
      return command.given.toBroker === null
        ? `Ficar com ${name}`
        : `Passar ${name} para ${displayName(command.given.toBroker)}`
    case 'lead.take':
      return command.given.accepts ? `Aceitar ${name}` : `Recusar ${name}`
    case 'lead.add':
      return `Novo lead: ${name}`
    case 'lead.read':
      return name
    case 'lead.unread':
      return `Marcar ${name} como não lida`
    case 'plan.start':
    case 'plan.stop':
      return `Plano de tentativas com ${name}`
    case 'action.save':
    case 'action.finish':
    case 'action.snooze':
      return `Próximo passo de ${name}`
    default:
      return command satisfies never
  }
}

/** Returns the typed text; null for commands without one. */
export function wordsOf(command: Command): string | null {
  if (command.kind === 'lead.add') return formatPhone(command.lead.number ?? '')
  if (command.kind === 'lead.fields') return fieldsWords(command.given.fields)
  if (command.kind === 'message.schedule' || command.kind === 'message.edit') return command.given.text
  if (command.kind === 'message.react') return command.given.emoji || null
  if (command.kind === 'visit.save')
    return `${visitWords(Date.parse(command.given.startsAt))} ${command.given.place}`.trim()
  if (command.kind === 'material.send') return command.things.map(({ label }) => label).join(' · ')
  if (command.kind === 'interest.add' || command.kind === 'interest.remove')
    return `${command.kind === 'interest.add' ? 'Pôr' : 'Tirar'} ${command.name}`
  if (command.kind === 'message.send' && command.file)
    return [command.file.media.fileName, command.text].filter(Boolean).join(' · ')
  if ('given' in command) return command.kind === 'action.save' ? command.given.note || null : null
  return command.kind === 'lead.move' || command.kind === 'lead.read' ? null : command.text
}

/** For example 'Valor: R$ 640 mil · Etiquetas: Varanda'. */
function fieldsWords({ value, loss_reason: reason, tags, ...texts }: Partial<LeadFields>): string {
  const words = {
    ...texts,
    ...(value !== undefined && { value: value === null ? '' : formatValue(value) }),
    ...(tags && { tags: tags.join(', ') }),
    ...(reason !== undefined && { loss_reason: reason === null ? '' : LOSS_REASONS[reason] }),
  }
  return Object.entries(words)
    .map(([field, word]) => `${FIELD_LABEL[field as keyof LeadFields]}: ${word || '–'}`)
    .join(' · ')
}

/** Tells in one line why an entry waits. */
export function statusOf({ failure, nextAtMs }: Entry): string {
  return failure === 'server'
    ? `O servidor não aceitou ainda. Nova tentativa às ${formatHour(nextAtMs)}.`
    : 'Na fila'
}

/** Joins both notes. If one contains the other, the longer one is returned. */
export function joined(mine: string, theirs: string): string {
  if (mine.includes(theirs.trim())) return mine
  return theirs.includes(mine.trim()) ? theirs : `${theirs.trim()}\n\n${mine.trim()}`
}

/** Returns the username with a capital letter, for display. */
export function capitalised(username: string): string {
  return username.charAt(0).toLocaleUpperCase('pt-BR') + username.slice(1)
}
