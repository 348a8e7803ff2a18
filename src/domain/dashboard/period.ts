// A span of calendar days: the choices, what each means today, and its form on the wire.
import { formatDate } from '../format.ts'

export const PERIOD_NAMES = ['hoje', 'ultima-semana', 'ultimo-mes', 'personalizado'] as const
export type PeriodName = (typeof PERIOD_NAMES)[number]

/** Calendar days as 'YYYY-MM-DD', both within the span. */
export type DaySpan = { from: string; to: string }

export type Period = { name: Exclude<PeriodName, 'personalizado'> } | ({ name: 'personalizado' } & DaySpan)

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

/** The calendar day in the portal's zone. */
export function dayAt(ms: number): string {
  return formatDate(ms).split('/').toReversed().join('-')
}

/** Whether the calendar has such a day. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && toDay(ms) === text
}

/** No lead came before, and no calendar is kept beyond; the database counts days far from here no more. */
export const FIRST_DAY = '2000-01-01'
export const LAST_DAY = '2100-12-31'

export const isFar = (day: string): boolean => isDay(day) && (day < FIRST_DAY || day > LAST_DAY)

export type SpanFault = 'missing' | 'far' | 'order'

/** What keeps two typed days from being a span. */
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

/** 7 days back, 1 month back; a day that the month before lacks is its last one. */
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

/** Whether six days of seven are over: what still runs would look poor beside whole days. */
export function isMostlyOver({ from, to }: DaySpan, today: string): boolean {
  const daysFrom = (day: string) => (Date.parse(day) - Date.parse(from)) / DAY_MS
  return daysFrom(today) * 7 >= (daysFrom(to) + 1) * 6
}

/** Wall-clock times of the portal's zone, in the form of the wire. */
export function toWire({ from, to }: DaySpan): { start: string; end: string } {
  return { start: `${from}T00:00:00Z`, end: `${to}T23:59:59Z` }
}

/** '2026-11-01' → '01/11/2026' */
function formatSpanDay(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** '01/11/2026 a 20/11/2026', or the one day. */
export function formatSpan({ from, to }: DaySpan): string {
  return from === to ? formatSpanDay(from) : `${formatSpanDay(from)} a ${formatSpanDay(to)}`
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function monthBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastThere = new Date(Date.UTC(year, month - 1, 0)).getUTCDate()
  return toDay(Date.UTC(year, month - 2, Math.min(date, lastThere)))
}
