// The routes, the guards and the server name the app's pages each for itself: one that only two of them know would answer with
// nothing, or lead whoever opens it home.
import { expect, it, vi } from 'vitest'
import { leadElsewhere } from '#app/guards.ts'
import { router } from '#app/router.tsx'
import type { SessionState } from '#data/session.ts'
import { isPage } from '#server/http/served-paths.ts'

// The sign-in page comes with the router, and needs a browser as it loads.
vi.mock('#routes/login.tsx', () => ({ LoginPage: () => null }))

const broker = { id: 'b', username: 'camila', instanceId: null, instanceName: 'corretor_camila' }
const SESSIONS: SessionState[] = [
  { status: 'out' },
  { status: 'in', user: { id: 'a', username: 'admin', role: 'admin' } },
  { status: 'in', user: { ...broker, role: 'broker', hasWhatsAppSession: true } },
]
/** As somebody types it who sees the page. */
const typed = (path: string) => path.replaceAll(/\$\w+/g, 'x')

it.each(Object.keys(router.routesByPath))('%s is served, and somebody may see it', (path) => {
  expect(isPage(typed(path))).toBe(true)
  expect(SESSIONS.filter((session) => leadElsewhere(session, typed(path)) === null)).not.toEqual([])
})
