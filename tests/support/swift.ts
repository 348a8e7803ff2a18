// Debian's OpenStack Swift with its S3 interface on loopback: a real object store with one bucket, started and stopped
// by a test.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketSettings } from '#server/storage/bucket/sending.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.mjs'

const run = promisify(execFile)

const KINDS = ['account', 'container', 'object'] as const
const PIPELINE =
  'catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes proxy-server'

/** Null where the packages (swift-proxy, swift-account, swift-container, swift-object, memcached) are not installed. */
export async function startSwift() {
  const isThere = await run('which', [
    'swift-proxy-server',
    'swift-account-server',
    'swift-container-server',
    'swift-object-server',
    'memcached',
  ]).then(
    () => true,
    () => false,
  )
  if (!isThere) return null
  const dir = await mkdtemp(path.join(tmpdir(), 'swift-'))
  await mkdir(path.join(dir, 'devices/sda'), { recursive: true })
  const [port, memory] = [await freePort(), await freePort()]
  for (const kind of KINDS) await configure(dir, kind)
  await writeFile(path.join(dir, 'proxy-server.conf'), proxyConfig(dir, { proxy: port, memory }))
  const settings: BucketSettings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'media',
    region: 'us-east-1',
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
  }
  const memcached = ['memcached', '-l', '127.0.0.1', '-p', String(memory), '-u', userInfo().username]
  const behind = [memcached, ...KINDS.map((kind) => commandOf(dir, kind))].map(begin)
  let proxy: ChildProcess
  const open = async () => {
    proxy = begin(commandOf(dir, 'proxy'))
    await eventually(async () => {
      const status = await put(settings)
      // 409: it is there.
      if (status !== 200 && status !== 409) throw new Error(`the bucket was answered with ${status}`)
    })
  }
  const close = async () => {
    await Promise.all([proxy, ...behind].map(end))
    await rm(dir, { recursive: true, force: true })
  }
  await open().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    settings,
    /** Cuts the store off; what it holds stays. */
    kill: () => end(proxy),
    open,
    close,
  }
}

const commandOf = (dir: string, name: string) => [
  `swift-${name}-server`,
  path.join(dir, `${name}-server.conf`),
]

const begin = ([name = '', ...args]: string[]) => spawn(name, args, { stdio: 'ignore' })

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  const ended = new Promise((resolve) => service.once('exit', resolve))
  service.kill('SIGKILL')
  await ended
}

/** One ring of one device, and the service over it. */
async function configure(dir: string, kind: (typeof KINDS)[number]) {
  const port = await freePort()
  const ring = (...args: string[]) => run('swift-ring-builder', [`${kind}.builder`, ...args], { cwd: dir })
  await ring('create', '4', '1', '1')
  const place = ['--ip', '127.0.0.1', '--port', String(port), '--device', 'sda', '--weight', '1']
  await ring('add', '--region', '1', '--zone', '1', ...place)
  await ring('rebalance').catch((error: unknown) => {
    // 1 is a warning.
    if (!(error instanceof Error && 'code' in error && error.code === 1)) throw error
  })
  const lines = ['[DEFAULT]', ...common(dir, port), `devices = ${dir}/devices`, 'mount_check = false']
  const app = [
    '[pipeline:main]',
    `pipeline = ${kind}-server`,
    `[app:${kind}-server]`,
    `use = egg:swift#${kind}`,
  ]
  await writeFile(path.join(dir, `${kind}-server.conf`), [...lines, ...app].join('\n'))
}

const common = (dir: string, port: number) => [
  'bind_ip = 127.0.0.1',
  `bind_port = ${port}`,
  'workers = 0',
  `user = ${userInfo().username}`,
  `swift_dir = ${dir}`,
]

function proxyConfig(dir: string, ports: { proxy: number; memory: number }): string {
  const filters = PIPELINE.split(' ').slice(0, -1)
  const settings: Record<string, string[]> = {
    tempauth: ['user_test_tester = testing .admin'],
    cache: [`memcache_servers = 127.0.0.1:${ports.memory}`],
    s3api: ['location = us-east-1', 's3_acl = false'],
  }
  return [
    '[DEFAULT]',
    ...common(dir, ports.proxy),
    '[pipeline:main]',
    `pipeline = ${PIPELINE}`,
    '[app:proxy-server]',
    'use = egg:swift#proxy',
    'account_autocreate = true',
    // Else it asks nobody for a minute who was not there yet.
    'error_suppression_limit = 1000000',
    ...filters.flatMap((name) => [
      `[filter:${name}]`,
      `use = egg:swift#${name === 'cache' ? 'memcache' : name}`,
      ...(settings[name] ?? []),
    ]),
  ].join('\n')
}

/** Makes the bucket; again it changes nothing. */
async function put({ bucket, endpoint, ...keys }: BucketSettings): Promise<number> {
  const url = `${endpoint}/${bucket}`
  const signed = await new AwsV4Signer({ ...keys, service: 's3', method: 'PUT', url }).sign()
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'PUT', headers: Object.fromEntries(signed.headers) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}
