// A small made-up database for the REST layer's tests, and the official client: direct on PGlite, on Postgres forwarded
// as to a Supabase project.
import { createAdaptorServer } from '@hono/node-server'
import { createClient } from '@supabase/supabase-js'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { invalidToken } from '#server/rest/errors.ts'
import type { Principal } from '#server/rest/execute.ts'
import { MAX_URL_LENGTH } from '#server/rest/limits.ts'
import { createRest, type Rest, type RestOptions } from '#server/rest/routes.ts'
import { createUpstream } from '#server/rest/upstream.ts'
import { inTurn } from '../balancer.ts'
import { databasesOf, openTestDatabase, testEngine, type TestDatabase } from '../database.ts'

export const ANA = '00000000-0000-4000-8000-00000000000a'
export const BIA = '00000000-0000-4000-8000-00000000000b'

export type Client = ReturnType<typeof connect>

export type Scenario = {
  database: TestDatabase
  /** Makes the first portal read the database's catalog again. */
  reloadCatalog(): Promise<void>
  /** The layer's log lines, as JSON. */
  logged: string[]
  /** The official client as this person, or as anon. */
  client(person?: string): Client
  /** A plain request below /rest/v1. */
  request(path: string, init?: RequestInit & { person?: string }): Promise<Response>
  /** A write by Ana that is rolled back, so that tests do not see each other's rows. */
  write(method: 'POST' | 'PATCH' | 'DELETE', path: string, options?: WriteOptions): Promise<Written>
  close(): Promise<void>
}

/** A text is sent unchanged, anything else as JSON. */
export type WriteOptions = { body?: unknown; prefer?: string; accept?: string }

export type Written = {
  status: number
  range: string | null
  location: string | null
  /** Preferences applied besides the rollback. */
  applied: string | undefined
  type: string | null
  /** Null if there is none. */
  body: unknown
}

const BOOTSTRAP = path.resolve(import.meta.dirname, '../../../server/db/bootstrap.sql')
const SCHEMA = path.resolve(import.meta.dirname, 'rest-scenario.sql')
const ORIGIN = 'http://portal.test'

type ScenarioOptions = Partial<Omit<RestOptions, 'db'>> & {
  /** Wraps the database of the layer, for one portal. */
  wrap?: (db: Database) => Database
}

export async function openRestScenario({
  wrap = (db) => db,
  ...options
}: ScenarioOptions = {}): Promise<Scenario> {
  const database = await openTestDatabase()
  await database.db.exec(await readFile(BOOTSTRAP, 'utf8'))
  await database.db.exec(await readFile(SCHEMA, 'utf8'))
  const logged: string[] = []
  const doors = await Promise.all(
    databasesOf(wrap(database.db)).map((db) =>
      openDoor({
        db,
        log: createLog('warn', (line) => logged.push(line)),
        schemas: ['shop', 'annex'],
        allowRollback: true,
        maxRows: 1000,
        bodyLimitBytes: 100_000,
        principalOf,
        ...options,
      }),
    ),
  )
  const next = inTurn(doors)
  const fetch = (asked: Request) => next().fetch(asked)
  const request = async (below: string, init: RequestInit & { person?: string } = {}) => {
    const headers = new Headers(init.headers)
    if (init.body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json')
    if (init.person !== undefined) headers.set('authorization', `Bearer ${init.person}`)
    return fetch(new Request(`${ORIGIN}/rest/v1${below}`, { ...init, headers }))
  }
  return {
    database,
    reloadCatalog: () => doors[0]!.rest.reloadCatalog(),
    logged,
    client: (person) => connect(fetch, person),
    request,
    write: async (method, path, options = {}) => summarise(await request(path, toInit(method, options))),
    close: async () => {
      await Promise.all(doors.map((door) => door.close()))
      await database.close()
    },
  }
}

type Door = { rest: Rest; fetch: (request: Request) => Promise<Response>; close: () => Promise<void> }

async function openDoor(served: RestOptions): Promise<Door> {
  const rest = createRest(served)
  return testEngine === 'postgres'
    ? { rest, ...(await passOn(rest, served)) }
    : { rest, fetch: async (request) => rest.routes.fetch(request), close: () => Promise.resolve() }
}

/**
 * Like SUPABASE_URL: the layer listens on an address, and requests are forwarded to it. So forwarding is tested as
 * well.
 */
async function passOn(rest: Rest, served: RestOptions): Promise<Omit<Door, 'rest'>> {
  const server = createAdaptorServer({
    fetch: rest.routes.fetch,
    serverOptions: { maxHeaderSize: 2 * MAX_URL_LENGTH },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const supabase = { url: `http://127.0.0.1:${port}`, anonKey: 'anon' }
  const routes = createUpstream({ ...served, supabase, clock: systemClock })
  return {
    fetch: async (request) => routes.fetch(request),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function toInit(method: string, { body, prefer, accept }: WriteOptions): RequestInit & { person: string } {
  const headers = new Headers({ prefer: ['tx=rollback', prefer].filter(Boolean).join(',') })
  if (accept !== undefined) headers.set('accept', accept)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, person: ANA, headers, ...(body === undefined ? {} : { body: text }) }
}

async function summarise(answer: Response): Promise<Written> {
  const text = await answer.text()
  return {
    status: answer.status,
    range: answer.headers.get('content-range'),
    location: answer.headers.get('location'),
    applied: answer.headers.get('preference-applied')?.replace(/^tx=rollback, |(, )?tx=rollback/, ''),
    type: answer.headers.get('content-type'),
    body: text === '' ? null : JSON.parse(text),
  }
}

/** Replaces the WebSocket that older Nodes lack and the client requires; nothing here is live. */
function NoSocket() {
  throw new Error('No test of the REST layer opens a socket')
}

const connect = (fetch: Door['fetch'], person: string | undefined) =>
  createClient(ORIGIN, 'anon', {
    db: { schema: 'shop' },
    global: { fetch: (input, init) => fetch(new Request(input, init)) },
    realtime: { transport: NoSocket as unknown as typeof WebSocket },
    ...(person === undefined ? {} : { accessToken: () => Promise.resolve(person) }),
  })

/** The token is the person's id. */
async function principalOf(request: Request): Promise<Principal> {
  const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? 'anon'
  if (token === 'anon') return { role: 'anon', claims: {} }
  if (token === 'expired') throw invalidToken('expired')
  if (token === 'broken') throw invalidToken('invalid')
  return { role: 'authenticated', claims: { sub: token } }
}
