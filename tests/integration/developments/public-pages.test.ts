// Public pages and the feed for portals through the whole portal: what is published, what is not, visits of leads.
import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { FeedListing } from '#server/developments/feed/listing.ts'
import { readVrsync } from '#server/developments/feed/vrsync.ts'
import { eventually } from '#tests/support/eventually.ts'
import { feedOf, pieces, type FeedItem } from '#tests/support/feed.ts'
import { openLoopback } from '#tests/support/loopback.ts'
import { PDF } from '#tests/support/files.ts'
import { makeAgent, makeContact } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice({
  hasGateway: false,
  env: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', PUBLIC_URL: 'https://casa.example' },
})
const server = await openLoopback()
afterAll(async () => {
  await close()
  await server.close()
})
afterEach(() =>
  db.exec(
    `delete from public.listings; delete from public.developments; delete from portal.feed_out; delete from public.whatsapp_contacts;
     delete from portal.people; update public.brokers set central_since = null;
     delete from portal.settings where key in ('page_visits', 'agency_name')`,
  ),
)
const picture = await sharp({ create: { width: 1_400, height: 900, channels: 3, background: '#888' } })
  .jpeg()
  .toBuffer()
server.answer = (_, response) => void response.writeHead(200).end(picture)

const PAPER = Buffer.concat([PDF, Buffer.from('1 0 obj <</Type /Catalog>> endobj trailer <</Root 1 0 R>>')])
const PAGES = '/api/developments/pages'
const view = async (address: string, init?: RequestInit) => {
  const response = await portal.request(address, init)
  return { status: response.status, headers: response.headers, html: await response.text() }
}
const publish = async (wanted: object, isPublished = true, by = asAdmin) =>
  (await by.call(PAGES, { ...wanted, isPublished })) as { status: number; body: { slug?: string } }

/** Ids of the listings of a feed, with their photo. */
async function listed(...items: readonly FeedItem[]) {
  const answer = await asAdmin.request('/api/developments/feed/file', {
    method: 'POST',
    body: feedOf(items.map((item) => ({ photos: [`${server.url}/1.jpg`], ...item }))),
  })
  const { id: run } = (await answer.json()) as { id: number }
  await asAdmin.call(`/api/developments/feed/runs/${run}/apply`, { except: [] })
  await eventually(async () => {
    portal.clock.advance(300)
    expect((await db.query('select from portal.listing_photos where media_id is null')).rowCount).toBe(0)
  })
  return (await db.query<{ id: number }>('select id from public.listings order by code')).rows.map(
    ({ id }) => id,
  )
}
/** With a plan whose price holds, one whose price is over, one that is sold out, and a photo. */
async function mirante() {
  const { rows } = await db.query<{ id: number }>(
    `insert into public.developments (name, district, city, state, delivers_on, builder, description, license)
    values ('Mirante do Lago', 'Jardim Botânico', 'Campinas', 'em_obras', '2028-03-01', 'Construtora A&B', 'Perto do parque.\n<script>alert(1)</script>', 'CRECI 1-J')
    returning id`,
  )
  const id = rows[0]!.id
  await db.query(
    `insert into public.development_plans (development_id, place, name, bedrooms, suites, parking, area_from, area_to, price_from_cents, priced_on, valid_until, units_left)
    values ($1, 1, '2 quartos', 2, 1, 1, 62.5, 70, 41200000, '2026-11-21', '2199-12-31', 4),
      ($1, 2, '3 quartos', 3, 1, 2, 80, null, 60000000, '2026-01-05', '2026-01-31', 4),
      ($1, 3, 'Cobertura', 4, 2, 3, 120, null, 99000000, '2026-11-21', '2199-12-31', 0)`,
    [id],
  )
  const form = new FormData()
  form.set('message', JSON.stringify({ kind: 'foto', title: 'Fachada', fileName: 'f.jpg' }))
  form.set('file', new Blob([new Uint8Array(picture)]), 'f.jpg')
  await asAdmin.send(`/api/developments/${id}/files`, form)
  return id
}

describe('the page of a development', () => {
  test('is there once it is published, with prices that hold and their day, and gone after', async () => {
    const developmentId = await mirante()
    expect((await view('/i/mirante-do-lago')).status).toBe(404)
    expect((await publish({ developmentId })).body).toEqual({ slug: 'mirante-do-lago', isPublished: true })
    const { status, headers, html } = await view('/i/mirante-do-lago')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(html).toContain('<html lang="pt-BR">')
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html).toContain('R$\u00a0412.000')
    expect(html).toContain('21/11/2026')
    for (const hidden of ['600.000', '990.000', '<script', 'wa.me']) expect(html).not.toContain(hidden)
    expect(html).toContain('Esgotada')
    expect(html).toContain('62,5 a 70 m²')
    expect(html).toContain('Construtora A&amp;B')
    expect(html).toMatch(
      /<meta property="og:image" content="https:\/\/casa\.example\/i\/mirante-do-lago\/[0-9a-f]{64}\.jpg">/,
    )
    expect(html).toMatch(/<meta name="description" content="A partir de R\$/)
    expect(html).toContain('<link rel="canonical" href="https://casa.example/i/mirante-do-lago">')
    await publish({ developmentId }, false)
    expect(await view('/i/mirante-do-lago')).toMatchObject({
      status: 404,
      html: expect.stringContaining('não está no ar'),
    })
  })

  test('needs no script and allows none; its pictures are those of the page', async () => {
    await publish({ developmentId: await mirante() })
    const { headers, html } = await view('/i/mirante-do-lago')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; connect-src 'self'; img-src 'self'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const photos = [...html.matchAll(/\/i\/mirante-do-lago\/([0-9a-f]{64})\.jpg/g)].map(
      ([address]) => address,
    )
    expect(new Set(photos).size).toBe(3)
    for (const address of new Set(photos)) {
      const photo = await portal.request(address)
      expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect((await sharp(Buffer.from(await photo.arrayBuffer())).metadata()).format).toBe('jpeg')
    }
    expect(html).toMatch(/<img [^>]*width="1080" height="694" alt="Mirante do Lago: Fachada"/)
    await publish(
      { developmentId: (await db.query<{ id: number }>('select id from public.developments')).rows[0]!.id },
      false,
    )
    expect((await portal.request(photos[0]!)).status).toBe(404)
  })

  test('offers the newest book and memorial, never a price table; agents state the addresses', async () => {
    const developmentId = await mirante()
    const { id: agentId } = await makeAgent(db, { empreendimento: 'Mirante do Lago' })
    const links = async () => {
      const { body } = await asAdmin.call(`/api/agents/${agentId}/setup`)
      return (body['recordFacts'] as { label: string; value: string }[])
        .filter(({ value }) => value.startsWith('https:'))
        .map(({ label, value }) => [label, value])
    }
    const papers = { book: 'Book velho', memorial: 'Memorial', tabela: 'Tabela' }
    for (const [kind, title] of [...Object.entries(papers), ['book', 'Book novo']]) {
      const form = new FormData()
      form.set('message', JSON.stringify({ kind, title, fileName: `${title}.pdf` }))
      form.set('file', new Blob([PAPER, title ?? '']), 'f.pdf')
      expect((await asAdmin.send(`/api/developments/${developmentId}/files`, form)).status).toBe(200)
    }
    expect(await links()).toEqual([])
    expect((await view('/i/mirante-do-lago/book.pdf')).status).toBe(404)
    await publish({ developmentId })
    const { html } = await view('/i/mirante-do-lago')
    expect(html).toContain('<a href="/i/mirante-do-lago/book.pdf">Book novo</a>')
    expect(html).toContain('<a href="/i/mirante-do-lago/memorial.pdf">Memorial</a>')
    expect(html).not.toContain('Tabela.pdf')
    const book = await view('/i/mirante-do-lago/book.pdf')
    expect([book.status, book.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(book.headers.get('content-disposition')).toBe(`inline; filename*=UTF-8''Book%20novo.pdf`)
    expect(book.html).toContain('Book novo')
    expect((await view('/i/mirante-do-lago/tabela.pdf')).status).toBe(404)
    expect(await links()).toEqual([
      ['Página na internet', 'https://casa.example/i/mirante-do-lago'],
      ['Book (PDF)', 'https://casa.example/i/mirante-do-lago/book.pdf'],
      ['Memorial descritivo (PDF)', 'https://casa.example/i/mirante-do-lago/memorial.pdf'],
    ])
    await publish({ developmentId }, false)
    expect(await links()).toEqual([])
    expect((await view('/i/mirante-do-lago/book.pdf')).status).toBe(404)
  })

  test('shows no file of another development, nor of an archived one', async () => {
    const developmentId = await mirante()
    const { rows } = await db.query<{ media_id: string }>('select media_id from public.development_media')
    await db.query(`insert into public.developments (name) values ('Outro')`)
    const other = (await db.query<{ id: number }>(`select id from public.developments where name = 'Outro'`))
      .rows[0]!.id
    await publish({ developmentId: other })
    expect((await view(`/i/outro/${rows[0]?.media_id}.jpg`)).status).toBe(404)
    await publish({ developmentId })
    await db.query('update public.developments set archived_at = now() where id = $1', [developmentId])
    expect((await view('/i/mirante-do-lago')).status).toBe(404)
    expect((await view(`/i/mirante-do-lago/${rows[0]?.media_id}.jpg`)).status).toBe(404)
  })

  test('leads to the central number, with a code that finds the development', async () => {
    const developmentId = await mirante()
    await db.query(
      `update public.brokers set central_since = now(), broker_number = '5511955509001' where "instanceName" = $1`,
      [bia.instanceName],
    )
    await publish({ developmentId })
    const { html } = await view('/i/mirante-do-lago')
    const link = new URL(/href="(https:\/\/wa\.me[^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&'))
    expect(link.pathname).toBe('/5511955509001')
    const text = link.searchParams.get('text')!
    expect(text).toBe(`Olá! Quero saber mais sobre Mirante do Lago (cód. E${developmentId}).`)
    const code = /cód\. ([^\s),;]+)/.exec(text)![1]!
    expect((await db.query(`select portal.listing_of($1) ->> 'development' as name`, [code])).rows).toEqual([
      { name: 'Mirante do Lago' },
    ])
  })

  test('two of one name have two addresses, and each keeps its own', async () => {
    const title = 'Casa com quintal'
    const [one, other] = await listed({ code: 'AP-1', title }, { code: 'AP/1', title })
    expect((await publish({ listingId: one })).body.slug).toBe('casa-com-quintal-ap-1')
    expect((await publish({ listingId: other })).body.slug).toBe(`casa-com-quintal-ap-1-i${other}`)
    await db.query(`update public.listings set title = 'Outro' where id = $1`, [one ?? 0])
    expect((await publish({ listingId: one })).body.slug).toBe('casa-com-quintal-ap-1')
  })
})

test('the page of a listing shows its price with the day, and is gone when it leaves the feed', async () => {
  const [listingId] = await listed({ title: 'Casa com quintal', price: '512.345,00', rent: '2500' })
  await publish({ listingId })
  const { status, html } = await view('/i/casa-com-quintal-ap-1')
  expect(status).toBe(200)
  expect(html).toContain('R$\u00a0512.345')
  expect(html).toContain('R$\u00a02.500 por mês')
  expect(html).toMatch(/Preço de <time datetime="\d{4}-\d\d-\d\d">/)
  expect(html).not.toContain('central@example.com')
  await db.query('update public.listings set left_feed_at = now()')
  expect((await view('/i/casa-com-quintal-ap-1')).status).toBe(404)
})

test.each([
  '/i',
  '/i/',
  '/i/x',
  '/i/UPPER',
  '/i/../api',
  '/i/a%2fb',
  `/i/x/${'0'.repeat(64)}.jpg`,
  `/i/${'a'.repeat(200)}`,
])('nothing at %s', async (address) => {
  expect((await view(address)).status).toBe(404)
})

describe('visits of a lead', () => {
  const link = async (contactId: number, by = asAna) =>
    by.call(`${PAGES}/link`, { contactId, slug: 'mirante-do-lago' }) as Promise<{
      status: number
      body: { url?: string }
    }>
  const path = async (contactId: number) =>
    (
      (await asAna.call('/rest/v1/rpc/lead_sheet', { p_contact_id: contactId })).body as unknown as {
        path: { kind: string; word: string }[]
      }
    ).path.filter(({ kind }) => kind === 'visited')
  const local = (url: string) => url.replace('https://casa.example', '')

  test('are told only if the agency turned that on, once in half an hour, and never of a preview', async () => {
    await publish({ developmentId: await mirante() })
    const lead = await makeContact(db, ana.instanceName)
    expect((await link(lead.id)).body.url).toBe('https://casa.example/i/mirante-do-lago')
    await asAdmin.request(`${PAGES}/visits`, { method: 'PUT', body: JSON.stringify({ isOn: true }) })
    const { url } = (await link(lead.id)).body
    expect(url).toMatch(/\?t=[\w-]{22}$/)
    const address = local(url ?? '')
    await view(address, { headers: { 'user-agent': 'WhatsApp/2.24' } })
    await view(address, { method: 'HEAD' })
    expect(await path(lead.id)).toEqual([])
    expect((await view(address)).headers.get('cache-control')).toBe('private, no-store')
    await view(address)
    expect(await path(lead.id)).toMatchObject([{ word: 'Mirante do Lago' }])
    portal.clock.advance(31 * 60_000)
    await view(address)
    expect(await path(lead.id)).toHaveLength(2)
    await asAdmin.request(`${PAGES}/visits`, { method: 'PUT', body: JSON.stringify({ isOn: false }) })
    portal.clock.advance(10 * 60_000)
    await view(address)
    expect((await db.query('select cardinality(visited_at) as count from portal.page_links')).rows).toEqual([
      { count: 2 },
    ])
  })

  test('a lead has at most 40 addresses of its own, the newest', async () => {
    await asAdmin.request(`${PAGES}/visits`, { method: 'PUT', body: JSON.stringify({ isOn: true }) })
    await db.exec(
      `insert into public.developments (name) select 'Torre ' || n from generate_series(1, 45) as n;
       insert into portal.public_pages (slug, development_id, published_at)
       select 'torre-' || d.id, d.id, now() from public.developments d where d.name like 'Torre %'`,
    )
    const lead = await makeContact(db, ana.instanceName)
    const { rows } = await db.query<{ slug: string }>('select slug from portal.public_pages order by id')
    for (const { slug } of rows) {
      portal.clock.advance(1_000)
      await asAna.call(`${PAGES}/link`, { contactId: lead.id, slug })
    }
    const { rows: kept } = await db.query<{ slug: string }>(
      'select p.slug from portal.page_links k join portal.public_pages p on p.id = k.page_id order by k.made_at',
    )
    expect(kept.map(({ slug }) => slug)).toEqual(rows.slice(-40).map(({ slug }) => slug))
  })

  test('of another broker’s lead get no address; the token is stored only as a hash', async () => {
    await publish({ developmentId: await mirante() })
    await asAdmin.request(`${PAGES}/visits`, { method: 'PUT', body: JSON.stringify({ isOn: true }) })
    const lead = await makeContact(db, ana.instanceName)
    expect((await link(lead.id, asBia)).status).toBe(404)
    const token = new URL((await link(lead.id)).body.url ?? '').searchParams.get('t') ?? 'none'
    const { rows } = await db.query<{ row: string }>('select k::text as row from portal.page_links k')
    expect(rows[0]?.row).not.toContain(token)
    await db.query('delete from public.whatsapp_contacts')
    expect((await db.query('select from portal.page_links')).rowCount).toBe(0)
  })
})

describe('the feed for portals', () => {
  const renew = async (by = asAdmin) =>
    by.call(`${PAGES}/out`, { email: 'feed@casa.example', state: 'sp' }) as Promise<{
      status: number
      body: { url?: string }
    }>
  const feedAt = async (url: string | undefined) => view((url ?? '').replace('https://casa.example', ''))

  test('holds what is published, as the format demands it, and reads back equal', async () => {
    const developmentId = await mirante()
    const [listingId] = await listed(
      {
        code: 'AP-1',
        title: 'Casa',
        description: 'Curta & boa',
        price: '512.345,40',
        rent: '2500',
      },
      { code: 'AP-2', title: 'Sem preço nenhum', price: '' },
    )
    for (const wanted of [{ developmentId }, { listingId }]) await publish(wanted)
    const { status, headers, html } = await feedAt((await renew()).body.url)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(faultsOf(html)).toEqual([])
    const read: FeedListing[] = []
    const summary = await readVrsync(
      pieces(Buffer.from(html), 1_000),
      async (more) => void read.push(...more),
    )
    expect(summary.problems).toEqual([])
    const { rows } = await db.query<{ id: number }>(
      `select id from public.development_plans where name = '2 quartos'`,
    )
    expect(read).toMatchObject([
      {
        code: `E${developmentId}-${rows[0]?.id}`,
        title: 'Mirante do Lago, 2 quartos',
        business: 'venda',
        saleCents: 41_200_000,
        area: 62.5,
        bedrooms: 2,
        parking: 1,
        state: 'SP',
        listerEmail: 'feed@casa.example',
        photos: [
          {
            caption: 'Fachada',
            url: expect.stringMatching(/^https:\/\/casa\.example\/i\/mirante-do-lago\/[0-9a-f]{64}\.jpg$/),
          },
        ],
      },
      {
        code: 'AP-1',
        business: 'ambos',
        saleCents: 51_234_500,
        rentCents: 250_000,
        rentPeriod: 'mes',
        kind: 'Residential / Apartment',
      },
    ])
  })

  test('leaves out what portals refuse, and tells an administrator what and why', async () => {
    const developmentId = await mirante()
    await db.exec(`insert into public.developments (name) values ('Vazio')`)
    const { rows } = await db.query<{ id: number; name: string }>(
      'select id, name from public.development_plans order by place',
    )
    const [shown, expired, soldOut] = rows
    const codes = ['AP-1', 'AP-2', 'AP-3', 'AP-4', 'AP-5', 'AP-6']
    const listings = await listed(...codes.map((code) => ({ code, title: `Casa ${code}` })))
    const empty = (await db.query<{ id: number }>(`select id from public.developments where name = 'Vazio'`))
      .rows[0]!.id
    for (const listingId of listings.slice(0, 5)) await publish({ listingId })
    for (const id of [developmentId, empty]) await publish({ developmentId: id })
    await db.exec(
      `update public.listings set kind = 'Residential / Island' where code = 'AP-2';
       update public.listings set sale_cents = null, priced_on = null where code = 'AP-3';
       update public.listings set left_feed_at = now() where code = 'AP-4';
       update public.listings set city = null where code in ('AP-5', 'AP-6');
       delete from portal.listing_photos f using public.listings l where l.id = f.listing_id and l.code in ('AP-5', 'AP-6')`,
    )
    const { html } = await feedAt((await renew()).body.url)
    const inFeed = [...html.matchAll(/<ListingID>([^<]*)/g)].map(([, code]) => code)
    expect(new Set(inFeed)).toEqual(new Set(['AP-1', `E${developmentId}-${shown?.id}`]))
    expect(inFeed).toHaveLength(2)
    const { status, body } = await asAdmin.call(`${PAGES}/left-out`)
    expect(status).toBe(200)
    const item = (code: string, name: string, of: number | null, kind: string | null = null) => ({
      code,
      name,
      kind,
      developmentId: of,
    })
    const [five, none] = [item('AP-5', 'Casa AP-5', null), item(`E${empty}`, 'Vazio', empty)]
    const plan = (of: typeof shown) =>
      item(`E${developmentId}-${of?.id}`, `Mirante do Lago, ${of?.name}`, developmentId)
    expect(body).toEqual({
      total: 6,
      reasons: [
        { reason: 'kind', count: 1, items: [item('AP-2', 'Casa AP-2', null, 'Residential / Island')] },
        { reason: 'price', count: 1, items: [item('AP-3', 'Casa AP-3', null)] },
        { reason: 'photo', count: 2, items: [five, none] },
        { reason: 'city', count: 2, items: [five, none] },
        { reason: 'plans', count: 1, items: [none] },
        { reason: 'plan-price', count: 1, items: [plan(expired)] },
        { reason: 'sold-out', count: 1, items: [plan(soldOut)] },
      ],
    })
    expect((await asAna.call(`${PAGES}/left-out`)).status).toBe(403)
  })

  test('of thousands of pages all are counted', async () => {
    await db.exec(
      `insert into public.listings (code, business, kind, title, hash, first_seen_at, changed_at)
       select 'IL-' || n, 'venda', 'Island', 'Ilha ' || n, '\\x00', now(), now() from generate_series(1, 2300) n;
       insert into portal.public_pages (slug, listing_id, published_at)
       select 'ilha-' || l.id, l.id, now() from public.listings l`,
    )
    const { body } = await asAdmin.call(`${PAGES}/left-out`)
    expect(body).toMatchObject({ total: 2_300, reasons: [{ reason: 'kind', count: 2_300 }, {}, {}, {}] })
  })

  test('has one address at a time, and none without an administrator', async () => {
    const old = (await renew()).body.url
    expect((await feedAt(old)).status).toBe(200)
    const fresh = (await renew()).body.url
    expect((await feedAt(old)).status).toBe(404)
    expect((await feedAt(fresh)).status).toBe(200)
    expect((await renew(asAna)).status).toBe(403)
    await asAdmin.send(`${PAGES}/out`, null, 'DELETE')
    expect((await feedAt(fresh)).status).toBe(404)
    expect((await asAdmin.call(`${PAGES}/out`, { email: 'x', state: 'XX' })).status).toBe(422)
  })
})

test('brokers and strangers publish nothing', async () => {
  const developmentId = await mirante()
  expect((await publish({ developmentId }, true, asAna)).status).toBe(403)
  expect((await asAna.call(PAGES)).status).toBe(403)
  expect((await portal.request(PAGES)).status).toBe(401)
  expect((await publish({ developmentId: 999_999 })).status).toBe(404)
  expect((await publish({})).status).toBe(422)
})

type Rule = { path: string; isRight: (text: string, attributes: Record<string, string>) => boolean }
const between = (min: number, max: number) => (text: string) => text.length >= min && text.length <= max
const whole = (text: string, { currency }: Record<string, string>) =>
  /^[1-9]\d*$/.test(text) && currency === 'BRL'
/** What the published format demands of a listing. */
const RULES: Rule[] = [
  { path: 'ListingID', isRight: between(1, 50) },
  { path: 'Title', isRight: (text) => between(10, 100)(text) && !text.includes('<') },
  { path: 'TransactionType', isRight: (text) => ['For Sale', 'For Rent', 'Sale/Rent'].includes(text) },
  { path: 'Media/Item', isRight: (text, { medium }) => medium === 'image' && text.startsWith('https://') },
  { path: 'Details/Description', isRight: between(50, 3_000) },
  { path: 'Details/PropertyType', isRight: (text) => /^(Residential|Commercial) \/ ./.test(text) },
  { path: 'Location/Country', isRight: (_, { abbreviation }) => abbreviation === 'BR' },
  {
    path: 'Location/State',
    isRight: (text, { abbreviation }) => text.length > 2 && /^[A-Z]{2}$/.test(abbreviation ?? ''),
  },
  { path: 'Location/City', isRight: between(1, 100) },
  { path: 'ContactInfo/Name', isRight: between(1, 100) },
  { path: 'ContactInfo/Email', isRight: (text) => text.includes('@') },
]
const OPTIONAL: Rule[] = [
  { path: 'Details/ListPrice', isRight: whole },
  {
    path: 'Details/RentalPrice',
    isRight: (text, attributes) => whole(text, attributes) && attributes['period'] === 'Monthly',
  },
  { path: 'Details/LivingArea', isRight: (text, { unit }) => Number(text) > 0 && unit === 'square metres' },
  { path: 'Details/Bedrooms', isRight: (text) => /^\d+$/.test(text) },
  { path: 'Details/Garage', isRight: (text, { type }) => /^\d+$/.test(text) && type === 'Parking Space' },
]

/** What of a feed breaks the format's rules: missing or wrong elements, an id twice, no header. */
function faultsOf(xml: string): string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  const path: string[] = []
  let seen = new Map<string, boolean>()
  let text = ''
  let attributes: Record<string, string> = {}
  const parser = new SaxesParser({ xmlns: false })
  parser.on('opentag', (tag) => {
    path.push(tag.name)
    if (tag.name === 'Listing') seen = new Map()
    attributes = tag.attributes
    text = ''
  })
  parser.on('text', (more) => (text += more))
  parser.on('closetag', ({ name }) => {
    const at = path.slice(3).join('/')
    if (path[2] === 'Listing' && at !== '') {
      const rule = [...RULES, ...OPTIONAL].find((each) => each.path === at)
      if (rule && !rule.isRight(text, attributes)) faults.push(`${at}: ${text}`)
      seen.set(at, true)
      if (at === 'ListingID' && ids.has(text)) faults.push(`twice: ${text}`)
      if (at === 'ListingID') ids.add(text)
    } else if (name === 'Listing') {
      faults.push(...RULES.filter((rule) => !seen.has(rule.path)).map((rule) => `missing: ${rule.path}`))
    }
    path.pop()
    text = ''
  })
  parser.write(xml).close()
  for (const name of ['Provider', 'Email', 'ContactName', 'PublishDate'])
    if (!xml.includes(`<${name}>`)) faults.push(`missing: ${name}`)
  return faults
}
