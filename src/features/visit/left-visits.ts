// Visits of which it is not asked now what became of them, kept on this device: asked once more at 18h, then only by hand.
import { useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { calendarDay } from '#domain/format.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { zonedMs } from '#domain/zone.ts'
import { LEAD_MARKS } from '#data/lead-marks.ts'

const AGAIN_HOUR = 18
/** Older ones were answered long ago. */
const MOST = 50

/** `untilMs` null: it is not asked again. */
const Left = v.array(v.object({ key: v.string(), untilMs: v.nullable(v.number()) }))
export type Left = v.InferOutput<typeof Left>

/** Moved to another hour it is another one to ask about. */
export const visitKey = (leadId: number, { dueAtMs }: Pick<NextAction, 'dueAtMs'>) => `${leadId} ${dueAtMs}`

export const isLeft = (left: Left, key: string, nowMs: number) =>
  left.some((one) => one.key === key && (one.untilMs === null || nowMs < one.untilMs))

/** For the first time until it is 18h, for the second for good. */
export function leftAt(left: Left, key: string, nowMs: number): Left {
  const today = calendarDay(nowMs)
  const day = nowMs < zonedMs(today, AGAIN_HOUR) ? today : today + 1
  const isSecond = left.some((one) => one.key === key)
  const untilMs = isSecond ? null : zonedMs(day, AGAIN_HOUR)
  return [...left.filter((one) => one.key !== key), { key, untilMs }].slice(-MOST)
}

const listeners = new Set<() => void>()

export function leaveVisit(key: string, nowMs: number) {
  write(leftAt(parse(read()), key, nowMs))
}

/** Asked for by hand. */
export function askOfVisits(leadId: number) {
  write(parse(read()).filter(({ key }) => !key.startsWith(`${leadId} `)))
}

export function useLeftVisits(): Left {
  const kept = useSyncExternalStore(subscribe, read)
  return useMemo(() => parse(kept), [kept])
}

/** Of a device that keeps nothing, for as long as the page is open. */
let unkept = '[]'

function read(): string {
  try {
    return localStorage.getItem(LEAD_MARKS.leftVisits) ?? '[]'
  } catch {
    return unkept
  }
}

function parse(kept: string): Left {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Left), kept)
  return success ? output : []
}

function write(left: Left) {
  unkept = JSON.stringify(left)
  try {
    localStorage.setItem(LEAD_MARKS.leftVisits, unkept)
  } catch {
    // It is asked again at the next start.
  }
  for (const listener of listeners) listener()
}

/** Another tab's, too. */
function subscribe(changed: () => void) {
  listeners.add(changed)
  addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    removeEventListener('storage', changed)
  }
}
