// Time and random numbers as arguments, so that tests control both.

export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `delayMs`, or at once when the signal aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `everyMs` until stopped. */
  every(everyMs: number, run: () => void): () => void
  /** A whole number in [min, max]. */
  randomBetween(min: number, max: number): number
}

/**
 * Whether `lengthMs` have passed since `sinceMs`. A time in the future was written while the clock ran ahead,
 * and counts as passed, so that no wait exceeds its own length.
 */
export const hasPassed = (clock: Pick<Clock, 'now'>, sinceMs: number, lengthMs: number): boolean => {
  const nowMs = clock.now()
  return nowMs < sinceMs || nowMs - sinceMs >= lengthMs
}

/** Node runs a longer timer after 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      let leftMs = delayMs
      let timer: NodeJS.Timeout
      next()
      signal?.addEventListener('abort', done, { once: true })
      function next() {
        const partMs = Math.min(leftMs, MAX_TIMER_MS)
        leftMs -= partMs
        timer = setTimeout(leftMs > 0 ? next : done, partMs)
      }
      function done() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
    }),
  every: (everyMs, run) => {
    const timer = setInterval(run, everyMs)
    timer.unref()
    return () => clearInterval(timer)
  },
  randomBetween: (min, max) => min + Math.floor(Math.random() * (max - min + 1)),
}
