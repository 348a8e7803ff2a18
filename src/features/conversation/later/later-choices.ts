// The suggested times for a scheduled message. Pure.
import { calendarDay } from '#domain/format.ts'
import { zonedMs } from '#domain/zone.ts'

export type LaterChoice = { kind: 'today' | 'tomorrow' | 'monday'; label: string; dueAtMs: number }

const EVENING_HOUR = 18
const MORNING_HOUR = 9
/** From this hour on, today's evening is not offered. */
const LATE_HOUR = 17
/** The epoch began on a Thursday, so day numbers with remainder 4 (mod 7) are Mondays. */
const MONDAY = 4

/** Suggests this evening if it is not too late, tomorrow morning, and next Monday. */
export function laterChoices(nowMs: number): LaterChoice[] {
  const today = calendarDay(nowMs)
  const tomorrow = today + 1
  const monday = tomorrow + 1 + ((MONDAY + 7 - ((tomorrow + 1) % 7)) % 7)
  const choices: LaterChoice[] = [
    { kind: 'tomorrow', label: 'Amanhã de manhã', dueAtMs: zonedMs(tomorrow, MORNING_HOUR) },
    { kind: 'monday', label: 'Segunda que vem', dueAtMs: zonedMs(monday, MORNING_HOUR) },
  ]
  if (nowMs >= zonedMs(today, LATE_HOUR)) return choices
  return [{ kind: 'today', label: 'Hoje, fim do dia', dueAtMs: zonedMs(today, EVENING_HOUR) }, ...choices]
}
