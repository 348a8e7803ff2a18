// A local push service that checks requests like browsers and their services, and a portal that sends to it.
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import ece from 'http_ece'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { toNotice } from '#server/push/notice.ts'
import { createPushQueue } from '#server/push/push-queue.ts'
import { createPush } from '#server/push/push.ts'
import { databaseClock } from './clock.ts'
import { silentLog } from './gateway.ts'

/** A push decrypted with the device's own keys. */
export type Received = {
  path: string
  headers: IncomingMessage['headers']
  /** The push's JSON. */
  json: {
    notification: {
      title: string
      body: string
      tag: string
      navigate: string
      actions: { action: string }[]
      data?: { contactId: number; upToSeconds: number }
    }
    app_badge: number
  }
  /** The claims that the portal signed. */
  claims: { aud: string; exp: number; sub: string }
}

type Answer = { status: number; headers?: Record<string, string> }
type Keys = ReturnType<typeof makeKeys>

/** A browser's key pair and secret. */
export function makeKeys() {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  return { ecdh, auth, p256dh: ecdh.getPublicKey('base64url'), authText: auth.toString('base64url') }
}

/** `publicKey` is the portal's. Accepts everything, unless a test sets the answer of a path. */
export async function openPushService(publicKey: () => string) {
  const received: Received[] = []
  const plans = new Map<string, Answer[]>()
  const devices = new Map<string, Keys>()
  const faults: unknown[] = []
  const arrivals: (() => void)[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      try {
        received.push(read(request, Buffer.concat(parts)))
      } catch (error) {
        faults.push(error)
      }
      const { status, headers } = plans.get(path)?.shift() ?? { status: 201 }
      response.writeHead(status, headers).end()
      arrivals.splice(0).forEach((arrived) => arrived())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  function read(request: IncomingMessage, body: Buffer): Received {
    const path = request.url ?? ''
    const keys = devices.get(path)
    if (!keys) throw new Error(`nobody subscribed at ${path}`)
    const text = ece
      .decrypt(body, {
        version: 'aes128gcm',
        privateKey: keys.ecdh,
        authSecret: keys.auth.toString('base64url'),
      })
      .toString()
    return {
      path,
      headers: request.headers,
      json: JSON.parse(text) as Received['json'],
      claims: verified(request.headers.authorization ?? '', publicKey()),
    }
  }

  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise<void>((resolve) => arrivals.push(resolve))
    if (faults.length > 0) throw faults[0]
  }

  return {
    told: received,
    /** A browser's subscription with a separate path. */
    subscribe: (path: string) => {
      const keys = makeKeys()
      devices.set(path, keys)
      return { endpoint: origin + path, keys: { p256dh: keys.p256dh, auth: keys.authText } }
    },
    plan: (path: string, ...answers: Answer[]) => void plans.set(path, answers),
    /** Resolves once a path has got this many pushes in total. */
    receivedAt: async (path: string, times = 1): Promise<Received[]> => {
      const at = () => received.filter((each) => each.path === path)
      await until(() => at().length >= times || faults.length > 0)
      return at()
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type PushService = Awaited<ReturnType<typeof openPushService>>

/** The claims of a VAPID header, after its signature was verified. */
function verified(authorization: string, publicKey: string): Received['claims'] {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  if (key !== publicKey) throw new Error('signed by another portal')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('the signature does not hold')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Received['claims']
}

const JWT_SECRET = 'a secret of the tests, thirty-two characters or more'

/** A portal's push sender over `db`, not started; its clock starts at the real time, and `pass` advances it. */
export async function openPusher(db: Database, log: Log = silentLog, jwtSecret = JWT_SECRET) {
  const clock = databaseClock()
  const push = await createPush({
    db,
    clock,
    log,
    jwtSecret,
    vapidSubject: 'mailto:suporte@portal.example',
    publicUrl: undefined,
    address: () => 'https://portal.example',
    allowsLoopback: true,
    memberOf: () => Promise.reject(new Error('not asked here')),
  })
  return {
    ...push,
    clock,
    /** Advances to this long after the database's current time. */
    pass: (ms: number) => clock.advance(Math.max(0, Date.now() - clock.now()) + ms),
  }
}

export type Pusher = Awaited<ReturnType<typeof openPusher>>

/** Adds a device in a new session of the account, and returns its name at the push service. */
export async function addDevice(
  db: Database,
  accountId: string,
  { endpoint, keys }: ReturnType<PushService['subscribe']>,
): Promise<{ id: string; sessionId: string }> {
  const { rows } = await db.query<{ id: string; sessionId: string }>(
    `with session as (
       insert into portal.sessions (account_id, expires_at) values ($1, '2999-01-01T00:00:00Z') returning id
     )
     insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
     select id, $2, $3, $4, 'Celular' from session returning id, session_id as "sessionId"`,
    [accountId, endpoint, keys.p256dh, keys.auth],
  )
  const [device] = rows
  if (!device) throw new Error('no device')
  return device
}

/** The texts of all waiting pushes; they count as sent. */
export async function takePushes(db: Database): Promise<{ title: string; body: string; tag: string }[]> {
  const queue = createPushQueue(db)
  const { pushes } = await queue.claim(Date.now() + 5_000, 10)
  await Promise.all(pushes.map((push) => queue.settle(push, true)))
  return pushes.map((push) => {
    const { json } = toNotice(push, 'https://portal.example')
    const { notification } = JSON.parse(json) as {
      notification: { title: string; body: string; tag: string }
    }
    return { title: notification.title, body: notification.body, tag: notification.tag }
  })
}
