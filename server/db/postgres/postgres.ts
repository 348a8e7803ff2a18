// The server engine: a Postgres or Supabase behind DATABASE_URL, through a pool of connections.
import pg from 'pg'
import { createAnnouncer } from '../announcer.ts'
import type { Database } from '../database.ts'
import { createListener } from './listener.ts'
import { createShares, sharesOf } from '../shares.ts'
import { createSessions, createTransactions } from '../transactions.ts'
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

/** A new connection, encrypted or not, costs more than one that waits. */
const IDLE_MS = 60_000

/**
 * Connects to `url`. With a `sessionUrl` beside it, that is a pooler in transaction mode: nothing is prepared by name then, and no
 * setting outlives its transaction but the time zone; listening holds a session connection of its own there. `onError`
 * hears of connections that die while idle; a query on a dead connection rejects.
 */
export function openPostgres(options: {
  url: string
  sessionUrl?: string | undefined
  maxConnections: number
  onError: (error: Error) => void
}): Database {
  const settings = {
    connectionString: asLibpqReadsIt(options.url),
    types,
    application_name: 'portal-do-corretor',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  }
  const sessions = createSessions({ isPooled: options.sessionUrl !== undefined })
  const pool = new pg.Pool({
    ...settings,
    // One more, to cancel a statement while all others are at work.
    max: options.maxConnections + 1,
    idleTimeoutMillis: IDLE_MS,
    // A statement, because poolers refuse it among the words of a connection's start.
    verify: (client, done) => void sessions.begin(client).then(() => done(), done),
  })
  const listener = createListener(
    { ...settings, connectionString: asLibpqReadsIt(options.sessionUrl ?? options.url) },
    options.onError,
  )
  const shares = createShares({
    sizes: sharesOf(options.maxConnections),
    ownWaitMs: settings.connectionTimeoutMillis,
  })
  const announcer = createAnnouncer({
    // Lost with the server, and then everybody who listened reads again: no reason to wait for its disk.
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
    onError: options.onError,
  })
  const { transact, batch, query, exec } = createTransactions({
    pool,
    sessions,
    types,
    announce: (announcement) => announcer.announce(announcement),
  })
  pool.on('error', options.onError)
  // The pool listens to idle clients only, and once: an error of one in use, or a second one, would end the process.
  // Its query rejects by itself.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    sessions.hear(client)
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
    close: async () => {
      await announcer.close()
      await listener.close()
      await pool.end()
    },
  }
}

/** Read committed never fails to serialize: 40001 says that the schema changed under a prepared statement or a plan (errors.ts). */
const SCHEMA_CHANGED = '40001'
/** After these nothing of the transaction was kept. */
const AGAIN = { codes: ['40P01', SCHEMA_CHANGED] }

/** `sslmode` as every host's instructions mean it: `require` encrypts, `verify-full` proves the server, too. */
const asLibpqReadsIt = (url: string) => `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
