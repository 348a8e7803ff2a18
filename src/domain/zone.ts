// Calendar days of the portal's zone, and the moment that an hour of one is.
import { calendarDay, formatDate, formatHour, MINUTE_MS } from './format.ts'

const DAY_MINUTES = 1_440

/** '28', '11', '2026' */
export function dateParts(ms: number): { day: string; month: string; year: string } {
  const [day = '', month = '', year = ''] = formatDate(ms).split('/')
  return { day, month, year }
}

/** When it is `hour` o'clock on a calendar day; where the clocks are put forward over it, an hour later. */
export function zonedMs(day: number, hour: number, minute = 0): number {
  const wantedMinutes = day * DAY_MINUTES + hour * 60 + minute
  // The zone's clock beside UTC's tells how far apart they are; a second look serves the day on which that changes.
  let ms = wantedMinutes * MINUTE_MS
  for (let round = 0; round < 2; round++) ms += (wantedMinutes - wallMinutes(ms)) * MINUTE_MS
  // An hour that there is not: the first round overshot it, the second fell short of it.
  return ms + Math.max(0, wantedMinutes - wallMinutes(ms)) * MINUTE_MS
}

/** Minutes of the zone's wall clock since the epoch's. */
function wallMinutes(ms: number): number {
  const [hours = 0, minutes = 0] = formatHour(ms).split(':').map(Number)
  return calendarDay(ms) * DAY_MINUTES + hours * 60 + minutes
}

/** As a field of day and hour has it, in the portal's zone. */
export function toField(ms: number): string {
  const { day, month, year } = dateParts(ms)
  return `${year}-${month}-${day}T${formatHour(ms)}`
}

/** Null where nothing whole was typed. */
export function fromField(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)
  if (!match) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = match.slice(1).map(Number)
  return zonedMs(Date.UTC(year, month - 1, day) / 86_400_000, hour, minute)
}
