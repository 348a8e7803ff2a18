// Several portals over one database behind one interface: each is used in turn, and all are started and stopped
// together.
import type { Portal } from '#server/portal.ts'

/** Returns the next one at each call. */
export function inTurn<T>(all: readonly T[]): () => T {
  let count = 0
  return () => all[count++ % all.length]!
}

/** Combines portals into one. */
export function balance(portals: readonly Portal[]): Portal {
  const next = inTurn(portals)
  return {
    fetch: (...asked) => next().fetch(...asked),
    // All have the same routes.
    routes: portals[0]!.routes,
    firstAdmin: portals.find(({ firstAdmin }) => firstAdmin)?.firstAdmin ?? null,
    start: () => portals.forEach((portal) => portal.start()),
    leave: () => portals.forEach((portal) => portal.leave()),
    endEvents: () => portals.forEach((portal) => portal.endEvents()),
    stop: async () => void (await Promise.all(portals.map((portal) => portal.stop()))),
  }
}
