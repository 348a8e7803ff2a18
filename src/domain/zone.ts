// Converts between instants and the portal's time zone.
import { calendarDay, formatDate, formatHour, MINUTE_MS } from './format.ts'

const DAY_MINUTES = 1_440

/** For example '28', '11' and '2026'. */
export function dateParts(ms: number): { day: string; month: string; year: string } {
  const [day = '', month = '', year = ''] = formatDate(ms).split('/')
  return { day, month, year }
}

/**
 * Returns the instant at which clocks show this time on a calendar day. If a clock change skips that time, it is an
 * hour later.
 */
export function zonedMs(day: number, hour: number, minute = 0): number {
  const wantedMinutes = day * DAY_MINUTES + hour * 60 + minute
  // Treats the wanted time as UTC, then corrects it by the zone's difference. A second round is needed on days when the
  // difference changes.
  let ms = wantedMinutes * MINUTE_MS
  for (let round = 0; round < 2; round++) ms += (wantedMinutes - wallMinutes(ms)) * MINUTE_MS
  // A clock change skips the wanted time, so two rounds end before it. This moves the result past the gap.
  return ms + Math.max(0, wantedMinutes - wallMinutes(ms)) * MINUTE_MS
}

/** Tells what the zone's clock shows, as minutes since the epoch. */
function wallMinutes(ms: number): number {
  const [hours = 0, minutes = 0] = formatHour(ms).split(':').map(Number)
  return calendarDay(ms) * DAY_MINUTES + hours * 60 + minutes
}

/** Returns the value of a datetime field for an instant. */
export function toField(ms: number): string {
  const { day, month, year } = dateParts(ms)
  return `${year}-${month}-${day}T${formatHour(ms)}`
}

/** Returns the instant of a datetime field's value; null if it is incomplete. */
export function fromField(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)
  if (!match) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = match.slice(1).map(Number)
  return zonedMs(Date.UTC(year, month - 1, day) / 86_400_000, hour, minute)
}
