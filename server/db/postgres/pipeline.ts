// Sends several statements to Postgres in one packet, by the extended protocol with one Sync at the end: after a
// refused statement the others do not run. If the connection keeps its session, they are prepared by name.
import pg from 'pg'
import type { Answered, Row, SqlValue, Statement } from '../database.ts'
import type { Kept, Prepared } from '../prepared.mjs'

type Options = {
  statements: readonly Statement[]
  prepared: Prepared<Column> | null
  /** `hear` gets each statement's answer as it arrives. If set, the server is asked to send each answer at once. */
  early?: { index: number; hear: (answer: Answered) => void }
}

/** A message of the server as the driver delivers it. */
type Description = { fields: { name: string; dataTypeID: number }[] }
type Data = { fields: (string | null)[] }
export type Column = { name: string; read: (text: string) => unknown }

/** Rejects with Refused, or with the error that broke the connection. */
export function sendTogether(
  client: pg.ClientBase,
  options: Options,
  types: pg.CustomTypesConfig,
): Promise<Answered[]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(options, { types, resolve, reject }))
  })
}

type Ends = {
  types: pg.CustomTypesConfig
  resolve: (answers: Answered[]) => void
  reject: (error: unknown) => void
}

class Pipeline implements pg.Submittable {
  readonly #options: Options
  readonly #ends: Ends
  readonly #answers: Answered[] = []
  /** Statements that this packet prepares. */
  readonly #made: string[] = []
  /** The prepared statement of each statement in the packet, if there is one. */
  readonly #kept: (Kept<Column> | undefined)[] = []
  #columns: readonly Column[] | undefined
  #rows: Row[] = []
  #fault: unknown

  constructor(options: Options, ends: Ends) {
    this.#options = options
    this.#ends = ends
  }

  submit(connection: pg.Connection): void {
    const { statements, prepared, early } = this.#options
    const { sink, packet } = collect(connection)
    for (const name of prepared?.closing.splice(0) ?? []) sink.close({ type: 'S', name }, true)
    for (const [index, { sql, values = [] }] of statements.entries()) {
      const taken = prepared?.take(sql) ?? null
      const kept = taken?.kept
      const statement = kept?.name ?? ''
      this.#kept.push(kept)
      if (taken === null || taken.isNew) sink.parse({ name: statement, text: sql, types: [] }, true)
      if (taken?.isNew) this.#made.push(sql)
      sink.bind({ statement, values: values.map(toWire) }, true)
      if (kept?.columns === undefined) sink.describe({ type: 'P' }, true)
      sink.execute(null, true)
      if (early?.index === index) sink.flush()
    }
    sink.sync()
    connection.stream.write(packet())
  }

  handleRowDescription({ fields }: Description): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#ends.types.getTypeParser(dataTypeID, 'text') as Column['read'],
    }))
  }

  handleDataRow({ fields }: Data): void {
    if (this.#fault !== undefined) return
    const row: Row = {}
    try {
      const columns = this.#columns ?? this.#kept[this.#answers.length]?.columns ?? []
      for (const [index, { name, read }] of columns.entries()) {
        const text = fields[index] ?? null
        row[name] = text === null ? null : read(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#fault = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#next(Number(/ (\d+)$/.exec(text)?.[1] ?? 0))
  }

  handleEmptyQuery(): void {
    this.#next(0)
  }

  handleError(error: unknown): void {
    const { prepared, statements } = this.#options
    // The server does not say which new statements it had prepared before the error.
    for (const sql of this.#made) prepared?.forget(sql)
    const refused = statements[this.#answers.length]
    if (refused && isOutdated(error)) prepared?.forget(refused.sql)
    this.#ends.reject(new Refused(error, this.#answers.length))
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#ends.resolve(this.#answers)
    else this.#ends.reject(this.#fault)
  }

  #next(rowCount: number): void {
    const answer = { rows: this.#rows, rowCount }
    const { early } = this.#options
    if (early?.index === this.#answers.length) early.hear(answer)
    const kept = this.#kept[this.#answers.length]
    if (kept) kept.columns ??= this.#columns ?? []
    this.#answers.push(answer)
    this.#columns = undefined
    this.#rows = []
  }
}

/** Collects the driver's messages for one write, because each write is a system call. */
function collect(connection: pg.Connection): { sink: pg.Connection; packet: () => Buffer } {
  const words: Buffer[] = []
  const stream = { writable: true, write: (word: Buffer) => words.push(word) > 0 }
  const sink = Object.create(connection, { stream: { value: stream } }) as pg.Connection
  return { sink, packet: () => Buffer.concat(words) }
}

/** The driver's error, and the index of the statement that raised it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly at: number

  constructor(cause: unknown, at: number) {
    super('a statement was refused', { cause })
    this.at = at
  }
}

/** Values as text, as the driver sends them; bytes unchanged. */
function toWire(value: SqlValue): Buffer | string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `{${value.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}

/**
 * A prepared statement is invalid because its tables changed or the server lost it. It can be prepared and sent again.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  ((error.code === '0A000' && error.routine === 'RevalidateCachedQuery') || error.code === '26000')
