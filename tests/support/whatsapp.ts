// The whole portal over a test database, behind a load balancer if there are two, with a simulated gateway in the same
// process, and signed-in people.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock, type Clock } from '#server/clock.ts'
import { readSettings } from '#server/settings.ts'
import { ROOMS, type RoomName } from '#server/whatsapp/gateway/rooms.ts'
import { createSeveralGateways } from '#server/whatsapp/gateway/several.ts'
import { createSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { GraphError, type ReadLeadgen } from '#server/leads/intake/meta/graph.ts'
import type { Log } from '#server/log.ts'
import { createPortal } from '#server/portal.ts'
import type { Database } from '#server/db/database.ts'
import type { Gateway } from '#server/gateway.ts'
import type { BodyLimits } from '#server/whatsapp/webhook/body.ts'
import type { Parts } from '#server/parts.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { cheapHash } from './auth.ts'
import { balance } from './balancer.ts'
import { databaseClock, type ManualClock } from './clock.ts'
import { databasesOf } from './database.ts'
import { silentLog, turns } from './gateway.ts'
import { hearEvents } from './live-events.ts'
import { openStorage } from './media.ts'

const SCHEMA_FOLDER = path.resolve('supabase')
export const PASSWORD = 'chave-da-casa'
export const JWT_SECRET = 'a secret of the tests, thirty-two characters or more'
const BASE = 'http://portal.test'

export type TestWhatsapp = Awaited<ReturnType<typeof openWhatsapp>>
/** The calls of one signed-in person. */
export type Calls = Awaited<ReturnType<TestWhatsapp['enter']>>

export type PortalOptions = {
  hasGateway?: boolean
  /** The gateway of all instances; the Evolution API by default. */
  kind?: RoomName
  readLeadgen?: ReadLeadgen
  storage?: (db: Database) => MediaStore
  env?: Record<string, string>
  isStill?: boolean
  /** Replaces the clock that the test advances. */
  clock?: Clock
  replica?: Database
  log?: Log
  deliverySizes?: BodyLimits
  /** Folders of a built app; undefined: only the server. */
  client?: { current: string; earlier: string }
  /** The demonstration's gateways. */
  simulated?: ReadonlyMap<string, Gateway>
}

/** Sleeps up to this length only wait for more work, so the clock is not advanced for them. */
const MOMENT_MS = 20

/**
 * `clock` is the portal's, advanced by the test; the simulator has its own, which runs while something is awaited. With
 * `isStill` no worker polls by itself: it works only when requests wake it. With two portals (`databasesOf`) they share
 * clock,
 * log and phone, and requests alternate between them.
 */
export async function openWhatsapp(db: Database, options: PortalOptions = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-line-'))
  const clock = databaseClock()
  const phoneClock = databaseClock()
  const portalClock: Clock = options.clock ?? {
    ...clock,
    sleep: (delayMs, signal) => (delayMs > MOMENT_MS ? clock : systemClock).sleep(delayMs, signal),
  }
  const posted: string[] = []
  const posting = new Set<Promise<Response>>()
  const { kind = 'evolution' } = options
  const simulator = createSimulator({
    clock: phoneClock,
    speaks: kind,
    post: async (url, { headers, body }) => {
      posted.push(url)
      const answered = Promise.resolve(portal.fetch(new Request(url, { method: 'POST', headers, body }), {}))
      posting.add(answered)
      return (await answered.finally(() => posting.delete(answered))).status
    },
  })

  async function openPortal(own: Database) {
    const made = ROOMS[kind].createGateway({
      baseUrl: 'http://gateway.test',
      apiKey: simulator.apiKey,
      // Pauses within a call are of the gateway's time.
      clock: { ...clock, sleep: phoneClock.sleep },
      log: silentLog,
      // Each call gets its own millisecond, by which the gateway's reports are ordered.
      fetch: (url, init) => {
        phoneClock.advance(1)
        return simulator.fetch(url, init)
      },
    })
    const gateway = createSeveralGateways({ db: own, open: new Map([[kind, made]]), newKind: kind })
    const parts: Parts = {
      db: own,
      replica: options.replica,
      clock: portalClock,
      log: options.log ?? silentLog,
      settings: readSettings({ DEMO: '0', ...options.env }),
      storage: options.storage?.(own) ?? (await openStorage(own, folder)),
      gateway: options.hasGateway === false ? null : gateway,
    }
    const opened = await createPortal(parts, {
      jwtSecret: JWT_SECRET,
      schemaFolder: SCHEMA_FOLDER,
      version: '0.0.0',
      webhookBase: () => BASE,
      ...(options.client ? { client: options.client } : {}),
      ...(options.simulated ? { simulated: options.simulated } : {}),
      deliverySizes: options.deliverySizes,
      readLeadgen: options.readLeadgen ?? (() => Promise.reject(new GraphError('again', 'no network'))),
    })
    return { parts, portal: opened }
  }

  const opened = await Promise.all(databasesOf(db).map(openPortal))
  const portals = opened.map((each) => each.portal)
  const portal = balance(portals)
  if (!options.isStill) portal.start()
  const fetchPortal = async (request: Request) => portal.fetch(request, {})
  const passwordHash = await cheapHash(PASSWORD)

  /** The calls of one signed-in person. */
  async function enter(email: string) {
    const answer = await fetchPortal(
      new Request(`${BASE}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: PASSWORD }),
      }),
    )
    if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const fetchAs = (address: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetchPortal(new Request(BASE + address, { ...init, headers }))
    }
    const ask = async (address: string, init: RequestInit) => {
      const response = await fetchAs(address, init)
      return { status: response.status, body: (await response.json()) as Record<string, unknown>, response }
    }
    return {
      call: (address: string, body?: unknown) =>
        ask(address, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      /** Any request; returns the unparsed response. */
      request: fetchAs,
      /** Sends a form, or nothing, with any method. */
      send: (address: string, body: FormData | null, method = 'POST') => ask(address, { method, body }),
      events: () => openEvents(`${BASE}/api/events`, token),
    }
  }

  const openEvents = async (url: string, token: string) =>
    hearEvents(await fetchPortal(new Request(url, { headers: { authorization: `Bearer ${token}` } })))

  return {
    clock,
    phoneClock,
    posted,
    /** Resolves once everything that the gateway has begun to send is applied. */
    told: async () => {
      do await Promise.allSettled(posting)
      while ((await db.query('select from portal.webhook_inbox')).rowCount !== 0)
    },
    /** Of the first portal. */
    parts: opened[0]!.parts,
    portal,
    /** The single portals behind `portal`, for tests of what one process keeps in memory. */
    portals,
    /** The number of stored files. */
    countMedia: async () =>
      db.engine === 'postgres'
        ? (await db.query('select from portal.media')).rowCount
        : (await readdir(folder, { recursive: true })).length,
    control: simulator.control,
    enter,
    /**
     * Lets up to ten seconds of the simulator's time pass while the promise is pending: less than a code's lifetime.
     */
    through: <T>(promise: Promise<T>) => letPass(phoneClock, promise),
    setPassword: (username: string) =>
      db.query('update portal.accounts set password_hash = $2 where username = $1', [username, passwordHash]),
    request: (address: string, init?: RequestInit) => fetchPortal(new Request(BASE + address, init)),
    close: async () => {
      // Finishes a running send first.
      await letPass(phoneClock, portal.stop())
      await simulator.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const PASSING_MS = 10_000

/** The database answers in real time, so the clock waits for it between two steps. */
async function letPass<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  const wait = { isOpen: true }
  const end = () => (wait.isOpen = false)
  promise.then(end, end)
  const startMs = clock.now()
  while (wait.isOpen) {
    for (let turn = 0; turn < 20 && wait.isOpen; turn++) await turns()
    const nextMs = clock.nextDueInMs()
    if (wait.isOpen && nextMs !== null && clock.now() + nextMs - startMs <= PASSING_MS) clock.advance(nextMs)
  }
  return promise
}
