// Opaque positions in the live events: each answer carries one, and a stream that opens with it learns
// whether events came since.
import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { PortalEvent } from '#domain/events.ts'
import type { Listener } from './streams.ts'

/** How many positions the portal remembers. A client with an older one reads everything again. */
const MAX_NAMES = 5_000
const EVERYBODY = '*'
const OF_DATA = /^\/(api|rest)\//

export function createPositions() {
  let count = 0
  let current: string | null = null
  const counts = new Map<string, number>()
  const lastFor = new Map<string, number>()

  /** The current position. */
  function now(): string {
    if (current !== null) return current
    current = randomUUID().slice(0, 8)
    counts.set(current, count)
    for (const oldest of counts.keys()) {
      if (counts.size <= MAX_NAMES) break
      counts.delete(oldest)
    }
    return current
  }
  /** Adds to every answer the position at which it was read. */
  const stamp: MiddlewareHandler = async (context, next) => {
    const name = now()
    await next()
    if (OF_DATA.test(context.req.path)) context.res.headers.set('x-portal-heard', name)
  }

  return {
    stamp,
    note: (event: PortalEvent) => {
      count += 1
      current = null
      lastFor.set(event.kind !== 'gap' && 'instanceName' in event ? event.instanceName : EVERYBODY, count)
    },
    /** Whether this listener got no event since the first of these positions; false for an unknown one. */
    isStill: ({ isAdmin, instanceNames }: Listener, since: readonly string[]): boolean => {
      const at = Math.min(...since.map((name) => counts.get(name) ?? -1))
      if (since.length === 0 || at < 0) return false
      if (isAdmin) return at === count
      return [EVERYBODY, ...instanceNames].every((name) => (lastFor.get(name) ?? 0) <= at)
    },
  }
}
