// The times that are offered for a next step, and a day and hour typed by hand. Pure.
import { calendarDay, formatHour } from '#domain/format.ts'
import { momentWords } from '#domain/next-action-words.ts'
import { dateParts, zonedMs } from '#domain/zone.ts'

export type TimeChoice = { dueAtMs: number; label: string }

const EVENING_HOUR = 17
const MORNING_HOUR = 9
const AHEAD_DAYS = [1, 2, 7]

/** Today at 17h where that is still to come, then mornings. */
export function timeChoices(nowMs: number): TimeChoice[] {
  const today = calendarDay(nowMs)
  const evening = zonedMs(today, EVENING_HOUR)
  const times = [
    ...(nowMs < evening ? [evening] : []),
    ...AHEAD_DAYS.map((days) => zonedMs(today + days, MORNING_HOUR)),
  ]
  return times.map((dueAtMs) => {
    const words = momentWords(dueAtMs, nowMs)
    return { dueAtMs, label: words.charAt(0).toUpperCase() + words.slice(1) }
  })
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
