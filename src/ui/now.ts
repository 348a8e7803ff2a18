// A clock that all relative times share. It ticks while the page is visible.
import { useSyncExternalStore } from 'react'

const TICK_MS = 10_000

/** The app stores here how far the device's clock is ahead, for a start without a network. */
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

/** Sets how far this device's clock is ahead. Shown times are corrected by it. */
export function setClockAhead(ms: number) {
  aheadMs = ms
  tick()
  try {
    if (ms === 0) localStorage.removeItem(PLACE)
    else localStorage.setItem(PLACE, String(ms))
  } catch {
    // If the device cannot store the difference, the portal's next response brings it again.
  }
}

function readKept(): number {
  try {
    return Number(localStorage.getItem(PLACE)) || 0
  } catch {
    return 0
  }
}

/** Returns the corrected time in ms. */
export const now = () => Date.now() - aheadMs

/** Returns the corrected time in ms, at most ten seconds old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => deviceMs - aheadMs)
}

/** Returns the device's uncorrected time, to compare with times that this device stamped. */
export function useDeviceNow(): number {
  return useSyncExternalStore(subscribe, () => deviceMs)
}
