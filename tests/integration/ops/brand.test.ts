// The agency's brand: set by an administrator, audited, and served in the page, the manifest, the worker and the icons.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBranding } from '#server/http/brand.ts'
import { serveApp } from '#server/http/static.ts'
import { createLog } from '#server/log.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, asAna, asAdmin, close } = await openOffice()
const folder = mkdtempSync(path.join(tmpdir(), 'portal-brand-'))
const app = new Hono()
const WORKER =
  'show({title:`Portal do Corretor`});keep([{"revision":"2e26a8dc75f1626a9ff48a65b69f61b1","url":"index.html"},{"revision":null,"url":"assets/a.js"}])'

beforeAll(async () => {
  mkdirSync(path.join(folder, 'icons'))
  for (const name of ['index.html', 'manifest.webmanifest']) {
    writeFileSync(path.join(folder, name), readFileSync(name))
    writeFileSync(path.join(folder, `${name}.br`), 'never served once there is a brand')
  }
  writeFileSync(path.join(folder, 'service-worker.js'), WORKER)
  writeFileSync(path.join(folder, 'icons/192.png'), 'usual')
  app.use(await serveApp(folder, undefined, createBranding({ db, log: createLog('error', () => undefined) })))
})
beforeEach(() => db.exec(`delete from portal.settings where key like 'agency%'`))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await close()
})

/** An empty PNG with a valid start, size and end. */
const png = (side: number, signature = '89504e470d0a1a0a') => {
  const size = side.toString(16).padStart(8, '0').repeat(2)
  const bytes = `${signature}0000000d49484452${size}08060000000000000000000000000049454e44ae426082`
  return Buffer.from(bytes, 'hex').toString('base64')
}
const ICONS = { '192': png(192), '512': png(512), 'maskable-512': png(512), 'apple-touch-icon': png(180) }
const NAME = `Casa & "Filhos" d'Água`

type Asker = typeof asAdmin
const save = (asker: Asker, body: object) =>
  asker.call('/rest/v1/rpc/set_brand', { p_name: '', p_color: '', ...body })
const agency = async () => (await (await portal.request('/api/config')).json()) as { agency: unknown }
const text = async (address: string) => (await app.request(address)).text()

test('a new installation has none, and files are served as built', async () => {
  expect(await agency()).toMatchObject({ agency: { name: null, color: null, logo: null } })
  for (const name of ['index.html', 'manifest.webmanifest'])
    expect(await text(`/${name}`)).toBe(readFileSync(name, 'utf8'))
  expect(await text('/service-worker.js')).toBe(WORKER)
  expect(await text('/icons/192.png')).toBe('usual')
})

test('name, colour and logo are public', async () => {
  const saved = await save(asAdmin, { p_name: `  ${NAME} `, p_color: '#A01030', p_icons: ICONS })
  expect([saved.status, saved.body]).toEqual([200, { name: NAME, color: '#a01030' }])
  expect(await agency()).toMatchObject({
    agency: { name: NAME, color: '#a01030', logo: expect.stringMatching(/^[0-9a-f]{12}$/) },
  })
  const page = await text('/broker')
  const written = 'Casa &#38; &#34;Filhos&#34; d&#39;Água'
  expect(page).toContain(`<title>Portal do Corretor ${written}</title>`)
  expect(page).toContain(`<meta name="apple-mobile-web-app-title" content="Portal ${written}" />`)
  expect(page).toContain('href="/assets/brand-a01030.css"')
  expect(page).toContain('href="/icons/192.png" sizes="any"')
  expect(page).not.toMatch(/favicon-32|data:image/)
  expect(JSON.parse(await text('/manifest.webmanifest'))).toMatchObject({
    id: '/',
    name: `Portal do Corretor ${NAME}`,
    short_name: `Portal ${NAME}`,
    icons: [{ src: expect.stringMatching(/^\/icons\/192\.png\?v=/) }, {}, {}, { src: '/icons/badge-96.png' }],
  })
  const icon = await app.request('/icons/192.png?v=1')
  expect(Buffer.from(await icon.arrayBuffer()).toString('base64')).toBe(ICONS['192'])
  expect([icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual([
    'image/png',
    'no-cache',
  ])
  const styles = await app.request('/assets/brand-a01030.css')
  expect(await styles.text()).toMatch(/^:root\{--color-primary:var\(--lightningcss-light,#a01030\)/)
  expect(styles.headers.get('cache-control')).toContain('immutable')
  const audited = await db.query(
    `select distinct subject from portal.audit_log where action = 'settings.changed' and actor_role = 'admin' order by 1`,
  )
  expect(audited.rows.map(({ subject }) => subject)).toEqual(['agency_color', 'agency_logo', 'agency_name'])
})

test('an installed app gets a changed brand like a new version', async () => {
  await save(asAdmin, { p_name: 'RHS' })
  const first = await text('/service-worker.js')
  expect(first).toContain('title:"Portal RHS"')
  expect(first).toMatch(/"revision":"2e26a8dc75f1626a9ff48a65b69f61b1-[\w-]+","url":"index.html"/)
  expect(first).toContain('"revision":null,"url":"assets/a.js"')
  await save(asAdmin, { p_name: 'RHS', p_color: '#102030' })
  expect(await text('/service-worker.js')).not.toBe(first)
})

test('the page is loaded again only after a change, and compressed', async () => {
  await save(asAdmin, { p_name: 'RHS' })
  const ask = (headers: Record<string, string> = {}) => app.request('/', { headers })
  const answer = await ask({ 'accept-encoding': 'br' })
  expect(String(brotliDecompressSync(await answer.arrayBuffer()))).toContain('Portal do Corretor RHS')
  const etag = answer.headers.get('etag') ?? ''
  expect((await ask({ 'if-none-match': etag })).status).toBe(304)
  await save(asAdmin, { p_name: 'Casa Nova' })
  expect((await ask({ 'if-none-match': etag })).status).toBe(200)
})

test('empty values delete the brand, and icons stay until they are deleted', async () => {
  await save(asAdmin, { p_name: 'RHS', p_color: '#102030', p_icons: ICONS })
  await save(asAdmin, {})
  expect(await agency()).toMatchObject({ agency: { name: null, color: null, logo: expect.any(String) } })
  await save(asAdmin, { p_icons: {} })
  expect(await agency()).toMatchObject({ agency: { name: null, color: null, logo: null } })
  expect(await text('/icons/192.png')).toBe('usual')
})

test.each([
  ['a name that is too long', { p_name: 'a'.repeat(31) }, 'até 30 letras'],
  ['a name with a tag', { p_name: '<b>' }, 'até 30 letras'],
  ['a name with a control character', { p_name: 'a\u0007' }, 'até 30 letras'],
  ['a colour by its name', { p_color: 'red' }, 'uma cor como'],
  ['a colour that is more', { p_color: '#005a68;}' }, 'uma cor como'],
  ['no PNG', { p_icons: { ...ICONS, '192': png(192, '47494638396100aa') } }, 'logotipo'],
  ['another size', { p_icons: { ...ICONS, '512': png(192) } }, 'logotipo'],
  ['an icon that is missing', { p_icons: { '192': png(192) } }, 'logotipo'],
  ['one too many', { p_icons: { ...ICONS, '64': png(64) } }, 'logotipo'],
  ['no base64', { p_icons: { ...ICONS, '192': '<svg onload=alert(1)>' } }, 'logotipo'],
  ['a list', { p_icons: [1] }, 'logotipo'],
  ['too many bytes', { p_icons: { ...ICONS, '192': 'A'.repeat(450_004) } }, 'logotipo'],
])('%s is refused with a message, and nothing changes', async (_, body, words) => {
  const { status, body: answer } = await save(asAdmin, body)
  expect([status, answer]).toEqual([
    422,
    expect.objectContaining({ message: expect.stringContaining(words) }),
  ])
  expect(await agency()).toMatchObject({ agency: { name: null, color: null, logo: null } })
})

test('a broker and a stranger change nothing', async () => {
  expect((await save(asAna, { p_name: 'Minha' })).status).toBe(403)
  const stranger = await portal.request('/rest/v1/rpc/set_brand', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ p_name: 'Minha', p_color: '' }),
  })
  expect(stranger.status).toBe(401)
  expect(await agency()).toMatchObject({ agency: { name: null } })
})
