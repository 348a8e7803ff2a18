// A clock that the test advances.
import type { Clock } from '#server/clock.ts'

export type ManualClock = Clock & {
  /** Moves time forward and runs what is due, `every` and `sleep` alike. */
  advance(byMs: number): void
  /** Time until the next sleeper or ticker is due, or null if none waits. */
  nextDueInMs(): number | null
}

/** Starts at the real time, so that the database's now() agrees with it until it is advanced. */
export function manualClock(startMs: number = Date.now()): ManualClock {
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
