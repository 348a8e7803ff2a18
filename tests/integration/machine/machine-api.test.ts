// /api/v1 as another system uses it: pages of reads, writes applied once, limits, and grants.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MACHINE_GRANTS } from '#domain/machine.ts'
import { OPERATIONS } from '#server/machine/operations.ts'
import { createMachines, expectContract } from '#tests/support/machine.ts'
import { makeContact, makeDevelopment, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const office = await openOffice({ isStill: true })
const { db, portal, ana, bia, asAdmin, asAna } = office
afterAll(office.close)

const { services, machine } = createMachines(db, portal)
let all: Awaited<ReturnType<typeof machine>>
beforeEach(async () => {
  all = await machine(...MACHINE_GRANTS)
})

describe('reading', () => {
  test('leads come in pages, each once, despite changes meanwhile', async () => {
    await db.query('delete from whatsapp_contacts')
    const made = []
    for (let count = 0; count < 5; count++) made.push((await makeContact(db, ana.instanceName)).id)
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: Record<string, unknown> } = await all.ask(
        `/leads?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      )
      expectContract('listLeads', body)
      const { data, nextCursor } = body as { data: { id: number }[]; nextCursor: string | null }
      seen.push(...data.map(({ id }) => id))
      cursor = nextCursor
      if (seen.length === 2) made.push((await makeContact(db, ana.instanceName)).id)
    }
    expect(seen).toEqual(made)
    await makeContact(db, bia.instanceName)
    const of = async (filter: string) =>
      (await all.ask(`/leads?${filter}`)).body['data'] as unknown as object[]
    expect(await of(`instanceName=${bia.instanceName}`)).toHaveLength(1)
    expect(await of('stage=fechado')).toEqual([])
    expect(await of('updatedFrom=2030-01-01T00:00:00Z')).toEqual([])
  })

  test('one lead, its messages, brokers, rotations and events, as in the contract', async () => {
    await db.query(
      `insert into portal.hooks (name, url, events, secret, secret_tail)
       values ('ERP', 'https://erp.example.com', '{lead.created}', 'x', 'abcd')`,
    )
    const lead = await makeContact(db, ana.instanceName, { name: 'Zuleica' })
    const { id: development } = await makeDevelopment(db, {
      name: 'Mirante do Lago',
      price_from_cents: 48_500_000,
      priced_on: '2026-11-21',
      valid_until: '2026-12-31',
    })
    await makeMessage(db, lead.id, { body: 'Oi', instanceName: ana.instanceName, timestamp: 1_795_000_001 })
    await db.query(`insert into roletas (empreendimento) values ('Mirante')`)
    await db.query(
      `insert into roleta_corretores ("roletaName", "instanceName", ordem) values ('Mirante', $1, 1)`,
      [ana.instanceName],
    )
    const one = await all.ask(`/leads/${lead.id}`)
    expectContract('getLead', one.body)
    expect(one.body).toMatchObject({ id: lead.id, name: 'Zuleica', instanceName: ana.instanceName })
    const messages = await all.ask(`/messages?leadId=${lead.id}`)
    expectContract('listMessages', messages.body)
    expect(messages.body['data']).toMatchObject([{ text: 'Oi', author: 'lead', direction: 'incoming' }])
    const [{ id } = { id: 0 }] = messages.body['data'] as unknown as { id: number }[]
    expectContract('getMessage', (await all.ask(`/messages/${id}`)).body)
    await db.query('update whatsapp_messages set deleted_at = now() where id = $1', [id])
    expect((await all.ask(`/messages/${id}`)).body).toMatchObject({ text: '', isDeleted: true })
    for (const [name, path] of [
      ['listBrokers', '/brokers'],
      ['listRotations', '/rotations'],
      ['listDevelopments', '/developments'],
      ['getDevelopment', `/developments/${development}`],
      ['listEvents', '/events?type=lead.created&limit=1'],
    ] as const) {
      const { body } = await all.ask(path)
      expectContract(name, body)
      expect(body['data']).not.toEqual([])
    }
    await db.query('delete from portal.hooks')
  })

  test('a lead is found by any form of any of its numbers, and by the id of an arrival in another system', async () => {
    const known = { name: 'Nair', phone: '(11) 98550-7711 / (11) 98550-7722', message: 'Tem varanda?' }
    const { body } = await all.ask('/leads', { ...known, externalId: 'ERP 42' })
    const id = Number(body['id'])
    const { externalId: _, ...again } = { ...known, externalId: '', campaign: 'Volta' }
    await (await machine('leads:write')).ask('/leads', { ...again, externalId: 'crm-7' })
    await makeContact(db, ana.instanceName)
    const found = async (query: string) => {
      const { body: page } = await all.ask(`/leads?${query}`)
      expectContract('listLeads', page)
      return (page['data'] as unknown as { id: number }[]).map((lead) => lead.id)
    }
    for (const phone of ['%2B5511985507711', '+5511985507711', '11 8550-7711', '(11) 98550-7722'])
      expect([phone, await found(`phone=${phone}`)]).toEqual([phone, [id]])
    for (const externalId of ['ERP%2042', 'crm-7'])
      expect(await found(`externalId=${externalId}`)).toEqual([id])
    for (const none of ['phone=11985507799', 'externalId=ERP', 'phone=11985507711&externalId=x'])
      expect([none, await found(none)]).toEqual([none, []])
    expect(await found('phone=11985507711&externalId=crm-7&stage=new')).toEqual([id])
    expect((await all.ask(`/leads/${id}`)).body['intakes']).toEqual([
      expect.objectContaining({
        externalId: 'crm-7',
        message: 'Tem varanda?',
        campaign: 'Volta',
        source: 'api',
      }),
      expect.objectContaining({
        externalId: 'ERP 42',
        message: 'Tem varanda?',
        campaign: null,
        source: 'api',
      }),
    ])
  })

  test.each([
    ['/leads?phone=1234', 'phone'],
    ['/leads?externalId=', 'externalId'],
    ['/leads?limit=0', 'limit'],
    ['/leads?limit=101', 'limit'],
    ['/leads?cursor=!!', 'cursor'],
    ['/leads?updatedFrom=ontem', 'updatedFrom'],
    ['/leads?updatedFrom=2026-02-30T00:00:00Z', 'updatedFrom'],
    ['/leads?updatedFrom=2026-11-21T00:00:00%2B23:59', 'updatedFrom'],
    ['/leads?agencia=1', 'agencia'],
    ['/messages', 'leadId'],
  ])('%s names the wrong field, as a problem', async (path, field) => {
    const { status, headers, body } = await all.ask(path)
    expect([status, headers.get('content-type')]).toEqual([422, 'application/problem+json'])
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: `Confira o campo ${field}.`,
      code: 'request.invalid',
    })
  })

  test('a missing object is 404', async () => {
    expect((await all.ask('/leads/999999999')).body).toMatchObject({ status: 404, code: 'lead.unknown' })
    expect((await all.ask('/messages/999999999')).body).toMatchObject({
      status: 404,
      code: 'message.unknown',
    })
  })
})

describe('writing', () => {
  let phones = 0
  const phone = () => `1195${String(phones++).padStart(7, '1')}`

  test('a lead is created once despite repeats, with the token as its source', async () => {
    const key = randomUUID()
    const lead = { name: 'Marina', phone: phone(), message: 'Quero visitar', campaign: 'Outubro' }
    const answers = await Promise.all([1, 2, 3].map(() => all.ask('/leads', lead, { key })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expectContract('createLead', answers[0]?.body)
    const id = Number(answers[0]?.body['id'])
    const { rows } = await db.query(
      `select i.message, i.campaign, i.source, k.name from portal.lead_intakes i join portal.intake_keys k on k.id = i.key_id
       where i.contact_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ message: 'Quero visitar', campaign: 'Outubro', source: 'api', name: 'API: n8n' }])
    const other = await all.ask('/leads', { ...lead, name: 'Outra' }, { key })
    expect(other.body).toMatchObject({ status: 422, code: 'idempotency.reused' })
    const foreign = await (await machine('leads:write')).ask('/leads', { ...lead, name: 'Outra' }, { key })
    expect([foreign.status, foreign.body['id']]).toEqual([201, id])
    const { rows: stored } = await db.query<{ all: string }>(
      'select string_agg(answer::text, $1) as all from portal.machine_writes',
      [''],
    )
    expect(stored[0]?.all).not.toMatch(/Marina|Quero|1195/)
  })

  test('without a key or a phone, with an additional field, or with an invalid day or id, nothing is created', async () => {
    const count = async () => (await db.query('select from whatsapp_contacts')).rows.length
    const before = await count()
    const refused = [
      await all.ask('/leads', { phone: phone() }, { key: null }),
      await all.ask('/leads', { name: 'Sem telefone' }),
      await all.ask('/leads', { phone: phone(), cpf: '1' }),
      await all.ask('/leads', []),
      await all.ask('/leads', { phone: phone(), consentAt: '0000-01-01T00:00:00Z' }),
      await all.ask('/messages', { leadId: 1e300, text: 'Oi' }),
    ]
    expect(refused.map(({ body }) => [body['status'], body['code']])).toEqual([
      [400, 'idempotency.missing'],
      [422, 'lead.invalid'],
      ...Array.from({ length: 4 }, () => [422, 'request.invalid']),
    ])
    expect(await count()).toBe(before)
  })

  test('a disabled source adds nobody', async () => {
    await all.ask('/leads', { phone: phone() })
    await db.query('update portal.intake_keys set off_at = now() where id = $1', [all.service.id])
    expect((await all.ask('/leads', { phone: phone() })).body).toMatchObject({
      status: 403,
      code: 'source.off',
    })
  })

  test('a lead is moved from its expected stage', async () => {
    const lead = await makeContact(db, ana.instanceName)
    const move = (body: object) => all.ask(`/leads/${lead.id}`, body, { method: 'PATCH' })
    const moved = await move({ stage: 'conversa', expectedStage: 'new' })
    expectContract('moveLead', moved.body)
    expect(moved.body).toEqual({ id: lead.id, stage: 'conversa', isMoved: true, isNoted: false })
    const { rows } = await db.query(
      'select changed_by from portal.stage_history where contact_id = $1 and from_status is not null',
      [lead.id],
    )
    expect(rows).toEqual([{ changed_by: 'n8n' }])
    expect((await move({ stage: 'conversa' })).body).toMatchObject({ isMoved: false })
    expect((await move({ stage: 'fechado', expectedStage: 'new' })).body).toMatchObject({
      code: 'lead.moved',
    })
    expect((await move({ stage: 'lua' })).body).toMatchObject({ status: 422, code: 'stage.unknown' })
    expect(
      (await all.ask('/leads/999999999', { stage: 'conversa' }, { method: 'PATCH' })).body,
    ).toMatchObject({ code: 'lead.unknown' })
  })

  test('notes are read and written, over the expected ones only, and never stored with the answer', async () => {
    const lead = await makeContact(db, ana.instanceName)
    const write = (body: object) => all.ask(`/leads/${lead.id}`, body, { method: 'PATCH' })
    const notes = async () => (await all.ask(`/leads/${lead.id}`)).body['notes']
    expect(await notes()).toBe(null)
    const first = await write({ notes: ' Prefere andar alto ', expectedNotes: null })
    expectContract('moveLead', first.body)
    expect(first.body).toEqual({ id: lead.id, stage: 'new', isMoved: false, isNoted: true })
    expect(await notes()).toBe('Prefere andar alto')
    expect((await write({ notes: 'Prefere andar alto' })).body).toMatchObject({ isNoted: false })
    const late = { notes: 'Tem cachorro', expectedNotes: null, stage: 'conversa' }
    expect((await write(late)).body).toMatchObject({ status: 409, code: 'lead.notes-changed' })
    // A refused change leaves the stage where it was.
    expect((await all.ask(`/leads/${lead.id}`)).body).toMatchObject({ stage: 'new' })
    const both = await write({ ...late, expectedNotes: 'Prefere andar alto' })
    expect(both.body).toEqual({ id: lead.id, stage: 'conversa', isMoved: true, isNoted: true })
    expect((await write({ notes: null })).body).toMatchObject({ isNoted: true })
    expect(await notes()).toBe(null)
    for (const wrong of [{}, { expectedStage: 'new', notes: 'x' }, { expectedNotes: 'x', stage: 'new' }])
      expect((await write(wrong)).body).toMatchObject({ status: 422, code: 'request.invalid' })
    const { rows } = await db.query<{ all: string }>(
      `select string_agg(answer::text, '') as all from portal.machine_writes`,
    )
    expect(rows[0]?.all).not.toMatch(/andar|cachorro/)
  })

  test('a text is queued once, does not count as a person’s, and keeps every limit', async () => {
    const lead = await makeContact(db, ana.instanceName)
    const send = (key = randomUUID() as string) =>
      all.ask('/messages', { leadId: lead.id, text: 'Sua visita é amanhã' }, { key })
    const key = randomUUID()
    const answers = [await send(key), await send(key)]
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expectContract('sendMessage', answers[0]?.body)
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const { rows } = await db.query(
      `select m.author, m.delivery, c.first_response_at, c.first_contacted_at
       from whatsapp_messages m join whatsapp_contacts c on c.id = m.contact_id where c.id = $1`,
      [lead.id],
    )
    expect(rows).toEqual([
      { author: 'agent', delivery: 'queued', first_response_at: null, first_contacted_at: null },
    ])
    let last = await send()
    while (last.status === 202) last = await send()
    expect(last.body).toMatchObject({ status: 409, code: 'message.queue-full' })
    expect((await db.query('select from portal.outgoing')).rows).toHaveLength(20)
    await db.query('update portal.people set opted_out_at = now() where id = $1', [lead.person_id])
    expect((await send()).body).toMatchObject({ code: 'lead.opted-out' })
  })
})

describe('permissions', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s needs its grant',
    async (_, { grant, method, path }) => {
      const without = await machine(...MACHINE_GRANTS.filter((other) => other !== grant))
      const address = path.replaceAll(/\{\w+\}/g, '1')
      const asked = await without.ask(address, method === 'get' ? undefined : {}, {
        method: method.toUpperCase(),
      })
      expect(asked.body).toMatchObject({ status: 403, code: 'token.no-grant' })
    },
  )

  test('no broker, administrator or stranger, and no expired or revoked token', async () => {
    for (const person of [asAna, asAdmin])
      expect((await person.call('/api/v1/leads')).body).toMatchObject({ status: 403, code: 'token.person' })
    const nobody = await portal.request('/api/v1/leads')
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    await services.revoke(all.service.id)
    expect((await all.ask('/leads')).body).toMatchObject({ status: 401, code: 'token.refused' })
  })

  test('every answer contains the remaining quota, and beyond it a token waits, others do not', async () => {
    const first = await all.ask('/brokers')
    expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      '"read";q=240;w=60',
      '"read";r=239;t=60',
    ])
    await db.query('update portal.machine_usage set requests = 240 where token_id = $1', [all.service.id])
    portal.clock.advance(20_000)
    const late = await all.ask('/brokers')
    expect([late.status, late.headers.get('retry-after'), late.headers.get('ratelimit')]).toEqual([
      429,
      '40',
      '"read";r=0;t=40',
    ])
    expect((await (await machine('brokers:read')).ask('/brokers')).status).toBe(200)
    portal.clock.advance(40_001)
    expect((await all.ask('/brokers')).status).toBe(200)
  })
})

test('an API key is created and revoked on the screen: shown once, stored as a hash, with its last use', async () => {
  const asked = {
    operationId: randomUUID(),
    name: 'Make',
    grants: ['brokers:read'],
    expiresAt: new Date(portal.clock.now() + 864e5).toISOString(),
  }
  const made = await asAdmin.call('/api/service-tokens', asked)
  expect(made.status).toBe(201)
  const token = String(made.body['token'])
  const ask = async () =>
    (await portal.request('/api/v1/brokers', { headers: { authorization: `Bearer ${token}` } })).status
  expect(await ask()).toBe(200)
  const listed = async () =>
    ((await asAdmin.call('/api/service-tokens')).body as unknown as Record<string, unknown>[]).find(
      ({ id }) => id === asked.operationId,
    )
  expect(await listed()).toMatchObject({
    name: 'Make',
    tail: token.slice(-4),
    usedAt: expect.any(String),
    revokedAt: null,
  })
  const { rows } = await db.query<{ row: string }>('select t::text as row from portal.service_tokens t')
  expect(rows.some(({ row }) => row.includes(token.split('.')[2] ?? ''))).toBe(false)
  expect((await asAdmin.call('/api/service-tokens', asked)).body).toMatchObject({
    error: { code: 'token.made' },
  })
  const far = { ...asked, operationId: randomUUID(), expiresAt: '2050-01-01T00:00:00Z' }
  expect((await asAdmin.call('/api/service-tokens', far)).body).toMatchObject({
    error: { code: 'token.term' },
  })
  expect((await asAdmin.call(`/api/service-tokens/${asked.operationId}/revoke`, {})).status).toBe(200)
  expect(await ask()).toBe(401)
  const { rows: lines } = await db.query(
    `select action, actor from portal.audit_log where subject = 'Make' order by id`,
  )
  expect(lines).toEqual([
    { action: 'service-token.made', actor: 'chefe' },
    { action: 'service-token.revoked', actor: 'chefe' },
  ])
})

test('every error is a problem: unknown addresses, methods, ids and unreadable requests', async () => {
  const knock = async (method: string, path: string, body?: string) => {
    const response = await portal.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${all.token}`, 'idempotency-key': randomUUID() },
      ...(body !== undefined && { body }),
    })
    const problem = (await response.json()) as Record<string, unknown>
    expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'code'])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(problem['status']).toBe(response.status)
    return [response.status, problem['code'], response.headers.get('allow')]
  }
  for (const path of ['', '/nada', '/leads/abc', '/leads/1/x'])
    expect(await knock('GET', path)).toEqual([404, 'route.not-found', null])
  expect(await knock('DELETE', '/leads/1')).toEqual([405, 'route.no-method', 'GET, PATCH'])
  expect(await knock('PUT', '/leads', '{}')).toEqual([405, 'route.no-method', 'GET, POST'])
  expect(await knock('GET', '/leads?stage=%00')).toEqual([400, 'request.invalid', null])
  expect(await knock('POST', '/leads', '{')).toEqual([422, 'request.invalid', null])
  expect(await knock('POST', '/leads', ' '.repeat(70_000))).toEqual([413, 'request.too-large', null])
})

test('openapi.json and its page are public', async () => {
  const document = await portal.request('/api/v1/openapi.json')
  expect(await document.json()).toMatchObject({ openapi: '3.1.0' })
  const page = await portal.request('/api/v1/docs')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
})
