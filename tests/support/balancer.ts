// What stands before several portals over one database: each is asked in its turn, and all are started and stopped.
import type { Portal } from '#server/portal.ts'

/** The next one at each call. */
export function inTurn<T>(all: readonly T[]): () => T {
  let count = 0
  return () => all[count++ % all.length]!
}

/** Portals as one. */
export function balance(portals: readonly Portal[]): Portal {
  const next = inTurn(portals)
  return {
    fetch: (...asked) => next().fetch(...asked),
    // All have the same.
    routes: portals[0]!.routes,
    firstAdmin: portals.find(({ firstAdmin }) => firstAdmin)?.firstAdmin ?? null,
    start: () => portals.forEach((portal) => portal.start()),
    leave: () => portals.forEach((portal) => portal.leave()),
    endEvents: () => portals.forEach((portal) => portal.endEvents()),
    stop: async () => void (await Promise.all(portals.map((portal) => portal.stop()))),
  }
}
