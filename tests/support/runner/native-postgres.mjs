// A private native Postgres for tests and benchmarks: outside the checkout, never as root, deleted at the end.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.mjs'

const OLDEST_MAJOR = 15
/** The variable that names the folder of the server programs, instead of the newest on this machine. */
export const PROGRAMS = 'TEST_POSTGRES_PROGRAMS'
const PORT_ATTEMPTS = 5
const READY = 'database system is ready to accept connections'
const execute = promisify(execFile)
/** A folder that the server's user may read, even if root's own temporary folder is closed. */
export const TEMP = process.getuid?.() === 0 ? '/tmp' : tmpdir()
/** Files in memory, where creating a database takes a fifth of the time. */
const MEMORY = '/dev/shm'
const NAME = 'portal-postgres-'
/** A whole run creates some 6 GB of databases. */
const ROOM_BYTES = 8e9

/**
 * @typedef {{ uid: number, gid: number } | Record<string, never>} Identity the server's user; {}: the present one
 * @typedef {{ uid?: number, gid?: number, cwd: string, env: NodeJS.ProcessEnv }} As runs a program as the server, in its folder
 * @typedef {{ url: string, stop: () => Promise<void>, restart: (meanwhile?: () => Promise<void>) => Promise<void> }}
 *   RunningPostgres `restart` keeps data and address, and runs `meanwhile` between
 */

/** The folder of the newest supported server programs on this machine, or null. @returns {Promise<string | null>} */
export async function findPostgres() {
  const named = process.env[PROGRAMS]
  if (named) return named
  const debians = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = [
    ...debians.map((version) => path.join('/usr/lib/postgresql', version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ask('pg_config', ['--bindir']),
  ].filter((folder) => existsSync(path.join(folder, 'initdb')))
  const majorOf = (/** @type {string} */ folder) =>
    Number(/ (\d+)/.exec(ask(path.join(folder, 'postgres'), ['--version']))?.[1] ?? 0)
  const supported = folders.filter((folder) => majorOf(folder) >= OLDEST_MAJOR)
  return supported.toSorted((one, other) => majorOf(other) - majorOf(one))[0] ?? null
}

/**
 * Starts a new, empty cluster on a free loopback port; `url` signs in as its superuser. Without `isDurable`
 * nothing is flushed to the disk, which suits tests, not benchmarks. `more`: further settings.
 * @param {string} folder of the server programs
 * @param {{ isDurable?: boolean, more?: (as: As) => Promise<string[]> }} [options]
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres(folder, { isDurable = false, more } = {}) {
  const identity = chooseIdentity()
  const home = await mkdtemp(
    path.join(!isDurable && (await isRoomy()) ? MEMORY : TEMP, `${NAME}${process.pid}-`),
  )
  const remove = () => rm(home, { recursive: true, force: true })
  try {
    const password = randomBytes(24).toString('hex')
    const passwordFile = path.join(home, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if ('uid' in identity)
      for (const place of [home, passwordFile]) await chown(place, identity.uid, identity.gid)
    const data = path.join(home, 'data')
    const as = { ...identity, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } }
    const cluster = ['-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync']
    await execute(path.join(folder, 'initdb'), ['-D', data, ...cluster, `--pwfile=${passwordFile}`], as)

    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
    // Autovacuum could change a query plan in the middle of a test that counts reads.
    const hurried = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum', 'jit']
    // A deadlock that a test makes on purpose is found sooner.
    if (!isDurable) settings.push(...hurried.map((name) => `${name}=off`), 'deadlock_timeout=100ms')
    if (more) settings.push(...(await more(as)))
    const start = (/** @type {number} */ port) => {
      const args = ['-D', data, ...[...settings, `port=${port}`].flatMap((setting) => ['-c', setting])]
      return spawn(path.join(folder, 'postgres'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
    }
    let server = await launch(start)
    const { port } = server
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      // SIGQUIT: at once, because no data is kept; SIGINT: an orderly stop that disconnects clients.
      stop: () => server.stop('SIGQUIT').then(remove),
      restart: async (meanwhile) => {
        await server.stop('SIGINT')
        await meanwhile?.()
        server = await launch(start, port)
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Deletes what killed runs left in memory. True if the databases of a whole run fit there now. */
async function isRoomy() {
  const left = (await readdir(MEMORY).catch(() => [])).filter((name) => name.startsWith(NAME))
  for (const name of left.filter((one) => !existsSync(`/proc/${one.split('-')[2]}`)))
    await rm(path.join(MEMORY, name), { recursive: true, force: true })
  const room = await statfs(MEMORY).catch(() => null)
  return room !== null && room.bavail * room.bsize > ROOM_BYTES && freemem() > 1.5 * ROOM_BYTES
}

/**
 * Starts the server at the given port. Otherwise it retries with another free port, because another program may take it
 * before the server does.
 * @param {(port: number) => import('node:child_process').ChildProcess} start
 * @param {number} [wanted]
 */
async function launch(start, wanted) {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort())
    const child = start(port)
    const ended = once(child, 'close')
    let said = ''
    const ready = new Promise((resolve) =>
      child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ words) => {
        // A deadlock between two transactions: only the server's log names them.
        if (words.includes('deadlock detected')) process.stderr.write(words)
        if (!said.includes(READY)) said += words
        if (said.includes(READY)) resolve(true)
      }),
    )
    await Promise.race([ready, ended])
    const stop = (/** @type {NodeJS.Signals} */ signal) => (child.kill(signal), ended)
    if (said.includes(READY)) return { port, stop }
    if (attempt === PORT_ATTEMPTS || !said.includes('could not bind'))
      throw new Error(`Postgres did not start:\n${said}`)
  }
}

/** Postgres refuses to run as root. @returns {Identity} */
export function chooseIdentity() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = [ask('id', ['-u', user]), ask('id', ['-g', user])]
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('neither the user postgres nor nobody is there to run Postgres as')
}

/** A program's output; empty if it is missing or fails. @param {string} program @param {string[]} args */
function ask(program, args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
