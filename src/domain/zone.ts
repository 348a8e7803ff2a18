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
  for (let look = 0; look < 2; look++) ms += (wantedMinutes - wallMinutes(ms)) * MINUTE_MS
  return ms
}

/** Minutes of the zone's wall clock since the epoch's. */
function wallMinutes(ms: number): number {
  const [hours = 0, minutes = 0] = formatHour(ms).split(':').map(Number)
  return calendarDay(ms) * DAY_MINUTES + hours * 60 + minutes
}
