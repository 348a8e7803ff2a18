// Calendar days and hours in the portal's time zone.
import { calendarDay, formatDate, formatHour, MINUTE_MS } from './format.ts'

const DAY_MINUTES = 1_440

/** '28', '11', '2026' */
export function dateParts(ms: number): { day: string; month: string; year: string } {
  const [day = '', month = '', year = ''] = formatDate(ms).split('/')
  return { day, month, year }
}

/**
 * The instant of `hour` o'clock on a calendar day; an hour that a clock change skips becomes the next one.
 */
export function zonedMs(day: number, hour: number, minute = 0): number {
  const wantedMinutes = day * DAY_MINUTES + hour * 60 + minute
  // The difference between the zone's clock and UTC gives the offset; the second round corrects days on which
  // it changes.
  let ms = wantedMinutes * MINUTE_MS
  for (let round = 0; round < 2; round++) ms += (wantedMinutes - wallMinutes(ms)) * MINUTE_MS
  // An hour that does not exist: the second round fell short of it.
  return ms + Math.max(0, wantedMinutes - wallMinutes(ms)) * MINUTE_MS
}

/** Minutes of the zone's wall clock since the epoch. */
function wallMinutes(ms: number): number {
  const [hours = 0, minutes = 0] = formatHour(ms).split(':').map(Number)
  return calendarDay(ms) * DAY_MINUTES + hours * 60 + minutes
}

/** The value of a datetime field, in the portal's time zone. */
export function toField(ms: number): string {
  const { day, month, year } = dateParts(ms)
  return `${year}-${month}-${day}T${formatHour(ms)}`
}

/** Null for an incomplete value. */
export function fromField(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)
  if (!match) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = match.slice(1).map(Number)
  return zonedMs(Date.UTC(year, month - 1, day) / 86_400_000, hour, minute)
}
