// A small made-up database for the REST layer's tests, and the official client speaking to it in process.
import { createClient } from '@supabase/supabase-js'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createLog } from '#server/log.ts'
import { invalidToken } from '#server/rest/errors.ts'
import type { Principal } from '#server/rest/execute.ts'
import { createRest, type Rest, type RestOptions } from '#server/rest/routes.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

export const ANA = '00000000-0000-4000-8000-00000000000a'
export const BIA = '00000000-0000-4000-8000-00000000000b'

export type Client = ReturnType<typeof connect>

export type World = {
  database: TestDatabase
  rest: Rest
  /** Lines that the layer logged, as JSON. */
  logged: string[]
  /** The official client as this person, or as anon. */
  client(person?: string): Client
  /** A plain request below /rest/v1. */
  request(path: string, init?: RequestInit & { person?: string }): Promise<Response>
  close(): Promise<void>
}

const BOOTSTRAP = path.resolve(import.meta.dirname, '../../server/db/bootstrap.sql')
const SCHEMA = path.resolve(import.meta.dirname, 'rest-world.sql')
const ORIGIN = 'http://portal.test'

export async function openRestWorld(options: Partial<RestOptions> = {}): Promise<World> {
  const database = await openTestDatabase()
  await database.db.exec(await readFile(BOOTSTRAP, 'utf8'))
  await database.db.exec(await readFile(SCHEMA, 'utf8'))
  const logged: string[] = []
  const rest = createRest({
    db: database.db,
    log: createLog('warn', (line) => logged.push(line)),
    schemas: ['shop', 'annex'],
    allowRollback: true,
    maxRows: 1000,
    bodyLimitBytes: 100_000,
    principalOf,
    ...options,
  })
  const request = async (below: string, init: RequestInit & { person?: string } = {}) => {
    const headers = new Headers(init.headers)
    if (init.person !== undefined) headers.set('authorization', `Bearer ${init.person}`)
    return rest.routes.fetch(new Request(`${ORIGIN}/rest/v1${below}`, { ...init, headers }))
  }
  return {
    database,
    rest,
    logged,
    client: (person) => connect(rest, person),
    request,
    close: () => database.close(),
  }
}

const connect = (rest: Rest, person: string | undefined) =>
  createClient(ORIGIN, 'anon', {
    db: { schema: 'shop' },
    global: { fetch: async (input, init) => rest.routes.fetch(new Request(input, init)) },
    // The client looks for a WebSocket that older Nodes lack; nothing here is live.
    realtime: { transport: class {} as unknown as typeof WebSocket },
    ...(person === undefined ? {} : { accessToken: () => Promise.resolve(person) }),
  })

/** The token is the person's id itself. */
async function principalOf(request: Request): Promise<Principal> {
  const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? 'anon'
  if (token === 'anon') return { role: 'anon', claims: {} }
  if (token === 'expired') throw invalidToken('expired')
  if (token === 'broken') throw invalidToken('invalid')
  return { role: 'authenticated', claims: { sub: token } }
}
