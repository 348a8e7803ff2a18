// Leads that come in through the whole portal: by key, by a central instance; who may, and refusals.
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '#server/leads/intake/keys.ts'
import { createRawMaker } from '#server/leads/intake/raw/maker.ts'
import { createRawStore } from '#server/leads/intake/raw/store.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databaseClock, manualClock } from '#tests/support/clock.ts'
import { databasesOf } from '#tests/support/database.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeIntakeKey, openIntakeOffice } from '#tests/support/intake-office.ts'
import { makeAgent, makeBroker, type MadeBroker } from '#tests/support/make.ts'
import { FORM_LEAD } from '#tests/support/form-lead.ts'
import {
  routingCaseOf,
  makeLinkedBroker,
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  ownerOf,
} from '#tests/support/rotation.ts'

const { db, portal, ana, asAna, asAdmin } = await openIntakeOffice()

const makeKey = (more: object = {}) => makeIntakeKey(asAdmin, more)

async function post(address: string, body: BodyInit, headers: Record<string, string>) {
  const response = await portal.request(address, { method: 'POST', body, headers })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}
const send = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  post('/api/leads', JSON.stringify(body), {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    ...headers,
  })
const leads = async () =>
  (
    await db.query<{ id: number; name: string; number: string; source: string; notes: string | null }>(
      'select id, name, number, source, notes from public.whatsapp_contacts order by id',
    )
  ).rows
const raws = async () =>
  (
    await db.query(
      'select body, content_type, fault, next_at is not null as "isDue" from portal.intake_raw order by id',
    )
  ).rows
const intakes = async () =>
  (await db.query('select external_id, development, consent_at, fields from portal.lead_intakes order by id'))
    .rows

describe('a key', () => {
  test('is shown once, adds a lead, and is listed without its secret', async () => {
    const operationId = randomUUID()
    const { id, key } = await makeKey({ operationId, settings: { source: 'site' } })
    // After a lost response, the same operation returns the valid key.
    expect(await makeKey({ operationId, settings: { source: 'site' } })).toMatchObject({ id, key })
    const { status, body } = await send(key, {
      nome: 'Marina Tavares',
      telefone: '(11) 95550-0142',
      mensagem: 'Quero visitar',
      consentAt: '2026-01-02T03:04:05Z',
      quartos: '2',
    })
    expect([status, body['status']]).toEqual([201, 'recebido'])
    expect(await leads()).toMatchObject([
      {
        name: 'Marina Tavares',
        number: '5511955500142',
        source: 'site',
        notes: 'Mensagem do formulário: Quero visitar',
      },
    ])
    expect(await intakes()).toMatchObject([
      { consent_at: '2026-01-02 03:04:05+00', fields: { quartos: '2' } },
    ])
    const listed = await asAdmin.call('/api/leads/keys')
    expect(listed.body['keys']).toMatchObject([{ id, name: 'Site', leads: 1, revokedAt: null }])
    expect(JSON.stringify(listed.body)).not.toContain(key)
    const { rows } = await db.query(
      `select action from portal.audit_log where subject = 'Site' and action = 'intake-key.made'`,
    )
    expect(rows).toHaveLength(1)
  })

  test('is accepted in a form, in x-api-key and in the address', async () => {
    const { key } = await makeKey()
    const form = new URLSearchParams({ name: 'Lia', phone: nextNumber() })
    const asForm = await post(`/api/leads?key=${key}`, form, {})
    expect(asForm.status).toBe(201)
    const data = new FormData()
    data.set('telefone', nextNumber())
    expect((await post('/api/leads', data, { 'x-api-key': key })).status).toBe(201)
    expect(await leads()).toHaveLength(2)
  })

  test('that is unknown, missing or revoked gives no access', async () => {
    const { id, key } = await makeKey()
    const lead = { telefone: nextNumber() }
    for (const wrong of ['', 'pc_falsa', `${key}x`]) expect((await send(wrong, lead)).status).toBe(401)
    expect((await asAdmin.call(`/api/leads/keys/${id}/revoke`, {})).status).toBe(200)
    expect((await asAdmin.call(`/api/leads/keys/${id}/revoke`, {})).status).toBe(200)
    expect(await send(key, lead)).toMatchObject({
      status: 401,
      body: { error: { message: 'A chave de captação não existe ou foi revogada.' } },
    })
    expect(await leads()).toEqual([])
    expect((await asAdmin.call(`/api/leads/keys/${randomUUID()}/revoke`, {})).status).toBe(404)
  })

  test('that is disabled returns an error and stores nothing, until it is enabled again', async () => {
    const { id, key } = await makeKey()
    const turn = async (isOn: boolean) => {
      const asked = { method: 'PATCH', body: JSON.stringify({ isOn }) }
      expect((await asAdmin.request(`/api/leads/keys/${id}`, asked)).status).toBe(200)
    }
    await turn(false)
    const number = nextNumber()
    expect(await send(key, { nome: 'Lia', telefone: number })).toMatchObject({
      status: 403,
      body: { error: { code: 'source.off', message: 'Esta fonte foi desligada em Captação.' } },
    })
    expect([await leads(), await raws()]).toEqual([[], []])
    await turn(true)
    expect((await send(key, { nome: 'Lia', telefone: number })).status).toBe(201)
  })

  test('begins plans only once an administrator switches it on, for leads from then on', async () => {
    const { id } = await makeKey({ settings: { development: 'Mirante' } })
    const stored = async () => {
      const { rows } = await db.query<{ settings: object }>(
        'select settings from portal.intake_keys where id = $1',
        [id],
      )
      return rows[0]?.settings
    }
    const turn = async (startsPlans: boolean, as = asAdmin) => {
      const asked = { method: 'PATCH', body: JSON.stringify({ settings: { startsPlans } }) }
      return (await as.request(`/api/leads/keys/${id}`, asked)).status
    }
    expect(await stored()).not.toHaveProperty('plansSince')
    expect(await turn(true, asAna)).toBe(403)
    expect(await turn(true)).toBe(200)
    expect(await stored()).toEqual({
      development: 'Mirante',
      plansSince: new Date(portal.clock.now()).toISOString(),
    })
    expect(await turn(false)).toBe(200)
    expect(await stored()).toEqual({ development: 'Mirante' })
  })

  test('has a limit per minute', async () => {
    const { key } = await makeKey({ perMinute: 2 })
    const statuses = []
    for (let each = 0; each < 3; each++) statuses.push((await send(key, { telefone: nextNumber() })).status)
    expect(statuses).toEqual([201, 201, 429])
    const refused = await send(key, { telefone: nextNumber() })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    portal.clock.advance(60_000)
    expect((await send(key, { telefone: nextNumber() })).status).toBe(201)
    expect(await leads()).toHaveLength(3)
  })

  test('is not accessible to a broker or a stranger', async () => {
    const { id } = await makeKey()
    const made = { operationId: randomUUID(), kind: 'form', name: 'Minha' }
    for (const [address, body] of [
      ['/api/leads/keys', undefined],
      ['/api/leads/keys', made],
      [`/api/leads/keys/${id}/revoke`, {}],
    ] as const) {
      expect((await asAna.call(address, body)).status).toBe(403)
      const asStranger = await portal.request(address, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(asStranger.status).toBe(401)
    }
  })

  test.each([
    [{ kind: 'form', name: '' }],
    [{ kind: 'other', name: 'x' }],
    [{ kind: 'form', name: 'x', perMinute: 0 }],
    [{ kind: 'form', name: 'x', settings: { mapping: { name: 'a.b.c.d.e.f.g' } } }],
    [{ kind: 'meta', name: 'x' }],
  ])('%o is refused', async (made) => {
    expect((await asAdmin.call('/api/leads/keys', { operationId: randomUUID(), ...made })).status).toBe(422)
  })
})

describe('a lead', () => {
  test('delivered again is one: by its id, by the idempotency key, by its content', async () => {
    const { key } = await makeKey()
    const number = nextNumber()
    const first = await send(key, { telefone: number, lead_id: 'L1' })
    // Even if the sending system corrects the number in between.
    expect(await send(key, { telefone: nextNumber(), lead_id: 'L1' })).toMatchObject({
      status: 200,
      body: { status: 'repetido', id: first.body['id'] },
    })
    const other = { telefone: nextNumber(), mensagem: 'Oi' }
    const byHeader = { 'idempotency-key': 'envio-7' }
    expect((await send(key, other, byHeader)).status).toBe(201)
    expect((await send(key, other, byHeader)).status).toBe(200)
    const plain = { telefone: nextNumber(), mensagem: 'Ainda tem?' }
    expect((await send(key, plain)).status).toBe(201)
    expect((await send(key, plain)).status).toBe(200)
    // After a while the same content counts as new.
    portal.clock.advance(11 * 60_000)
    expect((await send(key, plain)).status).toBe(201)
    expect(await intakes()).toHaveLength(4)
    expect(await leads()).toHaveLength(3)
  })

  test('delivered many times at once is one, even with different numbers', async () => {
    const { key } = await makeKey()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(key, { telefone: nextNumber(), lead_id: 'L9' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 7 }, () => 200),
      201,
    ])
    expect(await intakes()).toHaveLength(1)
    expect(await leads()).toHaveLength(1)
  })

  test('of the same person at once is one, with any form of the number', async () => {
    const { key } = await makeKey()
    const forms = ['11987654321', '(11) 98765-4321', '+5511987654321', '551187654321', '1187654321']
    const answers = await Promise.all(
      forms.map((telefone, index) => send(key, { telefone, lead_id: `F${index}`, nome: 'Lia' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(forms.map(() => 201))
    expect(await leads()).toHaveLength(1)
    const { rows } = await db.query('select from portal.roleta_cases')
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['{"nome":', 'Envie os dados do lead como JSON ou formulário.', null],
    ['[]', 'Envie os dados do lead como JSON ou formulário.', null],
    ['{"nome":"Lia"}', 'Informe o telefone do lead.', 'telefone'],
  ])('%s from a page is refused with a message and changes nothing', async (body, message, field) => {
    const { key } = await makeKey({ settings: { origins: ['https://imobiliaria.example'] } })
    const answer = await post('/api/leads', body, {
      'content-type': 'application/json',
      origin: 'https://imobiliaria.example',
      authorization: `Bearer ${key}`,
    })
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'lead.invalid', message, field } } })
    expect(await leads()).toEqual([])
    expect(await raws()).toEqual([])
  })

  test('from a machine that cannot be read is stored unchanged for a person', async () => {
    const { id, key } = await makeKey()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const odd = Uint8Array.from([0x7b, 0x00, 0xff, 0x7d])
    for (const body of ['{"nome":"Lia"}', odd])
      expect(await post('/api/leads', body, headers)).toMatchObject({ status: 202, body: { status: 'kept' } })
    expect(await raws()).toEqual([
      {
        body: '{"nome":"Lia"}',
        content_type: 'application/json',
        fault: 'Sem telefone nem e-mail',
        isDue: false,
      },
      {
        body: Buffer.from(odd).toString('base64'),
        content_type: 'application/json;base64',
        fault: 'Não é JSON nem formulário',
        isDue: false,
      },
    ])
    expect((await asAdmin.call('/api/leads/keys')).body['keys']).toMatchObject([{ id, unread: 2 }])
    for (const deed of ['read', 'discard'])
      expect((await asAdmin.call(`/api/leads/unread/${deed}`, { ids: [1e300] })).status).toBe(422)
    // At most two hundred per key; beyond that the sender gets an error instead.
    await db.query(
      `insert into portal.intake_raw (key_id, content_type, body, received_at)
       select $1, 'text/plain', 'x', now() - interval '1 hour' from generate_series(3, 200)`,
      [id],
    )
    expect((await post('/api/leads', '{}', headers)).status).toBe(422)
    expect(await raws()).toHaveLength(200)
    expect(await leads()).toEqual([])
  })

  test('stored by a portal that ended before creating the lead is created by the next, once', async () => {
    const { key } = await makeKey()
    const now = new Date(portal.clock.now()).toISOString()
    const { rows } = await db.query<{ kept: { id: number } }>(
      'select kept from portal.keep_intakes($1::jsonb) as kept',
      [
        JSON.stringify([
          {
            hash: Buffer.from(hashKey(key)).toString('hex'),
            raw: {
              contentType: 'application/json',
              repeatKey: 'envio-9',
              body: JSON.stringify({ telefone: nextNumber() }),
            },
            now,
            nextAt: now,
          },
        ]),
      ],
    )
    const id = rows[0]?.kept.id ?? 0
    const makers = databasesOf(db).map((own) =>
      createRawMaker({
        clock: portal.clock,
        log: silentLog,
        store: createRawStore(own),
        onTaken: () => undefined,
      }),
    )
    for (const maker of makers) maker.wake()
    await Promise.all(makers.map((maker) => maker.settled()))
    expect(await raws()).toEqual([])
    expect(await leads()).toHaveLength(1)
    // A created lead is not created again.
    expect(
      await createRawStore(db).take(id, { leads: [FORM_LEAD], fault: null }, portal.clock.now()),
    ).toBeNull()
    expect(await intakes()).toMatchObject([{ external_id: 'envio-9' }])
  })

  test('that the database refuses temporarily is retried, and after all retries kept', async () => {
    const { id, key } = await makeKey()
    await db.exec(`create function public.no_lead() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = 'P0001'; end $$;
      create trigger no_lead before insert on portal.lead_intakes for each row execute function public.no_lead()`)
    try {
      const answer = await send(key, { telefone: nextNumber() })
      expect([answer.status, answer.body]).toEqual([202, { status: 'recebido' }])
      expect(await raws()).toMatchObject([{ fault: 'P0001', isDue: true }])
      await db.query('update portal.intake_raw set attempts = 23, next_at = $1', [
        new Date(portal.clock.now()).toISOString(),
      ])
      const maker = createRawMaker({
        clock: portal.clock,
        log: silentLog,
        store: createRawStore(db),
        onTaken: () => undefined,
      })
      maker.wake()
      await maker.settled()
      expect(await raws()).toMatchObject([{ fault: 'P0001', isDue: false }])
    } finally {
      await db.exec('drop trigger no_lead on portal.lead_intakes; drop function public.no_lead()')
    }
    expect((await asAdmin.call('/api/leads/keys')).body['keys']).toMatchObject([{ id, unread: 1, leads: 0 }])
  })

  test('that cannot even be stored gets an error that asks to retry', async () => {
    const { key } = await makeKey()
    await db.exec('alter table portal.intake_raw rename to intake_raw_away')
    try {
      const answer = await send(key, { telefone: nextNumber() })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    } finally {
      await db.exec('alter table portal.intake_raw_away rename to intake_raw')
    }
    expect((await send(key, { telefone: nextNumber() })).status).toBe(201)
  })

  test('too large is refused', async () => {
    const { key } = await makeKey()
    expect((await send(key, { telefone: nextNumber(), mensagem: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await send(key, { telefone: nextNumber(), mensagem: 'x'.repeat(10 * 1024 * 1024) })).status).toBe(
      413,
    )
    expect(await raws()).toEqual([])
  })

  test('an e-mail’s pictures are not stored, and do not count for its size', async () => {
    const { key } = await makeKey({ kind: 'email' })
    const deliver = async (text: string) => {
      const body = new FormData()
      body.set('text', text)
      body.set('attachment1', new File([randomBytes(400_000)], 'logo.png', { type: 'image/png' }))
      return (await portal.request(`/api/leads?key=${key}`, { method: 'POST', body })).status
    }
    expect(await deliver('Nome: Ana Lima\nTelefone: (11) 95550-0142')).toBe(201)
    expect((await leads())[0]).toMatchObject({ name: 'Ana Lima' })
    // Inbound mail services repeat every answer but 200, so a stored unreadable mail gets 200.
    expect(await deliver('Nome: Bia')).toBe(200)
    const [raw] = (await db.query<{ body: string }>('select body from portal.intake_raw')).rows
    expect(raw?.body.length).toBeLessThan(1_000)
    expect(await deliver('x'.repeat(70_000))).toBe(413)
  })

  test('finds its broker by itself', async () => {
    const rotation = await makeSeatedRotation(db, [ana])
    const { key } = await makeKey({ settings: { development: rotation.name } })
    await send(key, { telefone: nextNumber() })
    const [lead] = await leads()
    while ((await ownerOf(db, lead?.id ?? 0)) !== ana.instanceName)
      await new Promise((resolve) => setImmediate(resolve))
    expect((await asAna.call('/rest/v1/whatsapp_contacts?select=id')).body).toEqual([{ id: lead?.id }])
  })
})

describe('a central instance', () => {
  let central: MadeBroker
  let hook: ReturnType<typeof createWebhook>
  let secret: string
  beforeAll(async () => {
    central = await makeBroker(db)
    secret = await mintWebhookSecret(db.query, central.instanceName)
    hook = createWebhook({
      deliveriesOf,
      db: db,
      log: silentLog,
      clock: databaseClock(),
      storage: portal.parts.storage,
    })
    const marked = await asAdmin.call('/api/roleta/central', {
      instanceName: central.instanceName,
      isCentral: true,
    })
    expect(marked.status).toBe(200)
  })

  let count = 0
  async function write(number: string, text: string, instance = central.instanceName, key = secret) {
    await hook.routes.request(`/${instance}/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        upsert({
          id: `C${++count}`,
          key: { remoteJid: `${number}@s.whatsapp.net` },
          message: { conversation: text },
          sentAt: Math.floor(Date.now() / 1000),
        }),
      ),
    })
    await hook.drained()
  }

  test('it is shown as such among the brokers, until it is changed back', async () => {
    const { instanceName } = central
    for (const isCentral of [false, true]) {
      await asAdmin.call('/api/roleta/central', { instanceName, isCentral })
      const { body } = await asAdmin.call('/api/brokers')
      expect(body).toContainEqual(expect.objectContaining({ instanceName, isCentral }))
    }
  })

  test('the first message is a lead for the development in the link’s text; later ones follow it to its broker', async () => {
    const rotation = await makeSeatedRotation(db, [ana], { text_code: 'MIRANTE7' })
    const number = nextNumber()
    await write(number, 'Olá! Vi o anúncio (mirante7) e quero saber mais.')
    const [lead] = await leads()
    const portal = openDistributor(db, manualClock(Date.now() + 1_000))
    await portal.run()
    expect((await routingCaseOf(db, lead?.id ?? 0)).state).toBe('done')
    expect(await ownerOf(db, lead?.id ?? 0)).toBe(ana.instanceName)
    expect(await intakes()).toMatchObject([{ development: rotation.name }])
    await write(number, 'Ainda está aí?')
    const { rows } = await db.query<{ body: string }>(
      'select body from public.whatsapp_messages where contact_id = $1 order by id',
      [lead?.id ?? 0],
    )
    expect(rows).toHaveLength(2)
    expect(await intakes()).toHaveLength(1)
  })

  test('without a code it belongs to the development of the instance’s agent, else to the administrator', async () => {
    await write(nextNumber(), 'Bom dia')
    const [first] = await leads()
    const portal = openDistributor(db, manualClock(Date.now() + 1_000))
    await portal.run()
    expect((await routingCaseOf(db, first?.id ?? 0)).state).toBe('inbox')
    const rotation = await makeSeatedRotation(db, [ana])
    const agent = await makeAgent(db, {
      empreendimento: rotation.name,
      instanceName: central.instanceName,
    })
    await write(nextNumber(), 'Boa tarde')
    await portal.run()
    expect(await ownerOf(db, (await leads())[1]?.id ?? 0)).toBe(ana.instanceName)
    await db.query('delete from public.prompts_agents where id = $1', [agent.id])
  })

  test('a lead who writes to a broker’s own number is never distributed', async () => {
    await makeSeatedRotation(db, [await makeLinkedBroker(db)], { text_code: 'MIRANTE7' })
    await write(
      nextNumber(),
      'MIRANTE7',
      ana.instanceName,
      await mintWebhookSecret(db.query, ana.instanceName),
    )
    const [lead] = await leads()
    expect(await ownerOf(db, lead?.id ?? 0)).toBe(ana.instanceName)
    const { rows } = await db.query('select from portal.roleta_cases')
    expect(rows).toEqual([])
  })

  test('has no seat, and only an administrator sets it', async () => {
    await makeSeatedRotation(db, [ana])
    const intent = { instanceName: ana.instanceName, isCentral: true }
    expect(await asAdmin.call('/api/roleta/central', intent)).toMatchObject({
      status: 409,
      body: { error: { code: 'central.seated' } },
    })
    expect((await asAna.call('/api/roleta/central', intent)).status).toBe(403)
  })
})
