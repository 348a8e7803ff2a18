// From the code on the screen to the lead's message in the open conversation, through the whole portal.
import { byTier } from '#tests/support/runner/tier.ts'
import { afterAll, expect, test } from 'vitest'
import { countDeliveries } from '#server/whatsapp/webhook/inbox.ts'
import { openBase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type Calls, openWhatsapp } from '#tests/support/whatsapp.ts'
import { makeAdmin, makeBroker } from '#tests/support/make.ts'

const PHONE = '5511955550101'
const LEAD = '5511955550142'

const base = await openBase()
const ana = await makeBroker(base.db, { status: 'inativo' })
const bruno = await makeBroker(base.db)
await makeAdmin(base.db, 'chefe')
// A lower limit than the portal's, so that a large file has two megabytes; in the deep tier the portal's own.
const portal = await openWhatsapp(
  base.db,
  byTier(
    {
      deliverySizes: {
        plainBytes: 250_000,
        stringBytes: 500_000,
        fileBytes: 1_500_000,
        textBytes: 2_000_000,
      },
    },
    {},
  ),
)
for (const username of [ana.username, bruno.username, 'chefe']) await portal.setPassword(username)
afterAll(() => portal.close())

const asAna = () => portal.enter(`${ana.username}@corretor.local`)

/** Waits until the link is open with that phone's number: the phone reports the former one first. */
async function linked(call: Calls['call'], number: string) {
  for (;;) {
    const { body } = await call('/api/instance?fresh=1')
    if (body['state'] === 'open' && body['number'] === number) return body
  }
}

test('a code is shown, scanned, and the broker is active with that phone', async () => {
  const { call } = await asAna()
  expect((await call('/api/instance?fresh=1')).body).toMatchObject({ state: 'close', number: null })

  const offer = await portal.through(call('/api/instance/connect', {}))
  expect(offer.body).toMatchObject({ kind: 'code', count: 1, limit: 30, pairingCode: null })
  expect(offer.body['image']).toMatch(/^data:image\/png;base64,/)

  portal.control.scan({ instance: ana.instanceName, number: PHONE })
  expect(await portal.through(linked(call, PHONE))).toMatchObject({ state: 'open', replacedNumber: null })
  const { rows } = await base.db.query(
    'select status, broker_number, "instanceId" from brokers where "instanceName" = $1',
    [ana.instanceName],
  )
  expect(rows[0]).toMatchObject({ status: 'ativo', broker_number: PHONE, instanceId: expect.any(String) })
  expect((await portal.through(call('/api/instance/connect', {}))).body).toEqual({ kind: 'open' })
})

test("a lead's message is notified live, is on the board and is marked read", async () => {
  const { call, events } = await asAna()
  const stream = await events()
  await stream.until(({ kind }) => kind === 'gap')
  portal.control.receive({
    instance: ana.instanceName,
    from: LEAD,
    name: 'Marina',
    text: 'Ainda está disponível?',
  })
  const reported = await portal.through(stream.until(({ kind }) => kind === 'conversation'))
  const contactId = reported.kind === 'conversation' ? reported.contactId : 0

  const board = await call('/rest/v1/rpc/sync_board', { p_instance: ana.instanceName, p_cursor: null })
  expect(board.body['leads']).toMatchObject([
    {
      id: contactId,
      name: 'Marina',
      unread_count: 1,
      last_message: { body: 'Ainda está disponível?', type: 'incoming' },
    },
  ])
  const { body: messages } = await call(
    `/rest/v1/whatsapp_messages?contact_id=eq.${contactId}&select=body,timestamp`,
  )
  const [message] = messages as unknown as { body: string; timestamp: number }[]
  expect(message?.body).toBe('Ainda está disponível?')

  const seen = (upTo: number) => call('/rest/v1/rpc/mark_read', { p_contact_id: contactId, p_up_to: upTo })
  expect((await seen((message?.timestamp ?? 0) - 1)).body).toBe(1)
  expect((await seen(message?.timestamp ?? 0)).body).toBe(0)
  expect((await seen(message?.timestamp ?? 0)).body).toBe(0)
  const other = await portal.enter(`${bruno.username}@corretor.local`)
  expect(
    (await other.call('/rest/v1/rpc/mark_read', { p_contact_id: contactId, p_up_to: 0 })).status,
  ).toBeGreaterThanOrEqual(400)
  await stream.close()
})

test('media is opened by a short-lived address for this session, and by no other broker', async () => {
  const { call, events } = await asAna()
  const stream = await events()
  portal.control.receive({ instance: ana.instanceName, from: LEAD, kind: 'image', text: 'A fachada' })
  await portal.through(stream.until(({ kind }) => kind === 'conversation'))
  await stream.close()
  const { rows } = await base.db.query<{ id: number }>(
    `select id from whatsapp_messages where kind = 'image'`,
  )
  const { status, body } = await portal.through(call(`/api/messages/${rows[0]?.id}/media`, {}))
  expect(status).toBe(200)
  const url = String(body['url'])

  const whole = await portal.request(url)
  expect([whole.status, whole.headers.get('content-type'), whole.headers.get('content-disposition')]).toEqual(
    [200, body['mimeType'], expect.stringMatching(/^inline/)],
  )
  const bytes = await whole.arrayBuffer()
  const part = await portal.request(url, { headers: { range: 'bytes=2-5' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes.byteLength}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(Buffer.from(bytes).subarray(2, 6))
  expect((await portal.request(url, { headers: { range: `bytes=${bytes.byteLength}-` } })).status).toBe(416)

  for (const changed of [
    url.replace('image%2F', 'text%2F'),
    url.replace(/exp=\d/, 'exp=9'),
    url.replace(/sig=(.)/, (_, first) => `sig=${first === '_' ? 'A' : '_'}`),
  ])
    expect((await portal.request(changed)).status, changed).toBe(404)
  const other = await portal.enter(`${bruno.username}@corretor.local`)
  expect((await other.call(`/api/messages/${rows[0]?.id}/media`, {})).status).toBe(404)
  expect((await portal.request(`/api/messages/${rows[0]?.id}/media`, { method: 'POST' })).status).toBe(401)

  portal.clock.advance(10 * 60_000 + 1)
  expect((await portal.request(url)).status).toBe(404)
})

test.each([
  ['text/html', 'pagina.html'],
  ['image/svg+xml', 'desenho.svg'],
  ['application/xhtml+xml', 'x.xhtml'],
  ['image/png; charset=utf-7;text/html', 'foto.png'],
  ['image/png;\r\nset-cookie: a=b', 'foto.png'],
  ['IMAGE/SVG+XML', '../../../etc/passwd'],
  ['', '"\r\nset-cookie: a=b; x=".html'],
])('a file with the type %j is downloaded and never shown', async (mimeType, fileName) => {
  const { call } = await asAna()
  const { rows } = await base.db.query<{ id: number }>(
    `update whatsapp_messages set content = content || jsonb_build_object('mimeType', $1::text, 'fileName', $2::text)
     where kind = 'image' returning id`,
    [mimeType, fileName],
  )
  const { body } = await call(`/api/messages/${rows[0]?.id}/media`, {})
  const { status, headers } = await portal.request(String(body['url']))
  expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
    200,
    'application/octet-stream',
    'nosniff',
  ])
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]*$/)
  expect(headers.get('set-cookie')).toBeNull()
})

test('a file too large for a webhook is reported once, and fetched once when it is opened', async () => {
  const { call, events } = await asAna()
  const bytes = Buffer.alloc(byTier(2_000_000, 50 * 1024 * 1024), 'planta da torre ')
  const file = { base64: bytes.toString('base64'), mimeType: 'application/pdf', fileName: 'planta.pdf' }
  const stream = await events()
  const before = portal.posted.length
  portal.control.receive({ instance: ana.instanceName, from: LEAD, kind: 'document', file })
  await portal.through(stream.until(({ kind }) => kind === 'conversation'))
  await stream.close()
  const { rows } = await base.db.query<{ id: number; content: Record<string, unknown> }>(
    `select id, content from whatsapp_messages where kind = 'document'`,
  )
  expect(rows).toMatchObject([
    { content: { mediaId: null, fileName: 'planta.pdf', sizeBytes: bytes.length } },
  ])
  // The message and its contact's name, each once.
  expect(portal.posted.length - before).toBe(2)

  const files = await portal.countMedia()
  const open = () => call(`/api/messages/${rows[0]?.id}/media`, {})
  const opened = await portal.through(Promise.all([open(), open(), open()]))
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await portal.countMedia()).toBeGreaterThan(files)
  const whole = await portal.request(String(opened[0]?.body['url']))
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
})

test('an ended session invalidates its media addresses', async () => {
  const { call } = await asAna()
  const { rows } = await base.db.query<{ id: number }>(
    `select id from whatsapp_messages where kind = 'image'`,
  )
  const { body } = await call(`/api/messages/${rows[0]?.id}/media`, {})
  expect((await portal.request(String(body['url']))).status).toBe(200)
  await base.db.query('delete from portal.sessions')
  expect((await portal.request(String(body['url']))).status).toBe(404)
  // An empty answer would look as if the broker had no leads.
  expect((await call('/rest/v1/whatsapp_contacts')).status).toBe(401)
  expect((await call('/rest/v1/rpc/sync_board', { p_instance: ana.instanceName })).status).toBe(401)
  expect((await call('/api/instance')).status).toBe(401)
})

test('a message with a lost webhook comes with the next reconnect', async () => {
  const { call, events } = await asAna()
  const stream = await events()
  await stream.until(({ kind }) => kind === 'gap')
  portal.control.webhooks({ instance: ana.instanceName, kind: 'lose', count: 1 })
  portal.control.receive({ instance: ana.instanceName, from: LEAD, text: 'Você recebeu a proposta?' })
  portal.control.dropLink({ instance: ana.instanceName })
  await portal.through(stream.until(({ kind }) => kind === 'conversation'))
  const found = await call('/rest/v1/whatsapp_messages?body=eq.Você recebeu a proposta?&select=type')
  expect(found.body).toEqual([{ type: 'incoming' }])
  await stream.close()
})

test('a link lost without an event is noticed in the next poll, and its return too', async () => {
  const { call, events } = await asAna()
  const stream = await events()
  await stream.until(({ kind }) => kind === 'gap')
  // The gateway's event for this change never arrives.
  portal.control.webhooks({ instance: ana.instanceName, kind: 'lose', count: 3 })
  portal.control.unlink({ instance: ana.instanceName })
  portal.clock.advance(30_000)
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  expect((await call('/api/instance')).body).toMatchObject({ state: 'close', number: PHONE })
  await stream.close()
})

test('a gateway that does not answer is shown on the broker’s screen after the next poll, and its return too', async () => {
  const { call, events } = await asAna()
  const before = (await call('/api/instance')).body['state']
  const stream = await events()
  await stream.until(({ kind }) => kind === 'gap')
  portal.control.down({ on: true })
  await expectSeenByAll(call, 'unreachable')
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  portal.control.down({ on: false })
  await expectSeenByAll(call, before)
  await portal.through(stream.until(({ kind }) => kind === 'link'))
  await stream.close()
})

/**
 * Each portal polls by itself and answers every other call. One that is still polling skips a turn, so that
 * another one is needed.
 */
async function expectSeenByAll(call: Calls['call'], state: unknown) {
  const look = async () => {
    for (const _ of portal.portals)
      expect((await call('/api/instance')).body).toMatchObject({ state, number: PHONE })
  }
  portal.clock.advance(30_000)
  await portal.through(
    eventually(look, 3_000).catch(() => {
      portal.clock.advance(30_000)
      return eventually(look)
    }),
  )
}

test('another phone linked later is shown until the broker has seen it', async () => {
  const { call } = await asAna()
  await portal.through(call('/api/instance/connect', {}))
  portal.control.scan({ instance: ana.instanceName, number: '5511955559999' })
  expect(await portal.through(linked(call, '5511955559999'))).toMatchObject({ replacedNumber: PHONE })
  await call('/api/instance/acknowledge', {})
  expect((await call('/api/instance')).body).toMatchObject({ replacedNumber: null })
  await portal.through(call('/api/instance/disconnect', {}))
  expect((await call('/api/instance')).body).toMatchObject({ state: 'close' })
})

test("nobody can change another broker's link", async () => {
  const { call } = await portal.enter(`${bruno.username}@corretor.local`)
  expect((await call(`/api/instance?instanceName=${ana.instanceName}`)).status).toBe(403)
  expect((await call(`/api/instance/disconnect?instanceName=${ana.instanceName}`, {})).status).toBe(403)
  expect((await portal.request('/api/instance')).status).toBe(401)
  expect((await portal.request('/api/instance/connect', { method: 'POST' })).status).toBe(401)
  const admin = await portal.enter('chefe@admin.local')
  expect((await admin.call(`/api/instance?instanceName=${ana.instanceName}`)).status).toBe(200)
  expect((await admin.call('/api/instance')).status).toBe(404)
  expect(
    (await admin.call(`/api/instance/connect?instanceName=${ana.instanceName}`, { number: 'x' })).status,
  ).toBe(422)
})

test('a wrong secret is refused and nothing is stored', async () => {
  const [address] = portal.posted
  const wrong = (address ?? '').slice(0, -1) + (address?.endsWith('A') ? 'B' : 'A')
  const count = async () => (await base.db.query('select count(*) from whatsapp_messages')).rows
  const before = await count()
  for (const url of [wrong, 'http://portal.test/webhook/corretor_ninguem/x'])
    expect((await portal.request(new URL(url).pathname, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(await count()).toEqual(before)
})

test('an invalid event is accepted, set aside and counted', async () => {
  const address = new URL(portal.posted.at(-1) ?? '').pathname
  expect((await portal.request(address, { method: 'POST', body: '<html>' })).status).toBe(200)
  expect(await countDeliveries(base.db)).toEqual({ waiting: 0, setAside: 1 })
})

test('a report to one portal is notified by each of them', async () => {
  const { call, events } = await asAna()
  const streams = [await events(), await events()]
  for (const stream of streams) await stream.until(({ kind }) => kind === 'gap')
  await portal.through(call('/api/instance/connect', {}))
  portal.control.scan({ instance: ana.instanceName, number: PHONE })
  for (const stream of streams) {
    expect(await portal.through(stream.until(({ kind }) => kind === 'link'))).toEqual({
      kind: 'link',
      instanceName: ana.instanceName,
    })
    await stream.close()
  }
})

test('without a gateway the portal says so and the rest works', async () => {
  const bare = await openWhatsapp(base.db, { hasGateway: false })
  try {
    const { call } = await bare.enter(`${bruno.username}@corretor.local`)
    expect((await call('/api/instance')).body).toMatchObject({ state: 'unconfigured' })
    expect(await call('/api/instance/connect', {})).toMatchObject({
      status: 409,
      body: { error: { code: 'gateway.unconfigured', message: 'WhatsApp não configurado' } },
    })
    expect((await call('/api/health')).body).toMatchObject({ status: 'ok', gateway: 'none' })
  } finally {
    await bare.close()
  }
})
