// Requests to the Supabase of SUPABASE_URL and its answers: only the API passes, and failures are in Portuguese.
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { invalidToken } from '#server/rest/errors.ts'
import { createUpstream } from '#server/rest/upstream.ts'
import { manualClock } from '#tests/support/clock.ts'
import { turns } from '#tests/support/gateway.ts'

const TOKEN = 'Bearer the.person.token'

type Sent = { url: string; init: RequestInit & { headers: Headers } }

function stage(
  answer: (signal: AbortSignal) => Response | Promise<Response>,
  { anonKey = 'sb_publishable_1', isAlive = true } = {},
) {
  const sent: Sent[] = []
  const lines: string[] = []
  const clock = manualClock()
  const query = () => Promise.resolve({ rows: [{ is_alive: isAlive }], rowCount: 1 })
  const db = { transaction: (run: (asked: typeof query) => unknown) => run(query) } as unknown as Database
  const routes = createUpstream({
    supabase: { url: 'https://projeto.supabase.test/', anonKey },
    db,
    clock,
    log: createLog('info', (line) => lines.push(line)),
    bodyLimitBytes: 100,
    livenessSql: 'alive',
    principalOf: (request) => {
      const bearer = request.headers.get('authorization')
      if (bearer === 'Bearer forged') throw invalidToken('invalid')
      return Promise.resolve({ role: bearer === TOKEN ? 'authenticated' : 'anon', claims: {} })
    },
    fetch: async (url, init) => {
      sent.push({ url, init: init as Sent['init'] })
      return answer(init.signal as AbortSignal)
    },
  })
  const ask = (path: string, init: RequestInit = {}) =>
    routes.fetch(new Request(`http://portal.test/rest/v1${path}`, init)) as Promise<Response>
  const asPerson = { headers: { authorization: TOKEN } }
  return { ask, asPerson, sent, lines, clock }
}

const rows = () => Response.json([{ id: 1 }])
const read = async (answer: Response) => [
  answer.status,
  (await answer.json()) as { code: string; message: string },
]

/** Headers that pass unchanged. */
const FORWARDED = {
  'content-type': 'application/json',
  'content-profile': 'public',
  prefer: 'return=representation',
  range: '0-9',
  'range-unit': 'items',
  'user-agent': 'navegador',
}

test('method, path, query, body and API headers are forwarded; everything else stays here', async () => {
  const { ask, sent } = stage(rows)
  await ask('/rpc/mark%20read?or=(a.eq.1,b.like.*ç*)&select=id', {
    method: 'POST',
    body: '{"a":1.000}',
    headers: {
      authorization: TOKEN,
      apikey: 'of the browser',
      cookie: 'a=b',
      host: 'portal.test',
      connection: 'keep-alive, x-hop',
      'x-hop': 'secret',
      'x-forwarded-for': '10.0.0.1',
      ...FORWARDED,
    },
  })
  const [{ url, init }] = sent as [Sent]
  expect(url).toBe(
    'https://projeto.supabase.test/rest/v1/rpc/mark%20read?or=(a.eq.1,b.like.*%C3%A7*)&select=id',
  )
  expect([init.method, (init.body as Buffer).toString(), init.redirect]).toEqual([
    'POST',
    '{"a":1.000}',
    'manual',
  ])
  expect(Object.fromEntries(init.headers)).toEqual({
    apikey: 'sb_publishable_1',
    authorization: TOKEN,
    ...FORWARDED,
  })
})

test('a binary body is forwarded unchanged, a missing one stays missing', async () => {
  const { ask, sent } = stage(rows)
  const bytes = Buffer.from([0, 255, 92, 120])
  const headers = { 'content-type': 'application/octet-stream' }
  await ask('/rpc/keep', { method: 'POST', body: bytes, headers })
  await ask('/rpc/keep', { method: 'POST', headers })
  expect(sent.map(({ init }) => init.body)).toEqual([bytes, undefined])
})

test("only the API's answer comes back: no cookie, no text of a proxy", async () => {
  const { ask, asPerson } = stage(
    () =>
      new Response('[{"id":1}]', {
        status: 206,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-range': '0-0/3',
          'preference-applied': 'count=exact',
          'x-of-a-function': '1',
          connection: 'close, x-hop',
          'x-hop': 'secret',
          'content-length': '99',
          'set-cookie': '__cf_bm=x',
          'transfer-encoding': 'chunked',
          'access-control-allow-origin': '*',
          server: 'postgrest',
          'cf-ray': '1',
        },
      }),
  )
  const answer = await ask('/notes', asPerson)
  expect([answer.status, await answer.text()]).toEqual([206, '[{"id":1}]'])
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'content-range': '0-0/3',
    'preference-applied': 'count=exact',
    'x-of-a-function': '1',
  })
})

test.each([
  ['a key of the newer kind is no token', 'sb_publishable_1', null],
  ['a key that is a token stands for anon', 'header.anon.sign', 'Bearer header.anon.sign'],
])('nobody signed in: %s', async (_, anonKey, bearer) => {
  const { ask, sent } = stage(rows, { anonKey })
  await ask('/notes', { headers: { apikey: 'sb_other', authorization: 'Bearer sb_other' } })
  expect([sent[0]?.init.headers.get('apikey'), sent[0]?.init.headers.get('authorization')]).toEqual([
    anonKey,
    bearer,
  ])
})

test.each([
  ['a token that does not hold', { headers: { authorization: 'Bearer forged' } }, '/notes', 401, 'PGRST301'],
  ['a body over the limit', { method: 'POST', body: 'x'.repeat(101) }, '/notes', 413, 'PGRST102'],
  ['another method', { method: 'PURGE' }, '/notes', 405, 'PGRST117'],
  ['a path that leads elsewhere', {}, '/..%2f..%2fauth%2fv1%2fadmin', 404, 'PGRST125'],
  ['the root', {}, '/', 404, 'PGRST126'],
])('%s is refused here without a request', async (_, init, path, status, code) => {
  const { ask, sent } = stage(rows)
  expect(await read(await ask(path, init))).toMatchObject([status, { code }])
  expect(sent).toEqual([])
})

test('an ended session is reported, not answered with nothing', async () => {
  const { ask, asPerson, sent } = stage(rows, { isAlive: false })
  expect(await read(await ask('/notes', asPerson))).toMatchObject([401, { code: 'PGRST303' }])
  expect(sent).toEqual([])
})

const SILENCE = 'O banco de dados não respondeu. Tente de novo em instantes.'

test.each([
  ['nobody is there', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'a page of a proxy',
    () => new Response('<html>521</html>', { status: 521, headers: { 'content-type': 'text/html' } }),
  ],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.test' } })],
])('%s: 503 with Retry-After, and a log line', async (_, answer) => {
  const { ask, asPerson, lines } = stage(answer)
  const response = await ask('/notes?name=eq.Segredo', asPerson)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(await read(response)).toMatchObject([503, { code: 'PGRSTX01', message: SILENCE }])
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('Segredo')
})

test('a hanging request is aborted', async () => {
  const { ask, asPerson, clock } = stage(
    (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
      ),
  )
  const asked = ask('/notes', asPerson)
  await turns()
  clock.advance(20_000)
  expect(await read(await asked)).toMatchObject([504, { code: 'PGRSTX01', message: SILENCE }])
  expect(clock.nextDueInMs()).toBeNull()
})

test("a proxy's limit is reported: no immediate retry", async () => {
  const { ask, asPerson } = stage(
    () => new Response('slow down', { status: 429, headers: { 'retry-after': '30' } }),
  )
  const answer = await ask('/notes', asPerson)
  expect(answer.headers.get('retry-after')).toBe('30')
  expect(await read(answer)).toMatchObject([429, { code: 'PGRSTX03' }])
})

test('several possible readings of a request are an answer of the API', async () => {
  const { ask, asPerson } = stage(() => Response.json({ code: 'PGRST201' }, { status: 300 }))
  expect(await read(await ask('/notes', asPerson))).toEqual([300, { code: 'PGRST201' }])
})

const refusal = (code?: string) => () => Response.json({ code, message: 'm' }, { status: 401 })

test('a token valid here and refused there is the portal’s fault: nobody is signed out', async () => {
  for (const code of ['PGRST301', undefined]) {
    const { ask, asPerson } = stage(refusal(code))
    expect(await read(await ask('/notes', asPerson))).toMatchObject([
      502,
      { message: expect.stringContaining('JWT_SECRET') },
    ])
  }
})

test('a refusal by a row rule or a function passes', async () => {
  const person = stage(refusal('PT401'))
  expect(await read(await person.ask('/notes', person.asPerson))).toMatchObject([401, { code: 'PT401' }])
  const stranger = stage(refusal('42501'))
  expect(await read(await stranger.ask('/notes'))).toMatchObject([401, { code: '42501' }])
})

test.each([
  ['POST', 405, '25006', 503],
  ['POST', 500, '40001', 503],
  ['POST', 500, '53100', 503],
  ['GET', 405, '25006', 405],
  ['POST', 409, '23505', 409],
])('Supabase answers a %s with %i and %s: the portal answers %i', async (method, status, code, answered) => {
  const { ask } = stage(() => Response.json({ code, message: 'm' }, { status }))
  const answer = await ask('/rpc/move', { method })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([
    answered,
    answered === 503 ? '5' : null,
  ])
  expect(await answer.json()).toMatchObject({ code })
})
