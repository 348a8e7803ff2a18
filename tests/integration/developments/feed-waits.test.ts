// What the hourly reading leaves to a person, the push about it, and what a person edited of a listing.
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createFeedRuns } from '#server/developments/feed/feed-store.ts'
import { createReadFeed } from '#server/developments/feed/feed-reader.ts'
import { feedOf, type FeedItem } from '#tests/support/feed.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { openOffice } from '#tests/support/office.ts'
import { addDevice, makeKeys, takePushes } from '#tests/support/push.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const { db, portal, asAna, asAdmin, close } = await openOffice({ hasGateway: false, isStill: true })
afterAll(close)
beforeEach(async () => {
  const { rows } = await db.query<{ id: string }>(`select id from portal.accounts where role = 'admin'`)
  const { p256dh, authText } = makeKeys()
  await addDevice(db, rows[0]!.id, {
    endpoint: 'https://push.example/1',
    keys: { p256dh, auth: authText },
  })
})
afterEach(() =>
  db.exec(
    `delete from public.listings; delete from portal.feed_runs; delete from portal.feed; delete from public.developments;
     delete from portal.push_devices`,
  ),
)

const BASE = '/api/developments/feed'
const runs = createFeedRuns(db)
const readFeed = createReadFeed({ runs, clock: portal.clock, log: silentLog })
const read = (items: readonly FeedItem[], isHourly = true) =>
  readFeed(
    { source: 'address', isHourly, by: isHourly ? null : 'chefe' },
    (async function* () {
      yield Buffer.from(feedOf(items))
    })(),
  )
const apply = (id: number) => asAdmin.call(`${BASE}/runs/${id}/apply`, { except: [] })
const takeOver = async (items: readonly FeedItem[]) => apply((await read(items, false)).id)
type Listing = {
  id: number
  code: string
  title: string
  saleCents: number | null
  bedrooms: number | null
  kept: object
}
const listings = async () => (await asAdmin.call(`${BASE}/listings`)).body['listings'] as Listing[]
const changes = async (run: number) =>
  (await asAdmin.call(`${BASE}/runs/${run}/changes`)).body['changes'] as { code: string; fields: string[] }[]
const pushes = async () => (await takePushes(db)).map(({ title }) => title)
const FOUR = ['A', 'B', 'C', 'D'].map((code) => ({ code, title: `Imóvel de teste ${code}` }))

test('the hourly reading applies prices, texts and photos; other fields, new and gone ones wait and are pushed once', async () => {
  await takeOver(FOUR)
  const later = [
    { ...FOUR[0], price: '610000', bedrooms: '3' },
    { ...FOUR[1], bedrooms: '4' },
    { ...FOUR[2], title: 'Outro título de teste' },
    { code: 'E' },
  ]
  const run = await read(later)
  expect(run.state).toBe('waiting')
  expect(await listings()).toMatchObject([
    { code: 'A', saleCents: 61_000_000, bedrooms: 2 },
    { code: 'B', bedrooms: 2 },
    { code: 'C', title: 'Outro título de teste' },
    { code: 'D', leftFeedAt: null },
  ])
  expect(await changes(run.id)).toMatchObject([
    { code: 'D', kind: 'gone' },
    { code: 'A', kind: 'changed', fields: ['data'] },
    { code: 'B', kind: 'changed', fields: ['data'] },
    { code: 'E', kind: 'new' },
  ])
  expect((await asAdmin.call(BASE)).body['run']).toMatchObject({ added: 1, changed: 2, gone: 1 })
  expect(await pushes()).toEqual(['O feed tem 4 mudanças para conferir'])

  // The same an hour later is no news; one more change is.
  const again = await read(later)
  expect(await changes(again.id)).toHaveLength(4)
  expect(await pushes()).toEqual([])
  const last = await read([...later, { code: 'F' }])
  expect(await pushes()).toEqual(['O feed tem 5 mudanças para conferir'])
  await apply(last.id)
  expect(await listings()).toMatchObject([
    { bedrooms: 3 },
    { bedrooms: 4 },
    { code: 'C' },
    { code: 'E' },
    { code: 'F' },
  ])
  expect((await read([...later, { code: 'F' }])).state).toBe('same')
})

test('a push about changes that were applied meanwhile is dropped, and one about a refused reading says so', async () => {
  await takeOver(FOUR)
  const { id } = await read([...FOUR, { code: 'E' }])
  await apply(id)
  expect(await pushes()).toEqual([])
  await read([{ ...FOUR[0], price: '1' }])
  expect(await pushes()).toEqual(['A leitura do feed foi recusada'])
  expect(await listings()).toMatchObject([{ saleCents: 50_000_000 }, {}, {}, {}, {}])
})

test('a reading that an administrator asked for pushes nothing', async () => {
  await read(FOUR, false)
  expect(await pushes()).toEqual([])
})

const FIELDS = ['title', 'description', 'saleCents', 'rentCents', 'area', 'bedrooms', 'suites', 'bathrooms', 'parking'] // prettier-ignore
const edit = async (change: object) => {
  const [listing] = await listings()
  const wanted = Object.fromEntries(FIELDS.map((field) => [field, Reflect.get(listing!, field)]))
  return asAdmin.call(`${BASE}/listings/${listing!.id}`, { ...wanted, ...change })
}

test('a field edited by hand is kept at later readings, which say so, until it follows the feed again', async () => {
  const one = { code: 'A', price: '500000', bedrooms: '2' }
  await takeOver([one])
  expect((await edit({ saleCents: 48_000_000, bedrooms: 3 })).status).toBe(200)
  expect(await listings()).toMatchObject([
    { saleCents: 48_000_000, bedrooms: 3, kept: { saleCents: 50_000_000, bedrooms: 2 } },
  ])
  expect((await read([one])).state).toBe('same')

  const later = { ...one, price: '510000', bedrooms: '4', title: 'Outro título de teste' }
  const run = await read([later], false)
  expect(await changes(run.id)).toMatchObject([
    {
      code: 'A',
      fields: ['text', 'kept-price', 'kept-data'],
      beforeCents: 48_000_000,
      afterCents: 48_000_000,
    },
  ])
  await apply(run.id)
  expect(await listings()).toMatchObject([
    {
      title: 'Outro título de teste',
      saleCents: 48_000_000,
      bedrooms: 3,
      kept: { saleCents: 51_000_000, bedrooms: 4 },
    },
  ])
  expect((await read([later])).state).toBe('same')

  await edit({ saleCents: 51_000_000 })
  expect(await listings()).toMatchObject([{ saleCents: 51_000_000, bedrooms: 3, kept: { bedrooms: 4 } }])
  await read([{ ...later, price: '520000' }])
  expect(await listings()).toMatchObject([{ saleCents: 52_000_000, bedrooms: 3 }])
})

test('the hourly reading keeps a price edited by hand and remembers what the feed says', async () => {
  await takeOver([{ code: 'A' }])
  await edit({ saleCents: 48_000_000 })
  expect((await read([{ code: 'A', price: '510000' }])).state).toBe('applied')
  expect(await listings()).toMatchObject([{ saleCents: 48_000_000, kept: { saleCents: 51_000_000 } }])
  expect(await pushes()).toEqual([])
})

test('an edit is audited, a repeat is not; wrong fields and others than administrators are refused', async () => {
  await takeOver([{ code: 'A' }])
  const audited = async () =>
    (await db.query(`select from portal.audit_log where action = 'listing.edited' and subject = 'A'`))
      .rowCount
  const before = (await audited()) ?? 0
  for (const _ of [1, 2]) await edit({ title: 'Cobertura com vista' })
  expect(await audited()).toBe(before + 1)
  for (const wrong of [{ title: '' }, { saleCents: 0 }, { bedrooms: 1.5 }, { city: 'Serra' }])
    expect((await edit(wrong)).status).toBe(422)
  const [listing] = await listings()
  expect((await asAna.call(`${BASE}/listings/${listing!.id}`, { title: 'X' })).status).toBe(403)
  expect(await listings()).toMatchObject([{ title: 'Cobertura com vista' }])
})

test.runIf(isDeepRun)(
  'an administrator’s feeds make at most 2,000 developments and 100,000 listings',
  async () => {
    await db.query(
      `insert into public.developments (name) select 'Torre ' || n from generate_series(1, 1999) as n`,
    )
    await takeOver([
      { code: 'A', development: 'Reserva Ipê' },
      { code: 'B', development: 'Vila Bela' },
    ])
    expect((await db.query('select from public.developments')).rowCount).toBe(2_000)
    expect(await listings()).toHaveLength(2)
    await db.query(
      `insert into public.listings (code, business, kind, title, hash, first_seen_at, changed_at, left_feed_at)
     select 'X' || n, 'venda', 'Casa', 'Casa', '', now(), now(), now() from generate_series(1, 99998) as n`,
    )
    const { id } = await read([{ code: 'A' }, { code: 'B' }, { code: 'C' }], false)
    expect(await apply(id)).toMatchObject({ status: 409, body: { error: { code: 'feed.full' } } })
    expect(await listings()).toHaveLength(2)
  },
)
