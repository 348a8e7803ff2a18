// Statements sent to a Postgres in one packet and answered in one, in the extended protocol with one Sync at their end: what comes
// behind a refused one is not run. Where the connection is one and the same session, they are prepared by name.
import pg from 'pg'
import type { Answered, Row, SqlValue, Statement } from '../database.ts'
import type { Prepared } from '../prepared.mjs'

type Options = {
  statements: readonly Statement[]
  prepared: Prepared | null
  /** Hears of a statement's answer as soon as it is there; the server is then told to send it at once. */
  early?: { index: number; hear: (answer: Answered) => void }
}

/** As the driver hands over what the server sends. */
type Description = { fields: { name: string; dataTypeID: number }[] }
type Data = { fields: (string | null)[] }
type Column = { name: string; read: (text: string) => unknown }

/** Rejects with Refused, or with what broke the connection. */
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
  /** Statements whose names were made in this very packet. */
  readonly #made: string[] = []
  #columns: Column[] = []
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
      const statement = taken?.name ?? ''
      if (taken === null || taken.isNew) sink.parse({ name: statement, text: sql, types: [] }, true)
      if (taken?.isNew) this.#made.push(sql)
      sink.bind({ statement, values: values.map(toWire) }, true)
      sink.describe({ type: 'P' }, true)
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
      for (const [index, { name, read }] of this.#columns.entries()) {
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
    // Which of them the server had made by then, it does not say.
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
    this.#answers.push(answer)
    this.#columns = []
    this.#rows = []
  }
}

/** The driver's own words for a connection, kept together: a write each would be a call of the system each. */
function collect(connection: pg.Connection): { sink: pg.Connection; packet: () => Buffer } {
  const words: Buffer[] = []
  const stream = { writable: true, write: (word: Buffer) => words.push(word) > 0 }
  const sink = Object.create(connection, { stream: { value: stream } }) as pg.Connection
  return { sink, packet: () => Buffer.concat(words) }
}

/** What the driver raised, and at which of the statements. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly at: number

  constructor(cause: unknown, at: number) {
    super('a statement was refused', { cause })
    this.at = at
  }
}

/** Text as the driver itself sends it; bytes as they are. */
function toWire(value: SqlValue): Buffer | string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `{${value.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}

/** The tables changed since it was prepared, or the server has forgotten it: it may be asked again, prepared again. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  ((error.code === '0A000' && error.routine === 'RevalidateCachedQuery') || error.code === '26000')
