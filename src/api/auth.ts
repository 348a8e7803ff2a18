// The session: made, renewed and ended, in IndexedDB; tokens never leave it but for the one fetch.
import type { AuthClient, AuthError } from '@supabase/auth-js'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { loginEmail, type Role, type TokenClaims } from '#domain/session.ts'
import { serverNow } from './clock.ts'
import { within } from './idb-connection.ts'
import { log } from './log.ts'
import { httpError, send, throttledError } from './network.ts'
import { sessionStore, STORAGE_KEY } from './session-on-device.ts'
import { claimsOf, Session, storedSession } from './stored-session.ts'

/** Cloudflare's 'connection timed out': auth-js keeps the session on it, and logs nothing to the console. */
const NO_NETWORK = 522
/** Who leaves does not wait for a weak signal. */
const SIGN_OUT_WITHIN_MS = 4_000

/** auth-js keeps no headers of a refused answer, so the wait it asked for is kept here. */
let retryAfter: string | null = null
/** A token that ends sooner is renewed first; auth-js draws the line there, too. */
const MARGIN_SECONDS = 90

type Listener = (claims: TokenClaims | null) => void

const listeners = new Set<Listener>()
let client: Promise<InstanceType<typeof AuthClient>> | null = null

/**
 * The client, fetched when a session is renewed or a second step is asked for: the way to the first card does without it.
 * Raises `network.offline` where it cannot be had.
 */
export function auth(): Promise<InstanceType<typeof AuthClient>> {
  client ??= createClient().catch((cause: unknown) => {
    client = null
    throw httpError(0, cause)
  })
  return client
}

async function createClient() {
  const { AuthClient: Client } = await import('@supabase/auth-js')
  const made = new Client({
    url: new URL('/auth/v1', location.origin).href,
    storageKey: STORAGE_KEY,
    storage: sessionStore,
    detectSessionInUrl: false,
    fetch: async (input, init) => {
      try {
        const response = await send(input, init)
        retryAfter = response.headers.get('Retry-After')
        return response
      } catch {
        return new Response('{}', { status: NO_NETWORK })
      }
    },
  })
  made.onAuthStateChange((event, session) => {
    if (session) notify(claimsOf(session.access_token))
    else if (event === 'SIGNED_OUT') notify(null)
  })
  return made
}

function notify(claims: TokenClaims | null) {
  for (const listener of listeners) listener(claims)
}

/** A token that still lives, or null when nobody is signed in. Raises `network.offline` when it could not be renewed. */
export async function accessToken(): Promise<string | null> {
  const stored = await storedSession()
  if (!stored) return null
  const isLiving = stored.expires_at - MARGIN_SECONDS > serverNow() / 1000
  // auth-js would go on trying to renew it for half a minute; the request itself fails at once.
  if (isLiving || !navigator.onLine) return stored.access_token
  const { data, error } = await (await auth()).getSession()
  if (isRetryable(error)) throw toPortalError(error)
  return data.session?.access_token ?? null
}

/** A new token in place of one that the server refused; null when the session is over, which then ends here, too. */
export async function renewToken(): Promise<string | null> {
  const { data, error } = await (await auth()).refreshSession()
  if (isRetryable(error)) throw toPortalError(error)
  // auth-js keeps a session whose token has not run out by the clock; the server has just refused that token.
  if (error && isRefusal(error)) await forgetSession()
  return data.session?.access_token ?? null
}

/** Raises `login.invalid-credentials`, `request.throttled` or `network.offline`. */
export async function signIn(role: Role, username: string, password: string): Promise<TokenClaims> {
  const response = await send('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: loginEmail(role, username), password }),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.status === 429) throw throttledError(response.headers.get('Retry-After'))
  if (v.is(v.object({ error_code: v.literal('invalid_credentials') }), answer))
    throw new PortalError('login.invalid-credentials', 'Credenciais inválidas', {
      status: 400,
      cause: answer,
    })
  if (!response.ok) throw httpError(response.status, answer)
  const session = v.safeParse(Session, answer)
  const claims = session.success ? claimsOf(session.output.access_token) : null
  if (!session.success || !claims)
    throw new PortalError('login.unreadable-token', 'Erro ao buscar dados do corretor')
  await sessionStore.setItem(STORAGE_KEY, JSON.stringify(answer))
  followSession().postMessage({ event: 'SIGNED_IN', session: session.output } satisfies SessionEvent)
  return claims
}

/** Ends the session on the server; where that cannot be had soon, on this device alone. */
export async function signOut(): Promise<void> {
  try {
    if (navigator.onLine) await within(SIGN_OUT_WITHIN_MS, endOnServer())
  } catch (cause) {
    log.warn('session.end-unheard', cause)
  }
  await forgetSession()
}

/** Not by auth-js: it does this with an interface for service keys, which the portal leaves out. */
async function endOnServer() {
  const token = await accessToken()
  if (token === null) return
  await send('/auth/v1/logout?scope=local', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** Drops a session that the server no longer knows. */
export async function forgetSession(): Promise<void> {
  await sessionStore.removeItem(STORAGE_KEY)
  // A renewal that is under way would put it back.
  await client?.then((made) => made.signOut({ scope: 'local' })).catch(() => undefined)
  followSession().postMessage({ event: 'SIGNED_OUT', session: null } satisfies SessionEvent)
  notify(null)
}

/** Calls back with the new owner, or null once the session is gone, in every tab that follows it. */
export function watchSession(listener: Listener): void {
  listeners.add(listener)
}

/** As auth-js sends it to other tabs. */
type SessionEvent = { event: string; session: { access_token: string } | null }

let channel: BroadcastChannel | null = null

/** Hears of the session from other tabs; a request that needs a new token asks for one. */
export function followSession(): BroadcastChannel {
  if (channel) return channel
  channel = new BroadcastChannel(STORAGE_KEY)
  channel.addEventListener('message', ({ data }: MessageEvent<SessionEvent>) => {
    if (data.session) notify(claimsOf(data.session.access_token))
    else if (data.event === 'SIGNED_OUT') notify(null)
  })
  return channel
}

const isRetryable = (error: AuthError | null): error is AuthError => error?.name === 'AuthRetryableFetchError'

/** A session that another tab renewed or ended meanwhile is 409; one that is asked for too often is still one. */
function isRefusal({ status = 0 }: AuthError): boolean {
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}

export function toPortalError(error: AuthError): PortalError {
  if (error.status === 429) return throttledError(retryAfter)
  return httpError(error.status === NO_NETWORK ? 0 : (error.status ?? 0), error)
}
