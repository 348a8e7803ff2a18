// Computes the suggested times for a next step, and reads a typed day and hour. Pure.
import { calendarDay } from '#domain/format.ts'
import { momentWords } from '#domain/next-action/words.ts'
import { zonedMs } from '#domain/zone.ts'

export type TimeChoice = { dueAtMs: number; label: string }

const EVENING_HOUR = 17
const MORNING_HOUR = 9
const AHEAD_DAYS = [1, 2, 7]

/** Proposes today at 17h, unless it is later already, and then mornings. */
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
