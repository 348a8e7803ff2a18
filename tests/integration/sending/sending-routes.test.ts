// From the conversation to the lead's phone and back as delivery ticks, through the whole portal; permissions and
// refusals.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { MAX_BYTES } from '#domain/message/media.ts'
import { DOCX, EXE, HTML, PDF, PNG, WEBM } from '#tests/support/files.ts'
import { openWhatsapp, type Calls } from '#tests/support/whatsapp.ts'
import { makeContact } from '#tests/support/make.ts'
import { areSettled, messagesOf, untilMessages, type OutgoingMessage } from '#tests/support/sending.ts'
import { openOffice } from '#tests/support/office.ts'

const PHONE = '5511955550101'
const UNSUPPORTED =
  'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
await portal.through(asAna.call('/api/instance/connect', {}))
portal.control.scan({ instance: ana.instanceName, number: PHONE })
await portal.through(isOpen())
const { id: contactId } = await makeContact(db, ana.instanceName, { number: '11970000001' })

async function isOpen() {
  while ((await asAna.call('/api/instance?fresh=1')).body['number'] !== PHONE);
}

const fresh = async () => (await makeContact(db, ana.instanceName)).id
const text = (contact: number, words: string, more = {}) => ({
  contactId: contact,
  text: words,
  operationId: randomUUID(),
  ...more,
})
const until = (contact: number, fit: (messages: OutgoingMessage[]) => boolean) =>
  portal.through(untilMessages(db, contact, fit))
const idOf = ({ body }: { body: Record<string, unknown> }) => (body['message'] as { id: number }).id
const all = (delivery: string) => (messages: OutgoingMessage[]) =>
  messages.every((each) => each.delivery === delivery)

function form(message: object, bytes: Uint8Array | null) {
  const body = new FormData()
  body.set('message', JSON.stringify({ operationId: randomUUID(), ...message }))
  if (bytes) body.set('file', new Blob([new Uint8Array(bytes)]), 'upload')
  return body
}
const countOfLines = async () =>
  (await db.query<{ count: number }>('select count(*) as count from public.whatsapp_messages')).rows[0]?.count

test('a text is stored at once, sent, delivered and read', async () => {
  const operationId = randomUUID()
  const { status, body } = await asAna.call(
    '/api/messages/text',
    text(contactId, '  Bom dia! \u0000', { operationId }),
  )
  expect(status).toBe(200)
  expect(body['message']).toMatchObject({
    id: expect.any(Number),
    contact_id: contactId,
    body: 'Bom dia!',
    type: 'outgoing',
    kind: 'text',
    author: 'human',
    delivery: 'queued',
    from_number: PHONE,
    operation_id: operationId,
  })
  portal.control.acks({ instance: ana.instanceName, plan: 'read' })
  expect(await until(contactId, all('read'))).toMatchObject([{ body: 'Bom dia!', delivery_reason: null }])
  const shown = await asAna.call(
    `/rest/v1/whatsapp_messages?contact_id=eq.${contactId}&select=delivery,delivery_reason,operation_id,written_at,remoteJid`,
  )
  expect(shown.body).toEqual([
    {
      delivery: 'read',
      delivery_reason: null,
      operation_id: operationId,
      written_at: null,
      remoteJid: '5511970000001@s.whatsapp.net',
    },
  ])
})

test('a location and a contact are sent, delivered and reported as such, once', async () => {
  const contact = await fresh()
  const place = { latitude: -23.5613, longitude: -46.6565 }
  const card = { contacts: [{ name: 'Rui Prado', phones: ['5511955500777'] }] }
  const send = async (path: string, more: object) => {
    const body = { contactId: contact, operationId: randomUUID(), ...more }
    const first = await asAna.call(path, body)
    expect(await asAna.call(path, body), 'a repeat').toMatchObject({
      status: 200,
      body: { message: { id: idOf(first) } },
    })
  }
  await send('/api/messages/location', { place })
  await send('/api/messages/contact', card)
  await until(contact, all('read'))
  const shown = await asAna.call(
    `/rest/v1/whatsapp_messages?contact_id=eq.${contact}&select=kind,body,content,delivery&order=id`,
  )
  expect(shown.body).toEqual([
    {
      kind: 'location',
      body: '',
      content: { ...place, name: null, address: null, isLive: false },
      delivery: 'read',
    },
    { kind: 'contact', body: 'Rui Prado', content: card, delivery: 'read' },
  ])
})

test.each([
  ['location', { place: { latitude: 91, longitude: 0 } }],
  ['location', {}],
  ['contact', { contacts: [] }],
  ['contact', { contacts: [{ name: ' ', phones: ['5511955500777'] }] }],
  ['contact', { contacts: [{ name: 'Rui', phones: ['não sei'] }] }],
])('an invalid %s is refused, and another broker’s lead is unknown', async (kind, more) => {
  const path = `/api/messages/${kind}`
  const body = { contactId, operationId: randomUUID() }
  expect((await asAna.call(path, { ...body, ...more })).status).toBe(422)
  const right =
    kind === 'location'
      ? { place: { latitude: 0, longitude: 0 } }
      : { contacts: [{ name: 'Rui', phones: ['5511955500777'] }] }
  expect((await asBia.call(path, { ...body, ...right })).status).toBe(404)
})

test('a file is forwarded to another own lead with its caption, once; not to another broker’s, nor a view-once file', async () => {
  const [from, to] = [await fresh(), await fresh()]
  const sent = await asAna.send(
    '/api/messages/media',
    form({ contactId: from, kind: 'image', caption: 'Planta' }, PNG),
  )
  const messageId = idOf(sent)
  await until(from, areSettled)
  const forward = (more = {}) => ({ contactId: to, messageId, operationId: randomUUID(), ...more })
  const once = forward()
  const first = await asAna.call('/api/messages/forward', once)
  expect(first.body['message']).toMatchObject({
    contact_id: to,
    kind: 'image',
    body: 'Planta',
    delivery: 'queued',
  })
  expect(idOf(await asAna.call('/api/messages/forward', once))).toBe(idOf(first))
  expect(await until(to, areSettled)).toMatchObject([{ body: 'Planta', delivery_reason: null }])

  expect((await asBia.call('/api/messages/forward', forward())).status, 'another broker’s lead').toBe(404)
  const { id: toBia } = await makeContact(db, bia.instanceName)
  expect(
    (await asBia.call('/api/messages/forward', forward({ contactId: toBia }))).status,
    'whose file',
  ).toBe(404)
  expect((await asAna.call('/api/messages/forward', forward({ contactId: toBia }))).status, 'to whom').toBe(
    404,
  )
  await db.query(
    `update public.whatsapp_messages set content = content || '{"isViewOnce": true}' where id = $1`,
    [messageId],
  )
  expect((await asAna.call('/api/messages/forward', forward())).status).toBe(404)
})

test('the same operation, repeated in sequence and at once, is one message', async () => {
  const contact = await fresh()
  const again = text(contact, 'Só uma')
  const first = await asAna.call('/api/messages/text', again)
  const others = await Promise.all(Array.from({ length: 5 }, () => asAna.call('/api/messages/text', again)))
  expect(new Set([first, ...others].map(idOf)).size).toBe(1)
  expect(await until(contact, areSettled)).toHaveLength(1)
  // Another account's operation is another one, even with the same id.
  expect((await asAdmin.call('/api/messages/text', again)).status).toBe(200)
  expect(await until(contact, areSettled)).toHaveLength(2)
})

test('a message written offline has its time', async () => {
  const contact = await fresh()
  const writtenAt = new Date(Date.now() - 3_600_000).toISOString()
  const { body } = await asAna.call('/api/messages/text', text(contact, 'Do elevador', { writtenAt }))
  const { written_at: stored } = body['message'] as { written_at: string }
  expect(Date.parse(stored)).toBe(Date.parse(writtenAt))
  await until(contact, areSettled)
})

test("an answer quotes the lead's message", async () => {
  portal.control.receive({
    instance: ana.instanceName,
    from: '5511955550142',
    name: 'Marina',
    text: 'Tem vaga?',
  })
  const arrived = async () => {
    for (;;) {
      const { rows } = await db.query<{ id: number; contact_id: number }>(
        `select id, contact_id from public.whatsapp_messages where body = 'Tem vaga?'`,
      )
      if (rows[0]) return rows[0]
    }
  }
  const question = await portal.through(arrived())
  const { body } = await asAna.call(
    '/api/messages/text',
    text(question.contact_id, 'Tem duas', { quotedMessageId: question.id }),
  )
  expect(body['message']).toMatchObject({ quoted: { isOwn: false, kind: 'text', body: 'Tem vaga?' } })
  await until(question.contact_id, areSettled)
})

describe('files', () => {
  test.each([
    ['image', PNG, 'fachada.png', 'image/png', 'A fachada'],
    ['document', PDF, '../proposta final.pdf', 'application/pdf', 'Segue'],
    [
      'document',
      DOCX,
      'contrato.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      '',
    ],
    ['voice', WEBM, '', 'audio/webm', ''],
  ] as const)('a %s is stored, sent and shown', async (...[kind, bytes, fileName, mimeType, caption]) => {
    const contact = await fresh()
    const { status, body } = await asAna.send(
      '/api/messages/media',
      form({ contactId: contact, kind, fileName, caption, seconds: 3.4 }, bytes),
    )
    expect(status).toBe(200)
    const message = body['message'] as { id: number; content: Record<string, unknown> }
    expect(message).toMatchObject({
      kind: kind === 'voice' ? 'audio' : kind,
      body: caption,
      content: { mimeType, sizeBytes: bytes.byteLength, isVoice: kind === 'voice', seconds: 3 },
    })
    expect(message.content['fileName']).toMatch(/^[^/]+\.\w+$/)
    expect(await until(contact, areSettled)).toMatchObject([
      { delivery: expect.stringMatching(/^(sent|delivered|read)$/) },
    ])
    const link = await asAna.call(`/api/messages/${message.id}/media`, {})
    const shown = await portal.request(String(link.body['url']))
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes)
  })

  test('an unsendable file is refused, and nothing is stored', async () => {
    const before = [await portal.countMedia(), await countOfLines()]
    const refuse = async (message: object, bytes: Uint8Array | null) => {
      const { status, body } = await asAna.send('/api/messages/media', form({ contactId, ...message }, bytes))
      return { status, error: body['error'] }
    }
    const unsupported = { status: 415, error: { code: 'media.unsupported', message: UNSUPPORTED } }
    expect(await refuse({ kind: 'image', fileName: 'foto.jpg' }, EXE)).toEqual(unsupported)
    expect(await refuse({ kind: 'document', fileName: 'a.pdf' }, HTML)).toEqual(unsupported)
    expect(await refuse({ kind: 'image', fileName: 'a.pdf' }, PDF)).toEqual(unsupported)
    expect(await refuse({ kind: 'image' }, Buffer.alloc(0))).toMatchObject({
      status: 422,
      error: { code: 'media.empty' },
    })
    expect(await refuse({ kind: 'image' }, null)).toMatchObject({ status: 422 })
    expect(await refuse({ kind: 'planilha' }, PNG)).toMatchObject({ status: 422 })
    const large = Buffer.concat([PDF, Buffer.alloc(MAX_BYTES.document)])
    expect(await refuse({ kind: 'document', fileName: 'a.pdf' }, large)).toEqual({
      status: 413,
      error: { code: 'media.too-large', message: 'O arquivo é grande demais. O limite é 25 MB.' },
    })
    expect(await refuse({ kind: 'image', contactId: 999_999 }, PNG)).toMatchObject({ status: 404 })
    const tooLong = await asAna.send(
      '/api/messages/media',
      form({ contactId, kind: 'image', caption: 'x'.repeat(1_025) }, PNG),
    )
    expect(tooLong.status).toBe(422)
    expect([await portal.countMedia(), await countOfLines()]).toEqual(before)
  })
})

describe('permissions', () => {
  test('a stranger nothing, another broker nothing, an administrator all', async () => {
    const contact = await fresh()
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(text(contact, 'x')),
    }
    for (const [address, init] of [
      ['/api/messages/text', request],
      ['/api/messages/media', { method: 'POST', body: form({ contactId: contact, kind: 'image' }, PNG) }],
      ['/api/messages/1/retry', request],
      ['/api/messages/1', { method: 'DELETE' }],
    ] as const)
      expect((await portal.request(address, init)).status, address).toBe(401)

    const unknown = {
      status: 404,
      body: { error: { code: 'lead.unknown', message: 'Lead não encontrado.' } },
    }
    expect(await asBia.call('/api/messages/text', text(contact, 'x'))).toMatchObject(unknown)
    expect(
      await asBia.send('/api/messages/media', form({ contactId: contact, kind: 'image' }, PNG)),
    ).toMatchObject(unknown)
    expect(await messagesOf(db, contact)).toEqual([])

    const { status, body } = await asAdmin.call('/api/messages/text', text(contact, 'Aqui é o gerente'))
    expect([status, body['message']]).toMatchObject([
      200,
      { author: 'human', instanceName: ana.instanceName },
    ])
    const [mine] = await until(contact, areSettled)
    const theirs = {
      status: 404,
      body: { error: { code: 'message.unknown', message: 'Mensagem não encontrada.' } },
    }
    expect(await asBia.call(`/api/messages/${mine?.id}/retry`, { operationId: randomUUID() })).toMatchObject(
      theirs,
    )
    expect(await asBia.send(`/api/messages/${mine?.id}`, null, 'DELETE')).toMatchObject(theirs)
  })

  test('a lead without number or broker, and an invalid request, are refused in Portuguese', async () => {
    const { id: numberless } = await makeContact(db, ana.instanceName, { number: null })
    const { id: ownerless } = await makeContact(db, null)
    const refuse = async (calls: Calls, body: unknown) => {
      const answer = await calls.call('/api/messages/text', body)
      return [answer.status, (answer.body['error'] as { code: string }).code]
    }
    expect(await refuse(asAna, text(numberless, 'x'))).toEqual([409, 'lead.no-number'])
    expect(await refuse(asAdmin, text(ownerless, 'x'))).toEqual([409, 'lead.no-owner'])
    expect(await refuse(asAna, text(contactId, ' \n '))).toEqual([422, 'message.empty'])
    expect(await refuse(asAna, text(contactId, 'x'.repeat(10_001)))).toEqual([422, 'message.too-long'])
    expect(await refuse(asAna, text(contactId, 'x', { operationId: 'eu' }))).toEqual([422, 'request.invalid'])
    expect(await refuse(asAna, text(contactId, 'x', { writtenAt: 'ontem' }))).toEqual([
      422,
      'request.invalid',
    ])
    expect(await refuse(asAna, text(contactId, 'x'.repeat(300_000)))).toEqual([413, 'request.too-large'])
    expect(await refuse(asAna, 'x')).toEqual([422, 'request.invalid'])
  })
})

test('deleted while it waits, sent again after it failed', async () => {
  const contact = await fresh()
  portal.control.subscriber({ number: (await numberOf(contact)) ?? '', exists: false })
  await asAna.call('/api/messages/text', text(contact, 'Oi'))
  const [failed] = await until(contact, all('failed'))
  expect(failed).toMatchObject({ delivery_reason: 'not-on-whatsapp' })
  portal.control.subscriber({ number: (await numberOf(contact)) ?? '', exists: true })
  const operationId = randomUUID()
  for (let turn = 0; turn < 2; turn++)
    expect(await asAna.call(`/api/messages/${failed?.id}/retry`, { operationId })).toMatchObject({
      status: 200,
      body: { message: { id: failed?.id } },
    })
  expect(await until(contact, areSettled)).toMatchObject([{ id: failed?.id, delivery_reason: null }])
  expect(await asAna.call(`/api/messages/${failed?.id}/retry`, {})).toMatchObject({ status: 422 })
  expect(await asAna.send(`/api/messages/${failed?.id}`, null, 'DELETE')).toMatchObject({
    status: 409,
    body: { error: { code: 'message.not-queued', message: 'Esta mensagem já saiu da fila.' } },
  })
})

const numberOf = async (contact: number) =>
  (await db.query<{ number: string }>('select number from public.whatsapp_contacts where id = $1', [contact]))
    .rows[0]?.number

test('without a gateway nothing is accepted that could never be sent', async () => {
  const bare = await openWhatsapp(db, { hasGateway: false })
  try {
    const { call } = await bare.enter(`${ana.username}@corretor.local`)
    expect(await call('/api/messages/text', text(contactId, 'x'))).toMatchObject({
      status: 409,
      body: { error: { code: 'gateway.unconfigured', message: 'WhatsApp não configurado' } },
    })
  } finally {
    await bare.close()
  }
})
