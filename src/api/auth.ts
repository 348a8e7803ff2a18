// Creates, renews and ends the session, which is stored in IndexedDB. Only fetch requests carry its tokens.
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

/**
 * Stands for 'no network' in answers to auth-js: Cloudflare's status 'connection timed out'. auth-js then keeps the
 * session and logs nothing to the console.
 */
const NO_NETWORK = 522
/** 'Sair' waits this long for the server, so that a weak signal does not block it. */
const SIGN_OUT_WITHIN_MS = 4_000

/** Keeps Retry-After of a refused request, because auth-js drops the response's headers. */
let retryAfter: string | null = null
/** A token that expires sooner than this is renewed before use. auth-js uses the same margin. */
const MARGIN_SECONDS = 90

type Listener = (claims: TokenClaims | null) => void

const listeners = new Set<Listener>()
let client: Promise<InstanceType<typeof AuthClient>> | null = null

/**
 * Returns the auth-js client. It loads only for a renewal or a second factor, so that the first card does not wait for
 * it. Throws `network.offline` if it cannot be loaded.
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

/** Returns a valid token; null if nobody is signed in. Throws `network.offline` if the token could not be renewed. */
export async function accessToken(): Promise<string | null> {
  const stored = await storedSession()
  if (!stored) return null
  const isLiving = stored.expires_at - MARGIN_SECONDS > serverNow() / 1000
  // Offline, auth-js would retry the renewal for half a minute, so the old token is used and the request fails at once.
  if (isLiving || !navigator.onLine) return stored.access_token
  const { data, error } = await (await auth()).getSession()
  if (isRetryable(error)) throw toPortalError(error)
  return data.session?.access_token ?? null
}

/**
 * Replaces a token that the server refused. Returns null if the session is over, after deleting it from this device.
 */
export async function renewToken(): Promise<string | null> {
  const { data, error } = await (await auth()).refreshSession()
  if (isRetryable(error)) throw toPortalError(error)
  // auth-js keeps a session whose token has not expired by the clock, although the server has refused it.
  if (error && isRefusal(error)) await forgetSession()
  return data.session?.access_token ?? null
}

/** Signs in. Throws `login.invalid-credentials`, `request.throttled` or `network.offline`. */
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

/** Ends the session on the server. If the server does not answer in time, it ends on this device only. */
export async function signOut(): Promise<void> {
  try {
    if (navigator.onLine) await within(SIGN_OUT_WITHIN_MS, endOnServer())
  } catch (cause) {
    log.warn('session.end-unheard', cause)
  }
  await forgetSession()
}

/** The portal does not offer the service-key API, to which auth-js's own sign-out belongs. */
async function endOnServer() {
  const token = await accessToken()
  if (token === null) return
  await send('/auth/v1/logout?scope=local', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  })
}

/** Deletes a session that the server no longer accepts. */
export async function forgetSession(): Promise<void> {
  await sessionStore.removeItem(STORAGE_KEY)
  // Also ends the session within auth-js, because a renewal in progress would store it again.
  await client?.then((made) => made.signOut({ scope: 'local' })).catch(() => undefined)
  followSession().postMessage({ event: 'SIGNED_OUT', session: null } satisfies SessionEvent)
  notify(null)
}

/** Calls the listener with a new session's claims, or with null once the session is gone. Works in every tab. */
export function watchSession(listener: Listener): void {
  listeners.add(listener)
}

/** The message that auth-js broadcasts to other tabs. */
type SessionEvent = { event: string; session: { access_token: string } | null }

let channel: BroadcastChannel | null = null

/** Listens for session changes that other tabs broadcast. */
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

/**
 * True if the server refused the session. 409 means that another tab renewed or ended it, and 429 that there were too
 * many requests, so neither counts.
 */
function isRefusal({ status = 0 }: AuthError): boolean {
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}

export function toPortalError(error: AuthError): PortalError {
  if (error.status === 429) return throttledError(retryAfter)
  return httpError(error.status === NO_NETWORK ? 0 : (error.status ?? 0), error)
}
