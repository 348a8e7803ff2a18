// The server engine: a Postgres or Supabase behind DATABASE_URL, through a pool of connections.
import pg from 'pg'
import {
  SqlError,
  type Database,
  type Query,
  type Row,
  type SqlValue,
  type TransactionOptions,
} from './database.ts'
import { createListener } from './listener.ts'
import { askerLeft, createShares, sharesOf } from './shares.ts'
import { tryAgain } from './try-again.ts'

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
 * Connects to `url`, which may be a pooler's in transaction mode: nothing is prepared by name, and no setting outlives
 * its transaction but the time zone. Listening holds a session connection of its own, to `sessionUrl` where that is
 * another. `onError` hears of connections that die while idle; a query on a dead connection rejects.
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
  const pool = new pg.Pool({
    ...settings,
    // One more, to cancel a statement while all others are at work.
    max: options.maxConnections + 1,
    idleTimeoutMillis: IDLE_MS,
    // A statement, because poolers refuse it among the words of a connection's start.
    verify: (client, done) =>
      void client.query(`set timezone = 'UTC'`).then(
        () => done(),
        (error: Error) => done(error),
      ),
  })
  const listener = createListener(
    { ...settings, connectionString: asLibpqReadsIt(options.sessionUrl ?? options.url) },
    options.onError,
  )
  const shares = createShares({
    sizes: sharesOf(options.maxConnections),
    ownWaitMs: settings.connectionTimeoutMillis,
  })
  const queryPool = queryOn(pool)
  pool.on('error', options.onError)
  // The pool listens to idle clients only, and once: an error of one in use, or a second one, would end the process.
  // Its query rejects by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    engine: 'postgres',
    query: (sql, values) => tryAgain(() => shares.run(undefined, () => queryPool(sql, values))),
    transaction: (run, choice = {}) => shares.run(choice.asker, () => transact(pool, run, choice)),
    exec: (sql) => shares.run(undefined, async () => void (await pool.query(sql).catch(throwSqlError))),
    listen: (channel, onPayload, onGap) => listener.listen(channel, { onPayload, onGap }),
    load: () => shares.load(),
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}

async function transact<T>(
  pool: pg.Pool,
  run: (query: Query) => Promise<T>,
  { rollback, limitMs, asker }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect().catch(throwSqlError)
  const query = queryOn(client)
  let isBroken = false
  const canceller = createCanceller(pool, asker?.signal)
  try {
    canceller.watch(await begin(client, limitMs))
    const result = await run(canceller.over(query))
    await canceller.stop()
    await query(rollback ? 'rollback' : 'commit')
    return result
  } catch (error) {
    await canceller.stop()
    await query('rollback').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Answers the backend's own number; all in one way there and back. */
async function begin(client: pg.PoolClient, limitMs: number | undefined): Promise<number | undefined> {
  const limit = limitMs === undefined ? '' : `set local statement_timeout = ${Math.ceil(limitMs)};`
  const text = `begin; ${limit} select pg_backend_pid() as pid`
  // Of several statements the driver answers several results, which its types do not know.
  const results: unknown = await client.query(text).catch(throwSqlError)
  const last: unknown = Array.isArray(results) ? results.at(-1) : undefined
  return last instanceof pg.Result ? (last.rows as { pid: number }[])[0]?.pid : undefined
}

/**
 * Cancels what a transaction's backend does once its asker left. By the backend's own number, read inside the
 * transaction, because a pooler in between hands out others; and never after the transaction, when the backend is another's.
 */
function createCanceller(pool: pg.Pool, signal: AbortSignal | undefined) {
  let cancelling: Promise<unknown> | undefined
  let backend: number | undefined
  const cancel = () => {
    if (backend !== undefined)
      cancelling ??= pool.query('select pg_cancel_backend($1)', [backend]).catch(() => undefined)
  }
  return {
    watch: (pid: number | undefined) => {
      backend = pid
      signal?.addEventListener('abort', cancel)
    },
    over:
      (query: Query): Query =>
      async <T extends Row>(sql: string, values?: readonly SqlValue[]) => {
        if (signal?.aborted) throw askerLeft()
        try {
          return await query<T>(sql, values)
        } finally {
          await cancelling
        }
      },
    stop: async () => {
      signal?.removeEventListener('abort', cancel)
      await cancelling
    },
  }
}

/** `sslmode` as every host's instructions mean it: `require` encrypts, `verify-full` proves the server, too. */
const asLibpqReadsIt = (url: string) => `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`

const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  async <T extends Row>(sql: string, values?: readonly SqlValue[]) => {
    const result = await client.query<T>(sql, values ? [...values] : []).catch(throwSqlError)
    return { rows: result.rows, rowCount: result.rowCount ?? 0 }
  }

function throwSqlError(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code !== undefined)
    throw new SqlError({
      message: error.message,
      code: error.code,
      detail: error.detail,
      hint: error.hint,
      constraint: error.constraint,
    })
  if (error instanceof Error && isConnectionLost(error))
    throw new SqlError({ message: error.message, code: CONNECTION_FAILURE, cause: error })
  throw error
}

const CONNECTION_FAILURE = '08006'
const NETWORK_CODE = /^(E[A-Z_]+|ERR_TLS\w*|ERR_SSL\w*)$/
const DRIVER_WORDS =
  /^(Connection terminated|Client (has encountered|was closed)|timeout exceeded when trying)/

function isConnectionLost(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return NETWORK_CODE.test(code) || DRIVER_WORDS.test(error.message)
}
