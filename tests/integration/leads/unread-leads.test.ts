// Unreadable deliveries wait for an administrator; and the actions on an existing source.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeIntakeKey, openIntakeOffice } from '#tests/support/intake-office.ts'
import { makeSeatedRotation, nextNumber } from '#tests/support/rotation.ts'

const { db, portal, ana, asAna, asAdmin } = await openIntakeOffice()

const PAGE = 'https://imobiliaria.example'
const ODD = { cliente: { contatos: ['(11) 95550-7788'], chama: 'Luiz Ramos' }, ref: 7 }
const MAPPING = { number: 'cliente.contatos.0', name: 'cliente.chama', externalId: 'ref' }

const makeKey = (more: object = {}) => makeIntakeKey(asAdmin, { name: 'Portal antigo', ...more })

async function send(key: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await portal.request(`/api/leads?key=${key}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

const change = (id: string, body: object) =>
  asAdmin.request(`/api/leads/keys/${id}`, {
    method: 'PATCH',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const unread = async () =>
  (await asAdmin.call('/api/leads/unread')).body['unread'] as { id: number; fault: string }[]
const names = async () =>
  (await db.query<{ name: string }>('select name from public.whatsapp_contacts order by id')).rows.map(
    ({ name }) => name,
  )
/** The audit log only grows. */
const newestAudit = async () =>
  (await db.query<{ id: number }>('select coalesce(max(id), 0) as id from portal.audit_log')).rows[0]?.id ?? 0
const actions = async (sinceId: number) =>
  (
    await db.query<{ action: string }>(
      `select action from portal.audit_log where id > $1 and action like 'intake%' and action <> 'intake-key.made' order by id`,
      [sinceId],
    )
  ).rows.map(({ action }) => action)
const listed = async () =>
  ((await asAdmin.call('/api/leads/keys')).body['keys'] as Record<string, unknown>[])[0]

describe('an unreadable delivery', () => {
  test('is listed with what was missing, mapped, read again, and gone', async () => {
    const sinceId = await newestAudit()
    const { id, key } = await makeKey()
    expect(await send(key, ODD)).toMatchObject({ status: 202, body: { status: 'kept' } })
    const [stored] = await unread()
    expect(stored).toMatchObject({
      keyId: id,
      keyName: 'Portal antigo',
      kind: 'form',
      fault: 'Sem telefone nem e-mail',
    })
    expect((await asAdmin.call('/api/health')).body).toMatchObject({ intake: { waiting: 0, unread: 1 } })
    expect((await asAdmin.call(`/api/leads/unread/${stored?.id}`)).body).toMatchObject({
      body: JSON.stringify(ODD),
      values: ODD,
    })
    // The portal cannot read the stored lead before an administrator maps the source's fields.
    expect((await asAdmin.call('/api/leads/unread/read', { ids: [stored?.id] })).body).toEqual({
      read: [{ id: stored?.id, name: null, fault: 'Sem telefone nem e-mail' }],
    })
    expect((await change(id, { settings: { mapping: MAPPING } })).status).toBe(200)
    expect((await asAdmin.call('/api/leads/unread/read', { ids: [stored?.id] })).body).toEqual({
      read: [{ id: stored?.id, name: 'Luiz Ramos', fault: null }],
    })
    expect([await unread(), await names()]).toEqual([[], ['Luiz Ramos']])
    expect((await asAdmin.call(`/api/leads/unread/${stored?.id}`)).status).toBe(404)
    // New deliveries are read at once, and a repeat is the same delivery.
    expect((await send(key, ODD)).status).toBe(200)
    expect(await actions(sinceId)).toEqual([
      'intake.seen',
      'intake.read-again',
      'intake-key.changed',
      'intake.read-again',
    ])
  })

  test('is read again in bulk, and deleted', async () => {
    const { id, key } = await makeKey({ perMinute: 300 })
    for (let at = 0; at < 40; at++)
      await send(
        key,
        at % 4 === 0 ? `nada ${at}` : { cliente: { contatos: [nextNumber()], chama: `Lia ${at}` }, ref: at },
      )
    await change(id, { settings: { mapping: MAPPING } })
    const ids = (await unread()).map((one) => one.id)
    expect(ids).toHaveLength(40)
    const { body } = await asAdmin.call('/api/leads/unread/read', { ids })
    expect((body['read'] as { fault: string | null }[]).filter(({ fault }) => fault === null)).toHaveLength(
      30,
    )
    expect(await names()).toHaveLength(30)
    const left = await unread()
    expect(left.map(({ fault }) => fault)).toEqual(
      Array.from({ length: 10 }, () => 'Não é JSON nem formulário'),
    )
    expect(
      (await asAdmin.call('/api/leads/unread/discard', { ids: left.map((one) => one.id) })).body,
    ).toEqual({ count: 10 })
    expect(await unread()).toEqual([])
  })

  test('waits once despite repeats', async () => {
    // Postmark and Mailgun repeat every answer but 200.
    const { key } = await makeKey()
    const half = [{ nome: 'Luiz Ramos', telefone: '(11) 95550-7788' }, ODD]
    for (const body of [ODD, ODD, half, half]) expect((await send(key, body)).status).toBeLessThan(203)
    expect((await unread()).map(({ fault }) => fault)).toEqual([
      'Sem telefone nem e-mail',
      'Sem telefone nem e-mail',
    ])
    expect(await names()).toEqual(['Luiz Ramos'])
  })

  test('is not accessible to a broker or a stranger', async () => {
    const { id, key } = await makeKey()
    await send(key, ODD)
    const ids = (await unread()).map((one) => one.id)
    for (const [address, method, body] of [
      ['/api/leads/unread', 'GET', undefined],
      [`/api/leads/unread/${ids[0]}`, 'GET', undefined],
      ['/api/leads/unread/read', 'POST', { ids }],
      ['/api/leads/unread/discard', 'POST', { ids }],
      [`/api/leads/keys/${id}/address`, 'GET', undefined],
      [`/api/leads/keys/${id}/swap`, 'POST', { operationId: randomUUID() }],
      [`/api/leads/keys/${id}/test`, 'POST', {}],
      [`/api/leads/keys/${id}`, 'PATCH', { isOn: false }],
    ] as const) {
      const asked = { method, ...(body && { body: JSON.stringify(body) }) }
      expect((await asAna.request(address, asked)).status).toBe(403)
      expect((await portal.request(address, asked)).status).toBe(401)
    }
    expect(await unread()).toHaveLength(1)
  })

  test.each([[{}], [{ ids: [] }], [{ ids: ['x'] }], [{ ids: Array.from({ length: 201 }, (_, n) => n + 1) }]])(
    '%o names no delivery',
    async (body) => {
      expect((await asAdmin.call('/api/leads/unread/read', body)).status).toBe(422)
    },
  )
})

describe('a page', () => {
  test('that a key lists may send from a browser, and gets errors about missing fields', async () => {
    const { key } = await makeKey({ settings: { origins: [PAGE] } })
    const asked = await portal.request(`/api/leads?key=${key}`, {
      method: 'OPTIONS',
      headers: { origin: PAGE },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, PAGE])
    const sent = await send(key, { nome: 'Lia', telefone: nextNumber() }, { origin: PAGE })
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([201, PAGE])
    const refused = await send(key, { nome: 'Lia' }, { origin: PAGE })
    expect(refused).toMatchObject({ status: 422, body: { error: { field: 'telefone' } } })
    expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(await unread()).toEqual([])
  })

  test('that no key lists is blocked by browsers, and what it sent is stored', async () => {
    const { key } = await makeKey({ settings: { origins: [PAGE] } })
    for (const [address, origin] of [
      [`/api/leads?key=${key}`, 'https://outra.example'],
      ['/api/leads?key=pc_falsa', PAGE],
      ['/api/leads', PAGE],
    ] as const) {
      const asked = await portal.request(address, { method: 'OPTIONS', headers: { origin } })
      expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
    const sent = await send(key, { nome: 'Lia' }, { origin: 'https://outra.example' })
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([202, null])
  })

  test('whose hidden field was filled by a robot adds nobody, until a person says so', async () => {
    const { key } = await makeKey({ settings: { origins: [PAGE] } })
    const sent = await send(key, { nome: 'Lia', telefone: nextNumber(), pc_confirme: 'x' }, { origin: PAGE })
    expect(sent).toMatchObject({ status: 202, body: { status: 'kept' } })
    expect(await names()).toEqual([])
    const [stored] = await unread()
    expect(stored?.fault).toBe('Parece um robô: preencheu o campo escondido')
    await asAdmin.call('/api/leads/unread/read', { ids: [stored?.id] })
    expect(await names()).toEqual(['Lia'])
  })

  test.each(['imobiliaria.example', 'https://a.example/caminho', '*'])('must not be %s', async (origin) => {
    const made = { operationId: randomUUID(), kind: 'form', name: 'Site', settings: { origins: [origin] } }
    expect((await asAdmin.call('/api/leads/keys', made)).status).toBe(422)
  })
})

describe('a source', () => {
  test('shows its address again, to an administrator, audited', async () => {
    const sinceId = await newestAudit()
    const { id, key, path } = await makeKey()
    expect(path).toBe(`/api/leads?key=${key}`)
    expect((await asAdmin.call(`/api/leads/keys/${id}/address`)).body).toEqual({ id, key, path })
    expect(await actions(sinceId)).toEqual(['intake-key.seen'])
    // A source from before addresses were stored.
    await db.query('update portal.intake_keys set made_in = null')
    expect((await asAdmin.call(`/api/leads/keys/${id}/address`)).status).toBe(409)
    expect((await asAdmin.call(`/api/leads/keys/${randomUUID()}/address`)).status).toBe(404)
  })

  test('is disabled and enabled', async () => {
    const { id, key } = await makeKey()
    expect((await change(id, { isOn: false })).status).toBe(200)
    expect((await send(key, { telefone: nextNumber() })).status).toBe(403)
    expect((await listed())?.['offAt']).not.toBeNull()
    await change(id, { isOn: true })
    expect((await send(key, { telefone: nextNumber() })).status).toBe(201)
    expect((await change(id, { isOn: 'talvez' })).status).toBe(422)
    await asAdmin.call(`/api/leads/keys/${id}/revoke`, {})
    expect((await change(id, { isOn: true })).status).toBe(404)
  })

  test('sends its leads to another development, and keeps its pages', async () => {
    const rotation = await makeSeatedRotation(db, [ana])
    const { id } = await makeKey({ settings: { origins: [PAGE], source: 'site' } })
    await change(id, { settings: { development: rotation.name } })
    expect((await listed())?.['settings']).toEqual({
      origins: [PAGE],
      source: 'site',
      development: rotation.name,
    })
    await change(id, { settings: { development: null } })
    expect((await listed())?.['settings']).toEqual({ origins: [PAGE], source: 'site' })
  })

  test.each(['form', 'olx', 'imovelweb', 'chavesnamao', 'rdstation', 'google', 'email'])(
    '%s is tested with an example body, and nobody is added',
    async (kind) => {
      const rotation = await makeSeatedRotation(db, [ana])
      const { id } = await makeKey({ kind, settings: { development: rotation.name } })
      const { status, body } = await asAdmin.call(`/api/leads/keys/${id}/test`, {})
      expect(status).toBe(200)
      expect(body).toMatchObject({
        roleta: rotation.name,
        fault: null,
        told: { name: 'Marina Tavares', number: '5511955500142' },
      })
      expect(await names()).toEqual([])
      expect(await listed()).toMatchObject({ leads: 0, usedAt: null })
      expect((await listed())?.['testedAt']).not.toBeNull()
    },
  )

  test('reports its usual interval and its last lead', async () => {
    const { key } = await makeKey()
    for (const nome of ['Ana', 'Bia', 'Caio']) {
      await send(key, { nome, telefone: nextNumber() })
      portal.clock.advance(60_000)
    }
    expect(await listed()).toMatchObject({ leads: 3, lastName: 'Caio', gapSeconds: 60, hasAddress: true })
  })

  // Last, because the passing day also ends the administrator's session.
  test('gets another key, and the old one is valid for a day', async () => {
    const { id, key } = await makeKey()
    const operationId = randomUUID()
    for (const _ of [1, 2])
      expect((await asAdmin.call(`/api/leads/keys/${id}/swap`, { operationId })).status).toBe(200)
    const { body } = await asAdmin.call(`/api/leads/keys/${id}/address`)
    expect(body['key']).not.toBe(key)
    const arrive = async (with_: string) => (await send(with_, { telefone: nextNumber() })).status
    expect([await arrive(key), await arrive(String(body['key']))]).toEqual([201, 201])
    portal.clock.advance(24 * 60 * 60_000 + 1)
    expect([await arrive(key), await arrive(String(body['key']))]).toEqual([401, 201])
  })
})
