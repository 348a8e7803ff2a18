// Which addresses each session may see.
import { describe, expect, it } from 'vitest'
import { guard, isBehindLock, leadElsewhere } from '#app/guards.ts'
import type { SessionState } from '#data/session.ts'

const out: SessionState = { status: 'out' }
const admin: SessionState = { status: 'in', user: { id: 'a', username: 'admin', role: 'admin' } }
const broker: SessionState = {
  status: 'in',
  user: {
    id: 'b',
    username: 'camila',
    role: 'broker',
    instanceId: null,
    instanceName: 'corretor_camila',
    hasWhatsAppSession: false,
  },
}

const gerente: SessionState = { status: 'in', user: { id: 'g', username: 'leandro', role: 'gerente' } }
const leader: SessionState =
  broker.status === 'in' && broker.user.role === 'broker'
    ? { status: 'in', user: { ...broker.user, isLeader: true } }
    : out

const LOGIN = ['/login', '/panel']
const ADMIN = [
  '/',
  '/reports',
  '/resultado',
  '/origens',
  '/remarketing',
  '/crm',
  '/prompts',
  '/prompts/7/regras_atendimento',
  '/roleta',
  '/empreendimentos',
  '/conta',
  '/administradores',
  '/equipes',
  '/saude',
]
const GERENTE = ['/', '/resultado', '/origens', '/crm', '/roleta', '/conta']
const BROKER = ['/broker', '/broker/hoje', '/broker/remarketing']
const UNKNOWN = [
  '/nada',
  '/prompts/7',
  '/prompts/7/a/b',
  '/empreendimentos/7',
  '/broker/crm',
  '/login/x',
  '//',
]

describe.each([
  { name: 'nobody signed in', session: out, home: '/login', own: LOGIN },
  { name: 'an administrator', session: admin, home: '/', own: ADMIN },
  { name: 'a gerente', session: gerente, home: '/', own: GERENTE },
  { name: 'a broker', session: broker, home: '/broker', own: BROKER },
  { name: 'a broker who leads', session: leader, home: '/broker', own: [...BROKER, ...GERENTE] },
])('$name', ({ session, home, own }) => {
  const all = [...LOGIN, ...ADMIN, ...BROKER, ...UNKNOWN]

  it.each(own)('stays at %s', (path) => expect(leadElsewhere(session, path)).toBeNull())
  it.each(all.filter((path) => !own.includes(path) && !(own.includes('/') && path === '//')))(
    `is redirected from %s to ${home}`,
    (path) => expect(leadElsewhere(session, path)).toBe(home),
  )
  it('may always see the diagnostics', () => expect(leadElsewhere(session, '/test-supabase')).toBeNull())
  it('has no redirect loop', () => expect(leadElsewhere(session, home)).toBeNull())
})

it('ignores a trailing slash', () => {
  expect(leadElsewhere(broker, '/broker/')).toBeNull()
  expect(leadElsewhere(out, '/login/')).toBeNull()
})

it('waits while the session is unknown', () => {
  expect(leadElsewhere({ status: 'unknown' }, '/crm')).toBeNull()
})

it('throws the redirect that the router follows', () => {
  const visit = { context: { session: out }, location: { pathname: '/broker' } }
  let thrown: unknown
  try {
    guard(visit)
  } catch (redirect) {
    thrown = redirect
  }
  expect(thrown).toMatchObject({ options: { to: '/login', replace: true } })
  expect(() => guard({ ...visit, location: { pathname: '/login' } })).not.toThrow()
})

describe('a locked session', () => {
  const locked: SessionState = broker.status === 'in' ? { status: 'locked', user: broker.user } : out

  it.each(BROKER)('keeps %s, behind the lock', (path) => {
    expect(leadElsewhere(locked, path)).toBeNull()
    expect(isBehindLock(locked, path)).toBe(true)
    expect(isBehindLock(locked, `${path}/`)).toBe(true)
  })
  it.each([...LOGIN, '/test-supabase'])('leaves %s open', (path) => {
    expect(leadElsewhere(locked, path)).toBeNull()
    expect(isBehindLock(locked, path)).toBe(false)
  })
  it.each(['/', '/crm', '/nada'])('redirects away from %s', (path) =>
    expect(leadElsewhere(locked, path)).toBe('/broker'),
  )
  it('does not lock a signed-in user', () => expect(isBehindLock(broker, '/broker')).toBe(false))
})
