// Tracks background work, so that a stopping module can wait for it. main.ts limits the whole stop.

export type Running = {
  count: () => number
  /** The work must not reject. */
  add: (work: Promise<void>) => void
  /** Resolves when all work added so far has ended. */
  settled: () => Promise<void>
}

export function createRunning(onEnd?: () => void): Running {
  const works = new Set<Promise<void>>()
  return {
    count: () => works.size,
    add: (work) => {
      const noted: Promise<void> = work.finally(() => {
        works.delete(noted)
        onEnd?.()
      })
      works.add(noted)
    },
    settled: async () => void (await Promise.all(works)),
  }
}
