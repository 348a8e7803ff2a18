// How screens show costs by origin: money, months, names, and the comparison with the month before.
import { formatNumber } from '../count.ts'
import { sourceLabel } from '../lead/source.ts'
import { MAX_CENTS, readAmount, toCents } from './amounts.ts'

export type Figures = {
  leads: number
  answered: number
  visits: number
  sales: number
  /** Leads whose campaign has no spend. */
  untold: number
  /** The counts of only those leads that money was spent for; costs are divided by them. */
  paidLeads: number
  paidAnswered: number
  paidVisits: number
  paidSales: number
  /** Null: nobody has entered what was spent. */
  cents: number | null
  /** True: one amount was entered for the whole origin. */
  isWhole: boolean
  perLead: number | null
  perAnswer: number | null
  perVisit: number | null
  perSale: number | null
}

/** A campaign of an origin, or a whole origin. */
export type OriginLine = {
  origin: string
  /** Null: the whole origin. '': its leads without a campaign. */
  campaign: string | null
  name: string
  figures: Figures
}

const NAMES: Readonly<Record<string, string>> = { meta: 'Meta', google: 'Google Ads', olx: 'ZAP e OLX' }

/** The database keeps other origins in lower case. */
export function originLabel(origin: string): string {
  const label = NAMES[origin] ?? sourceLabel(origin)
  return label === origin ? label.charAt(0).toUpperCase() + label.slice(1) : label
}

export const NO_CAMPAIGN = 'Sem campanha'

/** For example 'R$ 6.100', 'R$ 6.100,50', 'US$ 20'. */
export function formatMoney(cents: number, currency = 'BRL'): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return (cents / 100)
    .toLocaleString('pt-BR', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    .replaceAll('\u00a0', ' ')
}

/** Formats a cost, which is rounded to reais from R$ 10 on. Null, a cost divided by nobody, becomes '–'. */
export function formatCost(cents: number | null, currency = 'BRL'): string {
  if (cents === null) return '–'
  return formatMoney(cents >= 1_000 ? Math.round(cents / 100) * 100 : cents, currency)
}

/** Reads typed reais as cents. Null: the field is empty. Undefined: the text is no amount. */
export function readMoney(text: string): number | null | undefined {
  const amount = readAmount(text.trim(), ',')
  if (amount === null || amount === undefined) return /[-–—]/.test(text) ? undefined : amount
  const cents = toCents(amount)
  return cents > MAX_CENTS ? undefined : cents
}

/** For example 'Novembro', or 'Novembro de 2025' in another year. `today`: 'YYYY-MM-DD'. */
export function monthName(month: string, today: string): string {
  const name = new Date(`${month}-15T12:00:00Z`).toLocaleDateString('pt-BR', {
    month: 'long',
    timeZone: 'UTC',
  })
  const year = month.slice(0, 4)
  return `${name[0]!.toUpperCase()}${name.slice(1)}${year === today.slice(0, 4) ? '' : ` de ${year}`}`
}

/** The month that is `count` months earlier; later if `count` is negative. */
export function monthsBefore(month: string, count: number): string {
  const date = new Date(`${month}-15T12:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() - count)
  return date.toISOString().slice(0, 7)
}

export const isMonth = (text: unknown): text is string =>
  typeof text === 'string' && /^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text)

/** A lower cost is better. Null: one of the costs is missing. */
export function compareCosts(now: number | null, before: number | null): 'better' | 'worse' | 'even' | null {
  if (now === null || before === null) return null
  return now === before ? 'even' : now < before ? 'better' : 'worse'
}

/** Explains a cost: 'R$ 9.400 por 128 leads'. */
export function costTitle(
  cents: number | null,
  count: number,
  [one, many]: readonly [string, string],
): string {
  if (cents === null) return 'Sem gasto informado'
  if (count === 0) return `Nenhum ${one} do gasto`
  return `${formatMoney(cents)} por ${formatNumber(count)} ${count === 1 ? one : many}`
}
