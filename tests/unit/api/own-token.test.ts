// A token of one person only: valid, renewed once for all callers, never another person's, never of an ended session.
import { beforeEach, expect, it, vi } from 'vitest'

const NOW_SECONDS = 1_800_000_000
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOfNamed = (sub: string, name: string) =>
  `${name}.${encode({ sub, app_metadata: { portal_role: 'broker', username: sub } })}.signature`
const sessionOf = (sub: string, name: string, expires_at: number) => ({
  access_token: tokenOfNamed(sub, name),
  refresh_token: `refresh-${name}`,
  expires_at,
  user: { id: sub },
})

let stored: string | null
let asked: unknown[]
let answer: () => Promise<Response>
const load = () => import('#api/own-token.ts')
let app: Awaited<ReturnType<typeof load>>

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ now: NOW_SECONDS * 1000, toFake: ['Date'] })
  asked = []
  answer = async () => Response.json(sessionOf('ana', 'new', NOW_SECONDS + 3_600))
  vi.stubGlobal('location', { origin: 'http://portal.test' })
  vi.stubGlobal('navigator', {})
  vi.doMock('#api/session-on-device.ts', () => ({
    STORAGE_KEY: 'session',
    sessionStore: {
      getItem: async () => stored,
      setItem: async (_: string, value: string) => void (stored = value),
    },
  }))
  vi.doMock('#api/network.ts', () => ({
    send: async (url: URL, init: RequestInit) => {
      asked.push([url.pathname + url.search, JSON.parse(init.body as string)])
      return answer()
    },
  }))
  app = await load()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.doUnmock('#api/session-on-device.ts')
    vi.doUnmock('#api/network.ts')
  }
})
const keep = (sub: string, name: string, seconds: number) =>
  (stored = JSON.stringify(sessionOf(sub, name, NOW_SECONDS + seconds)))

it('returns a valid token without a request', async () => {
  keep('ana', 'first', 3_600)
  expect(await app.tokenOf('ana')).toBe(tokenOfNamed('ana', 'first'))
  expect(asked).toEqual([])
})

it('uses the portal’s time: a clock two days ahead expires no token', async () => {
  keep('ana', 'first', 3_600)
  const { noteServerTime } = await import('#api/clock.ts')
  vi.setSystemTime((NOW_SECONDS + 2 * 86_400) * 1000)
  noteServerTime(new Response(null, { headers: { Date: new Date(NOW_SECONDS * 1000).toUTCString() } }))
  expect(await app.tokenOf('ana')).toBe(tokenOfNamed('ana', 'first'))
  expect(asked).toEqual([])
})

it('returns nothing for another person, and nothing if nobody is signed in', async () => {
  keep('bia', 'first', 3_600)
  expect(await app.tokenOf('ana')).toBeNull()
  expect(await app.renewTokenOf('ana', tokenOfNamed('bia', 'first'))).toBeNull()
  stored = null
  expect(await app.tokenOf('ana')).toBeNull()
  expect(asked).toEqual([])
})

it('renews a token that would expire on its way, and stores the whole new session', async () => {
  keep('ana', 'first', 20)
  expect(await app.tokenOf('ana')).toBe(tokenOfNamed('ana', 'new'))
  expect(asked).toEqual([['/auth/v1/token?grant_type=refresh_token', { refresh_token: 'refresh-first' }]])
  expect(JSON.parse(stored ?? '')).toEqual(sessionOf('ana', 'new', NOW_SECONDS + 3_600))
})

it('uses a token that another runner has renewed meanwhile', async () => {
  keep('ana', 'second', 3_600)
  expect(await app.renewTokenOf('ana', tokenOfNamed('ana', 'first'))).toBe(tokenOfNamed('ana', 'second'))
  expect(asked).toEqual([])
})

it('a refusal ends the session, a server failure does not', async () => {
  keep('ana', 'first', -1)
  answer = async () => new Response('{}', { status: 400 })
  expect(await app.tokenOf('ana')).toBeNull()
  answer = async () => new Response('{}', { status: 503 })
  await expect(app.tokenOf('ana')).rejects.toThrow('503')
})

it('does not sign in again a person who left during the renewal', async () => {
  keep('ana', 'first', -1)
  answer = async () => {
    stored = null
    return Response.json(sessionOf('ana', 'new', NOW_SECONDS + 3_600))
  }
  expect(await app.tokenOf('ana')).toBeNull()
  expect(stored).toBeNull()
})
