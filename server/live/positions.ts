// Opaque positions in the live events: an answer carries its position, and a stream that opens with it learns whether its person
// missed an event since.
import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { PortalEvent } from '#domain/events.ts'
import type { Listener } from './streams.ts'

/** An older name is unknown, and whoever brings it reads again. */
const MAX_NAMES = 5_000
const EVERYBODY = '*'
const OF_DATA = /^\/(api|rest)\//

export function createPositions() {
  let count = 0
  let current: string | null = null
  const counts = new Map<string, number>()
  const lastFor = new Map<string, number>()

  /** The name of this moment. */
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
  /** Every answer of data names the moment when it was asked for. */
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
    /** Whether nothing came for this listener since the first of these moments; false where one is not known here. */
    isStill: ({ isAdmin, instanceName }: Listener, since: readonly string[]): boolean => {
      const at = Math.min(...since.map((name) => counts.get(name) ?? -1))
      if (since.length === 0 || at < 0) return false
      if (isAdmin) return at === count
      return [EVERYBODY, instanceName ?? EVERYBODY].every((name) => (lastFor.get(name) ?? 0) <= at)
    },
  }
}
