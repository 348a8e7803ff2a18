// The feed of listings through the whole portal: previews, what is applied, refusals, the hourly reading, photos.
import type { ServerResponse } from 'node:http'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { feedOf, item, type FeedItem } from '#tests/support/feed.ts'
import { openLoopback } from '#tests/support/loopback.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, asAna, asAdmin, close } = await openOffice({
  hasGateway: false,
  env: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' },
})
const server = await openLoopback()
afterAll(async () => {
  await close()
  await server.close()
})
beforeEach(() => {
  server.asked.length = 0
})
afterEach(() =>
  db.exec(
    `delete from public.listings; delete from portal.feed_runs; delete from portal.feed; delete from public.developments;
     delete from portal.media_removals`,
  ),
)

type Run = {
  id: number
  state: string
  fault: string | null
  total: number
  added: number
  changed: number
  gone: number
  problem_count: number
}
type State = {
  run: Run | null
  runs: Run[]
  listings: number
  left: number
  problems: object[] | null
  photos: { stored: number; waiting: number; failed: number; isFull: boolean }
}
const BASE = '/api/developments/feed'
const state = async () => (await asAdmin.call(BASE)).body as unknown as State

async function readFile(file: string, by = asAdmin) {
  const response = await by.request(`${BASE}/file`, { method: 'POST', body: file })
  return {
    status: response.status,
    body: (await response.json()) as { id: number; state: string; error?: { message: string } },
  }
}
const apply = (id: number, except: string[] = [], confirmed?: number) =>
  asAdmin.call(`${BASE}/runs/${id}/apply`, { except, ...(confirmed === undefined ? {} : { confirmed }) })
const changes = async (id: number, query = '') =>
  (await asAdmin.call(`${BASE}/runs/${id}/changes${query}`)).body['changes'] as {
    code: string
    kind: string
    fields: string[]
  }[]
const listings = async (query = '') =>
  (await asAdmin.call(`${BASE}/listings${query}`)).body['listings'] as Record<string, unknown>[]
/** Everything that tells whether a listing was written. */
const written = async () =>
  (await db.query('select code, xmin::text, ctid::text from public.listings order by code')).rows

async function takeOver(items: readonly FeedItem[]) {
  const { body } = await readFile(feedOf(items))
  await apply(body.id)
  return body.id
}
const FOUR = ['A', 'B', 'C', 'D'].map((code) => ({ code, title: `Imóvel de teste ${code}` }))

describe('a file', () => {
  test('changes nothing before it is applied; then its listings are those of the file', async () => {
    const { status, body } = await readFile(
      feedOf([...FOUR.slice(0, 2), { code: 'C', price: 'a combinar' }, { code: '' }]),
    )
    expect([status, body.state]).toEqual([200, 'waiting'])
    expect(await state()).toMatchObject({
      listings: 0,
      run: { total: 3, added: 3, changed: 0, gone: 0, problem_count: 2 },
      problems: [{ code: 'C' }, { code: null }],
    })
    expect((await changes(body.id)).map(({ code, kind }) => [code, kind])).toEqual([
      ['A', 'new'],
      ['B', 'new'],
      ['C', 'new'],
    ])
    expect((await apply(body.id)).body).toEqual({ count: 3 })
    expect(await listings()).toMatchObject([
      {
        code: 'A',
        title: 'Imóvel de teste A',
        business: 'venda',
        saleCents: 50_000_000,
        city: 'Campinas',
        isPublished: false,
      },
      { code: 'B' },
      { code: 'C', saleCents: null, pricedOn: null },
    ])
    expect((await apply(body.id)).status).toBe(409)
  })

  test('that is the same again writes no listing', async () => {
    await takeOver(FOUR)
    const before = await written()
    expect((await readFile(feedOf(FOUR))).body.state).toBe('same')
    expect(await written()).toEqual(before)
    expect((await db.query('select from portal.feed_changes')).rowCount).toBe(0)
  })

  test('shows what changed, what is new and what is gone; left out changes do not happen', async () => {
    await takeOver(FOUR)
    const { body } = await readFile(
      feedOf([
        { code: 'A', title: 'Outro título de teste' },
        { ...FOUR[1], price: '450000' },
        { ...FOUR[2], bedrooms: '3' },
        { code: 'E' },
      ]),
    )
    expect(await changes(body.id)).toMatchObject([
      { code: 'D', kind: 'gone', fields: [], beforeCents: 50_000_000, afterCents: null },
      { code: 'A', kind: 'changed', fields: ['text'] },
      { code: 'B', kind: 'changed', fields: ['price'], beforeCents: 50_000_000, afterCents: 45_000_000 },
      { code: 'C', kind: 'changed', fields: ['data'] },
      { code: 'E', kind: 'new' },
    ])
    expect(await changes(body.id, '?kind=new')).toHaveLength(1)
    expect(await changes(body.id, '?after=B')).toHaveLength(2)
    expect((await apply(body.id, ['D', 'A'])).body).toEqual({ count: 3 })
    expect(await listings()).toMatchObject([
      { code: 'A', title: 'Imóvel de teste A' },
      { code: 'B', saleCents: 45_000_000 },
      { code: 'C' },
      { code: 'D', leftFeedAt: null },
      { code: 'E' },
    ])
  })

  test('a listing that is gone stays, marked, and comes back as the same one', async () => {
    await takeOver(FOUR)
    const [first] = await listings()
    await takeOver(FOUR.slice(1))
    expect(await listings('?filter=left')).toMatchObject([{ code: 'A', id: first?.['id'] }])
    expect((await asAna.call('/rest/v1/listings?select=code')).body).toMatchObject([
      { code: 'B' },
      { code: 'C' },
      { code: 'D' },
    ])
    const { body } = await readFile(feedOf(FOUR))
    expect(await changes(body.id)).toMatchObject([{ code: 'A', kind: 'new', fields: ['back'] }])
    await apply(body.id)
    expect(await listings('?search=teste a')).toMatchObject([{ id: first?.['id'], leftFeedAt: null }])
  })

  test('with fewer than half of before is refused, until the number is typed', async () => {
    await takeOver(FOUR)
    const { body } = await readFile(feedOf([{ ...FOUR[0], price: '1' }]))
    expect(body.state).toBe('refused')
    expect((await state()).run).toMatchObject({
      gone: 3,
      fault: '3 de 4 imóveis sumiriam. Parece um arquivo pela metade, então nada mudou.',
    })
    expect((await apply(body.id)).status).toBe(422)
    expect((await apply(body.id, [], 1)).status).toBe(422)
    expect(await state()).toMatchObject({ listings: 4, left: 0 })
    expect((await apply(body.id, [], 3)).body).toEqual({ count: 4 })
    expect(await state()).toMatchObject({ listings: 1, left: 3 })
  })

  test('exactly half is no refusal; without any listing it is one', async () => {
    await takeOver(FOUR)
    expect((await readFile(feedOf(FOUR.slice(2)))).body.state).toBe('waiting')
    expect((await readFile(feedOf([]))).body.state).toBe('refused')
    expect((await state()).runs.map((run) => run.state)).toEqual(['refused', 'replaced', 'applied'])
  })

  test.each([
    ['cut off', feedOf(FOUR).slice(0, -30), /cortado/],
    [
      'with growing entities',
      `<!DOCTYPE l [<!ENTITY a "x">]>${feedOf([item().replace('Apartamento', '&a;')], '')}`,
      /linha/,
    ],
    ['of another format', '<html></html>', /não é um VRSync/],
    ['empty', '', /vazio|Escolha/],
  ])('%s is refused in words, and the listings stay', async (_, file, words) => {
    await takeOver(FOUR)
    const before = await written()
    const { status, body } = await readFile(file)
    expect([status, body.error?.message]).toEqual([422, expect.stringMatching(words)])
    expect(await written()).toEqual(before)
    expect(await state()).toMatchObject({ run: null, listings: 4, left: 0 })
  })

  test('is not read while another one is', async () => {
    const run = await db.query<{ id: number }>(
      `select portal.begin_feed_run('file', false, 'chefe', now()) as id`,
    )
    expect((await readFile(feedOf(FOUR))).status).toBe(409)
    expect((await asAdmin.call(`${BASE}/read`, {})).status).toBe(409)
    await db.query(`update portal.feed_runs set seen_at = now() - interval '2 minutes' where id = $1`, [
      run.rows[0]?.id ?? 0,
    ])
    expect((await readFile(feedOf(FOUR))).status).toBe(200)
    expect((await state()).runs.map(({ state: ended }) => ended)).toEqual(['waiting', 'failed'])
  })

  test('whose portal was killed is no reading after a minute, and nobody has to begin another one', async () => {
    await db.query(`select portal.begin_feed_run('file', false, 'chefe', now() - interval '2 minutes')`)
    portal.clock.advance(15_000)
    await eventually(async () =>
      expect(await state()).toMatchObject({
        run: null,
        runs: [{ state: 'failed', fault: 'A leitura parou no meio. Nada mudou.' }],
      }),
    )
  })

  test('that comes slowly is still read: the reader reports by itself', async () => {
    const bytes = new TextEncoder().encode(feedOf(FOUR))
    const parts = new TransformStream<Uint8Array, Uint8Array>()
    const writer = parts.writable.getWriter()
    const sent = asAdmin.request(`${BASE}/file`, {
      method: 'POST',
      body: parts.readable,
      // Without its length, the whole body would be waited for.
      headers: { 'content-length': String(bytes.length) },
      duplex: 'half',
    } as RequestInit)
    await writer.write(bytes.subarray(0, 900))
    await eventually(async () => expect((await state()).run).toMatchObject({ state: 'reading' }))
    await db.query(`update portal.feed_runs set seen_at = now() - interval '30 seconds'`)
    portal.clock.advance(15_000)
    await eventually(async () =>
      expect(
        (await db.query(`select from portal.feed_runs where seen_at > now() - interval '20 seconds'`))
          .rowCount,
      ).toBe(1),
    )
    await writer.write(bytes.subarray(900))
    await writer.close()
    expect((await sent).status).toBe(200)
  })
})

test('a development that the feed names gets a record; a title with a name belongs to it, too', async () => {
  await db.query(`insert into public.developments (name) values ('Mirante do Lago')`)
  await takeOver([
    { code: 'A', development: 'Reserva Ipê' },
    { code: 'B', development: 'RESERVA IPE', district: 'Taquaral' },
    { code: 'C', title: 'Apartamento no Mirante do Lago, 2 quartos' },
    { code: 'D' },
  ])
  expect((await listings()).map((one) => one['development'])).toEqual([
    'Reserva Ipê',
    'Reserva Ipê',
    'Mirante do Lago',
    null,
  ])
  expect((await db.query('select from public.developments')).rowCount).toBe(2)
})

describe('the address', () => {
  const save = (address: string | null, isHourly: boolean) =>
    asAdmin.request(BASE, {
      method: 'PUT',
      body: JSON.stringify({ address, isHourly }),
      headers: { 'content-type': 'application/json' },
    })

  /** The next hour; the clock stays, because sessions end. */
  const comeDue = async () => {
    await db.query(`update portal.feed set next_read_at = '2026-01-01'`)
    portal.clock.advance(15_000)
  }

  test.each([
    'http://example.com/feed.xml',
    'https://10.0.0.1/feed.xml',
    'https://localhost/x',
    'file:///etc/passwd',
    'https://a:b@example.com/',
  ])('%s is refused', async (address) => {
    expect((await save(address, true)).status).toBe(422)
  })

  test('is read every hour, by its stamps: changed listings are applied, new and gone ones wait', async () => {
    let file = feedOf(FOUR)
    const sent: (string | undefined)[] = []
    server.answer = (request, response) => {
      sent.push(request.headers['if-none-match'])
      const etag = `"${Buffer.byteLength(file)}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
      response.writeHead(200, { etag }).end(file)
    }
    await takeOver(FOUR)
    expect((await save(`${server.url}/feed.xml`, true)).status).toBe(200)
    await eventually(async () =>
      expect((await state()).runs[0]).toMatchObject({ source: 'address', state: 'same' }),
    )
    await eventually(async () =>
      expect(
        (
          await db.query(
            "select from portal.feed where next_read_at > now() + interval '30 minutes' and attempts = 0",
          )
        ).rowCount,
      ).toBe(1),
    )

    // Nothing changed: the server says so, and no reading is noted.
    await comeDue()
    await eventually(() => expect(sent).toHaveLength(2))
    await eventually(async () =>
      expect((await db.query('select from portal.feed where attempts = 0')).rowCount).toBe(1),
    )
    expect(sent).toEqual([undefined, expect.stringMatching(/^"\d+"$/)])
    expect((await state()).runs).toHaveLength(2)

    file = feedOf([{ ...FOUR[0], price: '610000' }, FOUR[1]!, FOUR[2]!, { code: 'E' }])
    await comeDue()
    await eventually(async () =>
      expect((await state()).run).toMatchObject({ state: 'waiting', changed: 0, added: 1, gone: 1 }),
    )
    expect(await listings()).toMatchObject([
      { code: 'A', saleCents: 61_000_000 },
      { code: 'B' },
      { code: 'C' },
      { code: 'D', leftFeedAt: null },
    ])
    expect((await changes((await state()).run!.id)).map(({ code }) => code)).toEqual(['D', 'E'])
  })

  test('is read again at once after a kill, three times in all', async () => {
    await db.query(
      `insert into portal.feed (address, is_hourly, attempts, next_read_at) values ($1, true, 1, now() + interval '1 hour')`,
      [`${server.url}/feed.xml`],
    )
    const killed = async (attempts: number) => {
      await db.query(`update portal.feed set attempts = $1, next_read_at = now() + interval '15 minutes'`, [
        attempts,
      ])
      await db.query(`select portal.begin_feed_run('address', true, null, now() - interval '2 minutes')`)
      portal.clock.advance(15_000)
    }
    server.answer = (_, response) => void response.writeHead(200).end(feedOf(FOUR))
    await killed(2)
    await eventually(async () =>
      expect((await state()).runs).toMatchObject([{ state: 'waiting', added: 4 }, { state: 'failed' }]),
    )
    await eventually(async () =>
      expect((await db.query('select from portal.feed where attempts = 0')).rowCount).toBe(1),
    )
    await killed(3)
    await eventually(async () =>
      expect(
        (
          await db.query(
            `select from portal.feed where attempts = 0 and next_read_at > now() + interval '50 minutes'`,
          )
        ).rowCount,
      ).toBe(1),
    )
    expect(server.asked).toHaveLength(1)
  })

  test('that an administrator has read shows every change first; a redirect is followed', async () => {
    server.answer = (request, response) =>
      request.url === '/old'
        ? void response.writeHead(302, { location: '/new' }).end()
        : void response.writeHead(200).end(feedOf(FOUR))
    await save(`${server.url}/old`, false)
    expect((await asAdmin.call(`${BASE}/read`, {})).status).toBe(200)
    await eventually(async () => expect((await state()).run).toMatchObject({ state: 'waiting', added: 4 }))
    expect(server.asked).toEqual(['GET /old', 'GET /new'])
    expect((await state()).listings).toBe(0)
  })

  test.each([
    ['an error', (_: unknown, response: ServerResponse) => void response.writeHead(503).end(), /503/],
    [
      'a download that ends early without saying so',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { connection: 'close' })
        response.socket?.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${feedOf(FOUR).slice(0, 900)}`)
      },
      /cortado|caiu/,
    ],
    [
      'a redirect into the own network',
      (_: unknown, response: ServerResponse) =>
        void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      /não é permitido/,
    ],
  ])('%s changes nothing, and the reading says why', async (_, answer, words) => {
    await takeOver(FOUR)
    server.answer = answer
    await save(`${server.url}/feed.xml`, false)
    await asAdmin.call(`${BASE}/read`, {})
    await eventually(async () =>
      expect((await state()).runs[0]).toMatchObject({
        source: 'address',
        state: 'failed',
        fault: expect.stringMatching(words),
      }),
    )
    expect(await state()).toMatchObject({ listings: 4, left: 0 })
  })
})

describe('photos', () => {
  const photo = () =>
    sharp({ create: { width: 1_400, height: 900, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer()
  const pass = async (done: () => Promise<unknown>) =>
    eventually(async () => {
      portal.clock.advance(300)
      await done()
    })

  test('are fetched in three sizes; a broken one is given up, one that does not answer is tried again', async () => {
    const bytes = await photo()
    server.answer = (request, response) => {
      if (request.url === '/1.jpg') response.writeHead(200).end(bytes)
      else if (request.url === '/half.jpg') response.writeHead(200).end(bytes.subarray(0, 900))
      else response.writeHead(500).end()
    }
    await takeOver([{ code: 'A', photos: ['1', 'half', 'gone'].map((name) => `${server.url}/${name}.jpg`) }])
    await pass(async () =>
      expect((await state()).photos).toEqual({ stored: 1, waiting: 1, failed: 1, isFull: false }),
    )
    const { rows } = await db.query(
      `select width, height, size_bytes > 0 as is_stored, whole_id is not null as is_whole, sizes
       from portal.listing_photos where media_id is not null`,
    )
    expect(rows).toEqual([{ width: 1_080, height: 694, is_stored: true, is_whole: true, sizes: 3 }])
    // What failed before is due again, at once instead of later.
    await pass(async () => {
      await db.query(
        `update portal.listing_photos set next_at = '2026-01-01' where next_at is not null and fault is not null`,
      )
      portal.clock.advance(30_000)
      expect((await state()).photos).toMatchObject({ waiting: 0, failed: 2 })
    })
    expect(server.asked.filter((line) => line.endsWith('gone.jpg')).length).toBeGreaterThanOrEqual(3)
  })

  test('that the feed no longer has are deleted from the store, too', async () => {
    const bytes = await photo()
    server.answer = (_, response) => void response.writeHead(200).end(bytes)
    await takeOver([{ code: 'A', photos: [`${server.url}/1.jpg`] }])
    await pass(async () => expect((await state()).photos.stored).toBe(1))
    await takeOver([{ code: 'A', photos: [] }])
    expect((await db.query('select from portal.listing_photos')).rowCount).toBe(0)
    expect((await db.query('select from portal.media_removals')).rowCount).toBe(3)
  })

  test('stored in two sizes before get the third while nothing else is due; one whose address is gone stays', async () => {
    const bytes = await photo()
    server.answer = (request, response) =>
      request.url === '/1.jpg' ? void response.writeHead(200).end(bytes) : void response.writeHead(404).end()
    await takeOver([{ code: 'A', photos: ['1', 'gone'].map((name) => `${server.url}/${name}.jpg`) }])
    await pass(async () => expect((await state()).photos.stored).toBe(1))
    await db.query(
      `update portal.listing_photos set sizes = 2, whole_id = null, fault = null, next_at = null, attempts = 1,
         media_id = coalesce(media_id, $1), thumb_id = coalesce(thumb_id, $1)`,
      ['b'.repeat(64)],
    )
    await pass(async () => {
      await db.query(
        `update portal.listing_photos set next_at = '2026-01-01' where next_at is not null and sizes < 3`,
      )
      portal.clock.advance(30_000)
      const { rows } = await db.query(
        `select whole_id is not null as is_whole, media_id = $1 as is_old, sizes from portal.listing_photos order by place`,
        ['b'.repeat(64)],
      )
      expect(rows).toEqual([
        { is_whole: true, is_old: false, sizes: 3 },
        { is_whole: false, is_old: true, sizes: 3 },
      ])
    })
    expect((await db.query('select from portal.media_removals')).rowCount).toBe(0)
  })

  test('stop once all of them need too much room', async () => {
    await takeOver([{ code: 'A' }])
    await db.query(
      `insert into portal.listing_photos (listing_id, url, place, size_bytes, next_at)
      select l.id, p.url, 1, p.size, p.at from public.listings l,
        (values ('a', 1500000000, null::timestamptz), ('b', 1500000000, null), ('c', 0, now())) as p (url, size, at)`,
    )
    expect((await state()).photos.isFull).toBe(true)
    expect((await db.query('select * from portal.due_photos(now(), 2147483648, 1)')).rowCount).toBe(0)
  })
})

test('brokers and strangers may do none of it', async () => {
  for (const by of [asAna]) {
    expect((await by.call(BASE)).status).toBe(403)
    expect((await readFile(feedOf(FOUR), by)).status).toBe(403)
    expect((await by.call(`${BASE}/read`, {})).status).toBe(403)
  }
  expect((await portal.request(`${BASE}/file`, { method: 'POST', body: feedOf(FOUR) })).status).toBe(401)
  expect((await db.query('select from portal.feed_runs')).rowCount).toBe(0)
})
