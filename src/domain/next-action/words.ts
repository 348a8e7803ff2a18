// Texts for next actions and waiting leads, such as 'Ligar · hoje 17h', 'atrasada 2 h' or '8× a meta'; and the
// suggested times.
import { countOf } from '../count.ts'
import { calendarDay, MINUTE_MS, spokenHour } from '../format.ts'
import type { ActionKind, NextAction } from './next-action.ts'
import { dateParts, zonedMs } from '../zone.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_HOURS = 24
const WEEKDAYS = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb']
/** Days further ahead are shown by date, because their weekday would be ambiguous. */
const NAMED_DAYS = 6

export const ACTION_LABEL: Readonly<Record<ActionKind, string>> = {
  call: 'Ligar',
  message: 'Mensagem',
  visit: 'Visita',
  task: 'Tarefa',
}

export const VISIT_MINUTES = 40
/** The app asks for a visit's outcome this long after its end. */
const ASKED_AFTER_MINUTES = 20

/** True if the action is late. A visit is late only once the app has asked for its outcome. */
export const isLate = ({ kind, dueAtMs }: Pick<NextAction, 'kind' | 'dueAtMs'>, nowMs: number) =>
  nowMs - dueAtMs >= (kind === 'visit' ? VISIT_MINUTES + ASKED_AFTER_MINUTES : 1) * MINUTE_MS

/**
 * For example 'hoje 17h', 'amanhã 9h', 'sex 9h', '28/11 10h' or '28/11/2027 10h'. Late ones read 'atrasada 12 min',
 * 'atrasada 2 h' or 'atrasada 1 dia'.
 */
export function whenWords(dueAtMs: number, nowMs: number, kind: ActionKind = 'task'): string {
  if (isLate({ kind, dueAtMs }, nowMs)) return `atrasada ${lastingWords(dueAtMs, nowMs)}`
  return momentWords(dueAtMs, nowMs)
}

/** For example 'ontem 16h' or 'hoje 9h'. */
export function momentWords(ms: number, nowMs: number): string {
  return `${dayWords(ms, nowMs)} ${spokenHour(ms)}`
}

/** Returns an instant in the past, such as 'hoje, 9h', 'ontem, 16h' or 'sáb 21/11, 9h'. */
export function pastWords(ms: number, nowMs: number): string {
  const { day, month } = dateParts(ms)
  const isNear = calendarDay(nowMs) - calendarDay(ms) <= 1
  return `${isNear ? dayWords(ms, nowMs) : `${weekdayOf(ms)} ${day}/${month}`}, ${spokenHour(ms)}`
}

function dayWords(ms: number, nowMs: number): string {
  const ahead = calendarDay(ms) - calendarDay(nowMs)
  if (ahead === 0) return 'hoje'
  if (ahead === 1) return 'amanhã'
  if (ahead === -1) return 'ontem'
  if (ahead > 0 && ahead <= NAMED_DAYS) return weekdayOf(ms)
  const { day, month, year } = dateParts(ms)
  return `${day}/${month}${year === dateParts(nowMs).year ? '' : `/${year}`}`
}

/** For example 'seg'. */
export function weekdayOf(ms: number): string {
  return WEEKDAYS[weekdayNumber(calendarDay(ms))] ?? ''
}

/**
 * Returns a duration such as '12 min', '2 h' or '3 dias': whole numbers of the largest unit. Days are calendar days, as
 * everywhere on a card.
 */
export function lastingWords(sinceMs: number, nowMs: number): string {
  const ms = nowMs - sinceMs
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  const hours = Math.floor(ms / HOUR_MS)
  return hours < DAY_HOURS
    ? `${hours} h`
    : countOf(Math.max(1, calendarDay(nowMs) - calendarDay(sinceMs)), 'dia', 'dias')
}

/** For example 'Ligar · hoje 17h'. */
export function actionWords({ kind, dueAtMs }: Pick<NextAction, 'kind' | 'dueAtMs'>, nowMs: number): string {
  return `${ACTION_LABEL[kind]} · ${whenWords(dueAtMs, nowMs, kind)}`
}

export type Suggestion = { kind: ActionKind; dueAtMs: number; label: string }

const CALL_HOUR = 17
const MORNING_HOUR = 9

/**
 * Tells what the app suggests after a message: a call today and a message tomorrow. From 17h on: a call tomorrow, and a
 * message on the next working day.
 */
export function suggestionsAt(nowMs: number): [call: Suggestion, message: Suggestion] {
  const today = calendarDay(nowMs)
  const callAtMs = zonedMs(today, CALL_HOUR)
  const tomorrowMs = zonedMs(today + 1, MORNING_HOUR)
  if (nowMs < callAtMs)
    return [
      { kind: 'call', dueAtMs: callAtMs, label: `Ligar hoje ${CALL_HOUR}h` },
      { kind: 'message', dueAtMs: tomorrowMs, label: `Amanhã ${MORNING_HOUR}h` },
    ]
  const laterMs = zonedMs(workingDayFrom(today + 2), MORNING_HOUR)
  const label = `${weekdayOf(laterMs)} ${MORNING_HOUR}h`
  return [
    { kind: 'call', dueAtMs: tomorrowMs, label: `Ligar amanhã ${MORNING_HOUR}h` },
    { kind: 'message', dueAtMs: laterMs, label: label.charAt(0).toUpperCase() + label.slice(1) },
  ]
}

/** Returns the suggested delays: an hour, and until tomorrow morning. */
export function snoozesAt(nowMs: number): { hourMs: number; tomorrowMs: number } {
  return { hourMs: nowMs + HOUR_MS, tomorrowMs: zonedMs(calendarDay(nowMs) + 1, MORNING_HOUR) }
}

function workingDayFrom(day: number): number {
  const weekday = weekdayNumber(day)
  if (weekday === 0) return day + 1
  return weekday === 6 ? day + 2 : day
}

/** Returns the weekday of a calendar day; 0 is Sunday. Day 0 of the epoch was a Thursday. */
export function weekdayNumber(day: number): number {
  return (day + 4) % 7
}

/** The target for the first answer if the agency has set none. */
export const TARGET_MS = 15 * MINUTE_MS
const SUN_MS = 5 * MINUTE_MS

export type WaitTone = 'sun' | 'calm' | 'late' | 'alarm'

/** 'sun' in the first five minutes, 'calm' until the target, then 'late'; 'alarm' from twice the target on. */
export function waitTone(waitedMs: number, targetMs = TARGET_MS): WaitTone {
  if (waitedMs < Math.min(SUN_MS, targetMs)) return 'sun'
  if (waitedMs < targetMs) return 'calm'
  return waitedMs < 2 * targetMs ? 'late' : 'alarm'
}

/** For example 'Sem resposta há 2 h', or '2 h sem resposta' if room is 'compact'. Null while the card shows the sun. */
export function waitWords(
  sinceMs: number,
  nowMs: number,
  room: 'roomy' | 'compact' = 'roomy',
): string | null {
  if (nowMs - sinceMs < SUN_MS) return null
  const lasting = lastingWords(sinceMs, nowMs)
  return room === 'roomy' ? `Sem resposta há ${lasting}` : `${lasting} sem resposta`
}

/** Returns the time since `sinceMs`, such as '9 min', '2 h 04' or '3 dias'; 'agora' in the first minute. */
export function clockWords(sinceMs: number, nowMs: number): string {
  const waitedMs = nowMs - sinceMs
  if (waitedMs < MINUTE_MS) return 'agora'
  const minutes = Math.floor(waitedMs / MINUTE_MS)
  if (minutes < 60 || minutes >= DAY_HOURS * 60) return lastingWords(sinceMs, nowMs)
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
}

/** Larger multiples of the target are shown as '99+'. */
const MAX_TIMES = 99

/** Shown below the clock: 'faltam 6 min', 'passou 7 min' or '3× a meta'. */
export function targetWords(waitedMs: number, targetMs = TARGET_MS): string {
  const tone = waitTone(waitedMs, targetMs)
  if (tone === 'alarm') {
    const times = Math.floor(waitedMs / targetMs)
    return `${times > MAX_TIMES ? `${MAX_TIMES}+` : times}× a meta`
  }
  if (tone === 'late') return `passou ${Math.floor((waitedMs - targetMs) / MINUTE_MS)} min`
  return `faltam ${Math.ceil((targetMs - waitedMs) / MINUTE_MS)} min`
}
