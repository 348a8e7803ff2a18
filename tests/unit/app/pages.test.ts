// Routes, guards and server each list the app's pages. A page missing in one list would be not found, or redirect home.
import { expect, it, vi } from 'vitest'
import { leadElsewhere } from '#app/guards.ts'
import { router } from '#app/router.tsx'
import type { SessionState } from '#data/session.ts'
import { isPage } from '#server/http/served-paths.ts'

// The login page is imported with the router, and needs a browser.
vi.mock('#routes/login.tsx', () => ({ LoginPage: () => null }))

const broker = { id: 'b', username: 'camila', instanceId: null, instanceName: 'corretor_camila' }
const SESSIONS: SessionState[] = [
  { status: 'out' },
  { status: 'in', user: { id: 'a', username: 'admin', role: 'admin' } },
  { status: 'in', user: { id: 'g', username: 'gerente', role: 'gerente' } },
  { status: 'in', user: { ...broker, role: 'broker', hasWhatsAppSession: true } },
]
/** An address as a user of the page would type it; '/$id' is that of the results. */
const typed = (path: string) => path.replace(/^\/\$id$/, '/resultado').replaceAll(/\$\w+/g, 'x')

it.each(Object.keys(router.routesByPath))('%s is served, and some session may see it', (path) => {
  expect(isPage(typed(path))).toBe(true)
  expect(SESSIONS.filter((session) => leadElsewhere(session, typed(path)) === null)).not.toEqual([])
})
