// The time of day, shared by everything that shows how long ago something was, and moving while the page is seen.
import { useSyncExternalStore } from 'react'

const TICK_MS = 10_000

/** Kept for a start without a network. */
const PLACE = 'clock.ahead'

let aheadMs = readKept()
let deviceMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  if (document.hidden) return
  deviceMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    deviceMs = Date.now()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** By so much this device's clock is wrong; what is shown goes by the right time. */
export function setClockAhead(ms: number) {
  aheadMs = ms
  tick()
  try {
    if (ms === 0) localStorage.removeItem(PLACE)
    else localStorage.setItem(PLACE, String(ms))
  } catch {
    // The next answer of the portal says it again.
  }
}

function readKept(): number {
  try {
    return Number(localStorage.getItem(PLACE)) || 0
  } catch {
    return 0
  }
}

/** The right time, in milliseconds. */
export const now = () => Date.now() - aheadMs

/** The right time, at most ten seconds old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => deviceMs - aheadMs)
}

/** The same by this device's own clock, beside what was stamped here. */
export function useDeviceNow(): number {
  return useSyncExternalStore(subscribe, () => deviceMs)
}
