// Which addresses get the app's page: the server's own answer JSON to everybody, so that no client takes a page for
// data; and no answer is cached by default.
import { createClient } from '@supabase/supabase-js'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import { openWhatsapp } from '#tests/support/whatsapp.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'portal-client-'))
await writeFile(path.join(folder, 'index.html'), '<!doctype html>')
const database = await openBase()
const portal = await openWhatsapp(database.db, {
  isStill: true,
  hasGateway: false,
  client: { current: folder, earlier: path.join(folder, 'releases') },
})
afterAll(async () => {
  await portal.close()
  await rm(folder, { recursive: true })
})

/** Replaces the WebSocket that older Nodes lack and the client requires. */
const noSocket = () => expect.unreachable('nothing here is live')
/** The header of a browser's navigation. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const CLOSED = {
  statusCode: '404',
  error: 'not_found',
  code: 'wire.closed',
  message: 'Este serviço do Supabase está fechado neste portal. Abertos estão /rest/v1 e /auth/v1.',
}

describe('Supabase services that this portal does not have', () => {
  test.each([
    '/storage/v1/object/public/fotos/planta.pdf',
    '/storage/v1/bucket',
    '/storage',
    '/functions/v1/enviar',
    '/realtime/v1/websocket?apikey=x&vsn=1.0.0',
    '/realtime/v1/api/broadcast',
    '/graphql/v1',
    '/analytics/v1/event',
    '/pg/tables',
    '/sso/saml/metadata',
    '/mcp',
    '/rest-admin/v1/ready',
  ])('%s is closed by every method', async (address) => {
    for (const method of METHODS) {
      const answer = await portal.request(address, { method })
      const { headers } = answer
      const text = await answer.text()
      expect([method, answer.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        method,
        404,
        'application/json',
        'no-store',
      ])
      expect([method, text === '' ? null : JSON.parse(text)]).toEqual([
        method,
        method === 'HEAD' ? null : CLOSED,
      ])
    }
  })

  test('supabase-js gets an error for them', async () => {
    const supabase = createClient('http://portal.test', 'sb_publishable_portal', {
      global: { fetch: async (input, init) => portal.portal.fetch(new Request(input, init), {}) },
      realtime: { transport: noSocket as unknown as typeof WebSocket },
    })
    const refused = { data: null, error: { message: CLOSED.message, status: 404 } }
    expect(await supabase.storage.listBuckets()).toMatchObject(refused)
    expect(await supabase.storage.from('fotos').list()).toMatchObject(refused)
    expect(await supabase.storage.from('fotos').download('planta.pdf')).toMatchObject({
      data: null,
      error: { name: expect.stringMatching(/^Storage/) },
    })
    const { data, error } = await supabase.functions.invoke('enviar', { body: {} })
    expect([data, (error as { context: Response }).context.status]).toEqual([null, 404])
  })
})

describe('the server’s own addresses', () => {
  test.each([
    '/api',
    '/api/nada',
    '/api/nada/ainda',
    '/auth',
    '/auth/v2/user',
    '/auth/v1/nada',
    '/rest',
    '/rest/v2/brokers',
    '/rest/v1/a/b/c',
    '/webhook',
    '/webhook/nada',
    '/health',
    '/healthz',
    '/metrics/nada',
    '/.well-known/openid-configuration',
    '//rest/v1/brokers',
    '/REST/v1/brokers',
    '/rest%2fv1/brokers',
    '/%61pi/nada',
  ])('%s never gets the page', async (address) => {
    const answer = await portal.request(address)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^application\/json/),
    ])
    expect(await answer.json()).toEqual(expect.any(Object))
  })

  test.each([
    '/instance/fetchInstances',
    '/instance/connectionState/corretor_ana',
    '/message/sendText/corretor_ana',
    '/chat/findChats/corretor_ana',
    '/manager',
    '/events',
    '/live',
    '/media/1',
    '//media/1',
    '/nada',
  ])('%s, which is no page, gets none for a program', async (address) => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const answer = await portal.request(address, { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
      expect(await answer.json()).toMatchObject({ error: { code: 'route.not-found' } })
    }
    const { status, headers } = await portal.request(address, { headers: BROWSER })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('search engines may list the sign-in page alone', async () => {
    const robots = async (page: string) =>
      (await portal.request(page, { headers: BROWSER })).headers.get('x-robots-tag')
    for (const page of ['/', '/panel', '/broker', '/broker/hoje', '/crm', '/nada', '/index.html'])
      expect([page, await robots(page)]).toEqual([page, 'noindex'])
    expect(await robots('/login')).toBeNull()
  })

  test('each page of the app is served to everybody', async () => {
    const router = await readFile(path.join(import.meta.dirname, '../../../src/app/router.tsx'), 'utf8')
    const pages = [...router.matchAll(/ path: '(?<page>[^']*)'/gu)].map(([, page = '']) => page)
    expect(pages.length).toBeGreaterThan(15)
    // '/hoje' is the page below '/broker', and '/$id' that of the results.
    const whole: Record<string, string> = { '/hoje': '/broker/hoje', '/$id': '/resultado' }
    for (const page of pages.map((one) => whole[one] ?? one))
      expect([page, (await portal.request(page)).headers.get('content-type')]).toEqual([
        page,
        'text/html; charset=utf-8',
      ])
  })

  test('an address that only begins like one gets the page in a browser', async () => {
    for (const address of [
      '/',
      '/broker/hoje',
      '/apis',
      '/restos',
      '/storages',
      '/healthy',
      '/mcps',
      '/xwell-known',
    ])
      expect((await portal.request(address, { headers: BROWSER })).headers.get('content-type')).toBe(
        'text/html; charset=utf-8',
      )
  })
})

test.each([
  '/',
  '/nada.js',
  '/api/health',
  '/api/config',
  '/auth/v1/user',
  '/rest/v1/brokers',
  '/rest/v1/rpc/get_dashboard_overview_data',
  '/rest/v1/',
  '/metrics',
  '/api/leads?key=x',
  '/a%00b',
])('%s says how long it may be cached', async (address) => {
  expect((await portal.request(address)).headers.get('cache-control')).toMatch(/^no-(store|cache)$/)
})
