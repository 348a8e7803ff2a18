// The embedded database in a thread of its own, so that a slow query never stops live events or webhooks.
// Plain JavaScript because a worker thread loads it by path, from the sources in tests and from the bundle in production.
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp'
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * @typedef {{ sql: string, values?: readonly unknown[] }} Statement
 * @typedef {Partial<Statement> & { id: number, op: 'query' | 'batch' | 'exec' | 'listen' | 'unlisten' | 'dump' | 'close',
 *   statements?: readonly Statement[], ends?: 'commit' | 'rollback' | null, channel?: string }} Job
 */

const port = parentPort
if (!port) throw new Error('pglite-worker.mjs runs as a worker thread only')

/** Everything is bound as text and cast by the server, as the `pg` driver does it. */
const asText = {
  serializers: /** @type {Record<number, (value: unknown) => string>} */ (
    new Proxy({}, { get: () => (/** @type {unknown} */ value) => toText(value) })
  ),
}

/** @param {unknown} value what SqlValue allows */
function toText(value) {
  if (value instanceof Uint8Array) return '\\x' + Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return '{' + value.map(toArrayItem).join(',') + '}'
  return typeof value === 'string' ? value : JSON.stringify(value)
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

const database = await PGlite.create({
  dataDir: workerData.dataDir ?? 'memory://',
  ...(workerData.template ? { loadDataDir: new Blob([await readFile(workerData.template)]) } : {}),
  ...(workerData.program && { pgliteWasmModule: workerData.program }),
  extensions: { pg_trgm, pgcrypto, unaccent, uuid_ossp },
  relaxedDurability: false,
  postgresqlconf: ['max_wal_size=64MB', 'min_wal_size=32MB', 'timezone=UTC'],
  parsers: { [INT8]: Number, [NUMERIC]: keep, [DATE]: keep, [TIMESTAMP]: keep, [TIMESTAMPTZ]: keep },
})

/** @type {Map<string, () => Promise<void>>} */
const listening = new Map()

/** @param {Statement} statement */
async function ask({ sql, values }) {
  const result = await database.query(sql, values ? [...values] : [], asText)
  return { rows: result.rows, rowCount: Math.max(result.rows.length, result.affectedRows ?? 0) }
}

/**
 * In one transaction; null leaves it open.
 * @param {readonly Statement[]} statements
 * @param {'commit' | 'rollback' | null} ends
 */
async function askTogether(statements, ends) {
  await database.exec('begin')
  /** @type {Awaited<ReturnType<typeof ask>>[]} */
  const answers = []
  try {
    for (const statement of statements) answers.push(await ask(statement))
    if (ends !== null) await database.exec(ends)
    return answers
  } catch (error) {
    await database.exec('rollback')
    if (error instanceof Error) Object.assign(error, { at: answers.length })
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
      // Whoever starts from it has nothing to replay, which would move its sequences on.
      await database.exec('checkpoint')
      return new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
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
