// A clock that the test advances.
import type { Clock } from '#server/clock.ts'

export type ManualClock = Clock & {
  /** Moves time forward, and runs all callbacks of `every` and `sleep` that are due then. */
  advance(byMs: number): void
  /** Time until the next sleeper or ticker is due, or null if none waits. */
  nextDueInMs(): number | null
}

/** A Monday, noon in São Paulo. */
const MONDAY_NOON = Date.UTC(2026, 10, 23, 15)

const DAY_MS = 86_400_000
/** São Paulo's offset from UTC, which has no summer time. */
const SAO_PAULO_MS = 3 * 3_600_000

/** Instants in the week after a Saturday that the database's clock has not reached: `(1, 9)` is Sunday at 9 h. */
export function comingSaturday() {
  const today = new Date(Date.now() - SAO_PAULO_MS)
  const saturdayMs = today.setUTCHours(0, 0, 0, 0) + (13 - today.getUTCDay()) * DAY_MS + SAO_PAULO_MS
  return (days: number, hour: number) => new Date(saturdayMs + days * DAY_MS + hour * 3_600_000)
}

/** For what a database's now() must agree with: starts at the real time, and is advanced beside it. */
export const databaseClock = (): ManualClock => manualClock(Date.now())

export function manualClock(startMs: number = MONDAY_NOON): ManualClock {
  let nowMs = startMs
  const due = new Set<{ atMs: number; everyMs: number | null; run: () => void }>()

  function runDue() {
    for (const timer of [...due].toSorted((a, b) => a.atMs - b.atMs)) {
      if (timer.atMs > nowMs) continue
      if (timer.everyMs === null) due.delete(timer)
      else timer.atMs = nowMs + timer.everyMs
      timer.run()
    }
  }

  return {
    now: () => nowMs,
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = { atMs: nowMs + delayMs, everyMs: null, run: wake }
        due.add(timer)
        signal?.addEventListener('abort', wake, { once: true })
        function wake() {
          due.delete(timer)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
      }),
    every: (everyMs, run) => {
      const timer = { atMs: nowMs + everyMs, everyMs, run }
      due.add(timer)
      return () => due.delete(timer)
    },
    randomBetween: (min) => min,
    advance: (byMs) => {
      nowMs += byMs
      runDue()
    },
    nextDueInMs: () =>
      due.size === 0 ? null : Math.max(0, Math.min(...[...due].map(({ atMs }) => atMs)) - nowMs),
  }
}
