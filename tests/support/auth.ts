// Sign-in over a test database: the HTTP endpoints as a browser uses them, with auth-js, a manual clock and made-up
// addresses.
import { AuthClient } from '@supabase/auth-js'
import { hash } from '@node-rs/bcrypt'
import { Hono } from 'hono'
import type { Bindings } from '#server/auth/client-address.ts'
import { createAuth } from '#server/auth/auth.ts'
import type { Passwords } from '#server/auth/accounts/passwords.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import { createLog } from '#server/log.ts'
import { inTurn } from './balancer.ts'
import { databaseClock, type ManualClock } from './clock.ts'
import { databasesOf } from './database.ts'

export const JWT_SECRET = 'a secret of the tests, thirty-two characters or more'
const ORIGIN = 'http://portal.test'

type Options = {
  clock?: ManualClock
  firstAccess?: 'open' | 'invite'
  hasPublicUrl?: boolean
  passwords?: Passwords
  jwtSecret?: string
}

export type TestAuth = ReturnType<typeof openAuth>

/**
 * The portal's sign-in over `db`. With two portals (`databasesOf`) the requests alternate between them. Another
 * instance over the same database acts as a restart.
 */
export function openAuth(db: Database, options: Options = {}) {
  const clock = options.clock ?? databaseClock()
  const lines: string[] = []
  const log = createLog('debug', (line) => lines.push(line))
  const auths = databasesOf(db).map((own) =>
    createAuth({
      db: own,
      clock,
      log,
      jwtSecret: options.jwtSecret ?? JWT_SECRET,
      firstAccess: options.firstAccess ?? 'open',
      hasPublicUrl: options.hasPublicUrl ?? false,
      ...(options.passwords ? { passwords: options.passwords } : {}),
    }),
  )
  const next = inTurn(
    auths.map((auth) => {
      const app = new Hono<{ Bindings: Bindings }>()
      app.onError(createErrorHandler(log))
      app.notFound(notFound)
      app.route('/auth/v1', auth.gotrue)
      app.route('/api/login', auth.login)
      app.route('/api', auth.account)
      return app
    }),
  )

  const fetchFrom =
    (remoteAddress: string): typeof fetch =>
    async (input, init) =>
      next().fetch(new Request(input, init), { incoming: { socket: { remoteAddress } } })

  /** Posts JSON to a path of either endpoint. */
  const post = async (path: string, body: unknown, from = '203.0.113.1') => {
    const response = await fetchFrom(from)(ORIGIN + path, { method: 'POST', body: JSON.stringify(body) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
  }

  return {
    /** The first portal's. */
    auth: auths[0]!,
    clock,
    /** All log lines so far. */
    lines,
    post,
    request: (path: string, init?: RequestInit, from = '203.0.113.1') => fetchFrom(from)(ORIGIN + path, init),
    /** A browser at that IP address. */
    client: (from = '203.0.113.1') =>
      new AuthClient({
        url: `${ORIGIN}/auth/v1`,
        headers: { apikey: 'portal' },
        fetch: fetchFrom(from),
        autoRefreshToken: false,
        persistSession: false,
        detectSessionInUrl: false,
      }),
  }
}

export const emailOf = (username: string) => `${username}@corretor.local`

/** Adds a broker with a password, hashed at the lowest cost; null: without a password. Returns the id. */
export async function addBroker(db: Database, username: string, password: string | null = 'senha-certa') {
  const { rows } = await db.query<{ id: string }>(
    `insert into public.brokers ("instanceName", "instanceId") values ($1, $2) returning id`,
    [`corretor_${username}`, `instance-of-${username}`],
  )
  const id = rows[0]?.id ?? ''
  if (password !== null)
    await db.query('update portal.accounts set password_hash = $2 where id = $1', [
      id,
      await cheapHash(password),
    ])
  return id
}

export async function addAdmin(db: Database, username: string, password: string) {
  const { rows } = await db.query<{ id: string }>(
    `insert into portal.accounts (role, username, password_hash) values ('admin', $1, $2) returning id`,
    [username, await cheapHash(password)],
  )
  return rows[0]?.id ?? ''
}

/** The portal's hash form at the lowest cost; made and verified in a millisecond. */
export const cheapHash = async (password: string) => (await hash(password, 4)).replace('$2b$', '$2a$')

/** An access token's claims, unverified. */
export const claimsOf = (accessToken: string) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Claims
