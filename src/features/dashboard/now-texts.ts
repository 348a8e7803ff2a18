// Sentences of 'Agora'.
import { countOf } from '#domain/format.ts'
import { spanWords } from '#domain/lead-path.ts'
import type { BrokerLine, WaitingLead } from './now-data.ts'

export const NOW = 'Agora'
export const AT_RISK = 'Em risco agora'
export const BY_BROKER = 'Por corretor, hoje'
export const NOBODY_AT_RISK = 'Ninguém em risco agora'
export const NOW_FAILED = 'Não foi possível carregar quem espera agora.'

export const seeLead = (name: string) => `Abrir a conversa com ${name}`

export const NOW_LEADS = (brokers: readonly BrokerLine[]) =>
  `${countOf(
    brokers.reduce((sum, { received }) => sum + received, 0),
    'lead',
    'leads',
  )} hoje, todos com resposta.`

/** '6 leads esperam a primeira resposta · 2 passaram do dobro da meta' */
export function riskText(risk: readonly WaitingLead[], targetSeconds: number, nowMs: number): string {
  if (risk.length === 0) return ''
  const waiting = `${countOf(risk.length, 'lead espera', 'leads esperam')} a primeira resposta`
  const late = risk.filter(({ receivedAtMs }) => nowMs - receivedAtMs >= 2000 * targetSeconds).length
  return late === 0 ? waiting : `${waiting} · ${countOf(late, 'passou', 'passaram')} do dobro da meta`
}

/** '+ 4 s' */
export const gapText = (fromMs: number, toMs: number | null) =>
  toMs === null ? '–' : `+ ${spanWords(Math.max(0, Math.round((toMs - fromMs) / 1000)))}`

export const withinText = (within: number, answered: number, targetSeconds: number) =>
  answered === 0
    ? `Meta: responder em ${spanWords(targetSeconds)}`
    : `${within} de ${answered} respostas na meta de ${spanWords(targetSeconds)}`
