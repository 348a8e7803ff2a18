// The signed-in user, as guards and screens read it; sign-in and sign-out.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { followSession, forgetSession, signIn, watchSession } from '#api/auth.ts'
import { portal } from '#api/client.ts'
import { storedClaims } from '#api/stored-session.ts'
import { PortalError } from '#domain/errors.ts'
import { type Role, type SessionUser, type TokenClaims, toSessionUser } from '#domain/session.ts'
import { forgetMemories, forgetScreens, setOwner } from '#offline/owner.ts'
import { persistWhenInstalled } from '#offline/persistence.ts'

export type SessionState =
  | { status: 'unknown' }
  | { status: 'out' }
  /** The session ended without a sign-out, so the device keeps the data for the same user. */
  | { status: 'locked'; user: SessionUser }
  | { status: 'in'; user: SessionUser }

/** These values only help the first paint; they never prove a session. */
const USER_KEY = 'user'
const CONNECTION_KEY = 'whatsappConnectionStatus'
const CONNECTED = 'connected'

/** Checks only the main fields, because the app itself stored the value. */
const StoredUser = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ id: v.string(), username: v.string(), role: v.string() }),
)
const Lookup = v.object({ exists: v.boolean(), hasPassword: v.boolean() })

let state: SessionState = { status: 'unknown' }
/** True from 'Sair' until the session is gone, so that pending work does not store the user again. */
let isLeaving = false
const listeners = new Set<() => void>()

function become(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function sessionNow(): SessionState {
  return state
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, sessionNow)
}

/** Reads the stored session, then follows it when it is renewed, ended, or changed in another tab. */
export async function startSession(): Promise<void> {
  const claims = await storedClaims()
  adopt(claims)
  watchSession(adopt)
  followSession()
}

function adopt(claims: TokenClaims | null) {
  const owner = claims && toSessionUser(claims)
  if (!owner) return lose()
  if (isLeaving) return
  const before = storedUser()
  setOwner(owner.id)
  if (state.status === 'in' && state.user.id === owner.id && isLeader(state.user) === isLeader(owner)) return
  // Another tab may have signed in another user while this tab still shows the previous one.
  const shown = 'user' in state ? state.user : before
  // A new user must not see the previous user's data.
  if (before?.id !== owner.id || shown?.id !== owner.id) forgetScreens()
  const user =
    owner.role === 'broker' ? { ...owner, hasWhatsAppSession: wasConnected(before, owner.id) } : owner
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  become({ status: 'in', user })
  persistWhenInstalled()
}

const isLeader = (user: SessionUser) => user.role === 'broker' && user.isLeader === true

function storedUser(): SessionUser | null {
  const stored = v.safeParse(StoredUser, localStorage.getItem(USER_KEY))
  return stored.success ? (stored.output as SessionUser) : null
}

/** If this device last saw the user as connected, the app shows the user as connected at once. */
function wasConnected(before: SessionUser | null, id: string): boolean {
  return before?.id === id && localStorage.getItem(CONNECTION_KEY) === CONNECTED
}

/** Stores whether the broker is connected, for the next first paint. */
export function noteConnection(isConnected: boolean) {
  if (isLeaving || state.status !== 'in' || state.user.role !== 'broker') return
  if (isConnected) localStorage.setItem(CONNECTION_KEY, CONNECTED)
  else localStorage.removeItem(CONNECTION_KEY)
  if (state.user.hasWhatsAppSession === isConnected) return
  const user = { ...state.user, hasWhatsAppSession: isConnected }
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  become({ status: 'in', user })
}

/** Handles the end of the session. The tab is locked if the user is known; after 'Sair' no user is. */
function lose() {
  isLeaving = false
  setOwner(null)
  const user = storedUser()
  if (!user) {
    forgetScreens()
    forgetMemories()
    if (state.status !== 'out') become({ status: 'out' })
  } else if (state.status !== 'locked' || state.user.id !== user.id) {
    become({ status: 'locked', user })
  }
}

/** Looks up whether a broker exists and has a password. Throws PortalError `request.throttled`, `network.offline`. */
export async function lookUpBroker(username: string): Promise<v.InferOutput<typeof Lookup>> {
  return v.parse(Lookup, await portal('/api/login/lookup', { method: 'POST', body: { username } }))
}

/**
 * Signs in. Resolves with 'code' if the second factor is still missing (features/login/data.ts). Throws PortalError
 * `login.invalid-credentials`, `request.throttled`, `network.offline`, `login.no-area`.
 */
export async function enter(role: Role, username: string, password: string): Promise<'in' | 'code'> {
  const claims = await signIn(role, username, password)
  isLeaving = false
  adopt(claims)
  if (state.status === 'in') return 'in'
  if (claims.app_metadata.awaits_code === true) return 'code'
  await forgetSession()
  throw new PortalError('login.no-area', 'Erro ao buscar dados do corretor', { status: 403 })
}

export type FirstAccess = { role: Role; username: string; password: string; invite: string | null }

/** Sets a first password, without signing in. Throws the server's PortalError. */
export async function setFirstPassword({ invite, ...access }: FirstAccess): Promise<void> {
  const body = invite === null ? access : { ...access, invite }
  await portal('/api/login/first-access', { method: 'POST', body })
}

/** Signs out in this tab: forgets the user, and stops storing data. */
export function forgetUser() {
  isLeaving = true
  setOwner(null)
  localStorage.removeItem(USER_KEY)
  localStorage.removeItem(CONNECTION_KEY)
  forgetScreens()
}
