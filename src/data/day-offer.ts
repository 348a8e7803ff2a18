// Whether the app offers 'Hoje' before the board: in the morning, until the broker has opened it.
import { calendarDay, formatHour } from '#domain/format.ts'

const PLACE = 'today.seen'
const FROM_HOUR = 5
const UNTIL_HOUR = 12

export function isDayOffered(nowMs: number): boolean {
  const hour = Number(formatHour(nowMs).slice(0, 2))
  if (hour < FROM_HOUR || hour >= UNTIL_HOUR) return false
  try {
    return localStorage.getItem(PLACE) !== String(calendarDay(nowMs))
  } catch {
    return false
  }
}

export function noteDaySeen(nowMs: number) {
  try {
    localStorage.setItem(PLACE, String(calendarDay(nowMs)))
  } catch {
    // If the device cannot store that 'Hoje' was opened, the offer appears again.
  }
}
