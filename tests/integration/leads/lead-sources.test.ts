// Every source through the whole portal: its body adds a complete lead once, and a lead with only an e-mail is not
// lost.
import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KINDS, SOURCES, type KeyKind } from '#server/leads/intake/sources.ts'
import { openIntakeOffice } from '#tests/support/intake-office.ts'
import { makeSeatedRotation, nextNumber, ownerOf, routingCaseOf } from '#tests/support/rotation.ts'

const { db, portal, ana, asAna, asAdmin } = await openIntakeOffice()

const SECRETS = { appSecret: 'segredo-do-app', verifyToken: 'token-nosso' }

async function makeKey(kind: KeyKind = 'form', settings: object = {}): Promise<string> {
  const { status, body } = await asAdmin.call('/api/leads/keys', {
    operationId: randomUUID(),
    kind,
    name: kind,
    settings,
    secrets: kind === 'meta' ? SECRETS : {},
  })
  expect(status).toBe(200)
  return String(body['key'])
}

async function send(key: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await portal.request(`/api/leads?key=${key}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const leads = async () =>
  (
    await db.query<{ id: number; number: string | null; email: string | null }>(
      'select id, name, number, email, source, notes from public.whatsapp_contacts order by id',
    )
  ).rows
const count = async (what: string) =>
  (await db.query<{ count: number }>(`select count(*)::integer as count from ${what}`)).rows[0]?.count
const complete = (id: number | undefined, number: string, operationId = randomUUID()) =>
  asAdmin.call(`/api/leads/contacts/${id}/number`, { operationId, number })

test.each(KINDS)(
  '%s: its body adds the person, the advertisement and the delivery’s id; a repeat changes nothing',
  async (kind) => {
    const key = await makeKey(kind)
    const { body } = SOURCES[kind].example
    const first = await send(key, body)
    expect(first).toMatchObject({ status: 201, body: { status: 'recebido' } })
    expect(await send(key, body)).toEqual({ status: 200, body: { status: 'repetido', id: first.body['id'] } })
    expect(await leads()).toMatchObject([
      { name: 'Marina Tavares', number: '5511955500142', email: 'marina@example.com' },
    ])
    const { rows } = await db.query('select number, email, listing from portal.lead_intakes')
    expect(rows).toEqual([
      {
        number: '5511955500142',
        email: 'marina@example.com',
        listing: ['meta', 'google', 'rdstation'].includes(kind) ? null : '4471',
      },
    ])
    expect(await count('portal.intake_raw')).toBe(0)
  },
)

/** The field that identifies a source's delivery, and its next value for the same person. */
const NEXT: Record<KeyKind, readonly [string, string]> = {
  form: ['Quero visitar no sábado.', 'Prefiro no domingo.'],
  olx: ['59ee0fc6e4b043e1b2a6d863', '59ee0fc6e4b043e1b2a6d864'],
  imovelweb: ['e7b2c7f0', 'e7b2c7f1'],
  chavesnamao: ['"12345"', '"12346"'],
  rdstation: ['T14:07:04', 'T15:07:04'],
  google: ['TeSter-123', 'TeSter-124'],
  meta: ['1234567890123456', '1234567890123457'],
  email: ['73e6d360', '73e6d361'],
}

test.each(KINDS)(
  '%s: two deliveries of one person in reverse order: one lead, each counted once',
  async (kind) => {
    const key = await makeKey(kind)
    const { body } = SOURCES[kind].example
    const later: unknown = JSON.parse(JSON.stringify(body).replace(...NEXT[kind]))
    const statuses = []
    for (const told of [later, body, later, body]) statuses.push((await send(key, told)).status)
    expect(statuses).toEqual([201, 201, 200, 200])
    expect(await leads()).toMatchObject([{ name: 'Marina Tavares', number: '5511955500142' }])
    expect(await count('portal.lead_intakes')).toBe(2)
    expect(await count('portal.intake_raw')).toBe(0)
  },
)

test.each(KINDS)('%s: an unreadable body is stored, a too large one refused', async (kind) => {
  const key = await makeKey(kind)
  const nested = '{"a":'.repeat(100) + '1' + '}'.repeat(100)
  const raw = (body: string) =>
    portal.request(`/api/leads?key=${key}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  const statuses = []
  for (const body of [nested, '{"nome":', JSON.stringify({ x: 'x'.repeat(10 * 1024 * 1024) })])
    statuses.push((await raw(body)).status)
  // Inbound mail services repeat every answer but 200.
  const kept = kind === 'email' ? 200 : 202
  expect(statuses).toEqual([kept, kept, 413])
  expect(await leads()).toEqual([])
  expect(await count('portal.intake_raw')).toBe(2)
})

test('one person from three sources is one lead with three origins', async () => {
  const [olx, site, rd] = [await makeKey('olx'), await makeKey('form'), await makeKey('rdstation')]
  await send(olx, SOURCES.olx.example.body)
  await send(site, { nome: 'Marina', whatsapp: '+55 (11) 95550-0142', mensagem: 'Ainda tem?' })
  const { contact, ...event } = SOURCES.rdstation.example.body as { contact: Record<string, unknown> }
  await send(rd, { ...event, contact: { ...contact, personal_phone: null, mobile_phone: null } })
  const [lead, ...others] = await leads()
  expect(others).toEqual([])
  const { body } = await asAdmin.call(`/api/roleta/leads/${lead?.id}`)
  expect(
    (body['courses'] as { intakes: { source: string }[] }[]).flatMap(({ intakes }) =>
      intakes.map(({ source }) => source),
    ),
  ).toEqual(['Viva Real', 'form', 'RD Station'])
})

test('two leads in one body are two, and an unreadable part waits for a person', async () => {
  const key = await makeKey('rdstation')
  const body = {
    leads: [
      { uuid: 'a', name: 'Ana', personal_phone: nextNumber() },
      { uuid: 'b', name: 'Bia', email: 'bia@example.com' },
      { uuid: 'c', name: 'Ninguém' },
    ],
  }
  expect((await send(key, body)).status).toBe(201)
  expect(await leads()).toMatchObject([{ name: 'Ana' }, { name: 'Bia', email: 'bia@example.com' }])
  const { rows } = await db.query('select fault, next_at from portal.intake_raw')
  expect(rows).toEqual([{ fault: 'Sem telefone nem e-mail', next_at: null }])
  expect((await send(key, body)).status).toBe(200)
  expect(await count('public.whatsapp_contacts')).toBe(2)
})

test('Google’s test adds nobody', async () => {
  const key = await makeKey('google')
  expect(await send(key, { ...(SOURCES.google.example.body as object), is_test: true })).toEqual({
    status: 200,
    body: { status: 'teste' },
  })
  expect([await count('public.whatsapp_contacts'), await count('portal.intake_raw')]).toEqual([0, 0])
})

describe('Meta’s own test', () => {
  const deliver = async (value: object) => {
    const { body: made } = await asAdmin.call('/api/leads/keys', {
      operationId: randomUUID(),
      kind: 'meta',
      name: 'Meta',
      secrets: SECRETS,
    })
    const body = JSON.stringify({ entry: [{ changes: [{ field: 'leadgen', value }] }] })
    const response = await portal.request(String(made['path']), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', SECRETS.appSecret).update(body).digest('hex')}`,
      },
    })
    return response.status
  }
  const dummy = { name: 'full_name', values: ['<test lead: dummy data for full_name>'] }

  test.each([
    ['of its webhook', { leadgen_id: '444444444444', form_id: '444444444444' }],
    ['of its form', { leadgen_id: '77', form_id: '9', field_data: [dummy] }],
  ])('%s is answered and shown for its source, and adds nobody', async (_, value) => {
    expect(await deliver(value)).toBe(200)
    expect([await count('public.whatsapp_contacts'), await count('portal.meta_inbox')]).toEqual([0, 0])
    const { body } = await asAdmin.call('/api/leads/keys')
    expect(body['keys']).toMatchObject([{ testedAt: expect.any(String) as string, waiting: 0, failed: 0 }])
  })
})

test('a deal of RD Station CRM is added with any key; a deleted one is accepted, and adds nobody', async () => {
  const key = await makeKey('olx')
  const deal = (part: object = {}) => ({
    event_name: 'crm_deal_created',
    document: {
      id: 'd1',
      name: 'Apto Moema',
      user: { name: 'Bruno', email: 'bruno@example.com' },
      contacts: [{ name: 'Ana', phones: [{ phone: nextNumber() }], emails: [] }],
    },
    ...part,
  })
  expect((await send(key, deal())).status).toBe(201)
  expect(await send(key, deal({ event_name: 'crm_deal_deleted' }))).toEqual({
    status: 200,
    body: { status: 'ignorado' },
  })
  expect(await leads()).toMatchObject([{ name: 'Ana', email: null, source: 'RD Station' }])
  expect(await count('portal.intake_raw')).toBe(0)
})

describe('a lead with only an e-mail', () => {
  const arrive = async (email = 'lia@example.com', more: object = {}) =>
    send(await makeKey('form', { development: 'Mirante' }), { nome: 'Lia', email, ...more })

  test('belongs to the administrator, is listed with it, and is not offered', async () => {
    const rotation = await makeSeatedRotation(db, [ana])
    const key = await makeKey('form', { development: rotation.name })
    expect((await send(key, { nome: 'Lia', email: ' Lia@Example.com' })).status).toBe(201)
    const [lead] = await leads()
    expect(lead).toMatchObject({ number: null, email: 'lia@example.com' })
    expect(await routingCaseOf(db, lead?.id ?? 0)).toMatchObject({ state: 'inbox', holder: null })
    const { body } = await asAdmin.call('/api/roleta/open')
    expect(body['cases']).toMatchObject([
      { name: 'Lia', number: null, email: 'lia@example.com', state: 'inbox' },
    ])
    // Nor when the inbox is sent to a rotation.
    expect((await asAdmin.call('/api/roleta/inbox')).body).toEqual({ inbox: [] })
  })

  test('many times at once is one person', async () => {
    const key = await makeKey()
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        send(key, { lead_id: `L${at}`, nome: 'Lia', email: 'lia@example.com' }),
      ),
    )
    expect(await count('public.whatsapp_contacts')).toBe(1)
    expect(await count('portal.lead_intakes')).toBe(6)
  })

  test('with a number found later is distributed, once', async () => {
    const rotation = await makeSeatedRotation(db, [ana])
    await send(await makeKey('form', { development: rotation.name }), {
      nome: 'Lia',
      email: 'lia@example.com',
    })
    const [lead] = await leads()
    const operationId = randomUUID()
    const answer = await complete(lead?.id, '(11) 95550-0199', operationId)
    expect(answer).toMatchObject({ status: 200, body: { contactId: lead?.id, isKnown: false } })
    expect((await complete(lead?.id, '(11) 95550-0199', operationId)).body).toEqual(answer.body)
    while ((await ownerOf(db, lead?.id ?? 0)) !== ana.instanceName)
      await new Promise((resolve) => setImmediate(resolve))
    expect(await leads()).toMatchObject([{ number: '5511955500199', email: 'lia@example.com' }])
    expect(await count('portal.people')).toBe(1)
    expect((await complete(lead?.id, '(11) 95550-0199')).status).toBe(404)
  })

  test('with the number of an existing lead is merged into it, and stays with its broker', async () => {
    const number = nextNumber()
    await send(await makeKey('form'), { nome: 'Lia Prado', telefone: number })
    const [known] = await leads()
    await db.query('update public.whatsapp_contacts set "instanceName" = $1', [ana.instanceName])
    await arrive()
    const [, lead] = await leads()
    expect((await complete(lead?.id, number)).body).toEqual({ contactId: known?.id, isKnown: true })
    expect(await leads()).toMatchObject([
      { id: known?.id, name: 'Lia Prado', number, email: 'lia@example.com' },
    ])
    expect(await ownerOf(db, known?.id ?? 0)).toBe(ana.instanceName)
    expect(await count('portal.lead_intakes')).toBe(2)
  })

  test('is found by the e-mail for an erasure, with its unreadable deliveries', async () => {
    await arrive('lia.prado@example.com')
    const [lead] = await leads()
    const unread = (text: string) =>
      db.query(
        `insert into portal.intake_raw (key_id, content_type, body, received_at, fault)
         select id, 'text/plain', $1, now(), 'x' from portal.intake_keys limit 1`,
        [text],
      )
    await unread('{"e":"LIA.PRADO@example.com","f":1')
    await unread('{"e":"julia.prado@example.com"')
    await unread('{"e":"liaxprado@example.com"')
    const erased = await asAdmin.call('/api/people/erase', { operationId: randomUUID(), contactId: lead?.id })
    expect(erased.status).toBe(200)
    expect([await leads(), await count('portal.intake_raw')]).toEqual([[], 2])
  })

  test('is completed only by an administrator', async () => {
    await arrive()
    const [lead] = await leads()
    const asked = { operationId: randomUUID(), number: nextNumber() }
    expect((await asAna.call(`/api/leads/contacts/${lead?.id}/number`, asked)).status).toBe(403)
    const stranger = await portal.request(`/api/leads/contacts/${lead?.id}/number`, {
      method: 'POST',
      body: JSON.stringify(asked),
    })
    expect(stranger.status).toBe(401)
    for (const wrong of [{ ...asked, number: '95550' }, { ...asked, operationId: 'x' }, {}])
      expect((await asAdmin.call(`/api/leads/contacts/${lead?.id}/number`, wrong)).status).toBe(422)
    expect(await leads()).toMatchObject([{ number: null }])
  })
})
