// The server engine: a Postgres or Supabase behind DATABASE_URL, through a pool of connections.
import pg from 'pg'
import { createAnnouncer } from '../announcer.ts'
import type { Database } from '../database.ts'
import { openConnections, type ConnectionLimits } from './connections.ts'
import { readAddress } from './address.ts'
import { createHosts } from './hosts.ts'
import { createListener, type ListenerLimits } from './listener.ts'
import { createShares, sharesOf } from '../shares.ts'
import { createSessions } from './sessions.ts'
import { createTransactions } from '../transactions.ts'
import { tryAgain } from '../try-again.ts'

const keep = (text: string) => text
const AS_NUMBER = [20]
const AS_TEXT = [1082, 1114, 1184, 1700]

/** The types whose reading differs from the driver's own, so that both engines answer alike (database.ts). */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && AS_NUMBER.includes(oid)) return Number
    if (format !== 'binary' && AS_TEXT.includes(oid)) return keep
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

/** The limits of connections and of the portal's own statements. Statements of people have limits of their own. */
const LIMITS: ConnectionLimits & ListenerLimits = {
  connectMs: 5_000,
  answerMs: 3_000,
  silentMs: 3_000,
  marginMs: 5_000,
  statementMs: 60_000,
  maintenanceMs: 10 * 60_000,
  closeMs: 2_000,
  beatMs: 1_000,
  deafMs: 2_000,
}
/** How long the portal's own statements wait for a free connection. */
const OWN_WAIT_MS = 10_000
/**
 * The operating system probes an idle connection after this time, and closes it after as long again without an answer.
 */
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * Connects to `url`, which may name several servers (address.ts). A `sessionUrl` means that `url` is a pooler in
 * transaction mode: statements are not prepared by name, and no setting but the time zone outlives its transaction. The
 * portal then listens on
 * `sessionUrl`. `onError` gets the errors of idle connections; a query on a dead connection rejects.
 */
export function openPostgres(options: {
  url: string
  sessionUrl?: string | undefined
  isReplica?: boolean
  maxConnections: number
  onError: (error: Error) => void
  limits?: Partial<ConnectionLimits & ListenerLimits>
}): Database {
  const { maxConnections, onError } = options
  const address = readAddress(options.url, options)
  const limits = { ...LIMITS, ...options.limits }
  const config = {
    types,
    application_name: 'portal-do-corretor',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
  const sessions = createSessions({ isPooled: options.sessionUrl !== undefined })
  // One more connection, to cancel a statement while all others are in use.
  const hosts = createHosts(address)
  const { wanted } = address
  const connections = openConnections({
    hosts,
    wanted,
    config,
    sessions,
    max: maxConnections + 1,
    limits,
    onError,
  })
  const session = options.sessionUrl === undefined ? null : readAddress(options.sessionUrl)
  const listener = createListener({
    // If one of the two listeners finds the new leader first, it tells the other.
    hosts: session === null ? hosts : createHosts(session),
    wanted: session?.wanted ?? wanted,
    config,
    limits,
    onError,
  })
  const shares = createShares({ sizes: sharesOf(maxConnections), ownWaitMs: OWN_WAIT_MS })
  const announcer = createAnnouncer({
    // Notices need no flush: after a crash of the server every listener reads again.
    send: (channels, payloads) =>
      batch(
        [
          { sql: `select set_config('synchronous_commit', 'off', true)` },
          {
            sql: 'select pg_notify(n.channel, n.payload) from unnest($1::text[], $2::text[]) as n (channel, payload)',
            values: [channels, payloads],
          },
        ],
        {},
      ),
    onError,
  })
  const { transact, batch, query, exec } = createTransactions({
    connections,
    sessions,
    types,
    announce: (announcement) => announcer.announce(announcement),
  })

  return {
    engine: 'postgres',
    query: (sql, values) => tryAgain(() => shares.run(undefined, () => query(sql, values)), AGAIN),
    transaction: (run, choice = {}) =>
      tryAgain(() => shares.run(choice.asker, () => transact(run, choice)), { codes: [SCHEMA_CHANGED] }),
    batch: (statements, choice = {}) =>
      tryAgain(() => shares.run(choice.asker, () => batch(statements, choice)), AGAIN),
    exec: (sql) => tryAgain(() => shares.run(undefined, () => exec(sql)), AGAIN),
    listen: (channel, onPayload, onGap) => listener.listen(channel, { onPayload, onGap }),
    load: () => shares.load(),
    close: () => connections.close(() => announcer.close().then(() => listener.close())),
  }
}

/**
 * Read committed has no serialization failures, so 40001 means a schema change under a prepared statement or plan
 * (errors.ts).
 */
const SCHEMA_CHANGED = '40001'
/** After these errors the transaction was rolled back, so it can be repeated. */
const AGAIN = { codes: ['40P01', SCHEMA_CHANGED] }
