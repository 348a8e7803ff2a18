// Periods of calendar days: which ones can be chosen, their days as of today, and their form in requests.
import { formatDate } from '../format.ts'

export const PERIOD_NAMES = ['hoje', 'ultima-semana', 'ultimo-mes', 'personalizado'] as const
export type PeriodName = (typeof PERIOD_NAMES)[number]

/** Calendar days as 'YYYY-MM-DD', both inclusive. */
export type DaySpan = { from: string; to: string }

export type Period = { name: Exclude<PeriodName, 'personalizado'> } | ({ name: 'personalizado' } & DaySpan)

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

/** Returns the calendar day of an instant, in the portal's time zone. */
export function dayAt(ms: number): string {
  return formatDate(ms).split('/').toReversed().join('-')
}

/** True if the text is a calendar day in the form 'YYYY-MM-DD'. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && toDay(ms) === text
}

/** The first and last day of any period, because the database refuses dates far outside. */
export const FIRST_DAY = '2000-01-01'
export const LAST_DAY = '2100-12-31'

export const isFar = (day: string): boolean => isDay(day) && (day < FIRST_DAY || day > LAST_DAY)

export type SpanFault = 'missing' | 'far' | 'order'

/** Tells why two typed days are no period; null if they are one. */
export function spanFault({ from, to }: DaySpan): SpanFault | null {
  if (!isDay(from) || !isDay(to)) return 'missing'
  if (isFar(from) || isFar(to)) return 'far'
  return to < from ? 'order' : null
}

export const SPAN_FAULT_TEXT = {
  missing: 'Escolha as duas datas.',
  far: 'Escolha uma data entre os anos 2000 e 2100.',
  order: 'A data final vem antes da inicial.',
} satisfies Record<SpanFault, string>

/**
 * Returns the days of a chosen period. 'Mês' goes back one month; if that day does not exist there, to the month's last
 * day.
 */
export function spanOf(period: Period, today: string): DaySpan {
  switch (period.name) {
    case 'hoje':
      return { from: today, to: today }
    case 'ultima-semana':
      return { from: toDay(Date.parse(today) - 7 * DAY_MS), to: today }
    case 'ultimo-mes':
      return { from: monthBefore(today), to: today }
    case 'personalizado':
      return { from: period.from, to: period.to }
  }
}

/** True if at least six sevenths of the period are over. A week that has just begun would look bad in a comparison. */
export function isMostlyOver({ from, to }: DaySpan, today: string): boolean {
  const daysFrom = (day: string) => (Date.parse(day) - Date.parse(from)) / DAY_MS
  return daysFrom(today) * 7 >= (daysFrom(to) + 1) * 6
}

/** Returns the period as the value of a figure: 'from/to'. */
export const writeSpan = ({ from, to }: DaySpan): string => `${from}/${to}`

/** Reads what writeSpan wrote; null if the text is no period. */
export function readSpan(text: string): DaySpan | null {
  const [from = '', to = '', ...rest] = text.split('/')
  return rest.length === 0 && spanFault({ from, to }) === null ? { from, to } : null
}

/**
 * Returns the period as the database's functions take it: wall-clock times of the portal's time zone, written as if in
 * UTC.
 */
export function toWire({ from, to }: DaySpan): { start: string; end: string } {
  return { start: `${from}T00:00:00Z`, end: `${to}T23:59:59Z` }
}

/** '2026-11-01' becomes '01/11/2026'. */
function formatSpanDay(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** For example '01/11/2026 a 20/11/2026'; for a single day only that day. */
export function formatSpan({ from, to }: DaySpan): string {
  return from === to ? formatSpanDay(from) : `${formatSpanDay(from)} a ${formatSpanDay(to)}`
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function monthBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastThere = new Date(Date.UTC(year, month - 1, 0)).getUTCDate()
  return toDay(Date.UTC(year, month - 2, Math.min(date, lastThere)))
}
