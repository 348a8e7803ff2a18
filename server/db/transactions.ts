// Statements and transactions over a pool of connections, each in as few ways there and back as it can be.
import type pg from 'pg'
import { readAnnouncement, type Announcer, type Announcement } from './announcer.ts'
import { createCanceller } from './postgres/canceller.ts'
import {
  SqlError,
  type Answered,
  type BatchOptions,
  type Query,
  type Row,
  type Statement,
  type TransactionOptions,
} from './database.ts'
import { sendTogether } from './postgres/pipeline.ts'
import { Prepared } from './prepared.mjs'
import { CONNECTION_FAILURE, isStalePlan, throwSqlError } from './postgres/errors.ts'

type Session = { prepared: Prepared | null; backend: number | undefined }
export type Sessions = ReturnType<typeof createSessions>

/** What is known of each connection, which is one backend's unless a pooler hands out others. */
export function createSessions({ isPooled }: { isPooled: boolean }) {
  const known = new WeakMap<pg.ClientBase, Session>()
  const announcements = new WeakMap<pg.ClientBase, Announcement[]>()
  return {
    isPooled,
    /** From now on hears what its statements tell. */
    hear: (client: pg.ClientBase) => {
      const heard: Announcement[] = []
      announcements.set(client, heard)
      client.on('notice', (notice) => {
        const said = readAnnouncement(notice)
        if (said) heard.push(said)
      })
    },
    /** What was heard since it was last taken. */
    takeAnnouncements: (client: pg.ClientBase): Announcement[] => announcements.get(client)?.splice(0) ?? [],
    /**
     * A new connection's first words: the time zone, which a pooler carries along, who hears what its statements tell, and that
     * nothing is compiled: that costs 20 to 350 ms wherever a statement looks dear, and ours are short.
     */
    begin: async (client: pg.ClientBase) => {
      await client.query(
        `set timezone = 'UTC'${isPooled ? '' : '; set portal.client_notifies = on; set jit = off'}`,
      )
      if (isPooled) return
      known.set(client, { prepared: new Prepared(), backend: pidOf(await client.query<Row>(BACKEND.sql)) })
    },
    of: (client: pg.ClientBase): Session => known.get(client) ?? { prepared: null, backend: undefined },
  }
}

type Ground = {
  pool: pg.Pool
  sessions: Sessions
  types: pg.CustomTypesConfig
  announce: Announcer['announce']
}

export function createTransactions(ground: Ground) {
  const { sessions } = ground
  // What is a transaction by itself leaves nothing open.
  const query: Query = (sql, values) =>
    onClient(
      ground,
      (client) => ask(ground, client, { statement: { sql, values } }),
      () => Promise.resolve(),
    )
  const exec = (sql: string): Promise<void> =>
    onClient(
      ground,
      async (client) => void (await client.query(sql).catch((error: unknown) => throwSqlError(error))),
      () => Promise.resolve(),
    )

  const transact = <T>(
    run: (query: Query) => Promise<T>,
    { rollback, limitMs, asker }: TransactionOptions,
  ): Promise<T> =>
    onClient(
      ground,
      async (client) => {
        const canceller = createCanceller(ground.pool, asker?.signal)
        const { backend } = sessions.of(client)
        // It begins with its first statement, in the same packet; a pooler's backend is asked for before that.
        let before = beginning(limitMs, sessions)
        const askNext: Query = (sql, values) => {
          const first = before
          before = []
          return ask(ground, client, { statement: { sql, values }, before: first })
        }
        try {
          const isAskedFor = backend === undefined && asker?.signal !== undefined
          canceller.watch(isAskedFor ? pidOf(await askNext(BACKEND.sql)) : backend)
          const result = await run(canceller.over(askNext))
          await canceller.stop()
          // Nothing was asked, nothing has begun.
          if (before.length === 0)
            await client
              .query(rollback ? 'rollback' : 'commit')
              .catch((error: unknown) => throwSqlError(error))
          if (rollback) sessions.takeAnnouncements(client)
          return result
        } finally {
          await canceller.stop()
        }
      },
      rollBack,
    )

  const batch = (statements: readonly Statement[], options: BatchOptions): Promise<Answered[]> =>
    onClient(
      ground,
      async (client) => {
        const canceller = createCanceller(ground.pool, options.asker?.signal)
        try {
          const answers = await sendBatch(ground, client, { statements, options, canceller })
          options.check?.(answers)
          await canceller.stop()
          if (options.check)
            await client.query(endOf(options)).catch((error: unknown) => throwSqlError(error))
          if (options.rollback) sessions.takeAnnouncements(client)
          return answers
        } finally {
          await canceller.stop()
        }
      },
      isOnePacket(options) ? () => Promise.resolve() : rollBack,
    )

  return { query, exec, transact, batch }
}

async function onClient<T>(
  { pool, sessions, announce }: Ground,
  task: (client: pg.PoolClient) => Promise<T>,
  /** Brings the connection back to its beginning after a fault; one that cannot is given up. */
  undo: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => throwSqlError(error))
  let isBroken = false
  try {
    const result = await task(client)
    announce(sessions.takeAnnouncements(client))
    return result
  } catch (error) {
    isBroken = error instanceof SqlError && (error.code === CONNECTION_FAILURE || isStalePlan(error.cause))
    if (!isBroken) await undo(client).catch(() => (isBroken = true))
    // Nobody knows what became of a commit whose answer did not come; what is told in vain is read again in vain.
    const announcements = sessions.takeAnnouncements(client)
    if (isBroken) announce(announcements)
    throw error
  } finally {
    client.release(isBroken)
  }
}

const rollBack = (client: pg.PoolClient) => client.query('rollback')

type Asked = {
  statement: { sql: string; values: Statement['values'] }
  /** Goes in front, in the same packet. */
  before?: readonly Statement[]
}

async function ask<T extends Row>(
  { sessions, types }: Ground,
  client: pg.PoolClient,
  { statement: { sql, values = [] }, before = [] }: Asked,
): Promise<Answered<T>> {
  // Without values it may be several, which only the driver's own way takes; of those it answers several results, which its
  // types do not know.
  if (values.length === 0) {
    const text = [...before.map((first) => first.sql), sql].join(';')
    const results: unknown = await client.query<T>(text).catch((error: unknown) => throwSqlError(error))
    const { rows, rowCount } = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<T>
    return { rows, rowCount: rowCount ?? 0 }
  }
  const { prepared } = sessions.of(client)
  const statements = [...before, { sql, values }]
  const answers = await sendTogether(client, { statements, prepared }, types).catch((error: unknown) =>
    throwSqlError(error, before.length),
  )
  // As many answers as statements.
  return answers.at(-1) as Answered<T>
}

type Batch = {
  statements: readonly Statement[]
  options: BatchOptions
  canceller: ReturnType<typeof createCanceller>
}

/** With a check, the transaction is left open. */
async function sendBatch(
  { sessions, types }: Ground,
  client: pg.PoolClient,
  { statements, options, canceller }: Batch,
): Promise<Answered[]> {
  const { prepared, backend } = sessions.of(client)
  // A pooler's backend is known in the transaction only, and told as soon as it is.
  const isAskedFor = backend === undefined && options.asker?.signal !== undefined
  const first = isOnePacket(options) ? settings : beginning
  const before = [...first(options.limitMs, sessions), ...(isAskedFor ? [BACKEND] : [])]
  const after = options.check || isOnePacket(options) ? [] : [{ sql: endOf(options) }]
  const early = isAskedFor
    ? { index: before.length - 1, hear: (answer: Answered) => canceller.watch(pidOf(answer)) }
    : null
  if (!early) canceller.watch(backend)
  const packet = {
    statements: [...before, ...statements, ...after],
    prepared,
    ...(early ? { early } : {}),
  }
  const answers = await canceller
    .guard(() => sendTogether(client, packet, types))
    .catch((error: unknown) => throwSqlError(error, before.length))
  return answers.slice(before.length, before.length + statements.length)
}

/** A packet is a transaction by itself, up to the Sync at its end: only what does not end so has to be told when it begins. */
const isOnePacket = ({ check, rollback }: BatchOptions): boolean => !check && !rollback

const beginning = (limitMs: number | undefined, sessions: Sessions): Statement[] => [
  { sql: 'begin' },
  ...settings(limitMs, sessions),
]

/** Until the end of the transaction, whether it was begun in words or not. */
function settings(limitMs: number | undefined, { isPooled }: Sessions): Statement[] {
  const wanted = [
    // What a statement tells comes to its client, who sends it on after the commit; without this it is a NOTIFY of its own.
    ...(isPooled
      ? [`set_config('portal.client_notifies', 'on', true)`, `set_config('jit', 'off', true)`]
      : []),
    ...(limitMs === undefined ? [] : [`set_config('statement_timeout', '${Math.ceil(limitMs)}', true)`]),
  ]
  return wanted.length === 0 ? [] : [{ sql: `select ${wanted.join(', ')}` }]
}

const endOf = ({ rollback }: TransactionOptions) => (rollback ? 'rollback' : 'commit')

const BACKEND = { sql: 'select pg_backend_pid() as pid' }
const pidOf = ({ rows }: { rows: Row[] }) => (rows as { pid: number }[])[0]?.pid
