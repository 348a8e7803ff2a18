// The stories of a broker's day with WAHA as the gateway, through the whole portal.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { openOffice } from '#tests/support/office.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const PHONE = '5511955550101'
const MARINA = '5511955550142'
const LID = '99887766554433'

let office: Awaited<ReturnType<typeof openOffice>>
beforeAll(async () => {
  office = await openOffice({ kind: 'waha' })
})
afterAll(() => office.close())

const instance = () => office.ana.instanceName
const rows = async <T extends object>(sql: string, values: (string | number)[] = []) =>
  (await office.db.query<T & Record<string, unknown>>(sql, values)).rows
type Line = {
  id: number
  body: string
  kind: string
  type: string
  delivery: string | null
  content: unknown
  author: string
}
const lines = (number = MARINA) =>
  rows<Line>(
    `select m.id, m.body, m.kind, m.type, m.delivery, m.content, m.author from public.whatsapp_messages m
    join public.whatsapp_contacts c on c.id = m.contact_id where c.number = $1 order by m.id`,
    [number],
  )
const last = async () => (await lines()).at(-1)
/** Marina writes a message, and the portal applies everything that follows. */
async function says(arrival: Partial<Parameters<typeof office.portal.control.receive>[0]> = {}) {
  const id = office.portal.control.receive({ instance: instance(), from: MARINA, name: 'Marina', ...arrival })
  await office.portal.told()
  return id
}
/** Advances the clocks of both sides until `isSo` holds. */
const until = (isSo: () => Promise<boolean>) =>
  office.portal.through(
    eventually(async () => {
      if (await isSo()) return
      office.portal.clock.advance(1_000)
      throw new Error('not yet')
    }),
  )
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function contactId() {
  const [found] = await rows<{ id: number }>('select id from public.whatsapp_contacts where number = $1', [
    MARINA,
  ])
  return found?.id ?? 0
}
const write = async (text: string) =>
  office.asAna.call('/api/messages/text', { contactId: await contactId(), text, operationId: randomUUID() })

test('a code is shown and scanned, and the broker is active with that phone', async () => {
  const offer = await office.portal.through(office.asAna.call('/api/instance/connect', {}))
  expect(offer.body).toMatchObject({ kind: 'code', image: expect.stringMatching(/^data:image\/png;base64,/) })
  office.portal.control.scan({ instance: instance(), number: PHONE })
  await until(async () => (await office.asAna.call('/api/instance?fresh=1')).body['state'] === 'open')
  expect(
    await rows('select status, broker_number from brokers where "instanceName" = $1', [instance()]),
  ).toEqual([{ status: 'ativo', broker_number: PHONE }])
})

test('an open link is not restarted when its broker asks to connect', async () => {
  const { portal, asAna } = office
  await portal.told()
  const before = portal.posted.length
  expect((await portal.through(asAna.call('/api/instance/connect', {}))).body).toEqual({ kind: 'open' })
  await portal.told()
  // A restart is reported.
  expect(portal.posted.length).toBe(before)
})

test("a lead's text arrives once, and the answer with its state", async () => {
  await says({ text: 'Ainda está disponível?' })
  expect(await lines()).toMatchObject([{ body: 'Ainda está disponível?', type: 'incoming' }])
  expect((await write('Sim! Quer visitar?')).status).toBe(200)
  await until(async () => (await last())?.delivery === 'delivered')
  office.portal.control.acks({ instance: instance(), plan: 'read' })
  expect(await lines()).toHaveLength(2)
})

test('a text typed on the phone is in the conversation, as a person’s', async () => {
  await says({ text: 'Chego em cinco minutos', fromMe: true })
  expect(await last()).toMatchObject({ body: 'Chego em cinco minutos', type: 'outgoing', author: 'human' })
})

test('of two equal texts without an answer, each gets its own report, by the id that we chose', async () => {
  const { control, told } = office.portal
  const before = (await lines()).length
  const own = async () =>
    (
      await rows<{ delivery: string; is_own: boolean }>(
        `select m.delivery, m.message_id = portal.own_message_id(m) as is_own from public.whatsapp_messages m
        join public.whatsapp_contacts c on c.id = m.contact_id where c.number = $1 order by m.id offset $2`,
        [MARINA, before],
      )
    ).map(({ delivery, is_own: isOwn }) => ({ delivery, isOwn }))
  control.acks({ instance: instance(), plan: 'none' })
  control.nextSend({ instance: instance(), effect: 'timed-out-sent', times: 2 })
  control.webhooks({ instance: instance(), kind: 'reorder', count: 2 })
  await write('Oi?')
  await until(async () => (await last())?.delivery === 'unknown')
  expect(await own()).toEqual([{ delivery: 'unknown', isOwn: null }])
  await write('Oi?')
  await until(async () => (await own()).every(({ isOwn }) => isOwn))
  await told()
  expect(await own()).toEqual([
    { delivery: 'sent', isOwn: true },
    { delivery: 'sent', isOwn: true },
  ])
  control.acks({ instance: instance(), plan: 'read' })
})

test.each([
  ['a picture', 'image', 'image/jpeg', 20_000],
  ['a file of sixty megabytes', 'document', 'application/pdf', byTier(2, 60) * 1024 * 1024],
] as const)(
  '%s is stored when it comes, under no address of the server',
  async (_, kind, mimeType, size) => {
    const bytes = Buffer.alloc(size, 'portal')
    await says({
      kind,
      text: '',
      file: { base64: bytes.toString('base64'), mimeType, fileName: 'planta.pdf' },
    })
    const message = await last()
    expect(message).toMatchObject({ kind, content: { mediaId: expect.any(String), sizeBytes: size } })
    expect(JSON.stringify(message)).not.toContain('localhost:3000')
    const { body } = await office.asAna.call(`/api/messages/${message?.id}/media`, {})
    const opened = await office.portal.request(String(body['url']))
    expect(sha(new Uint8Array(await opened.arrayBuffer()))).toBe(sha(bytes))
  },
  120_000,
)

test('a file that the server no longer has is fetched when it is opened', async () => {
  office.portal.control.webhooks({ instance: instance(), kind: 'delay', count: 1, delayMs: 200_000 })
  const file = { base64: '/9j/2Q==', mimeType: 'image/jpeg' }
  office.portal.control.receive({ instance: instance(), from: MARINA, kind: 'image', file })
  office.portal.phoneClock.advance(200_001)
  await until(
    async () => (await last())?.kind === 'image' && JSON.stringify(await last()).includes('"mediaId":null'),
  )
  const { status, body } = await office.portal.through(
    office.asAna.call(`/api/messages/${(await last())?.id}/media`, {}),
  )
  expect(status).toBe(200)
  const opened = await office.portal.request(String(body['url']))
  expect(Buffer.from(await opened.arrayBuffer()).toString('base64')).toBe(file.base64)
})

test('an album is a head, which no one sees, and its photos', async () => {
  const before = (await lines()).length
  const id = await says({ kind: 'album', text: '2' })
  for (const text of ['sala', 'cozinha']) await says({ kind: 'album-photo', text, target: { id } })
  expect((await lines()).slice(before)).toMatchObject([
    { body: 'sala', kind: 'image', content: { albumId: id, mediaId: expect.any(String) } },
    { body: 'cozinha', kind: 'image', content: { albumId: id } },
  ])
})

test('the lead edits a text, reacts, and deletes it; the broker edits and deletes an own one', async () => {
  const id = await says({ text: 'Pode às 10h?' })
  office.portal.control.edit({ instance: instance(), id, text: 'Pode às 11h?' })
  await office.portal.told()
  expect(await last()).toMatchObject({ body: 'Pode às 11h?' })
  office.portal.control.revoke({ instance: instance(), id })
  await office.portal.told()
  expect(await last()).toMatchObject({ kind: 'deleted' })

  await write('Combinado')
  await until(async () => (await last())?.delivery === 'read')
  const message = await last()
  const change = async (name: string, rest: object) =>
    office.asAna.call(`/rest/v1/rpc/${name}`, {
      p_contact_id: await contactId(),
      p_message_id: message?.id,
      p_operation_id: randomUUID(),
      ...rest,
    })
  expect((await change('message_edit', { p_text: 'Combinado!' })).status).toBe(200)
  await until(async () => (await last())?.body === 'Combinado!')
  expect((await change('message_delete', {})).status).toBe(200)
  await until(async () => (await last())?.kind === 'deleted')
})

test('a lead behind a hidden id gets the number as soon as the server knows it', async () => {
  const from = '5511955550188'
  await says({ from, name: 'Oculta', text: 'Oi', addressing: 'lid', lid: LID })
  expect(await lines(from)).toEqual([])
  office.portal.control.subscriber({ number: from, lid: LID })
  await says({ from, name: 'Oculta', text: 'Alguém aí?', addressing: 'lid', lid: LID })
  office.portal.clock.advance(61_000)
  await until(async () => (await lines(from)).length === 2)
  expect(await rows('select count(*) as many from public.whatsapp_contacts')).toEqual([{ many: 2 }])
})

test('a call that nobody takes is missed, though its end is never told', async () => {
  const call = { instance: instance(), from: MARINA, isVideo: true }
  const id = office.portal.control.call({ ...call, status: 'offer' })
  office.portal.control.call({ ...call, id, status: 'timeout' })
  await office.portal.told()
  expect(await last()).not.toMatchObject({ kind: 'call' })
  await office.db.query(`select portal.end_calls(now() + interval '3 minutes')`)
  expect(await last()).toMatchObject({ kind: 'call', type: 'incoming', content: { isVideo: true } })
})

test('what came and left during three minutes without the gateway is read back, once', async () => {
  const before = (await lines()).length
  office.portal.control.webhooks({ instance: instance(), kind: 'lose', count: 3, delayMs: 0 })
  for (const text of ['um', 'dois', 'três']) await says({ text })
  office.portal.control.down({ on: true })
  office.portal.clock.advance(180_000)
  expect((await write('Ainda está aí?')).status).toBe(200)
  await until(async () => (await last())?.delivery === 'queued')
  office.portal.control.down({ on: false })
  office.portal.clock.advance(600_000)
  await until(
    async () =>
      (await lines()).length === before + 4 && (await lines()).every(({ delivery }) => delivery !== 'queued'),
  )
  expect(
    (await lines())
      .map(({ body }) => body)
      .toSorted()
      .slice(-4),
  ).toHaveLength(4)
  office.portal.clock.advance(600_000)
  await office.portal.told()
  expect(
    (await lines())
      .slice(before)
      .map(({ body }) => body)
      .toSorted(),
  ).toEqual(['Ainda está aí?', 'dois', 'três', 'um'].toSorted())
})

test('a delivery without its signature, or with that of another body, is refused', async () => {
  const delivered = office.portal.posted.findLast((url) => url.includes(instance())) ?? ''
  const body = JSON.stringify({ event: 'message.any', payload: {} })
  for (const signature of ['', 'abcd', 'f'.repeat(128)]) {
    const headers = { 'content-type': 'application/json', 'x-webhook-hmac': signature }
    const { pathname } = new URL(delivered)
    expect((await office.portal.request(pathname, { method: 'POST', headers, body })).status).toBe(401)
  }
  expect(await rows('select from portal.webhook_aside')).toEqual([])
})
