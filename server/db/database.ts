// The one interface over both database engines: PGlite in a worker thread and a Postgres server.

/** A value bound to $1, $2 …; text goes in as text and the server casts it. Objects go in as JSON text. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly string[]

export type Row = Record<string, unknown>

/**
 * One statement with bound values. Both engines answer alike: int2, int4, int8 and floats as number, numeric, dates
 * and timestamps as Postgres text (session time zone UTC), json and jsonb parsed, bytea as Uint8Array, arrays as
 * arrays. A refusal by the database is thrown as SqlError.
 */
export type Query = <T extends Row = Row>(sql: string, values?: readonly SqlValue[]) => Promise<Answered<T>>

export type Answered<T extends Row = Row> = { rows: T[]; rowCount: number }

export type Statement = { sql: string; values?: readonly SqlValue[] | undefined }

/** On whose behalf a statement runs. shares.ts shares the database out by it. */
export type Asker = {
  account: string
  /** Whether the caller chose the query freely, so that it may be costly; false for the portal's own functions. */
  isOpen: boolean
  /** The caller aborts it when nobody waits for the answer any more; reads are then cancelled. */
  signal?: AbortSignal
}

export type TransactionOptions = {
  rollback?: boolean
  /** Undefined: the statement is the portal's own work. */
  asker?: Asker
  /** The longest time of one statement. After it the statement fails with 57014 or 57P02. */
  limitMs?: number
}

export type BatchOptions = TransactionOptions & { check?: (answers: Answered[]) => void }

export type Database = {
  readonly engine: 'pglite' | 'postgres'
  /** One statement in a transaction of its own, tried again after a deadlock. */
  query: Query
  /**
   * Runs `run` in one transaction: committed when it resolves, rolled back when it rejects, or when `rollback` asks
   * for it. The embedded engine has one connection, so nothing inside may wait for the network.
   */
  transaction<T>(run: (query: Query) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Sends several statements together, which are all known beforehand, as one transaction. The first one that is
   * refused ends it, and its index is in `at`. `check` may throw on the answers, which undoes all; it costs one more
   * round trip.
   */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Answered[]>
  /**
   * Several statements without values in one transaction, tried again after a deadlock; for migrations and maintenance.
   */
  exec(sql: string): Promise<void>
  /**
   * Calls back for each NOTIFY on the channel, and `onGap` when the connection was lost and is back, so that some may
   * have been missed; resolves to the function that stops listening.
   */
  listen(
    channel: string,
    onPayload: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>
  /** How many connections are in use, and how many statements wait for one; for metrics. */
  load(): DatabaseLoad
  close(): Promise<void>
}

export type DatabaseLoad = { busy: number; idle: number; waiting: number }

/**
 * A write in a read-only transaction. The server itself is read-only when it is a standby, or when its provider found
 * its disk full.
 */
export const READ_ONLY = '25006'
/**
 * No connection, a read-only server, deadlock, serialization, no room, locked, cancelled, shutting down, a failing
 * disk. 53400 is missing: it is a limit of one statement, which the same statement reaches again.
 */
const PASSING = new RegExp(`^(08|${READ_ONLY}|40|53(?!400)|55006|55P03|57|58000|58030)`)

/** True for errors that the statement did not cause: the same statement may succeed later. */
export const isPassing = ({ code }: Pick<SqlError, 'code'>): boolean => PASSING.test(code)

/** What Postgres said when it refused: SQLSTATE in `code`, and the parts PostgREST passes on. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null
  readonly constraint: string | null
  /** Which of the statements that were sent together was refused. */
  readonly at: number

  constructor(parts: {
    message: string
    code: string
    detail?: string | null | undefined
    hint?: string | null | undefined
    constraint?: string | null | undefined
    at?: number | undefined
    cause?: unknown
  }) {
    super(parts.message, { cause: parts.cause })
    this.code = parts.code
    this.detail = parts.detail ?? null
    this.hint = parts.hint ?? null
    this.constraint = parts.constraint ?? null
    this.at = parts.at ?? 0
  }
}
