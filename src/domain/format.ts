// Dates, hours and sizes in Brazilian Portuguese, in the portal's time zone.

import { countOf, formatNumber } from './count.ts'

export const TIME_ZONE = 'America/Sao_Paulo'
export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Under this age hours are shown instead of 'ontem', even across midnight. */
const HOURS_BEFORE_DAYS_MS = 12 * HOUR_MS
const LAST_COUNTED_DAY = 30

/** The zone has had no summer time since then (Decreto 9.772 of 2019). */
const NO_SUMMER_TIME_SINCE_MS = Date.UTC(2019, 1, 17, 2)
const BEHIND_UTC_MINUTES = 180
const BEHIND_UTC_IN_SUMMER_MINUTES = 120

/**
 * The wall clock of the zone, as UTC parts of a Date. Null means that Intl has to be used: for earlier dates,
 * and on a device whose own clock shows summer time again (a test fails then, until this rule is updated).
 * Creating the first Intl format takes 150 ms on a slow phone, which would delay the first card.
 */
function zoneClock(ms: number): Date | null {
  const isAskedOfIntl =
    ms < NO_SUMMER_TIME_SINCE_MS || new Date(ms).getTimezoneOffset() === BEHIND_UTC_IN_SUMMER_MINUTES
  return isAskedOfIntl ? null : new Date(ms - BEHIND_UTC_MINUTES * MINUTE_MS)
}

/** Creates the formatter at its first use, because each costs time. */
function formatOf(options: Intl.DateTimeFormatOptions): (ms: number) => string {
  let made: Intl.DateTimeFormat | undefined
  return (ms) => (made ??= new Intl.DateTimeFormat('pt-BR', { timeZone: TIME_ZONE, ...options })).format(ms)
}

const hourByIntl = formatOf({ timeStyle: 'short' })
const dateByIntl = formatOf({ day: '2-digit', month: '2-digit', year: 'numeric' })
const weekday = formatOf({ weekday: 'long', day: '2-digit', month: '2-digit' })

const twoDigits = (part: number) => String(part).padStart(2, '0')

/** '09:41' */
export function formatHour(ms: number): string {
  const clock = zoneClock(ms)
  return clock ? `${twoDigits(clock.getUTCHours())}:${twoDigits(clock.getUTCMinutes())}` : hourByIntl(ms)
}

/** '30/11/2025' */
export function formatDate(ms: number): string {
  const clock = zoneClock(ms)
  if (!clock) return dateByIntl(ms)
  return `${twoDigits(clock.getUTCDate())}/${twoDigits(clock.getUTCMonth() + 1)}/${clock.getUTCFullYear()}`
}

/** '30/11/2025 09:41' */
export function formatDateTime(ms: number): string {
  return `${formatDate(ms)} ${formatHour(ms)}`
}

/**
 * Age in the words of a card: 'agora', 'há 3 min', 'há 1 h', 'ontem', 'há 12 dias', then the date. `words:
 * 'full'` spells the units for screen readers. A future time (a fast clock) is 'agora'.
 */
export function formatRelative(thenMs: number, nowMs: number, words: 'short' | 'full' = 'short'): string {
  const age = nowMs - thenMs
  const isFull = words === 'full'
  if (age < MINUTE_MS) return 'agora'
  if (age < HOUR_MS) {
    const minutes = Math.floor(age / MINUTE_MS)
    return `há ${isFull ? countOf(minutes, 'minuto', 'minutos') : `${minutes} min`}`
  }
  const days = calendarDay(nowMs) - calendarDay(thenMs)
  if (age < HOURS_BEFORE_DAYS_MS || days === 0) {
    const hours = Math.floor(age / HOUR_MS)
    return `há ${isFull ? countOf(hours, 'hora', 'horas') : `${hours} h`}`
  }
  if (days === 1) return 'ontem'
  return days <= LAST_COUNTED_DAY ? `há ${days} dias` : formatDate(thenMs)
}

/** Day heading of a conversation: 'Hoje', 'Ontem', then the date. */
export function formatDay(ms: number, nowMs: number): string {
  const days = calendarDay(nowMs) - calendarDay(ms)
  if (days === 0) return 'Hoje'
  return days === 1 ? 'Ontem' : formatDate(ms)
}

/** Spoken hour: '8h', '16h30', '0h05'. */
export function spokenHour(ms: number): string {
  const [hours, minutes] = formatHour(ms).split(':')
  return `${Number(hours)}h${minutes === '00' ? '' : minutes}`
}

/**
 * A future moment: 'às 9h50', 'amanhã às 8h', 'terça-feira, 24/11, às 9h50', with the year if it is another
 * one.
 */
export function formatMoment(ms: number, nowMs: number): string {
  const at = `às ${spokenHour(ms)}`
  const days = calendarDay(ms) - calendarDay(nowMs)
  if (days === 0) return at
  if (days === 1) return `amanhã ${at}`
  const day = weekday(ms)
  const year = yearOf(ms)
  return year === yearOf(nowMs) ? `${day}, ${at}` : `${day}/${year}, ${at}`
}

/** '0:07', '12:30' */
export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}

/** Size of a file to send, in whole KB and at least 1: '420 KB', '1.434 KB'. */
export function formatKilobytes(bytes: number): string {
  return `${formatNumber(Math.max(1, Math.round(bytes / 1024)))} KB`
}

/** '812 B', '420 KB', '1,4 MB' */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`
}

const yearOf = (ms: number) => formatDate(ms).slice(-4)

/** Number of the calendar day in the portal's time zone; days can be subtracted. */
export function calendarDay(ms: number): number {
  const [day, month, year] = formatDate(ms).split('/').map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day) / DAY_MS
}
