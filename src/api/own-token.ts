// Provides a valid token of one user, for requests that only this user may send. It renews the token without auth-js,
// which is too large for a service worker. If two tabs renew at the same moment, the server gives both the same token.
import * as v from 'valibot'
import { serverNow } from './clock.ts'
import { send } from './network.ts'
import { sessionStore, STORAGE_KEY } from './session-on-device.ts'
import { claimsOf, Session, storedSession } from './stored-session.ts'

const RENEWAL = 'auth-refresh'
/** A token that expires sooner is renewed first, because it could expire before it arrives. */
const MARGIN_SECONDS = 30

/**
 * Returns the user's token; null if another user, or nobody, is signed in. Throws `network.offline` and
 * `network.timeout`.
 */
export async function tokenOf(userId: string): Promise<string | null> {
  const session = await sessionOf(userId)
  if (!session) return null
  const isLiving = session.expires_at - MARGIN_SECONDS > serverNow() / 1000
  return isLiving ? session.access_token : renewTokenOf(userId, session.access_token)
}

/** Replaces the refused token `spent`. Returns null if the session is over. Throws the errors of tokenOf. */
export async function renewTokenOf(userId: string, spent: string): Promise<string | null> {
  const renew = async () => {
    const session = await sessionOf(userId)
    // Another tab has renewed or ended the session meanwhile.
    if (!session || session.access_token !== spent) return session?.access_token ?? null
    const response = await send(new URL('/auth/v1/token?grant_type=refresh_token', location.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: session.refresh_token }),
    })
    if (!response.ok) return refused(response)
    const next = v.parse(Session, await response.json())
    // The user may have signed out or changed meanwhile; then the new session is not stored.
    if ((await sessionOf(userId))?.access_token !== spent) return null
    await sessionStore.setItem(STORAGE_KEY, JSON.stringify(next))
    return next.access_token
  }
  const locks: LockManager | undefined = navigator.locks
  return locks ? locks.request(RENEWAL, renew) : renew()
}

/**
 * Handles a failed renewal. Returns null if the server refused it, which ends the session. Throws if the server failed
 * or is busy, because a retry may succeed.
 */
function refused({ status }: Response): null {
  if (status >= 500 || status === 429) throw new Error(`the token could not be renewed: ${status}`)
  return null
}

async function sessionOf(userId: string): Promise<Session | null> {
  const session = await storedSession()
  return session && claimsOf(session.access_token)?.sub === userId ? session : null
}
