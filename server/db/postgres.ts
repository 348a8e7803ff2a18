// The server engine: a Postgres or Supabase behind DATABASE_URL, through a pool of connections.
import pg from 'pg'
import { SqlError, type Database, type Query, type Row, type SqlValue } from './database.ts'

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

/**
 * Connects to `url`. `onError` hears of connections that die while idle; a query on a dead connection rejects.
 * Listening holds a session connection of its own, so the address must not be a transaction pooler's.
 */
export function openPostgres(options: {
  url: string
  maxConnections: number
  onError: (error: Error) => void
}): Database {
  const settings = {
    connectionString: options.url,
    types,
    options: '-c timezone=UTC',
    application_name: 'portal-do-corretor',
  }
  const pool = new pg.Pool({ ...settings, max: options.maxConnections, connectionTimeoutMillis: 10_000 })
  pool.on('error', options.onError)
  // The pool listens to idle clients only, and once: an error of one in use, or a second one, would end the process.
  // Its query rejects by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    engine: 'postgres',
    query: queryOn(pool),
    transaction: async (run, choice) => {
      const client = await pool.connect().catch(throwSqlError)
      const query = queryOn(client)
      let isBroken = false
      try {
        await query('begin')
        const result = await run(query)
        await query(choice?.rollback ? 'rollback' : 'commit')
        return result
      } catch (error) {
        await query('rollback').catch(() => (isBroken = true))
        throw error
      } finally {
        client.release(isBroken)
      }
    },
    exec: async (sql) => void (await pool.query(sql).catch(throwSqlError)),
    listen: (channel, onPayload, onGap) =>
      listenOn({ settings, channel, onPayload, onGap, onError: options.onError }),
    close: () => pool.end(),
  }
}

const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  async <T extends Row>(sql: string, values?: readonly SqlValue[]) => {
    const result = await client.query<T>(sql, values ? [...values] : []).catch(throwSqlError)
    return { rows: result.rows, rowCount: result.rowCount ?? 0 }
  }

const RECONNECT_DELAY_MS = 1_000

/** Listens on a connection of its own and connects again when it is lost. */
async function listenOn(options: {
  settings: pg.ClientConfig
  channel: string
  onPayload: (payload: string) => void
  onGap: (() => void) | undefined
  onError: (error: Error) => void
}): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function connect() {
    const next = new pg.Client(options.settings)
    next.on('notification', (message) => {
      if (message.channel === options.channel) options.onPayload(message.payload ?? '')
    })
    next.on('error', options.onError)
    next.on('end', () => {
      if (client === next) retry()
    })
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(options.channel)}`)
    client = next
  }

  function retry() {
    client = undefined
    if (isStopped) return
    timer = setTimeout(() => {
      connect().then(options.onGap, (error: Error) => {
        options.onError(error)
        retry()
      })
    }, RECONNECT_DELAY_MS)
  }

  await connect()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    const last = client
    client = undefined
    await last?.end()
  }
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
  throw error
}
