// Sentences of 'Agora'.
import { countOf } from '#domain/format.ts'
import { displayName } from '#domain/broker.ts'
import { spanWords } from '#domain/lead-path.ts'
import type { BrokerFigure, BrokerLine, WaitingLead } from './now-data.ts'

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
export function riskText(risk: readonly WaitingLead[], nowMs: number): string {
  if (risk.length === 0) return ''
  const waiting = `${countOf(risk.length, 'lead espera', 'leads esperam')} a primeira resposta`
  const late = risk.filter(({ twiceAtMs }) => twiceAtMs !== null && nowMs >= twiceAtMs).length
  return late === 0 ? waiting : `${waiting} · ${countOf(late, 'passou', 'passaram')} do dobro da meta`
}

/** '+ 4 s' */
export const gapText = (fromMs: number, toMs: number | null) =>
  toMs === null ? '–' : `+ ${spanWords(Math.max(0, Math.round((toMs - fromMs) / 1000)))}`

export const withinText = (within: number, answered: number, targetSeconds: number) =>
  answered === 0
    ? `Meta: responder em ${spanWords(targetSeconds)}`
    : `${within} de ${answered} respostas na meta de ${spanWords(targetSeconds)}`

export const TARGET = 'Meta'
export const targetChoice = (seconds: number) => `Meta: responder em ${spanWords(seconds)}`
export const TARGET_FAILED = 'Não foi possível mudar a meta.'
export const WARN = 'Avisar'
export const WARN_FAILED = 'Não foi possível avisar.'
export const warned = (atMs: number, nowMs: number) =>
  `Avisado há ${spanWords(Math.max(0, Math.floor((nowMs - atMs) / 1000)))}`
export const warnLabel = (name: string) => `Avisar o corretor de ${name}`
export const PASS = 'Passar'
export const passLabel = (name: string) => `Passar ${name} para outro corretor`

const FIGURE: Readonly<Record<BrokerFigure, string>> = {
  waiting: 'Esperando a primeira resposta',
  received: 'Recebidos hoje',
  answered: 'Respondidos',
  withinFive: 'Respondidos em até 5 min',
  booked: 'Visitas de hoje',
  held: 'Visitas feitas hoje',
  won: 'Fechados hoje',
}
export const VALUE_WON = 'Valor fechado hoje'
export const figureOf = (figure: BrokerFigure, broker: string) => `${FIGURE[figure]}: ${displayName(broker)}`
export const LIST_FAILED = 'Não foi possível carregar esta lista.'
export const NOBODY_LISTED = 'Ninguém nesta lista agora.'
