// Visits: the free hours of a day, the texts to the lead, and the time at which the outcome is asked for.
import { calendarDay, MINUTE_MS, spokenHour } from '../format.ts'
import type { NextAction } from './next-action.ts'
import { isLate, VISIT_MINUTES, weekdayNumber } from './words.ts'
import { dateParts, zonedMs } from '../zone.ts'

const VISIT_MS = VISIT_MINUTES * MINUTE_MS
const SLOT_MINUTES = 60

/**
 * Visiting hours of a weekday, 1 is Monday. `from` and `until` are minutes of the day. A weekday without entry has no
 * visits.
 */
export type VisitDay = { weekday: number; from: number; until: number }

export type Feeling = 'liked' | 'unsure' | 'disliked'

export const USUAL_WEEK: readonly VisitDay[] = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
  weekday,
  from: 540,
  until: 1_080,
}))

export type Slot = { startsAtMs: number; isTaken: boolean }

/**
 * Returns the hours at which a visit can begin on a calendar day; past ones are left out. `taken` lists when other
 * visits begin.
 */
export function slotsOf(
  day: number,
  { week, taken, nowMs }: { week: readonly VisitDay[]; taken: readonly number[]; nowMs: number },
): Slot[] {
  const weekday = weekdayNumber(day) || 7
  const hours = week.find((one) => one.weekday === weekday)
  if (!hours) return []
  const slots: Slot[] = []
  for (let minute = hours.from; minute + VISIT_MINUTES <= hours.until; minute += SLOT_MINUTES) {
    const startsAtMs = zonedMs(day, Math.floor(minute / 60), minute % 60)
    if (startsAtMs > nowMs) slots.push({ startsAtMs, isTaken: meetsAny(startsAtMs, taken) })
  }
  return slots
}

const OFFERED_HOURS = 4
const LOOKED_AT_DAYS = 7

/** Returns the free hours closest to the wanted one, from the day before it to six days after it, in order of time. */
export function freeHoursNear(
  wantedMs: number,
  { week, taken, nowMs }: { week: readonly VisitDay[]; taken: readonly number[]; nowMs: number },
): number[] {
  const first = calendarDay(Math.max(wantedMs, nowMs)) - 1
  const away = (ms: number) => Math.abs(ms - wantedMs)
  return Array.from({ length: LOOKED_AT_DAYS + 1 }, (_, ahead) =>
    slotsOf(first + ahead, { week, taken, nowMs }),
  )
    .flat()
    .flatMap(({ startsAtMs, isTaken }) => (isTaken ? [] : [startsAtMs]))
    .toSorted((a, b) => away(a) - away(b))
    .slice(0, OFFERED_HOURS)
    .toSorted((a, b) => a - b)
}

/** True if a visit at that time would overlap one of the others. */
export const meetsAny = (startsAtMs: number, taken: readonly number[]) =>
  taken.some((otherMs) => Math.abs(otherMs - startsAtMs) < VISIT_MS)

/** True if the visit is in the future, so that it can be moved or cancelled. */
export const isToCome = ({ kind, dueAtMs }: Pick<NextAction, 'kind' | 'dueAtMs'>, nowMs: number) =>
  kind === 'visit' && nowMs < dueAtMs

/** True if the visit is over and nobody has entered its outcome. */
export const isUnanswered = (action: Pick<NextAction, 'kind' | 'dueAtMs'>, nowMs: number) =>
  action.kind === 'visit' && isLate(action, nowMs)

const WEEKDAYS = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado']

export const weekdayWord = (day: number) => WEEKDAYS[weekdayNumber(day)] ?? ''

/** For example 'sáb, 28 às 10h'. */
export function visitWords(startsAtMs: number): string {
  return `${weekdayWord(calendarDay(startsAtMs)).slice(0, 3)}, ${Number(dateParts(startsAtMs).day)} às ${spokenHour(startsAtMs)}`
}

type Announced = { firstName: string; startsAtMs: number; place: string }

export function confirmText({ firstName, startsAtMs, place }: Announced): string {
  const { day, month } = dateParts(startsAtMs)
  const when = `${weekdayWord(calendarDay(startsAtMs))}, ${day}/${month}, às ${spokenHour(startsAtMs)}`
  return `${firstName ? `${firstName}, visita` : 'Visita'} marcada: ${when}.${placeWords(place)}`
}

export type Reminder = { atMs: number; isEve: boolean }

const EVE_HOUR = 18
const HOURS_BEFORE_MS = 2 * 60 * MINUTE_MS

/** Tells when to remind the lead: the evening before, or two hours before if that is past. Null if both are past. */
export function reminderOf(startsAtMs: number, nowMs: number): Reminder | null {
  const eveMs = zonedMs(calendarDay(startsAtMs) - 1, EVE_HOUR)
  if (eveMs > nowMs) return { atMs: eveMs, isEve: true }
  const hoursBeforeMs = startsAtMs - HOURS_BEFORE_MS
  return hoursBeforeMs > nowMs ? { atMs: hoursBeforeMs, isEve: false } : null
}

export function reminderText({ firstName, startsAtMs, place }: Announced, isEve: boolean): string {
  const day = isEve ? `amanhã, ${weekdayWord(calendarDay(startsAtMs))},` : 'hoje,'
  const hello = firstName ? `Oi, ${firstName}.` : 'Oi!'
  return `${hello} Lembrete da nossa visita ${day} às ${spokenHour(startsAtMs)}.${placeWords(place)} Se precisar mudar, me avisa por aqui.`
}

const placeWords = (place: string) => (place === '' ? '' : ` Local: ${place}.`)
