// Statements and transactions over a pool of connections, each in as few round trips as possible.
import type pg from 'pg'
import type { Announcer } from './announcer.ts'
import { createCanceller } from './postgres/canceller.ts'
import type { Connections } from './postgres/connections.ts'
import {
  READ_ONLY,
  SqlError,
  type Answered,
  type BatchOptions,
  type Query,
  type Row,
  type Statement,
  type TransactionOptions,
} from './database.ts'
import { sendTogether } from './postgres/pipeline.ts'
import { BACKEND, pidOf, type Sessions } from './postgres/sessions.ts'
import { CONNECTION_FAILURE, isStalePlan, throwSqlError } from './postgres/errors.ts'

type Ground = {
  connections: Connections
  sessions: Sessions
  types: pg.CustomTypesConfig
  announce: Announcer['announce']
}

export function createTransactions(ground: Ground) {
  const { sessions } = ground
  // A statement outside a transaction leaves nothing open.
  const { over, limits } = ground.connections
  const query: Query = (sql, values) =>
    onClient(
      ground,
      (client) => over(client, limits.statementMs, () => ask(ground, client, { statement: { sql, values } })),
      () => Promise.resolve(),
    )
  const exec = (sql: string): Promise<void> =>
    onClient(
      ground,
      async (client) =>
        void (await over(client, limits.maintenanceMs, () => client.query(sql)).catch((error: unknown) =>
          throwSqlError(error),
        )),
      () => Promise.resolve(),
    )

  const transact = <T>(
    run: (query: Query) => Promise<T>,
    { rollback, limitMs, asker }: TransactionOptions,
  ): Promise<T> =>
    onClient(
      ground,
      async (client) => {
        const canceller = createCanceller(ground.connections.cancel, asker?.signal)
        const { backend } = sessions.of(client)
        const soon = <A>(task: () => Promise<A>) => over(client, limitMs ?? limits.statementMs, task)
        // The transaction begins with its first statement, in the same packet. Behind a pooler the backend is asked for
        // first.
        let before = beginning(limitMs, sessions)
        const askNext: Query = (sql, values) => {
          const first = before
          before = []
          return soon(() => ask(ground, client, { statement: { sql, values }, before: first }))
        }
        try {
          const isAskedFor = backend === undefined && asker?.signal !== undefined
          canceller.watch(isAskedFor ? pidOf(await askNext(BACKEND.sql)) : backend)
          const result = await run(canceller.over(askNext))
          await canceller.stop()
          // No statement was sent, so no transaction has begun.
          if (before.length === 0)
            await soon(() => client.query(rollback ? 'rollback' : 'commit')).catch((error: unknown) =>
              throwSqlError(error),
            )
          if (rollback) sessions.takeAnnouncements(client)
          return result
        } finally {
          await canceller.stop()
        }
      },
      rollBack(ground),
    )

  const batch = (statements: readonly Statement[], options: BatchOptions): Promise<Answered[]> =>
    onClient(
      ground,
      async (client) => {
        const canceller = createCanceller(ground.connections.cancel, options.asker?.signal)
        const soon = <A>(task: () => Promise<A>) => over(client, options.limitMs ?? limits.statementMs, task)
        try {
          const answers = await soon(() => sendBatch(ground, client, { statements, options, canceller }))
          options.check?.(answers)
          await canceller.stop()
          if (options.check)
            await soon(() => client.query(endOf(options))).catch((error: unknown) => throwSqlError(error))
          if (options.rollback) sessions.takeAnnouncements(client)
          return answers
        } finally {
          await canceller.stop()
        }
      },
      isOnePacket(options) ? () => Promise.resolve() : rollBack(ground),
    )

  return { query, exec, transact, batch }
}

async function onClient<T>(
  { connections, sessions, announce }: Ground,
  task: (client: pg.PoolClient) => Promise<T>,
  /** Resets the connection after an error; a connection that cannot be reset is closed. */
  undo: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const client = await connections.borrow()
  let isBroken = false
  try {
    const result = await task(client)
    announce(sessions.takeAnnouncements(client))
    return result
  } catch (error) {
    isBroken = error instanceof SqlError && (error.code === CONNECTION_FAILURE || isStalePlan(error.cause))
    if (!isBroken) await undo(client).catch(() => (isBroken = true))
    if (!isBroken && error instanceof SqlError && error.code === READ_ONLY)
      isBroken = await connections.leaveReader(client)
    // A commit without an answer may have succeeded, so its notices are sent. If it failed, listeners read once in
    // vain.
    const announcements = sessions.takeAnnouncements(client)
    if (isBroken) announce(announcements)
    throw error
  } finally {
    connections.giveBack(client, isBroken)
  }
}

const rollBack =
  ({ connections }: Ground) =>
  (client: pg.PoolClient) =>
    connections.over(client, connections.limits.answerMs, () => client.query('rollback'))

type Asked = {
  statement: { sql: string; values: Statement['values'] }
  /** Statements sent first, in the same packet. */
  before?: readonly Statement[]
}

async function ask<T extends Row>(
  { sessions, types }: Ground,
  client: pg.PoolClient,
  { statement: { sql, values = [] }, before = [] }: Asked,
): Promise<Answered<T>> {
  // A text without values may hold several statements, which only the driver's own query accepts. It then returns
  // several results, which its types do not say.
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
  // The last of the results, one for each statement, belongs to `sql`.
  return answers.at(-1) as Answered<T>
}

type Batch = {
  statements: readonly Statement[]
  options: BatchOptions
  canceller: ReturnType<typeof createCanceller>
}

/** Runs the statements in one transaction. If `options` has a check, the transaction stays open for it. */
async function sendBatch(
  { sessions, types }: Ground,
  client: pg.PoolClient,
  { statements, options, canceller }: Batch,
): Promise<Answered[]> {
  const { prepared, backend } = sessions.of(client)
  // Behind a pooler the backend is known only inside the transaction.
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

/** A packet with a Sync at its end is a transaction by itself, so `begin` is sent only for longer ones. */
const isOnePacket = ({ check, rollback }: BatchOptions): boolean => !check && !rollback

const beginning = (limitMs: number | undefined, sessions: Sessions): Statement[] => [
  { sql: 'begin' },
  ...settings(limitMs, sessions),
]

/** These settings last until the end of the transaction. */
function settings(limitMs: number | undefined, { isPooled }: Sessions): Statement[] {
  const wanted = [
    // The portal gets the statement's notices and sends them after the commit. Without this setting the database sends
    // a NOTIFY.
    ...(isPooled
      ? [`set_config('portal.client_notifies', 'on', true)`, `set_config('jit', 'off', true)`]
      : []),
    ...(limitMs === undefined ? [] : [`set_config('statement_timeout', '${timeoutOf(limitMs)}', true)`]),
  ]
  return wanted.length === 0 ? [] : [{ sql: `select ${wanted.join(', ')}` }]
}

/** Postgres reads 0 as no limit. */
const timeoutOf = (limitMs: number) => (Number.isFinite(limitMs) ? Math.ceil(limitMs) : 0)

const endOf = ({ rollback }: TransactionOptions) => (rollback ? 'rollback' : 'commit')
