// The whole app on a test's device, with a network of the test's own in place of a portal: its real screens, router,
// query cache, outbox and IndexedDB.
//
//   const portal = brokerPortal()                          // answers what a broker's screens ask; change it, ask what
// it heard
//   await onPhone()                                        // or onDesk(); once in a beforeEach
//   await openApp('/broker', portal.network, CAMILA)       // signed in; closed and emptied after each test by setup.ts
//   await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Novos Contatos (12)')
//
// An administrator's screen needs `createNetwork({ 'GET /api/brokers': () => [...], ... })` and ADMIN. A
// request that no entry answers fails the test, as any error or warning on the console does. Input is the browser's own
// (device.ts).
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Providers } from '#app/providers.tsx'
import { exit } from '#features/account/exit-data.ts'
import { enter, startSession } from '#data/session.ts'
import type { Role } from '#domain/session.ts'
import { listOutbox } from '#offline/outbox.ts'
import { currentToast, dismissToast } from '#ui/feedback/toast.ts'
import { applyTheme } from '#ui/theme.ts'
import { connect, type Network } from './network.ts'
import '#styles/index.css'

export type Person = {
  id: string
  role: Role
  username: string
  instanceName?: string
  /** A broker who leads a team, too. */
  isLeader?: boolean
}

export const CAMILA: Person = {
  id: '11111111-1111-4111-8111-111111111111',
  role: 'broker',
  username: 'camila',
  instanceName: 'corretor_camila',
}
export const ADMIN: Person = { id: '99999999-9999-4999-8999-999999999999', role: 'admin', username: 'admin' }

let root: Root | null = null
let network: Network | null = null
let isStarted = false

/** The device's state after signing in. */
export async function openApp(address: string, through: Network, person: Person) {
  network = through
  network.on('POST /auth/v1/token', () => sessionOf(person))
  network.on('POST /auth/v1/logout', () => new Response(null, { status: 204 }))
  connect(network)
  if (!isStarted) await startSession()
  isStarted = true
  history.pushState(null, '', address)
  await enter(person.role, person.username, 'a senha')
  applyTheme()
  const place = document.createElement('div')
  place.id = 'root'
  document.body.append(place)
  root = createRoot(place)
  root.render(
    <StrictMode>
      <Providers />
    </StrictMode>,
  )
}

/** Number of outbox entries that the app will still send by itself. */
export async function unsent(): Promise<number> {
  return (await listOutbox()).filter(({ state }) => state === 'queued').length
}

/** Removes the app, the person and the stored data; returns requests that nobody answered. */
export async function closeApp(): Promise<string[]> {
  // An open layer leaves its history entry on closing, so this waits for it.
  const back = history.state?.layer === undefined ? null : nextPop()
  root?.unmount()
  root = null
  await back
  // A toast that waits behind an error appears when that is dismissed.
  while (currentToast()) dismissToast()
  document.querySelector('#root')?.remove()
  await exit()
  localStorage.clear()
  sessionStorage.clear()
  const unanswered = network?.unanswered ?? []
  connect(null)
  network = null
  return unanswered
}

function nextPop(): Promise<unknown> {
  return new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
}

function sessionOf({ id, role, username, instanceName, isLeader }: Person) {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const claims = {
    sub: id,
    exp: nowSeconds + 3_600,
    app_metadata: {
      portal_role: role,
      username,
      ...(instanceName !== undefined && { instance_id: id, instance_name: instanceName }),
      ...(isLeader === true && { leads_team: true }),
    },
  }
  return {
    access_token: `e30.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.x`,
    refresh_token: `refresh-${id}`,
    token_type: 'bearer',
    expires_in: 3_600,
    expires_at: nowSeconds + 3_600,
    user: { id, aud: 'authenticated', email: `${username}@x.local`, app_metadata: {}, user_metadata: {} },
  }
}
