// Who is signed in: the state every guard and screen reads, and the ways in and out. Spec 2.1-2.3, 3, 4, 8; PRODUCT.md 3.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { forgetSession, signIn, signOut, storedClaims, watchSession } from '#api/auth.ts'
import { portal } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import { type Role, type SessionUser, type TokenClaims, toSessionUser } from '#domain/session.ts'
import { queryClient } from './query-client.ts'

export type SessionState =
  | { status: 'unknown' }
  /** `isExpired`: the person did not leave, the session ended under her. */
  | { status: 'out'; isExpired: boolean }
  | { status: 'in'; user: SessionUser }

/** Spec 3: hints for the first paint, never authority. */
const USER_KEY = 'user'
const CONNECTION_KEY = 'whatsappConnectionStatus'
const CONNECTED = 'connected'

const StoredUser = v.pipe(v.string(), v.parseJson(), v.object({ id: v.string() }))
const Lookup = v.object({ exists: v.boolean(), hasPassword: v.boolean() })

let state: SessionState = { status: 'unknown' }
const listeners = new Set<() => void>()

function become(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Reads the stored session, then follows it: renewed, ended, or changed in another tab. */
export async function startSession(): Promise<void> {
  const claims = await storedClaims()
  adopt(claims)
  watchSession(adopt)
}

function adopt(claims: TokenClaims | null) {
  const owner = claims && toSessionUser(claims)
  if (!owner) return leave()
  if (state.status === 'in' && state.user.id === owner.id) return
  const user = owner.role === 'broker' ? { ...owner, hasWhatsAppSession: wasConnected(owner.id) } : owner
  // Nothing of the person before may show under the next one.
  queryClient.clear()
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  become({ status: 'in', user })
}

/** Spec 4: who was connected when this device last looked is connected at once. */
function wasConnected(id: string): boolean {
  const stored = v.safeParse(StoredUser, localStorage.getItem(USER_KEY))
  return stored.success && stored.output.id === id && localStorage.getItem(CONNECTION_KEY) === CONNECTED
}

/** Marks the broker's session as connected or not, for the next first paint too. Spec 4. */
export function noteConnection(isConnected: boolean) {
  if (state.status !== 'in' || state.user.role !== 'broker') return
  if (isConnected) localStorage.setItem(CONNECTION_KEY, CONNECTED)
  else localStorage.removeItem(CONNECTION_KEY)
  if (state.user.hasWhatsAppSession === isConnected) return
  const user = { ...state.user, hasWhatsAppSession: isConnected }
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  become({ status: 'in', user })
}

function leave() {
  const isExpired = localStorage.getItem(USER_KEY) !== null
  forgetPerson()
  // An ended session says so until the next sign-in, however often its end is reported.
  if (state.status !== 'out') become({ status: 'out', isExpired })
}

function forgetPerson() {
  localStorage.removeItem(USER_KEY)
  localStorage.removeItem(CONNECTION_KEY)
  queryClient.clear()
}

/** Spec 2.2 step 1. Raises PortalError `request.throttled`, `network.offline`. */
export async function lookUpBroker(username: string): Promise<v.InferOutput<typeof Lookup>> {
  return v.parse(Lookup, await portal('/api/login/lookup', { method: 'POST', body: { username } }))
}

/** Spec 2.2, 2.3. Raises PortalError `login.invalid-credentials`, `request.throttled`, `network.offline`, `login.no-area`. */
export async function enter(role: Role, username: string, password: string): Promise<void> {
  const claims = await signIn(role, username, password)
  adopt(claims)
  if (state.status === 'in') return
  await forgetSession()
  throw new PortalError('login.no-area', 'Erro ao buscar dados do corretor', { status: 403 })
}

export type FirstAccess = { username: string; password: string; invite: string | null }

/** Spec 2.2 step 2b: sets the first password; entering is a step of its own. Raises the server's PortalError. */
export async function setFirstPassword({ username, password, invite }: FirstAccess): Promise<void> {
  const body = invite === null ? { username, password } : { username, password, invite }
  await portal('/api/login/first-access', { method: 'POST', body })
}

/** 'Sair': clears the stored user and connection status (spec 4), on the server too when there is a network. */
export async function exit(): Promise<void> {
  forgetPerson()
  await signOut()
}
