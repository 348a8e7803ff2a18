// Remembers on this device for which visits the question about the outcome was put off. It is asked again at 18h, then
// only on request.
import { useMemo, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { calendarDay } from '#domain/format.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { zonedMs } from '#domain/zone.ts'
import { LEAD_MARKS } from '#data/lead-marks.ts'

const AGAIN_HOUR = 18
/** How many visits are stored at most. Older ones have an outcome by then. */
const MAX_KEPT = 50

/** `untilMs` is when the question may be asked again; null means never. */
const Left = v.array(v.object({ key: v.string(), untilMs: v.nullable(v.number()) }))
export type Left = v.InferOutput<typeof Left>

/**
 * Identifies a visit. The key contains the visit's time, so that the question is asked again for a visit that was
 * moved.
 */
export const visitKey = (leadId: number, { dueAtMs }: Pick<NextAction, 'dueAtMs'>) => `${leadId} ${dueAtMs}`

export const isLeft = (left: Left, key: string, nowMs: number) =>
  left.some((one) => one.key === key && (one.untilMs === null || nowMs < one.untilMs))

/** Puts the question off until 18h. The second time, it is put off for good. */
export function leftAt(left: Left, key: string, nowMs: number): Left {
  const today = calendarDay(nowMs)
  const day = nowMs < zonedMs(today, AGAIN_HOUR) ? today : today + 1
  const isSecond = left.some((one) => one.key === key)
  const untilMs = isSecond ? null : zonedMs(day, AGAIN_HOUR)
  return [...left.filter((one) => one.key !== key), { key, untilMs }].slice(-MAX_KEPT)
}

const listeners = new Set<() => void>()

export function leaveVisit(key: string, nowMs: number) {
  write(leftAt(parse(read()), key, nowMs))
}

/** Called when the user wants to answer the question although it was put off. */
export function askOfVisits(leadId: number) {
  write(parse(read()).filter(({ key }) => !key.startsWith(`${leadId} `)))
}

export function useLeftVisits(): Left {
  const kept = useSyncExternalStore(subscribe, read)
  return useMemo(() => parse(kept), [kept])
}

/** If the device cannot store the visits, this variable keeps them until the page is closed. */
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
    // If the device cannot store it, the question is asked again at the next start.
  }
  for (const listener of listeners) listener()
}

/** Also tells of changes that another tab made. */
function subscribe(changed: () => void) {
  listeners.add(changed)
  addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    removeEventListener('storage', changed)
  }
}
