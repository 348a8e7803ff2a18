// Replaces the embedded engine's thread and fails on request: it hangs, dies, or answers only with errors, as after a
// full disk. Stored statements are lines in `<dataDir>/kept`.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const folder = String(workerData.dataDir)
const stored = `${folder}/kept`
let isLost = false

if (existsSync(`${folder}/full`)) throw new Error('ENOSPC: no space left on device')
mkdirSync(folder, { recursive: true })

/** @param {{ op: string, sql?: string, channel?: string }} job */
function run({ op, sql = '', channel }) {
  if (sql === 'lose the way') isLost = true
  if (isLost) throw { message: 'StartTransactionCommand: unexpected state STARTED', code: 'XX000' }
  if (sql === 'hang') for (;;);
  if (sql === 'die') process.exit(1)
  if (sql === 'no room') throw { message: 'could not extend file', code: '53100' }
  if (sql === 'refuse') throw { message: 'division by zero', code: '22012' }
  if (sql === 'tell') parentPort?.postMessage({ channel: 'news', payload: 'told' })
  if (sql.startsWith('keep ')) appendFileSync(stored, `${sql.slice(5)}\n`)
  if (op === 'listen') return channel
  return {
    rows: [{ kept: existsSync(stored) ? readFileSync(stored, 'utf8').split('\n').length - 1 : 0 }],
    rowCount: 1,
  }
}

parentPort?.on('message', (/** @type {{ id: number, op: string, sql?: string }} */ job) => {
  try {
    parentPort?.postMessage({ id: job.id, result: run(job) })
  } catch (fault) {
    parentPort?.postMessage({ id: job.id, fault })
  }
})
parentPort?.postMessage({ ready: true })
