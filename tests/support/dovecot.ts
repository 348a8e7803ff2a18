// A real mail server for tests: Debian's Dovecot on loopback, with one mailbox, started and stopped by the test.
import { execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.mjs'

const run = promisify(execFile)

export const LOGIN = { username: 'leads@example.com', password: 'segredo-da-caixa' }

/** Null if the package (dovecot-imapd) is not installed. */
export async function startDovecot() {
  const isThere = await run('dovecot', ['--version']).then(
    () => true,
    () => false,
  )
  if (!isThere) return null
  const dir = await mkdtemp(path.join(tmpdir(), 'dovecot-'))
  const isRoot = userInfo().uid === 0
  const me = isRoot ? 'mail' : userInfo().username
  const ids = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, me])).stdout.trim()))
  const [uid = '', gid = ''] = ids
  const group = (await run('id', ['-gn', me])).stdout.trim()
  const home = path.join(dir, 'mail')
  const port = await freePort()
  const conf = path.join(dir, 'conf')
  await chmod(dir, 0o755)
  await mkdir(home)
  if (isRoot) await chown(home, Number(uid), Number(gid))
  await writeFile(path.join(dir, 'users'), `${LOGIN.username}:{PLAIN}${LOGIN.password}\n`)
  await writeFile(conf, config({ dir, home, me, group, port }))
  // Dovecot's child processes keep the output open, so only the exit of the first process counts.
  const spawned = () =>
    new Promise<void>((resolve, reject) => {
      spawn('dovecot', ['-c', conf], { stdio: 'ignore' })
        .on('error', reject)
        .on('exit', () => resolve())
    })
  // After a kill, the port is free only a little later.
  const start = () =>
    eventually(async () => {
      await spawned()
      await answers(port)
    })
  const stop = async () => {
    const pid = Number(await readFile(path.join(dir, 'run/master.pid'), 'utf8').catch(() => '0'))
    if (pid > 0) process.kill(pid, 'SIGKILL')
    await eventually(async () => (await pidsOf(conf)).length === 0).catch(() => undefined)
  }
  await start()
  const doveadm = (args: readonly string[], input?: string) =>
    new Promise<string>((resolve, reject) => {
      const child = execFile('doveadm', ['-c', conf, ...args], (error, stdout) =>
        error ? reject(error instanceof Error ? error : new Error('doveadm')) : resolve(stdout),
      )
      child.stdin?.end(input ?? '')
    })
  const inbox = path.join(home, LOGIN.username)
  const validity = async () =>
    Number(
      /\d+/.exec(
        await doveadm(['-f', 'flow', 'mailbox', 'status', '-u', LOGIN.username, 'uidvalidity', 'INBOX']),
      )?.[0],
    )
  return {
    port,
    start,
    /** Stops the server at once, like a power failure. */
    stop,
    deliver: (mail: string) => doveadm(['save', '-u', LOGIN.username], mail),
    /** The number of mails, and how many are read. */
    counts: async () => {
      const flags =
        (await doveadm(['fetch', '-u', LOGIN.username, 'flags', 'mailbox', 'INBOX'])).match(/^flags:.*$/gm) ??
        []
      return { all: flags.length, seen: flags.filter((line) => line.includes(String.raw`\Seen`)).length }
    },
    doveadm,
    /** All mails there get an arrival time one hour earlier, which the server reports once its folder is recreated. */
    age: async () => {
      const then = Date.now() / 1000 - 3_600
      for (const place of ['cur', 'new'])
        for (const name of await readdir(path.join(inbox, place)))
          await utimes(path.join(inbox, place, name), then, then)
    },
    /** Recreates the folder with all mails, which get new numbers. */
    renumber: async () => {
      const before = await validity()
      await stop()
      for (const name of await readdir(inbox))
        if (name.startsWith('dovecot')) await rm(path.join(inbox, name), { recursive: true })
      await start()
      // The server numbers folders by the second, so this waits for the next one.
      await doveadm([
        'mailbox',
        'update',
        '-u',
        LOGIN.username,
        '--uid-validity',
        String(before + 1),
        'INBOX',
      ])
    },
    close: async () => {
      await stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function pidsOf(conf: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid,args'])
  return stdout.split('\n').filter((line) => line.includes(`dovecot -c ${conf}`))
}

const answers = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })

type Config = { dir: string; home: string; me: string; group: string; port: number }
// Without the delays that follow a wrong password.
const config = ({ dir, home, me, group, port }: Config) => `
base_dir = ${dir}/run
state_dir = ${dir}/run
log_path = ${dir}/log
protocols = imap
listen = 127.0.0.1
ssl = no
auth_failure_delay = 0
default_internal_user = ${me}
default_login_user = ${me}
default_internal_group = ${group}
first_valid_uid = 1
mail_location = maildir:${home}/%u
passdb {
  driver = passwd-file
  args = ${dir}/users
}
userdb {
  driver = static
  args = uid=${me} gid=${group} home=${home}/%u
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`
