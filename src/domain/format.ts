// Dates, hours and sizes in Brazilian Portuguese, in the portal's time zone.

import { countOf, formatNumber } from './count.ts'

export const TIME_ZONE = 'America/Sao_Paulo'
export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** For younger instants the age is told in hours, even across midnight, instead of 'ontem'. */
const HOURS_BEFORE_DAYS_MS = 12 * HOUR_MS
const LAST_COUNTED_DAY = 30

/** Brazil has had no summer time since this instant (Decreto 9.772 of 2019). */
const NO_SUMMER_TIME_SINCE_MS = Date.UTC(2019, 1, 17, 2)
const BEHIND_UTC_MINUTES = 180
const BEHIND_UTC_IN_SUMMER_MINUTES = 120

/**
 * Returns the wall clock of the portal's time zone, as the UTC parts of a Date, without Intl: creating the first Intl
 * format takes 150 ms on a slow phone, which would delay the first card. Returns null where Intl must be used: for
 * dates before 2019, or on a device whose clock has summer time again. A test fails if Brazil reintroduces it.
 */
function zoneClock(ms: number): Date | null {
  const isAskedOfIntl =
    ms < NO_SUMMER_TIME_SINCE_MS || new Date(ms).getTimezoneOffset() === BEHIND_UTC_IN_SUMMER_MINUTES
  return isAskedOfIntl ? null : new Date(ms - BEHIND_UTC_MINUTES * MINUTE_MS)
}

/** Creates the Intl format at its first use, because creating one is slow. */
function formatOf(options: Intl.DateTimeFormatOptions): (ms: number) => string {
  let made: Intl.DateTimeFormat | undefined
  return (ms) => (made ??= new Intl.DateTimeFormat('pt-BR', { timeZone: TIME_ZONE, ...options })).format(ms)
}

const hourByIntl = formatOf({ timeStyle: 'short' })
const dateByIntl = formatOf({ day: '2-digit', month: '2-digit', year: 'numeric' })
const weekday = formatOf({ weekday: 'long', day: '2-digit', month: '2-digit' })

const twoDigits = (part: number) => String(part).padStart(2, '0')

/** For example '09:41'. */
export function formatHour(ms: number): string {
  const clock = zoneClock(ms)
  return clock ? `${twoDigits(clock.getUTCHours())}:${twoDigits(clock.getUTCMinutes())}` : hourByIntl(ms)
}

/** For example '30/11/2025'. */
export function formatDate(ms: number): string {
  const clock = zoneClock(ms)
  if (!clock) return dateByIntl(ms)
  return `${twoDigits(clock.getUTCDate())}/${twoDigits(clock.getUTCMonth() + 1)}/${clock.getUTCFullYear()}`
}

/** For example '30/11/2025 09:41'. */
export function formatDateTime(ms: number): string {
  return `${formatDate(ms)} ${formatHour(ms)}`
}

/**
 * Returns an age as cards show it: 'agora', 'há 3 min', 'há 1 h', 'ontem', 'há 12 dias', then the date. `words: 'full'`
 * spells the units for screen readers. A future time, from a fast clock, is 'agora'.
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

/** Returns the heading of a conversation's day: 'Hoje', 'Ontem', then the date. */
export function formatDay(ms: number, nowMs: number): string {
  const days = calendarDay(nowMs) - calendarDay(ms)
  if (days === 0) return 'Hoje'
  return days === 1 ? 'Ontem' : formatDate(ms)
}

/** Returns an hour as people say it: '8h', '16h30', '0h05'. */
export function spokenHour(ms: number): string {
  const [hours, minutes] = formatHour(ms).split(':')
  return `${Number(hours)}h${minutes === '00' ? '' : minutes}`
}

/**
 * Returns a future moment: 'às 9h50', 'amanhã às 8h', 'terça-feira, 24/11, às 9h50'. The year is added if it is not
 * this year.
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

/** For example '0:07' or '12:30'. */
export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}

/** Returns the size of a file to send, in whole KB and at least 1, such as '420 KB' or '1.434 KB'. */
export function formatKilobytes(bytes: number): string {
  return `${formatNumber(Math.max(1, Math.round(bytes / 1024)))} KB`
}

/** For example '812 B', '420 KB' or '1,4 MB'. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`
}

const yearOf = (ms: number) => formatDate(ms).slice(-4)

/** Returns the number of a calendar day in the portal's time zone. Subtracting two gives the days between them. */
export function calendarDay(ms: number): number {
  const [day, month, year] = formatDate(ms).split('/').map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day) / DAY_MS
}
