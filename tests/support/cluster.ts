// A Postgres cluster on loopback, as operators run it: etcd, two Patroni members in synchronous mode, HAProxy before
// them.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { systemClock } from '#server/clock.ts'
import { freePort } from './free-port.mjs'
import { chooseIdentity, findPostgres, TEMP } from './runner/native-postgres.mjs'

const PROGRAMS = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' }
const PASSWORD = 'cluster'
const postgresFolder = await findPostgres()

export const hasClusterPrograms = postgresFolder !== null && Object.values(PROGRAMS).every(existsSync)

export type MemberName = 'a' | 'b'
type Member = { name: MemberName; port: number; restPort: number; process: ChildProcess | null }
type Seen = { role: string; state: string; name: string }
export type Cluster = Awaited<ReturnType<typeof startCluster>>

export async function startCluster() {
  const identity = chooseIdentity()
  const home = await mkdtemp(path.join(TEMP, 'portal-cluster-'))
  await chmod(home, 0o755)
  const ports = await Promise.all(Array.from({ length: 7 }, freePort))
  const [etcdPort, peerPort, proxyPort, ...rest] = ports as [number, number, number, ...number[]]
  const members: Record<MemberName, Member> = {
    a: { name: 'a', port: rest[0]!, restPort: rest[1]!, process: null },
    b: { name: 'b', port: rest[2]!, restPort: rest[3]!, process: null },
  }
  const begin = (program: string, args: string[], options: SpawnOptions = {}) =>
    spawn(program, args, { cwd: home, stdio: 'ignore', ...options })

  const [client, peer] = [etcdPort, peerPort].map((port) => `http://127.0.0.1:${port}`) as [string, string]
  const etcd = begin(PROGRAMS.etcd, [
    `--data-dir=${path.join(home, 'etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ])
  let haproxy: ChildProcess | null = null

  async function startMember(name: MemberName) {
    const member = members[name]
    const folder = path.join(home, name)
    await mkdir(folder, { recursive: true })
    const file = path.join(folder, 'patroni.json')
    const config = patroniConfig(member, { folder, etcdPort, bin: postgresFolder ?? '' })
    // YAML reads JSON.
    await writeFile(file, JSON.stringify(config))
    if ('uid' in identity) await chown(folder, identity.uid, identity.gid)
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
    member.process = begin('/usr/bin/python3', [PROGRAMS.patroni, file], { ...identity, cwd: folder, env })
  }

  async function kill({ name, process: patroni }: Member) {
    patroni?.kill('SIGKILL')
    const pid = await readFile(path.join(home, name, 'data/postmaster.pid'), 'utf8').catch(() => '')
    const postmaster = Number(pid.split('\n')[0])
    if (postmaster > 0 && existsSync(`/proc/${postmaster}`)) process.kill(postmaster, 'SIGKILL')
  }

  /** Answers of Patroni's own address; null while it is away. */
  async function ask<T>(
    member: Member,
    address: string,
    body?: object,
  ): Promise<{ status: number; body: T } | null> {
    const answer = await fetch(`http://127.0.0.1:${member.restPort}${address}`, {
      method: body === undefined ? 'GET' : 'POST',
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(body === undefined ? 2_000 : 60_000),
    }).catch(() => null)
    if (answer === null) return null
    const text = await answer.text()
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as T }
  }

  async function leader(): Promise<MemberName | null> {
    for (const member of Object.values(members))
      if ((await ask(member, '/primary'))?.status === 200) return member.name
    return null
  }

  async function startProxy({ cutsSessions }: { cutsSessions: boolean }) {
    haproxy?.kill('SIGKILL')
    const file = path.join(home, 'haproxy.cfg')
    await writeFile(file, proxyConfig(Object.values(members), { port: proxyPort, cutsSessions }))
    haproxy = begin(PROGRAMS.haproxy, ['-db', '-f', file])
  }

  const address = (place: string) => `postgres://postgres:${PASSWORD}@${place}/postgres`
  const all = Object.values(members).map(({ port }) => `127.0.0.1:${port}`)
  await startMember('a')
  await whenever(async () => (await leader()) === 'a')
  await startMember('b')
  await startProxy({ cutsSessions: true })

  /** Patroni says that a member leads a little before its Postgres commits. */
  async function takesWrites(name: MemberName) {
    const client = new pg.Client({
      connectionString: address(`127.0.0.1:${members[name].port}`),
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select pg_current_xact_id()')
      return true
    } catch {
      return false
    } finally {
      void client.end().catch(() => undefined)
    }
  }
  const whenLeads = (name: MemberName) =>
    whenever(async () => (await leader()) === name && (await takesWrites(name)))
  const other = (name: MemberName): MemberName => (name === 'a' ? 'b' : 'a')
  /** The standby confirms commits, so that nothing acknowledged is lost with the leader. */
  const isSafe = async () => {
    const name = await leader()
    if (name === null) return false
    const seen = await ask<{ members: Seen[] }>(members[name], '/cluster')
    return (
      seen?.body.members.some(
        ({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state),
      ) ?? false
    )
  }
  await whenever(isSafe)

  return {
    /** By the list of both members, and through HAProxy. */
    listUrl: address(all.join(',')),
    proxyUrl: address(`127.0.0.1:${proxyPort}`),
    leader,
    startProxy,
    whenSafe: () => whenever(isSafe),
    /** Kills Patroni and Postgres of the leader; resolves when the other member leads and takes writes. */
    killLeader: async () => {
      const name = (await leader())!
      await kill(members[name])
      await whenLeads(other(name))
      return { restart: () => startMember(name) }
    },
    /** Resolves when the other member leads and takes writes. */
    switchOver: async () => {
      const name = (await leader())!
      const asked = await ask(members[name], '/switchover', { leader: name, candidate: other(name) })
      if (asked?.status !== 200) throw new Error(`Patroni refused: ${JSON.stringify(asked)}`)
      await whenLeads(other(name))
    },
    stop: async () => {
      haproxy?.kill('SIGKILL')
      for (const member of Object.values(members)) await kill(member)
      etcd.kill('SIGKILL')
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function whenever(fits: () => Promise<boolean>) {
  while (!(await fits())) await systemClock.sleep(100)
}

type Places = { folder: string; etcdPort: number; bin: string }

const patroniConfig = ({ name, port, restPort }: Member, { folder, etcdPort, bin }: Places) => ({
  scope: 'portal',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: 30,
      loop_wait: 10,
      retry_timeout: 10,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { wal_log_hints: 'on', wal_keep_size: '512MB', max_connections: 200 },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: path.join(folder, 'data'),
    bin_dir: bin,
    pgpass: path.join(folder, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
      rewind: { username: 'postgres', password: PASSWORD },
    },
    parameters: { unix_socket_directories: folder, fsync: 'off', jit: 'off' },
  },
})

const proxyConfig = (members: Member[], { port, cutsSessions }: { port: number; cutsSessions: boolean }) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1${cutsSessions ? ' on-marked-down shutdown-sessions' : ''}
${members.map((member) => `  server ${member.name} 127.0.0.1:${member.port} check port ${member.restPort}`).join('\n')}
`
