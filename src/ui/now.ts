// The time of day, shared by everything that shows how long ago something was, and moving while the page is seen.
import { useSyncExternalStore } from 'react'

const TICK_MS = 10_000

let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  if (document.hidden) return
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now()
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

/** Milliseconds, at most ten seconds old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}
