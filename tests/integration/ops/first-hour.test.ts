// The first hour: the WhatsApp gateway entered on the screen, tested, stored encrypted; and the progress of each step.
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { type Claims, onBehalf } from '#server/db/as-user.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createStoredGateways } from '#server/whatsapp/gateway/stored-gateway.ts'
import { startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { createFirstHour } from '#server/ops/first-hour.ts'
import { openBase } from '#tests/support/database.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeAdmin, makeBroker, makeContact, makeMessage, signIn, signInAdmin } from '#tests/support/make.ts'
import { openWhatsapp } from '#tests/support/whatsapp.ts'

const SECRET = 'ein anderes Geheimnis von 32 Zeichen'

const base = await openBase()
const simulator = await startSimulator({ clock: systemClock })
const portal = await openWhatsapp(base.db, { hasGateway: false })
const chief = await makeAdmin(base.db)
await portal.setPassword(chief.username)
const email = `${chief.username}@admin.local`
const admin = await portal.enter(email)
afterAll(async () => {
  await portal.close()
  await simulator.stop()
})

const put = async (url: string, apiKey: string) => {
  const answer = await admin.request('/api/gateway', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, apiKey }),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { code: string; message: string } },
  }
}
const stored = async () =>
  (
    await base.db.query<{ value: { url: string; sealed: string } }>(
      `select value from portal.settings where key = 'gateway'`,
    )
  ).rows[0]?.value
const gateways = async (asker = admin) => {
  const { body } = await asker.call('/api/gateway')
  const listed = body['gateways'] as {
    kind: string
    source: string
    url: string | null
    health: string | null
  }[]
  return listed
    .filter(({ kind }) => kind === 'evolution')
    .map(({ kind, source, url, health }) => ({ kind, source, url, health }))
}
const steps = async () => (await admin.call('/api/first-hour')).body

test('an address without a gateway, or one that refuses the key, is reported and changes nothing', async () => {
  for (const [url, apiKey, code] of [
    ['evolution.example', 'k', 'gateway.invalid'],
    ['ftp://evolution.example', 'k', 'gateway.invalid'],
    ['https://k:k@evolution.example', 'k', 'gateway.invalid'],
    [simulator.url, '', 'gateway.invalid'],
    [simulator.url, 'duas palavras', 'gateway.invalid'],
    ['http://127.0.0.1:9', 'k', 'gateway.unreachable'],
    [simulator.url, 'errada', 'gateway.unauthorized'],
  ] as const) {
    const { status, body } = await put(url, apiKey)
    expect([status, body.error?.code]).toEqual([422, code])
    expect(body.error?.message).toMatch(/^[A-Z]/)
  }
  expect(await stored()).toBeUndefined()
  expect(await gateways()).toEqual([{ kind: 'evolution', source: 'none', url: null, health: null }])
})

test('a tested address is stored encrypted, audited, and readable by this portal only', async () => {
  expect((await put(`${simulator.url}/`, simulator.apiKey)).status).toBe(200)
  const row = await stored()
  expect(row?.url).toBe(simulator.url)
  expect(JSON.stringify(row)).not.toContain(simulator.apiKey)
  const { rows } = await base.db.query(
    `select action, subject from portal.audit_log where action = 'gateway.changed'`,
  )
  expect(rows).toEqual([{ action: 'gateway.changed', subject: new URL(simulator.url).host }])
  const stranger = createStoredGateways({ db: base.db, clock: systemClock, log: silentLog }, SECRET)
  expect((await stranger.read()).addresses.size).toBe(0)

  // The portal restarted over the same database.
  const next = await openWhatsapp(base.db, { hasGateway: false })
  const chief = await next.enter(email)
  expect(await gateways(chief)).toMatchObject([{ kind: 'evolution', source: 'kept', url: simulator.url }])
  const added = await chief.call('/api/brokers', { operationId: crypto.randomUUID(), username: 'novata' })
  expect(added.status).toBe(200)
  const gateway = createEvolutionGateway({
    baseUrl: simulator.url,
    apiKey: simulator.apiKey,
    clock: systemClock,
    log: silentLog,
  })
  expect((await gateway.listInstances()).map(({ instanceName }) => instanceName)).toEqual(['corretor_novata'])
  await next.close()
})

test('each step reports its progress', async () => {
  expect(await steps()).toMatchObject({
    brokers: 1,
    broker: { instanceName: 'corretor_novata', hasPassword: false, isLinked: false, isTold: false },
    sources: 0,
    lead: null,
  })
  const ana = await makeBroker(base.db)
  await base.db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
     on conflict ("instanceName") do update set state = 'open'`,
    [ana.instanceName],
  )
  const claims = await signIn(base.db, ana)
  await base.db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, 'https://push.example/1', 'x', 'x', 'Celular')`,
    [String(claims['session_id'])],
  )
  await base.db.query('update public.brokers set central_since = now() where "instanceName" = $1', [
    ana.instanceName,
  ])
  expect(await steps()).toMatchObject({
    brokers: 2,
    broker: { instanceName: ana.instanceName, isLinked: true, isTold: true },
    sources: 1,
  })

  const wrote = Math.floor(Date.now() / 1000) - 600
  const { id } = await makeContact(base.db, ana.instanceName, { name: 'Marta' })
  await makeMessage(base.db, id, { timestamp: wrote })
  expect((await steps())['lead']).toEqual({ name: 'Marta', seconds: null, isOwned: true })
  const ownedBy = (name: string | null) =>
    base.db.query('update whatsapp_contacts set "instanceName" = $2 where id = $1', [id, name])
  await ownedBy(null)
  expect((await steps())['lead']).toEqual({ name: 'Marta', seconds: null, isOwned: false })
  await ownedBy(ana.instanceName)
  await makeMessage(base.db, id, { timestamp: wrote + 90, type: 'outgoing' })
  expect((await steps())['lead']).toEqual({ name: 'Marta', seconds: 90, isOwned: true })
})

test('the test lead waits on the board of the chosen broker, and stays answered once it is removed', async () => {
  await base.db.exec('delete from public.whatsapp_contacts')
  const [bia, ana] = [await makeBroker(base.db), await makeBroker(base.db)]
  const send = async (number: string, instanceName: string, operationId: string = crypto.randomUUID()) => {
    const { status, body } = await admin.call('/rest/v1/rpc/send_test_lead', {
      p_number: number,
      p_broker_name: instanceName,
      p_operation_id: operationId,
    })
    return { status, ...(body as { code: string; contact_id: number; hint?: string }) }
  }
  await base.db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, 'https://push.example/2', 'x', 'x', 'Celular')`,
    [String((await signIn(base.db, bia))['session_id'])],
  )
  const operationId = crypto.randomUUID()
  const sent = await send('(11) 95555-0177', bia.instanceName, operationId)
  expect(sent).toMatchObject({ status: 200, code: 'saved' })
  expect(await send('(11) 95555-0177', bia.instanceName, operationId)).toMatchObject({
    code: 'saved',
    contact_id: sent.contact_id,
  })
  const { rows: leads } = await base.db.query(
    `select "instanceName", name, source, number, waiting_since is not null as waits from public.whatsapp_contacts`,
  )
  expect(leads).toEqual([
    {
      instanceName: bia.instanceName,
      name: 'Lead de teste',
      source: 'teste',
      number: '5511955550177',
      waits: true,
    },
  ])
  const { rows: pushes } = await base.db.query(
    `select 1 from portal.push_queue where kind = 'assigned' and subject = $1`,
    [sent.contact_id],
  )
  expect(pushes.length).toBeGreaterThan(0)
  expect(await steps()).toMatchObject({
    lead: { name: 'Lead de teste', seconds: null, isOwned: true },
    test: { instanceName: bia.instanceName },
  })

  await expectInNoFigure(bia.instanceName)

  // The number is somebody's already, or it is the broker's own phone.
  expect(await send('(11) 95555-0177', ana.instanceName)).toMatchObject({ code: 'conflict' })
  await base.db.query(
    `insert into portal.own_addresses ("instanceName", address) values ($1, portal.number_key('+5511955550188'))`,
    [ana.instanceName],
  )
  expect(await send('(11) 95555-0188', ana.instanceName)).toMatchObject({ hint: 'test-lead.own' })
  expect(await send('(11) 95555-0199', 'corretor_ninguem')).toMatchObject({ code: 'unknown_broker' })

  const { rows: arrived } = await base.db.query<{ at: number }>(
    `select floor(extract(epoch from left_contact_at))::integer as at from public.whatsapp_contacts where id = $1`,
    [sent.contact_id],
  )
  await makeMessage(base.db, sent.contact_id, { type: 'outgoing', timestamp: Number(arrived[0]?.at) + 130 })
  expect((await steps())['lead']).toMatchObject({ seconds: 130 })
  await expectInNoFigure(bia.instanceName)
  const remove = async () => (await admin.call('/rest/v1/rpc/remove_test_lead', {})).body
  expect(await remove()).toEqual({ removed: true })
  expect(await remove()).toEqual({ removed: false })
  for (const table of ['public.whatsapp_contacts', 'public.whatsapp_messages', 'portal.lead_intakes'])
    expect((await base.db.query(`select 1 from ${table}`)).rows).toEqual([])
  expect(await steps()).toMatchObject({ lead: { name: 'Lead de teste', seconds: 130 }, test: null })
  await expectInNoFigure(bia.instanceName)
})

/** `broker` has no lead but the test lead. */
async function expectInNoFigure(broker: string) {
  const ask = async (name: string, args: object = {}) => (await admin.call(`/rest/v1/rpc/${name}`, args)).body
  expect(await ask('get_dashboard_data_by_params')).toMatchObject({ kpi: { totalLeads: 0 } })
  expect(await ask('get_response_times')).toMatchObject({ answeredLeads: 0, unansweredLeads: 0 })
  expect(await ask('get_clocks')).toMatchObject({
    risk: [],
    counts: { waiting: 0 },
    means: { answered: 0 },
    brokers: [],
  })
  expect(await ask('get_clock_leads', { p_broker: broker, p_figure: 'received' })).toEqual([])
  expect(await ask('get_answers_today')).toEqual([])
  expect(await ask('get_broker_day', { p_broker_name: broker })).toMatchObject({ answered: 0 })
}

test('a gateway with a link that never reports cannot reach the portal; one report is enough', async () => {
  const states = (changes: string) => base.db.query(`update portal.instance_states set ${changes}`)
  expect(await steps()).toMatchObject({
    isUnheard: false,
    webhook: { url: 'http://portal.test', isElsewhere: false },
  })
  await states(`changed_at = now() - interval '16 seconds'`)
  expect((await steps())['isUnheard']).toBe(true)
  // Only a poll reported this state, and it has not changed.
  await states(`state = 'connecting', changed_at = now() - interval '16 seconds'`)
  expect((await steps())['isUnheard']).toBe(true)
  await states(`qr_received_at = now()`)
  expect((await steps())['isUnheard']).toBe(false)
  await states(`qr_received_at = null, state_at = now()`)
  expect((await steps())['isUnheard']).toBe(false)
  await states(`state_at = null, state = 'close'`)
  expect((await steps())['isUnheard']).toBe(false)
})

test.each([
  ['http://evolution:8080', 'http://127.0.0.1:8080', true],
  ['http://localhost:8081', 'http://127.0.0.1:8080', false],
  ['https://evolution.example', 'https://portal.example', false],
])('a gateway at %s that must report to %s: elsewhere %s', async (from, to, isElsewhere) => {
  const chief = await makeAdmin(base.db)
  const claims = await signIn(base.db, chief)
  const routes = createFirstHour({
    db: base.db,
    publicUrl: undefined,
    backup: undefined,
    gateway: { source: 'environment', url: null, kind: null, health: () => 'ok' },
    reports: { from: [from], to: () => to },
    memberOf: async () => ({ accountId: chief.id, claims, role: 'admin' }),
  })
  const answer = (await (await routes.request('/')).json()) as Record<string, unknown>
  expect(answer['webhook']).toEqual({ url: to, isElsewhere })
})

test('administrators only, in the database too', async () => {
  const ana = await makeBroker(base.db)
  const asAna = await signIn(base.db, ana)
  const asAdmin = await signInAdmin(base.db)
  const run = (claims: Claims, sql: string) => onBehalf(base.db, claims, (query) => query(sql))
  const guarded = [
    'select portal.first_hour()',
    `select portal.set_gateway('evolution', 'https://a.b', 'x')`,
    `select portal.set_new_gateway('evolution')`,
    `select portal.begin_move('${ana.instanceName}', 'outro', '\\x00')`,
    `select portal.end_move('${ana.instanceName}')`,
  ]
  for (const sql of guarded) {
    await expect(run(asAna, sql)).rejects.toMatchObject({ code: '42501' })
    await expect(run({ role: 'authenticated' }, sql)).rejects.toMatchObject({ code: 'PT401' })
  }
  await expect(
    run(asAdmin, `select portal.set_gateway('evolution', 'https://a@b', 'x')`),
  ).rejects.toMatchObject({
    code: 'PT422',
  })
})
