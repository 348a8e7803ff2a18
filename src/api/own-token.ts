// A living token of one person alone, for what only that person may send; renewed without auth-js, which a service worker need not
// carry. Another runner that renews at the same moment gets the same new token from the server.
import * as v from 'valibot'
import { serverNow } from './clock.ts'
import { send } from './network.ts'
import { sessionStore, STORAGE_KEY } from './session-on-device.ts'
import { claimsOf, Session, storedSession } from './stored-session.ts'

const RENEWAL = 'auth-refresh'
/** A token that ends while it is on its way is as good as none. */
const MARGIN_SECONDS = 30

/** Null where another is signed in, or nobody. Raises `network.offline` and `network.timeout`. */
export async function tokenOf(userId: string): Promise<string | null> {
  const session = await sessionOf(userId)
  if (!session) return null
  const isLiving = session.expires_at - MARGIN_SECONDS > serverNow() / 1000
  return isLiving ? session.access_token : renewTokenOf(userId, session.access_token)
}

/** A new one in place of `spent`; null where the session is over. Raises as tokenOf does. */
export async function renewTokenOf(userId: string, spent: string): Promise<string | null> {
  const renew = async () => {
    const session = await sessionOf(userId)
    // Renewed meanwhile, or gone.
    if (!session || session.access_token !== spent) return session?.access_token ?? null
    const response = await send(new URL('/auth/v1/token?grant_type=refresh_token', location.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: session.refresh_token }),
    })
    if (!response.ok) return refused(response)
    const next = v.parse(Session, await response.json())
    // Whoever left or changed meanwhile is not signed in again.
    if ((await sessionOf(userId))?.access_token !== spent) return null
    await sessionStore.setItem(STORAGE_KEY, JSON.stringify(next))
    return next.access_token
  }
  const locks: LockManager | undefined = navigator.locks
  return locks ? locks.request(RENEWAL, renew) : renew()
}

/** The server's no ends it; its silence does not. */
function refused({ status }: Response): null {
  if (status >= 500 || status === 429) throw new Error(`the token could not be renewed: ${status}`)
  return null
}

async function sessionOf(userId: string): Promise<Session | null> {
  const session = await storedSession()
  return session && claimsOf(session.access_token)?.sub === userId ? session : null
}
