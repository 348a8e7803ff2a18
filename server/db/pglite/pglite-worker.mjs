// The embedded database in a thread of its own, so that a slow query never stops live events or webhooks.
// Plain JavaScript because a worker thread loads it by path, from the sources in tests and from the bundle in
// production.
import { PGlite, protocol, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { collectGarbage } from '../collect-garbage.mjs'
import { Prepared } from '../prepared.mjs'

/**
 * @typedef {{ sql: string, values?: readonly unknown[] }} Statement
 * @typedef {Partial<Statement> & { id: number, op: 'query' | 'batch' | 'exec' | 'listen' | 'unlisten' | 'dump' | 'collect' | 'close',
 *   statements?: readonly Statement[], ends?: 'commit' | 'rollback' | null, channel?: string }} Job
 */

const port = parentPort
if (!port) throw new Error('pglite-worker.mjs runs as a worker thread only')

/**
 * Bound as text and cast by the server, as the `pg` driver does it.
 * @param {unknown} value what SqlValue allows
 */
function toText(value) {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null
  if (value instanceof Uint8Array) return '\\x' + Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return '{' + value.map(toArrayItem).join(',') + '}'
  return JSON.stringify(value)
}

/** @param {string} item */
const toArrayItem = (item) => '"' + item.replace(/["\\]/g, '\\$&') + '"'

/** @param {string} text */
const keep = (text) => text
const INT8 = 20
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const NUMERIC = 1700

// Smaller shared buffers than Postgres' 128 MB, which this engine fills with zeros at its start.
const database = await PGlite.create({
  dataDir: workerData.dataDir ?? 'memory://',
  ...(workerData.template ? { loadDataDir: new Blob([await readFile(workerData.template)]) } : {}),
  ...(workerData.program && { pgliteWasmModule: workerData.program }),
  extensions: { pg_trgm, pgcrypto, unaccent, uuid_ossp },
  relaxedDurability: false,
  postgresqlconf: ['max_wal_size=64MB', 'min_wal_size=32MB', 'shared_buffers=32MB', 'timezone=UTC'],
  parsers: { [INT8]: Number, [NUMERIC]: keep, [DATE]: keep, [TIMESTAMP]: keep, [TIMESTAMPTZ]: keep },
})

/** @type {Map<string, () => Promise<void>>} */
const listening = new Map()

const { serialize, messages } = protocol
/** @typedef {InstanceType<typeof messages.RowDescriptionMessage>['fields'][number]} Column */
/** @typedef {import('../prepared.mjs').Kept<Column>} Kept */
/** @type {Prepared<Column>} */
const prepared = new Prepared()

/**
 * Sends all statements in one packet; repeated ones are prepared by name. A statement by itself costs five calls of the
 * engine and a new plan. Statements behind a refused one do not run.
 * @param {readonly Statement[]} statements
 */
async function send(statements) {
  /** @type {string[]} */
  const made = []
  /** @type {(Kept | undefined)[]} */
  const known = []
  const words = prepared.closing.splice(0).map((name) => serialize.close({ type: 'S', name }))
  for (const { sql, values = [] } of statements) {
    const taken = prepared.take(sql)
    const kept = taken?.kept
    const statement = kept?.name ?? ''
    known.push(kept)
    if (taken === null || taken.isNew) words.push(serialize.parse({ name: statement, text: sql, types: [] }))
    if (taken?.isNew) made.push(sql)
    words.push(serialize.bind({ statement, values: values.map(toText) }))
    if (kept?.columns === undefined) words.push(serialize.describe({ type: 'P' }))
    words.push(serialize.execute({}))
  }
  const packet = Buffer.concat([...words, serialize.sync()])
  const told = await database.runExclusive(() => database.execProtocolStream(packet, { throwOnError: false }))
  const { answers, refusal } = read(told, known)
  if (refusal === null) return answers
  // The engine does not say which new statements it had prepared before the error.
  for (const sql of made) prepared.forget(sql)
  const refused = statements[answers.length]
  if (refused && isOutdated(refusal)) prepared.forget(refused.sql)
  throw Object.assign(refusal, { at: answers.length, ...(isOutdated(refusal) && { code: '40001' }) })
}

/**
 * @param {Awaited<ReturnType<typeof database.execProtocolStream>>} told
 * @param {readonly (Kept | undefined)[]} known the prepared one of each statement
 */
function read(told, known) {
  /** @type {{ rows: Record<string, unknown>[], rowCount: number }[]} */
  const answers = []
  /** @type {readonly Column[] | undefined} */
  let columns = known[0]?.columns
  /** @type {Record<string, unknown>[]} */
  let rows = []
  /** @type {InstanceType<typeof messages.DatabaseError> | null} */
  let refusal = null
  for (const message of told) {
    if (message instanceof messages.DatabaseError) refusal ??= message
    else if (message instanceof messages.RowDescriptionMessage) columns = message.fields
    else if (message instanceof messages.DataRowMessage)
      rows.push(
        Object.fromEntries(
          (columns ?? []).map(({ name, dataTypeID }, at) => [
            name,
            types.parseType(message.fields[at] ?? null, dataTypeID, database.parsers),
          ]),
        ),
      )
    else if (message.name === 'commandComplete' || message.name === 'emptyQuery') {
      const text = message instanceof messages.CommandCompleteMessage ? message.text : ''
      const kept = known[answers.length]
      if (kept) kept.columns ??= columns ?? []
      answers.push({ rows, rowCount: Number(/ (\d+)$/.exec(text)?.[1] ?? 0) })
      columns = known[answers.length]?.columns
      rows = []
    }
  }
  return { answers, refusal }
}

/**
 * A statement that was prepared before its tables changed fails with 40001, so that the caller repeats it and prepares
 * again.
 * @param {unknown} error
 */
const isOutdated = (error) =>
  error instanceof messages.DatabaseError && error.routine === 'RevalidateCachedQuery'

/** @param {Statement} statement */
async function ask(statement) {
  const again = (/** @type {unknown} */ error) => {
    if (!isOutdated(error) || database.isInTransaction()) throw error
    return send([statement])
  }
  const [answer] = await send([statement]).catch(again)
  return answer
}

/**
 * Runs all statements in one transaction. One packet is a transaction that commits by itself, so `begin` is sent only
 * for a rollback, or for null, which leaves the transaction open.
 * @param {readonly Statement[]} statements
 * @param {'commit' | 'rollback' | null} ends
 * @returns {ReturnType<typeof send>}
 */
async function askTogether(statements, ends, isAgain = false) {
  const isOpen = ends !== 'commit'
  try {
    if (!isOpen) return await send(statements)
    const answers = await send([{ sql: 'begin' }, ...statements, ...(ends === null ? [] : [{ sql: ends }])])
    return answers.slice(1, statements.length + 1)
  } catch (error) {
    if (isOpen) await send([{ sql: 'rollback' }])
    if (isOutdated(error) && !isAgain) return askTogether(statements, ends, true)
    if (isOpen && error instanceof Error && 'at' in error) Object.assign(error, { at: Number(error.at) - 1 })
    throw error
  }
}

/** @param {Job} job */
async function run(job) {
  const { sql = '', values, channel = '' } = job
  switch (job.op) {
    case 'query':
      return ask({ sql, ...(values ? { values } : {}) })
    case 'batch':
      return askTogether(job.statements ?? [], job.ends ?? null)
    case 'exec':
      await database.exec(sql)
      // The tables may have changed.
      prepared.forgetAll()
      return undefined
    case 'listen':
      if (listening.has(channel)) return undefined
      listening.set(
        channel,
        await database.listen(channel, (payload) => port?.postMessage({ channel, payload })),
      )
      return undefined
    case 'unlisten':
      await listening.get(channel)?.()
      listening.delete(channel)
      return undefined
    case 'dump':
      // A database that starts from the dump then has no log to replay, which would advance its sequences.
      await database.exec('checkpoint')
      return new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
    case 'collect':
      return collectGarbage()
    case 'close':
      // The next start then has nothing to replay.
      await database.exec('checkpoint')
      await database.close()
      return undefined
  }
}

port.on('message', (/** @type {Job} */ job) => {
  run(job).then(
    (result) => port.postMessage({ id: job.id, result }),
    (/** @type {Error & Record<string, string | undefined> & { at?: number }} */ error) =>
      port.postMessage({
        id: job.id,
        fault: {
          message: error.message,
          code: error['code'],
          detail: error['detail'],
          hint: error['hint'],
          constraint: error['constraint'],
          at: error.at,
        },
      }),
  )
})
port.postMessage({ ready: true })
