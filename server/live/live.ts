// Composes live events: the bus over the database's notifications, and the streams of the listeners.
import { PortalError } from '#domain/errors.ts'
import type { Auth } from '#server/auth/auth.ts'
import type { Parts } from '#server/parts.ts'
import { openBus } from './event-bus.ts'
import { createEvents } from './event-stream.ts'
import type { Listener } from './streams.ts'

export async function createLive({ db, clock, log }: Parts, auth: Pick<Auth, 'memberOf' | 'living'>) {
  const bus = await openBus(db, log)
  const identify = (request: Request) => identifyBy(auth, request)
  const events = createEvents({ bus, clock, identify, living: auth.living })
  return {
    /** For /api/events. */
    routes: events.routes,
    /** Number of open streams. */
    count: events.count,
    stampHeard: events.stampHeard,
    /** Whether the caller is an administrator with a live session. */
    isAdmin: async (request: Request) => (await identify(request))?.isAdmin ?? false,
    /** Asks all clients to reconnect, and accepts no new ones. */
    end: events.stop,
    stop: () => bus.stop(),
  }
}

/** Null without a live session. */
async function identifyBy(auth: Pick<Auth, 'memberOf'>, request: Request): Promise<Listener | null> {
  try {
    const { accountId, sessionId, role, instanceName, tokenExpiresAtMs } = await auth.memberOf(request)
    return { accountId, sessionId, isAdmin: role === 'admin', instanceName, expiresAtMs: tokenExpiresAtMs }
  } catch (error) {
    if (error instanceof PortalError) return null
    throw error
  }
}
