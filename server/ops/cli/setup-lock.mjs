// A lock, so that only one set-up runs in a checkout: `npm test` beside `npm start` waits instead of installing over
// it.
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot, say } from './root.mjs'

const HEARTBEAT_MS = 2_000
/** A lock that was not touched for this long is stale, even if its process cannot be checked. */
const STALE_MS = 30_000
const POLL_MS = 500

/**
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withSetupLock(body) {
  const file = inRoot('.cache/setup.lock')
  await mkdir(inRoot('.cache'), { recursive: true })
  let isAnnounced = false
  while (!(await take(file))) {
    if (!isAnnounced) say('Outra preparação está em curso nesta pasta; esperando que termine…')
    isAnnounced = true
    await sleep(POLL_MS)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    // The next heartbeat makes up for a failed one.
    utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  try {
    return await body()
  } finally {
    clearInterval(heartbeat)
    await rm(file, { force: true })
  }
}

/**
 * @param {string} file
 * @returns {Promise<boolean>} false while another holds it
 */
async function take(file) {
  try {
    await writeFile(file, `${process.pid} ${hostname()}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  if (!(await isLeftBehind(file))) return false
  await rm(file, { force: true })
  return take(file)
}

/** @param {string} file */
async function isLeftBehind(file) {
  try {
    const [{ mtimeMs }, owner] = await Promise.all([stat(file), readFile(file, 'utf8')])
    const [pid, host] = owner.split(' ')
    if (Date.now() - mtimeMs > STALE_MS) return true
    // On another host, or in another container, the process id would be another process's.
    return host === hostname() && !isRunning(Number(pid))
  } catch (error) {
    // The lock was released meanwhile.
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code
