// Live events, put together: the bus over the database's notifications, and the streams of those who listen.
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
    /** How many streams are open. */
    count: events.count,
    stampHeard: events.stampHeard,
    /** Whether an administrator asks, by a session that lives. */
    isAdmin: async (request: Request) => (await identify(request))?.isAdmin ?? false,
    /** Asks all who listen to come back, and takes no new ones. */
    end: events.stop,
    stop: () => bus.stop(),
  }
}

/** Null for a request without a session that lives. */
async function identifyBy(auth: Pick<Auth, 'memberOf'>, request: Request): Promise<Listener | null> {
  try {
    const { accountId, sessionId, role, instanceName, tokenExpiresAtMs } = await auth.memberOf(request)
    return { accountId, sessionId, isAdmin: role === 'admin', instanceName, expiresAtMs: tokenExpiresAtMs }
  } catch (error) {
    if (error instanceof PortalError) return null
    throw error
  }
}
