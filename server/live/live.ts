// Composes live events: the bus over the database's notifications, and the streams of the listeners.
import { PortalError } from '#domain/errors.ts'
import type { Auth } from '#server/auth/auth.ts'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Parts } from '#server/parts.ts'
import { openBus } from './event-bus.ts'
import { createEvents } from './event-stream.ts'
import type { Listener } from './streams.ts'

export async function createLive({ db, clock, log }: Parts, auth: Pick<Auth, 'memberOf' | 'living'>) {
  const bus = await openBus(db, log)
  const identify = (request: Request) => identifyBy(auth, db, request)
  const events = createEvents({ bus, clock, identify, living: auth.living })
  return {
    /** Routes for /api/events. */
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

/** The listener of a request. Null: it has no live session. */
async function identifyBy(
  auth: Pick<Auth, 'memberOf'>,
  db: Parts['db'],
  request: Request,
): Promise<Listener | null> {
  try {
    const { accountId, sessionId, role, instanceName, leadsTeam, tokenExpiresAtMs, claims } =
      await auth.memberOf(request)
    const own = instanceName === null ? [] : [instanceName]
    return {
      accountId,
      sessionId,
      isAdmin: role === 'admin',
      instanceNames: leadsTeam ? [...new Set([...own, ...(await ledInstances(db, claims))])] : own,
      expiresAtMs: tokenExpiresAtMs,
    }
  } catch (error) {
    if (error instanceof PortalError) return null
    throw error
  }
}

const ledInstances = (db: Parts['db'], claims: Claims) =>
  asUser(db, claims, async (query) => {
    const { rows } = await query<{ name: string }>('select unnest(portal.led_instances()) as name')
    return rows.map(({ name }) => name)
  })
