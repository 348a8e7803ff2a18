// Texts of remarketing.
import { type Campaign } from '#domain/campaign.ts'
import { countOf, formatNumber } from '#domain/count.ts'
import { formatDate, formatHour, formatMoment } from '#domain/format.ts'
import type { Forecast } from './composer/composer-rules.ts'

export const UNNAMED = 'Sem nome'
export const RULES = 'Regras de envio'

export const contacts = (count: number) => countOf(count, 'contato', 'contatos')

const SOON_MS = 60_000

/** For example 'Termina por volta das 9h50.' It also tells the start, unless the campaign starts now. */
export function forecastWords({ beginsAtMs, endsAtMs, todayCount }: Forecast, nowMs: number): string {
  const end = around(formatMoment(endsAtMs, nowMs))
  if (todayCount !== null) return `Hoje este número envia até ${todayCount}. Termina ${end}.`
  return beginsAtMs - nowMs > SOON_MS
    ? `Começa ${formatMoment(beginsAtMs, nowMs)} e termina ${end}.`
    : `Termina ${end}.`
}

/** Turns 'às 9h50' into 'por volta das 9h50'. */
const around = (moment: string) => moment.replace(/^às/, 'por volta das')

// Texts of the running campaign.
export const STOP_CAMPAIGN = 'Parar campanha'
/** For example 'Começa amanhã, 8h', or with a reason 'Começa amanhã, 8h: domingo não há envio.' */
export const begins = (moment: string, why?: string) =>
  `Começa ${inList(moment)}${why === undefined ? '' : `: ${why.charAt(0).toLowerCase()}${why.slice(1)}`}`
/** Turns 'amanhã às 8h' into 'amanhã, 8h'. */
const inList = (moment: string) => moment.replace(/(?<=.),? às /, ', ')
export const goesOn = (when: string) => `Ela continua ${when}.`
/** For example 'termina amanhã, 8h01'; for today 'termina por volta das 9h50'. */
export const endsAround = (moment: string) => `termina ${around(inList(moment))}`

const END = {
  completed: { words: 'Campanha concluída', tone: 'success' },
  stopped: { words: 'Campanha parada', tone: 'info' },
  error: { words: 'Erro na campanha', tone: 'error' },
} as const

type End = { words: string; tone: 'success' | 'info' | 'error' }

/** Tells how a campaign ended. Returns null while it is still running. */
export function endOf({ status, sentCount, recipientCount }: Campaign): End | null {
  if (status !== 'completed' && status !== 'stopped' && status !== 'error') return null
  const { words, tone } = END[status]
  return { words: `${words} · ${sentCount} de ${recipientCount} enviadas`, tone }
}

// Texts of past campaigns and of their results by contact.
export const HISTORY = 'Histórico de Campanhas'
export const NO_CAMPAIGNS = 'Nenhuma campanha realizada ainda'
export const MORE = 'Carregar mais'
export const RETRYING = 'Voltaram para a fila.'
export const resultsOf = (when: string) => `Ver resultado da campanha de ${when}`
export const sentTotal = (sent: number, total: number) => `${sent} / ${total}`

/** Tells when a campaign was made, for example '14/11/2026, 16:20'. */
export const momentOf = ({ createdAtMs }: Campaign) =>
  `${formatDate(createdAtMs)}, ${formatHour(createdAtMs)}`

// Texts of the figures in 'Relatório de Remarketing'.
export const FIGURE = {
  delivered: 'Entregues',
  read: 'Lidas',
  answered: 'Respostas em 72 h',
  optedOut: 'Pediram para sair',
} as const
export const count = (number: number) => formatNumber(number)

const PERCENT = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** For example '99,5%'. */
export const percent = (ratio: number) => ratio.toLocaleString('pt-BR', PERCENT)

// Texts of the list of people who opted out.
export const OPT_OUTS = 'Pedidos de saída'
