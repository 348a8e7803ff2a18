// One set-up at a time in a checkout: `npm test` beside `npm start` waits instead of installing over it.
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inHouse, say } from './house.mjs'

const HEARTBEAT_MS = 2_000
/** A lock nobody touched for so long belongs to a process that was killed. */
const STALE_MS = 30_000
const POLL_MS = 500

/**
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withSetupLock(body) {
  const file = inHouse('.cache/setup.lock')
  await mkdir(inHouse('.cache'), { recursive: true })
  let isTold = false
  while (!(await take(file))) {
    if (!isTold) say('Outra preparação está em curso nesta pasta; esperando que termine…')
    isTold = true
    await sleep(POLL_MS)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    // A missed beat is made good by the next one.
    utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  try {
    return await body()
  } finally {
    clearInterval(heartbeat)
    await rm(file, { force: true })
  }
}

/** @param {string} file */
async function take(file) {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const touchedAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )
  if (Date.now() - touchedAt > STALE_MS) await rm(file, { force: true })
  return false
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code
