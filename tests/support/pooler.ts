// A PgBouncer in transaction mode in front of a test's Postgres, as Supabase has one; only if Debian's package is
// installed.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.mjs'

const PROGRAM = '/usr/sbin/pgbouncer'

export const hasPooler = existsSync(PROGRAM)

export type RunningPooler = { url: string; stop: () => Promise<void> }

/**
 * `url` names a database and user; the returned address reaches it through the pooler. A server that is down
 * is reported within seconds, as docs/instalacao.md advises.
 */
export async function startPooler(url: string): Promise<RunningPooler> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(url)
  const home = await mkdtemp(path.join(tmpdir(), 'portal-pooler-'))
  const port = await freePort()
  const users = path.join(home, 'users.txt')
  const settings = path.join(home, 'pgbouncer.ini')
  await writeFile(users, `"${username}" "${password}"\n`)
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
server_login_retry = 1
query_wait_timeout = 2
server_tls_sslmode = prefer
`,
  )
  await chmod(home, 0o755)
  const child = spawn(PROGRAM, [settings], { ...unprivileged(), stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await ready(child.stderr)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** PgBouncer refuses to run as root, like Postgres. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function ready(words: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    words.setEncoding('utf8').on('data', (more: string) => {
      said += more
      if (/process up/.test(said)) resolve()
    })
    words.once('end', () => reject(new Error(`PgBouncer did not start:\n${said}`)))
  })
}
