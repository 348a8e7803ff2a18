// Time and chance as parts, so that tests turn the hands themselves.

export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `delayMs`, or at once with the rest unslept when the signal aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  /** Calls back every `everyMs` until stopped. */
  every(everyMs: number, run: () => void): () => void
  /** A whole number in [min, max]. */
  randomBetween(min: number, max: number): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const timer = setTimeout(done, delayMs)
      signal?.addEventListener('abort', done, { once: true })
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
