// Texts for the reasons by which a rotation decides.
import { displayName } from '../broker.ts'
import type { SeatOutcome } from './rotation.ts'

type Reason = SeatOutcome['reason']

/** The sentences use the broker's name, because the portal does not know the gender. */
const REASONS: Record<Reason, (broker: string) => string> = {
  picked: (broker) => `era a vez de ${broker}`,
  lister: (broker) => `o imóvel é de ${broker}, o angariador`,
  'not-their-turn': (broker) => `estava disponível, mas não era a vez de ${broker}`,
  inactive: () => 'está desativado nesta roleta',
  paused: () => 'estava em pausa',
  tried: () => 'já tinha recebido este lead',
  'off-shift': () => 'estava fora do plantão',
  'not-linked': () => 'estava com o WhatsApp desconectado',
  'daily-cap': () => 'já tinha recebido o limite do dia',
}

/** For example 'Camila: estava fora do plantão'. */
export function seatOutcomeText({ instanceName, reason }: SeatOutcome): string {
  const broker = displayName(instanceName)
  return `${broker}: ${REASONS[reason](broker)}`
}

type Counts = Partial<Record<string, number>>

/** Returns the reasons that occurred, most frequent first. */
const counted = (reasons: Counts) =>
  (Object.keys(REASONS) as Reason[])
    .map((reason) => ({ reason, count: reasons[reason] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)

/** Returns one line for each reason, such as '3 leads: estava fora do plantão'. */
export function reasonCounts(instanceName: string, reasons: Counts): string[] {
  const broker = displayName(instanceName)
  return counted(reasons).map(
    ({ reason, count }) => `${count} ${count === 1 ? 'lead' : 'leads'}: ${REASONS[reason](broker)}`,
  )
}

const OWN_REASONS: Record<Exclude<Reason, 'picked' | 'lister'>, string> = {
  'not-their-turn': 'não era a sua vez',
  inactive: 'você estava desativado nesta roleta',
  paused: 'você estava em pausa',
  tried: 'você já tinha recebido este lead',
  'off-shift': 'você estava fora do plantão',
  'not-linked': 'o seu WhatsApp estava desconectado',
  'daily-cap': 'você já tinha recebido o limite do dia',
}

const isGot = (reason: Reason) => reason === 'picked' || reason === 'lister'

/**
 * Returns the reasons for the broker's own screen, such as '4 vieram para você', '21 foram para outros, não era a sua
 * vez'.
 */
export const ownReasons = (reasons: Counts): string[] =>
  counted(reasons)
    .toSorted((one, other) => Number(isGot(other.reason)) - Number(isGot(one.reason)))
    .map(({ reason, count }) => {
      const isOne = count === 1
      if (reason === 'picked') return `${count} ${isOne ? 'veio' : 'vieram'} para você`
      if (reason === 'lister') return `${count} ${isOne ? 'veio' : 'vieram'} para você, de um imóvel seu`
      return `${count} ${isOne ? 'foi' : 'foram'} para outros, ${OWN_REASONS[reason]}`
    })

/** Tells in how many decisions the broker had a seat. */
export const decisionsOf = (reasons: Counts): number =>
  counted(reasons).reduce((sum, { count }) => sum + count, 0)

/** The steps by which a broker becomes a lead's owner. */
const GOT = ['given', 'accepted', 'claimed']

/** Tells how many leads a broker got, by the number of steps of each kind. */
export const leadsGot = (kinds: Readonly<Record<string, number>>): number =>
  GOT.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)

export type RotationEvent = { kind: string; instanceName: string | null; changedBy: string }

type Sentence = (broker: string, by: string) => string

const SENTENCES: Record<string, Sentence> = {
  received: () => 'O lead chegou.',
  offered: (broker) => `Oferecido a ${broker}.`,
  given: (broker) => `Era a vez de ${broker}, que recebeu o lead.`,
  accepted: (broker) => `${broker} aceitou.`,
  passed: (broker) => `${broker} passou a vez.`,
  expired: (broker) => `${broker} não aceitou a tempo.`,
  unanswered: (broker) => `${broker} não respondeu ao lead a tempo.`,
  answered: (broker) => `${broker} respondeu ao lead.`,
  pooled: () => 'Foi para o bolsão: qualquer corretor da roleta pode pegar.',
  claimed: (broker) => `${broker} pegou do bolsão.`,
  waiting: () => 'Ninguém podia receber; aguarda o próximo corretor disponível.',
  inbox: () => 'Nenhuma roleta ativa para este empreendimento: ficou com o administrador.',
  sent: (_, by) => `${by} mandou distribuir pela roleta.`,
  theirs: (broker) => `A pessoa já era atendida por ${broker} e continua com ele.`,
}

/** Returns a step in a lead's history as a sentence. */
export function eventText({ kind, instanceName, changedBy }: RotationEvent): string {
  const broker = instanceName === null ? 'O corretor' : displayName(instanceName)
  if (kind === 'closed')
    return instanceName === null
      ? `${changedBy} tirou o lead da roleta.`
      : `Entregue a ${broker} por ${changedBy}.`
  return SENTENCES[kind]?.(broker, changedBy) ?? kind
}
