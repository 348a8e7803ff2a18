// An edit or a deletion of a sent message: when WhatsApp allows it, and how it shows until WhatsApp has it.
import type { Message, MessageChange } from './message.ts'

/** WhatsApp's times after the message was sent; the server refuses later changes. */
const EDIT_WITHIN_SECONDS = 15 * 60
const DELETE_WITHIN_SECONDS = 2 * 86_400

export function canEdit(message: Message, nowMs: number): boolean {
  const { content, byAssistant } = message
  return content.kind === 'text' && !byAssistant && isOwn(message, nowMs, EDIT_WITHIN_SECONDS)
}

export function canDelete(message: Message, nowMs: number): boolean {
  const { kind } = message.content
  return kind !== 'deleted' && kind !== 'call' && isOwn(message, nowMs, DELETE_WITHIN_SECONDS)
}

const ARRIVED = ['sent', 'delivered', 'read', null]

function isOwn({ id, direction, delivery, sentAtSeconds }: Message, nowMs: number, withinSeconds: number) {
  const hasArrived = id > 0 && ARRIVED.includes(delivery)
  return direction === 'outgoing' && hasArrived && nowMs / 1000 - sentAtSeconds < withinSeconds
}

/** The message with a change: a queued one shows its result, a refused one only its reason. `body`: the new text. */
export function withChange(message: Message, change: MessageChange, body: string): Message {
  if (change.state !== 'queued') return { ...message, change }
  return change.kind === 'edit'
    ? { ...message, body, change }
    : { ...message, body: '', content: { kind: 'deleted' }, quote: null, isEdited: false, change }
}

const WORDS = {
  edit: {
    refused: 'O WhatsApp não aceitou a edição. O contato vê o texto de antes.',
    late: 'A edição não saiu a tempo: o WhatsApp só aceita até 15 minutos depois do envio.',
    unknown: 'O WhatsApp não confirmou a edição. Confira no celular.',
  },
  delete: {
    refused: 'O WhatsApp não apagou a mensagem. O contato ainda a vê.',
    late: 'Não foi apagada: o WhatsApp só apaga para todos até 2 dias depois do envio.',
    unknown: 'O WhatsApp não confirmou que apagou. Confira no celular.',
  },
}

/** Why a change did not happen; null while it waits. */
export function changeFault({ kind, state, said }: MessageChange): string | null {
  return state === 'queued' ? null : (said ?? WORDS[kind][state])
}

/** 'editando…' while it should happen within moments. */
export function changeLabel({ kind }: MessageChange, isOnline: boolean): string {
  if (isOnline) return kind === 'edit' ? 'editando…' : 'apagando…'
  return kind === 'edit' ? 'edição na fila' : 'apagar na fila'
}

/** Until when WhatsApp accepts an edit. */
export const editableUntilMs = ({ sentAtSeconds }: Message): number =>
  (sentAtSeconds + EDIT_WITHIN_SECONDS) * 1000
