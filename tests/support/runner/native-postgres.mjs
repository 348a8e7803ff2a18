// A private native Postgres for tests and benchmarks: outside the checkout, never as root, deleted at the end.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.mjs'

const OLDEST_MAJOR = 15
/** The variable that names the folder of the server programs, instead of the newest on this machine. */
export const PROGRAMS = 'TEST_POSTGRES_PROGRAMS'
const PORT_ATTEMPTS = 5
const READY = 'database system is ready to accept connections'
const execute = promisify(execFile)

/**
 * @typedef {{ uid: number, gid: number } | Record<string, never>} Identity whom the server runs as; {} = as ourselves
 * @typedef {{ url: string, certificate: string | null, stop: () => Promise<void>,
 *   restart: (meanwhile?: () => Promise<void>) => Promise<void> }} RunningPostgres
 *   `certificate`: the file that proves it, where it is encrypted; `restart` keeps data and address, `meanwhile` it is gone
 */

/** The folder of the newest supported server programs on this machine, or null. @returns {Promise<string | null>} */
export async function findPostgres() {
  const named = process.env[PROGRAMS]
  if (named) return named
  const debians = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = [
    ...debians.map((version) => path.join('/usr/lib/postgresql', version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...(await ask('pg_config', ['--bindir'])).split('\n'),
  ].filter(Boolean)
  let best = { folder: /** @type {string | null} */ (null), major: OLDEST_MAJOR - 1 }
  for (const folder of new Set(folders)) {
    const isServer = (await ask(path.join(folder, 'initdb'), ['--version'])) !== ''
    const major = isServer
      ? Number(/ (\d+)/.exec(await ask(path.join(folder, 'postgres'), ['--version']))?.[1])
      : 0
    if (major > best.major) best = { folder, major }
  }
  return best.folder
}

/**
 * Starts a new, empty cluster on a free loopback port; `url` signs in as its superuser. Without `isDurable`
 * nothing is flushed to the disk, which suits tests, not benchmarks. `isEncrypted`: TLS, for localhost.
 * @param {string} folder of the server programs
 * @param {{ isDurable?: boolean, isEncrypted?: boolean }} [options]
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres(folder, { isDurable = false, isEncrypted = false } = {}) {
  const identity = await chooseIdentity()
  const home = await mkdtemp(path.join(await reachableTemp(), 'portal-postgres-'))
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

    const program = path.join(folder, 'postgres')
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
    // Autovacuum could change a query plan in the middle of a test that counts reads.
    const hurried = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum', 'jit']
    // A deadlock that a test makes on purpose is found sooner.
    if (!isDurable) settings.push(...hurried.map((name) => `${name}=off`), 'deadlock_timeout=100ms')
    const certificate = isEncrypted ? await makeCertificate(home, as) : null
    if (certificate)
      settings.push('ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${certificate}.key`)
    let server = await launch({ program, data, settings, as })
    const { port } = server
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      certificate,
      stop: async () => {
        await server.stop('SIGQUIT')
        await rm(home, { recursive: true, force: true })
      },
      restart: async (meanwhile) => {
        await server.stop('SIGINT')
        await meanwhile?.()
        server = await launch({ program, data, settings, as, port })
      },
    }
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
}

/**
 * A self-signed certificate for localhost, with its key beside it.
 * @param {string} home
 * @param {import('node:child_process').SpawnOptions & { cwd: string }} as
 */
async function makeCertificate(home, as) {
  const file = path.join(home, 'server.crt')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await execute('openssl', ['req', ...kind, ...names, '-keyout', `${file}.key`, '-out', file], as)
  return file
}

/** @typedef {{ program: string, data: string, settings: string[], as: import('node:child_process').SpawnOptions, port?: number }} Launch */

/**
 * Retries with another free port, because another program may take it before the server does.
 * @param {Launch} launchOptions
 */
async function launch({ program, data, settings, as, port: wanted }) {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort())
    const args = ['-D', data, ...[...settings, `port=${port}`].flatMap((setting) => ['-c', setting])]
    const child = spawn(program, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const said = await firstWords(child)
    if (said.includes(READY))
      return {
        port,
        /**
         * SIGINT: an orderly stop that disconnects clients; SIGQUIT: at once, if no data is kept.
         * @param {NodeJS.Signals} signal
         */
        stop: async (signal) => {
          child.kill(signal)
          await ended
        },
      }
    await ended
    if (attempt === PORT_ATTEMPTS || !said.includes('could not bind'))
      throw new Error(`Postgres did not start:\n${said}`)
  }
}

/**
 * The server's output until it is ready, or until it ends.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
function firstWords(child) {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.once('close', () => resolve(said))
    child.stderr?.setEncoding('utf8').on('data', (words) => {
      // A deadlock between two transactions: only the server's log names them.
      if (words.includes('deadlock detected')) process.stderr.write(words)
      if (said.includes(READY)) return
      said += words
      if (said.includes(READY)) resolve(said)
    })
  })
}

/** Postgres refuses to run as root. @returns {Promise<Identity>} */
export async function chooseIdentity() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([ask('id', ['-u', user]), ask('id', ['-g', user])])
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('neither the user postgres nor nobody is there to run Postgres as')
}

/** The temporary folder, or /tmp if a parent folder denies access to other users. */
export async function reachableTemp() {
  for (let folder = tmpdir(); ; folder = path.dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return '/tmp'
    if (folder === path.dirname(folder)) return tmpdir()
  }
}

/**
 * A program's output; empty if it is missing or fails.
 * @param {string} program
 * @param {string[]} args
 */
const ask = (program, args) =>
  execute(program, args).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
