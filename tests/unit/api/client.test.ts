// The API client against a scripted portal: tokens, renewal, lost sessions, error texts.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

type Call = { path: string; token: string | null; body: unknown }
type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

const NOW_MS = Date.UTC(2026, 10, 28, 15)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const CLAIMS = {
  sub: 'u1',
  app_metadata: {
    portal_role: 'broker',
    username: 'conceição',
    instance_id: null,
    instance_name: 'corretor_conceicao',
  },
}
const tokenNamed = (name: string) => `${name}.${encode(CLAIMS)}.signature`

let calls: Call[]
let answer: (call: Call) => Answer | 'no network'

/** Each test has its own modules, because they hold the session. */
async function openApp() {
  const auth = await import('#api/auth.ts')
  const client = await import('#api/client.ts')
  const events = await import('#api/event-stream.ts')
  const stored = await import('#api/stored-session.ts')
  return { ...auth, ...client, ...events, ...stored }
}

function session(name: string): Answer {
  const expires_at = NOW_MS / 1000 + 3600
  const body = {
    access_token: tokenNamed(name),
    refresh_token: `refresh-${name}`,
    expires_in: 3600,
    expires_at,
    token_type: 'bearer',
    user: { id: 'u1', app_metadata: CLAIMS.app_metadata },
  }
  return { status: 200, body }
}

/** Signs in with the token `first`; later requests get `next`. */
async function signedIn(next: typeof answer) {
  answer = () => session('first')
  const app = await openApp()
  await app.signIn('broker', 'camila', 'segredo')
  calls = []
  answer = next
  return app
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS })
  vi.resetModules()
  calls = []
  vi.stubGlobal('location', { origin: 'http://portal.test' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(input, 'http://portal.test')
    const call = {
      path: url.pathname + url.search,
      token: new Headers(init.headers).get('Authorization')?.split(/[ .]/)[1] ?? null,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : null,
    }
    calls.push(call)
    const result = answer(call)
    if (result === 'no network') throw new TypeError('fetch failed')
    return Response.json(result.body ?? {}, { status: result.status, headers: result.headers ?? {} })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ask = (app: Awaited<ReturnType<typeof openApp>>) =>
  app.rpc('sync_board', { p_cursor: null }, new AbortController().signal)

describe('signing in', () => {
  it("sends the username's e-mail form and reads the user from the token", async () => {
    answer = () => session('first')
    const app = await openApp()
    await expect(app.signIn('broker', 'camila', 'segredo')).resolves.toEqual(CLAIMS)
    expect(calls[0]).toMatchObject({
      path: '/auth/v1/token?grant_type=password',
      body: { email: 'camila@corretor.local', password: 'segredo' },
    })
    await expect(app.storedClaims()).resolves.toEqual(CLAIMS)
  })

  it.each([
    [
      { status: 400, body: { code: 400, error_code: 'invalid_credentials', msg: 'x' } },
      'login.invalid-credentials',
    ],
    [
      {
        status: 429,
        body: { error_code: 'over_request_rate_limit', msg: 'x' },
        headers: { 'Retry-After': '540' },
      },
      'request.throttled',
    ],
    [{ status: 500 }, 'server.failed'],
    ['no network', 'network.offline'],
  ] as const)('%o is %s', async (refusal, code) => {
    answer = () => refusal
    const app = await openApp()
    await expect(app.signIn('admin', 'admin', 'x')).rejects.toMatchObject({ code })
  })

  it('says how long a throttled account must wait', async () => {
    answer = () => ({ status: 429, body: { msg: 'x' }, headers: { 'Retry-After': '540' } })
    const app = await openApp()
    await expect(app.signIn('admin', 'admin', 'x')).rejects.toThrow(
      'Muitas tentativas. Tente de novo em 9 minutos.',
    )
  })
})

describe('a request', () => {
  it('carries the token', async () => {
    const app = await signedIn(() => ({ status: 200, body: { cursor: '7' } }))
    await expect(ask(app)).resolves.toEqual({ cursor: '7' })
    expect(calls).toEqual([{ path: '/rest/v1/rpc/sync_board', token: 'first', body: { p_cursor: null } }])
  })

  it('renews a refused token once and goes on', async () => {
    const app = await signedIn(({ path, token }) => {
      if (path.includes('refresh_token')) return session('second')
      return token === 'second'
        ? { status: 200, body: 'ok' }
        : { status: 401, body: { message: 'JWT expired' } }
    })
    await expect(ask(app)).resolves.toBe('ok')
    expect(calls.map(({ token }) => token)).toEqual(['first', null, 'second'])
  })

  it('renews once for several requests at a time', async () => {
    const app = await signedIn(({ path, token }) => {
      if (path.includes('refresh_token')) return session('second')
      return token === 'second' ? { status: 200, body: 'ok' } : { status: 401, body: {} }
    })
    await expect(Promise.all([ask(app), ask(app), ask(app)])).resolves.toEqual(['ok', 'ok', 'ok'])
    expect(calls.filter(({ path }) => path.includes('refresh_token'))).toHaveLength(1)
  })

  it.each([
    ['the renewal is refused', { status: 400, body: { error_code: 'refresh_token_not_found', msg: 'x' } }],
    ['the renewed token is refused, too', session('second')],
  ])('ends the session when %s', async (_, renewal) => {
    const app = await signedIn(({ path }) =>
      path.includes('refresh_token') ? renewal : { status: 401, body: {} },
    )
    const ended = new Promise((resolve) => app.watchSession((claims) => claims === null && resolve(true)))
    await expect(ask(app)).rejects.toMatchObject({ code: 'session.lost' })
    await ended
    await expect(app.storedClaims()).resolves.toBeNull()
  })

  it.each([
    ['the renewal is refused', { status: 400, body: { error_code: 'session_not_found', msg: 'x' } }],
    ['the renewed token is refused, too', session('second')],
  ])('ends the session during the event stream when %s', async (_, renewal) => {
    vi.stubGlobal('window', globalThis)
    const app = await signedIn(({ path }) =>
      path.includes('refresh_token') ? renewal : { status: 401, body: {} },
    )
    const ended = new Promise((resolve) => app.watchSession((claims) => claims === null && resolve(true)))
    // The token is valid for another hour.
    await expect(app.readEvents(() => undefined, new AbortController().signal)).rejects.toMatchObject({
      code: 'session.lost',
    })
    await ended
    await expect(app.storedClaims()).resolves.toBeNull()
  })

  it('opens the event stream once, with the positions of all earlier reads', async () => {
    vi.stubGlobal('window', globalThis)
    const moments = ['m2', 'm1', 'm2']
    const app = await signedIn(({ path }) =>
      path.startsWith('/api/events')
        ? { status: 503 }
        : { status: 200, headers: { 'x-portal-heard': moments.pop() ?? '' } },
    )
    const open = () => app.readEvents(() => undefined, new AbortController().signal).catch(() => undefined)
    await ask(app)
    // The last read is still pending when the stream is about to open.
    const late = [ask(app), ask(app)]
    await open()
    await Promise.all(late)
    await ask(app)
    await open()
    const lines = calls.flatMap(({ path }) => (path.startsWith('/api/events') ? [path] : []))
    expect(lines).toEqual(['/api/events?since=m2,m1', '/api/events'])
  })

  it('opens it without positions if a read had none: the listener then reads everything again', async () => {
    vi.stubGlobal('window', globalThis)
    const moments = ['', 'm1']
    const app = await signedIn(({ path }) =>
      path.startsWith('/api/events')
        ? { status: 503 }
        : { status: 200, headers: { 'x-portal-heard': moments.pop() ?? '' } },
    )
    await ask(app)
    await ask(app)
    await app.readEvents(() => undefined, new AbortController().signal).catch(() => undefined)
    expect(calls.at(-1)?.path).toBe('/api/events')
  })

  it('keeps the session when the renewal is throttled', async () => {
    const app = await signedIn(() => ({ status: 429, body: { msg: 'x' } }))
    await app.renewToken()
    await expect(app.storedClaims()).resolves.not.toBeNull()
  })

  it('keeps the session when the renewal fails without a network', async () => {
    const app = await signedIn(() => ({ status: 401, body: {} }))
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'], now: NOW_MS })
    answer = ({ path }) => (path.includes('refresh_token') ? 'no network' : { status: 401, body: {} })
    const refusal = ask(app).catch((error: unknown) => error)
    // auth-js retries for half a minute
    for (let step = 0; step < 40; step++) await vi.advanceTimersByTimeAsync(1000)
    expect(await refusal).toMatchObject({ code: 'network.offline' })
    vi.useRealTimers()
    await expect(app.storedClaims()).resolves.toEqual(CLAIMS)
  })

  it("fails with a Portuguese text, the server's if it has one", async () => {
    const app = await signedIn(() => ({
      status: 422,
      body: { error: { code: 'lead.gone', message: 'Este contato saiu.' } },
    }))
    await expect(app.portal('/api/leads')).rejects.toMatchObject({
      code: 'lead.gone',
      message: 'Este contato saiu.',
      status: 422,
    })
    answer = () => ({ status: 500, body: { error: { code: 'x', message: 'stack at line 3' } } })
    await expect(app.portal('/api/leads')).rejects.toMatchObject({ code: 'server.failed' })
    const fault = { error: { code: 'gateway.unreachable', message: 'O WhatsApp não respondeu.' } }
    answer = () => ({ status: 502, body: fault })
    await expect(app.portal('/api/instance/connect')).rejects.toMatchObject({ ...fault.error, status: 502 })
    answer = () => ({ status: 403, body: { code: '42501', message: 'permission denied' } })
    await expect(app.rows('whatsapp_messages', {})).rejects.toMatchObject({ code: 'access.denied' })
    await expect(ask(app)).rejects.toMatchObject({ code: 'access.denied', status: 403 })
    answer = () => 'no network'
    await expect(ask(app)).rejects.toMatchObject({ code: 'network.offline', status: 0 })
    await expect(app.portal('/api/leads')).rejects.toMatchObject({ code: 'network.offline', status: 0 })
  })

  it('is not retried if nobody is signed in', async () => {
    answer = () => ({ status: 401, body: { error: { code: 'login.closed', message: 'Entre primeiro.' } } })
    const app = await openApp()
    await expect(app.portal('/api/login/lookup', { method: 'POST', body: {} })).rejects.toThrow(
      'Entre primeiro.',
    )
    expect(calls).toHaveLength(1)
  })
})

describe('leaving', () => {
  it('ends the session on the server', async () => {
    const app = await signedIn(() => ({ status: 200 }))
    await app.signOut()
    expect(calls).toMatchObject([{ path: '/auth/v1/logout?scope=local', token: 'first' }])
    await expect(app.storedClaims()).resolves.toBeNull()
  })

  it.each([
    ['the network is gone', { onLine: false }],
    ['the server does not answer', { onLine: true }],
  ])('ends the session on the device when %s', async (_, network) => {
    const app = await signedIn(() => 'no network')
    vi.stubGlobal('navigator', network)
    await app.signOut()
    await expect(app.storedClaims()).resolves.toBeNull()
  })
})
