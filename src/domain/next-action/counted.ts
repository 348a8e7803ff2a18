// Compares a lead's wait with its target. Only working hours count.
import { calendarDay } from '../format.ts'
import type { Lead } from '../lead/lead.ts'
import { zonedMs } from '../zone.ts'
import { targetWords, TARGET_MS, type WaitTone, waitTone, weekdayNumber } from './words.ts'

/** How much time counted at the instant `atMs`. `isOpen`: time has been counting since then. */
export type Counted = { atMs: number; countedMs: number; isOpen: boolean }

/**
 * `targetMs`: the agency's target. `counted`: the server's count, which includes the shifts of rotations. Without it,
 * the agency's working hours count.
 */
type Wait = { nowMs: number; targetMs?: number | undefined; counted?: Counted | undefined }

export type Standing = { waitedMs: number; isOver: boolean; tone: WaitTone; words: string }

export function standingOf({ waitingSinceMs, targetMs: ownMs }: Lead, wait: Wait): Standing {
  const { nowMs } = wait
  const sinceMs = waitingSinceMs ?? nowMs
  const waitedMs = nowMs - sinceMs
  const targetMs = ownMs ?? wait.targetMs ?? TARGET_MS
  const counted = countedOf(sinceMs, wait)
  const countedMs = counted.countedMs + (counted.isOpen ? nowMs - counted.atMs : 0)
  const tone = waitTone(countedMs, targetMs)
  const isOver = countedMs >= targetMs
  if (!counted.isOpen && !isOver) return { waitedMs, isOver, tone: 'calm', words: 'fora do horário' }
  // The sun depends on the elapsed time, not the counted one, so that a lead that waited all night gets none.
  return {
    waitedMs,
    isOver,
    tone: tone === 'sun' ? waitTone(waitedMs, waitedMs + 1) : tone,
    words: targetWords(countedMs, targetMs),
  }
}

/** Ignores a count of the server that was made before this wait began. */
const countedOf = (sinceMs: number, { nowMs, counted }: Wait): Counted =>
  counted && counted.atMs >= sinceMs ? counted : countedByAgency(sinceMs, nowMs)

const OPENS = 8
const CLOSES = 20
/** No target is longer than the working hours of eight days, so earlier days need not be counted. */
const MAX_DAYS = 8

/** Counts Monday to Saturday from 8h to 20h. The server does the same for leads without a rotation. */
function countedByAgency(sinceMs: number, nowMs: number): Counted {
  const today = calendarDay(nowMs)
  let countedMs = 0
  let isOpen = false
  for (let day = Math.max(calendarDay(sinceMs), today - MAX_DAYS); day <= today; day++) {
    const [opensMs, closesMs] = hoursOf(day)
    countedMs += Math.max(0, Math.min(nowMs, closesMs) - Math.max(sinceMs, opensMs))
    isOpen = opensMs <= nowMs && nowMs < closesMs
  }
  return { atMs: nowMs, countedMs, isOpen }
}

/** Cached, because computing the hours for each card at each tick would cost a frame. */
const known = new Map<number, readonly [opensMs: number, closesMs: number]>()

function hoursOf(day: number): readonly [opensMs: number, closesMs: number] {
  const isSunday = weekdayNumber(day) === 0
  const hours = known.get(day) ?? [zonedMs(day, OPENS), zonedMs(day, isSunday ? OPENS : CLOSES)]
  known.set(day, hours)
  return hours
}
