// Decides which addresses a session may see, and where it redirects others. This is for convenience only: row rules on
// the server protect the data.
import { redirect } from '@tanstack/react-router'
import type { SessionState } from '#data/session.ts'

export type RouterContext = { session: SessionState }

/** Open to everybody, because the session itself may be the problem. */
const DIAGNOSTICS = '/test-supabase'

const AREA = {
  out: { home: '/login', pages: ['/login', '/panel'] },
  admin: {
    home: '/',
    pages: [
      '/',
      '/reports',
      '/resultado',
      '/origens',
      '/remarketing',
      '/crm',
      '/prompts',
      '/roleta',
      '/empreendimentos',
      '/conta',
      '/administradores',
      '/equipes',
      '/integracoes',
      '/auditoria',
      '/dados',
      '/saude',
    ],
  },
  gerente: { home: '/', pages: ['/', '/resultado', '/origens', '/crm', '/roleta', '/conta'] },
  broker: { home: '/broker', pages: ['/broker', '/broker/hoje', '/broker/remarketing'] },
} as const
const TRAILING = /(?<=.)\/+$/
const PROMPT_EDITOR = /^\/prompts\/[^/]+\/[^/]+$/

type Home = (typeof AREA)[keyof typeof AREA]['home']

/** Returns the address to which this session is redirected; null if it may stay at `pathname`. */
export function leadElsewhere(session: SessionState, pathname: string): Home | null {
  if (session.status === 'unknown') return null
  const path = pathname.replace(TRAILING, '')
  const user = session.status === 'out' ? null : session.user
  const { home, pages } = AREA[user ? user.role : 'out']
  const team = user?.role === 'broker' && user.isLeader ? AREA.gerente.pages : []
  const isAllowed =
    path === DIAGNOSTICS ||
    [...pages, ...team].some((page) => page === path) ||
    (user?.role === 'admin' && PROMPT_EDITOR.test(path)) ||
    (session.status === 'locked' && isLogin(path))
  return isAllowed ? null : home
}

/** True if the lock screen covers this address. The screen stays behind it until the same user signs in again. */
export function isBehindLock(session: SessionState, pathname: string): boolean {
  const path = pathname.replace(TRAILING, '')
  return session.status === 'locked' && path !== DIAGNOSTICS && !isLogin(path)
}

/** Tells whether the address is a login page. */
function isLogin(pathname: string): boolean {
  const path = pathname.replace(TRAILING, '')
  return AREA.out.pages.some((page) => page === path)
}

type Visit = { context: RouterContext; location: { pathname: string } }

export function guard({ context, location }: Visit): void {
  const home = leadElsewhere(context.session, location.pathname)
  if (home) throw redirect({ to: home, replace: true })
}
