// Wall-clock time around the demo's now, in epoch seconds: office hours, weekdays, 'yesterday at 11:05'.

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Calendar = {
  now: number
  /** Hour of the day with its fraction, 0 to 24. */
  hourOf(at: number): number
  /** 0 is Sunday. */
  weekdayOf(at: number): number
  /** The same day as `at`, at `hour`. */
  atHour(at: number, hour: number): number
}

/** Epoch seconds as the database reads a time. */
export const toTimestamp = (at: number) => new Date(at * 1000).toISOString()

/** `utcOffset` in seconds, taken as fixed over the demo's ninety days. */
export function createCalendar(now: number, utcOffset: number): Calendar {
  const local = (at: number) => at + utcOffset
  const hourOf = (at: number) => (local(at) % DAY) / HOUR
  return {
    now,
    hourOf,
    // The first of January of 1970 was a Thursday.
    weekdayOf: (at) => (Math.floor(local(at) / DAY) + 4) % 7,
    atHour: (at, hour) => at - (local(at) % DAY) + Math.floor(hour * HOUR),
  }
}
