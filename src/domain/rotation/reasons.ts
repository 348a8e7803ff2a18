// Why a lead went where it went, in words.
import { displayName } from '../broker.ts'
import type { Verdict } from './rotation.ts'

const REASONS: Record<Verdict['reason'], string> = {
  picked: 'era a sua vez',
  'not-their-turn': 'estava disponível, mas não era a sua vez',
  inactive: 'está desativado nesta roleta',
  paused: 'estava em pausa',
  tried: 'já tinha recebido este lead',
  'off-shift': 'estava fora do plantão',
  'not-linked': 'estava com o WhatsApp desconectado',
  'daily-cap': 'já tinha recebido o limite do dia',
}

/** 'Camila: estava fora do plantão'. */
export const verdictText = ({ instanceName, reason }: Verdict): string =>
  `${displayName(instanceName)}: ${REASONS[reason]}`

/** One line a reason, as 'Fora do plantão: 3 leads', the most frequent first. */
export function reasonCounts(reasons: Partial<Record<string, number>>): string[] {
  return Object.entries(REASONS)
    .flatMap(([reason, text]) => {
      const count = reasons[reason] ?? 0
      return count > 0 ? [{ count, line: `${count} ${count === 1 ? 'lead' : 'leads'}: ${text}` }] : []
    })
    .toSorted((one, other) => other.count - one.count)
    .map(({ line }) => line)
}

/** Steps by which a lead becomes a broker's. */
const GOT = ['given', 'accepted', 'claimed']

/** How many leads a broker got, of how many steps of each kind there were. */
export const leadsGot = (kinds: Readonly<Record<string, number>>): number =>
  GOT.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)

export type RotationEvent = { kind: string; instanceName: string | null; changedBy: string }

type Sentence = (broker: string, by: string) => string

const SENTENCES: Record<string, Sentence> = {
  received: () => 'O lead chegou.',
  offered: (broker) => `Oferecido a ${broker}.`,
  given: (broker) => `Entregue a ${broker}: era a sua vez.`,
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

/** A step of a lead's way as a sentence. */
export function eventText({ kind, instanceName, changedBy }: RotationEvent): string {
  const broker = instanceName === null ? 'O corretor' : displayName(instanceName)
  if (kind === 'closed')
    return instanceName === null
      ? `${changedBy} tirou o lead da roleta.`
      : `Entregue a ${broker} por ${changedBy}.`
  return SENTENCES[kind]?.(broker, changedBy) ?? kind
}
