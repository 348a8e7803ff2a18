// Rules for every answer of the portal: ids, headers, compression, files, errors.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortalError } from '#domain/errors.ts'
import { compression } from '#server/http/compression.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import { requestId } from '#server/http/request-id.ts'
import { requestLine, type Answered } from '#server/http/request-line.ts'
import { CHART_STYLE, secureHeaders } from '#server/http/secure-headers.ts'
import { serveApp } from '#server/http/static.ts'
import { createLog } from '#server/log.ts'
import { manualClock } from '#tests/support/clock.ts'

const LONG = { text: 'ação '.repeat(500) }
const lines: string[] = []
const answered: Answered[] = []
const clock = manualClock()
const app = new Hono()
let folder = ''
let releases = ''

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'portal-client-'))
  mkdirSync(path.join(folder, 'assets'))
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(path.join(folder, 'assets/main-abc.js'), 'let a')
  writeFileSync(path.join(folder, 'assets/main-abc.js.br'), brotliCompressSync('let a'))
  writeFileSync(path.join(folder, 'service-worker.js'), 'self')
  writeFileSync(path.join(folder, 'manifest.webmanifest'), '{}')
  writeFileSync(path.join(folder, 'secret.pem'), 'never')
  releases = mkdtempSync(path.join(tmpdir(), 'portal-releases-'))
  for (const number of ['1', '2']) mkdirSync(path.join(releases, number))
  writeFileSync(path.join(releases, '1/board-old.js'), 'let old')
  writeFileSync(path.join(releases, '2/board-older.js'), 'let older')
  app.onError(createErrorHandler(createLog('info', (line) => lines.push(line))))
  app.notFound(notFound)
  app.use(
    requestId,
    requestLine({ clock, log: createLog('debug', (line) => lines.push(line)) }, (one) => answered.push(one)),
    secureHeaders('https://portal.test'),
    compression,
  )
  app.get('/api/long', (context) => context.json(LONG))
  app.get('/api/short', (context) => context.json({ a: 1 }))
  app.get('/api/refused', () => {
    throw new PortalError('lead.unknown', 'Lead não encontrado.', { status: 404 })
  })
  app.get('/api/bug', () => {
    throw new TypeError('secret inside')
  })
  const leads = new Hono()
  leads.use(() => {
    throw new PortalError('session.lost', 'Sua sessão expirou.', { status: 401 })
  })
  leads.get('/:number{[0-9]{8,14}}/:id{[a-f]+}', (context) => context.text('never'))
  app.route('/api/closed', leads)
  app.get('/api/media/:id{[0-9a-f]{4}(?:-[0-9a-f]{4}){3}}', async (context) => {
    clock.advance(1_500)
    return context.text(context.req.param('id'))
  })
  app.all('/api/*', notFound)
  app.use(await serveApp(folder, releases))
})
afterAll(() => {
  for (const made of [folder, releases]) rmSync(made, { recursive: true })
})

const get = (address: string, headers: Record<string, string> = {}) => app.request(address, { headers })

test('long answers are compressed in an encoding that the client accepts', async () => {
  const inBrotli = await get('/api/long', { 'accept-encoding': 'gzip, br' })
  expect(inBrotli.headers.get('content-encoding')).toBe('br')
  expect(JSON.parse(String(brotliDecompressSync(await inBrotli.arrayBuffer())))).toEqual(LONG)
  const inGzip = await get('/api/long', { 'accept-encoding': 'gzip, br;q=0' })
  expect(inGzip.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(String(gunzipSync(await inGzip.arrayBuffer())))).toEqual(LONG)
  const plain = await get('/api/long')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.json()).toEqual(LONG)
  expect((await get('/api/short', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull()
})

test("a user's error has its text, a bug reveals nothing", async () => {
  const refused = await get('/api/refused')
  expect([refused.status, await refused.json()]).toEqual([
    404,
    { error: { code: 'lead.unknown', message: 'Lead não encontrado.' } },
  ])
  const bug = await get('/api/bug', { 'x-request-id': 'req-12345678' })
  expect([bug.status, await bug.text()]).toEqual([
    500,
    '{"error":{"code":"portal.failed","message":"Algo deu errado no portal. Tente de novo."}}',
  ])
  const failure = lines.find((line) => line.includes('request.failed')) ?? ''
  expect(JSON.parse(failure)).toMatchObject({ requestId: 'req-12345678', route: '/api/bug' })
  expect(failure).toContain('secret inside')
})

test.each([
  ['/api/short?name=Maria&token=eyJhbGciOi', 'debug', { route: '/api/short', status: 200 }],
  ['/api/closed/5511987654321/abc', 'info', { route: '/api/closed/:number/:id', status: 401 }],
  ['/api/nobody/5511987654321', 'info', { route: '/api/*', status: 404 }],
  ['/api/media/0a1b-2c3d-4e5f-0a1b', 'info', { route: '/api/media/:id', status: 200, ms: 1_500 }],
  ['/broker?name=Maria', 'debug', { route: '/*', status: 200 }],
])('%s is one log line with its route pattern', async (address, level, expected) => {
  lines.length = 0
  answered.length = 0
  await get(address, { 'x-request-id': 'req-12345678', authorization: 'Bearer eyJhbGciOi' })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: expect.any(String),
      level,
      event: 'request.answered',
      requestId: 'req-12345678',
      method: 'GET',
      ms: 0,
      ...expected,
    },
  ])
  expect(lines.join()).not.toMatch(/Maria|eyJ|987654321|0a1b/)
  expect(answered).toEqual([{ method: 'GET', ms: 0, ...expected }])
})

test('an unknown API address is a JSON 404, another one gets the page', async () => {
  const unknown = await get('/api/nothing')
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json'])
  for (const address of ['/', '/broker', '/prompts/3/regras_atendimento'])
    expect((await get(address)).headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('files: precompressed, immutable by hash, revalidated, and only known types', async () => {
  const script = await get('/assets/main-abc.js', { 'accept-encoding': 'br' })
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(String(brotliDecompressSync(await script.arrayBuffer()))).toBe('let a')
  const page = await get('/')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect((await get('/', { 'if-none-match': page.headers.get('etag') ?? '' })).status).toBe(304)
  for (const address of [
    '/secret.pem',
    '/assets/main-abc.js.br',
    '/assets/gone.js',
    '/..%2fpackage.json',
    '/%ff.js',
  ])
    expect((await get(address)).status, address).toBe(404)
  expect((await app.request('/', { method: 'POST' })).status).toBe(404)
})

test('files that name the version are revalidated each time; assets of earlier releases still exist', async () => {
  for (const address of ['/', '/service-worker.js', '/manifest.webmanifest'])
    expect((await get(address)).headers.get('cache-control'), address).toBe('no-cache')
  expect((await get('/manifest.webmanifest')).headers.get('content-type')).toContain(
    'application/manifest+json',
  )
  const old = await get('/assets/board-old.js')
  expect([old.status, await old.text(), old.headers.get('cache-control')]).toEqual([
    200,
    'let old',
    'public, max-age=31536000, immutable',
  ])
  expect(await (await get('/assets/board-older.js')).text()).toBe('let older')
  for (const address of ['/1/board-old.js', '/board-old.js', '/releases/1/board-old.js'])
    expect((await get(address)).status, address).toBe(404)
})

test('pages run own code only, and over TLS require it from then on', async () => {
  expect(Object.fromEntries((await get('/')).headers)).toMatchObject({
    'content-security-policy':
      "default-src 'self'; style-src 'self' 'sha256-aSysLrDECVdJ6L+jLf8CC5QKLmwRuk/OZiZk9mYky8A='; img-src 'self' data: blob: https:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default chunks saved-page chart",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(self), microphone=(self), payment=(), usb=()',
    'strict-transport-security': 'max-age=15552000',
  })
  const plain = new Hono().use(secureHeaders('http://portal.test')).get('/', (context) => context.text('a'))
  expect((await plain.request('/')).headers.has('strict-transport-security')).toBe(false)
})

test('the only inline style element allowed is that of the installed chart library', async () => {
  const library = await readFile('node_modules/apexcharts/dist/apexcharts.esm.js', 'utf8')
  const [, literal = '""'] = /createTextNode\(("\\n +\.apexcharts-(?:[^"\\]|\\.)*")\)/.exec(library) ?? []
  const text: string = JSON.parse(literal)
  expect(text).toContain('.apexcharts-legend')
  expect(CHART_STYLE).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`)
})

test('data answers may be neither run nor framed, with short headers', async () => {
  const { headers } = await get('/api/short')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a valid request id from a proxy is kept', async () => {
  expect((await get('/api/short', { 'x-request-id': 'abcdefgh-1' })).headers.get('x-request-id')).toBe(
    'abcdefgh-1',
  )
  expect((await get('/api/short', { 'x-request-id': '"><script>' })).headers.get('x-request-id')).toMatch(
    /^[\da-f-]{36}$/,
  )
})
