// Agents through the whole portal: live states, new ones, versions and refused saves, pauses by people and by answers,
// conversations, and a chat forgotten here or at the agents' own backend.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAgents } from '#server/agents/agents.ts'
import { onBehalf } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { GatewayError } from '#server/gateway.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { onPostgres } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { openWhatsapp, type Calls } from '#tests/support/whatsapp.ts'
import {
  makeAgent,
  makeBroker,
  makeChatMessage,
  makeContact,
  makeMessage,
  makeRotation,
  makeSeat,
  signIn,
} from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, chief, asAna, asAdmin, close } = await openOffice()
afterAll(close)
const ask = asAdmin.call
const askAsBroker = asAna.call
const admin = await signIn(db, chief)
beforeEach(() =>
  db.exec(
    'delete from public.prompts_agents; delete from public.whatsapp_contacts; delete from portal.people',
  ),
)

/** Calls a database function as the administrator; returns its JSON. */
async function call<T = Record<string, unknown>>(sql: string, values: SqlValue[] = []): Promise<T> {
  const { rows } = await onBehalf(db, admin, (query) =>
    query<{ answer: T }>(`select ${sql} as answer`, values),
  )
  // A function's answer is always one row.
  return rows[0]!.answer
}
const rowsOf = async (sql: string, values: SqlValue[] = []) => (await db.query(sql, values)).rows
const errorOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['error'],
]
const nowSeconds = () => Math.floor(Date.now() / 1000)

const add = (name: string, intent: Record<string, unknown> = {}) =>
  ask('/api/agents', { operationId: randomUUID(), name, instanceName: null, copyFrom: null, ...intent })

test("an agent is made with another's prompts, once per operation, and never twice for a development", async () => {
  const operationId = randomUUID()
  const { body: first } = await add('  Vista   Mar ', { operationId, instanceName: 'central_mar' })
  expect((await add('Vista Mar', { operationId })).body).toEqual(first)
  await call(`public.update_coluna_prompt($1, 'regras_atendimento', 'Não invente.')`, [Number(first['id'])])
  await db.query(`update public.prompts_agents set agendamento = 'fixo'`)
  const { status, body: second } = await add('Serra', { copyFrom: first['id'] })
  expect(status).toBe(200)
  expect(
    await rowsOf(
      `select nome_agente, empreendimento, "instanceName", regras_atendimento, agendamento from public.prompts_agents order by id`,
    ),
  ).toEqual([
    {
      nome_agente: 'Vista Mar',
      empreendimento: 'Vista Mar',
      instanceName: 'central_mar',
      regras_atendimento: 'Não invente.',
      agendamento: 'fixo',
    },
    {
      nome_agente: 'Serra',
      empreendimento: 'Serra',
      instanceName: null,
      regras_atendimento: 'Não invente.',
      agendamento: 'fixo',
    },
  ])
  const taken = [409, { code: 'agent.taken', message: 'Já existe um agente para este empreendimento' }]
  expect(errorOf(await add('VISTA MÁR'))).toEqual(taken)
  expect(errorOf(await add('Outro', { instanceName: 'central_mar' }))).toEqual([
    409,
    { code: 'agent.instance-taken', message: 'Este WhatsApp já é o do agente Vista Mar.' },
  ])
  expect(errorOf(await add('  '))).toEqual([
    422,
    { code: 'agent.no-name', message: 'Nome do empreendimento é obrigatório' },
  ])
  expect(errorOf(await add('Outro', { copyFrom: 999_999_999 }))[0]).toBe(409)
  for (const copyFrom of [0, 3_000_000_000]) expect(errorOf(await add('Outro', { copyFrom }))[0]).toBe(422)
  expect(errorOf(await ask('/api/agents', { name: 'Outro' }))[0]).toBe(422)
  const move = (instanceName: string | null) =>
    ask(`/api/agents/${String(second['id'])}/instance`, { instanceName })
  expect(errorOf(await move('central_mar'))[0]).toBe(409)
  expect((await move('central_serra')).status).toBe(200)
  expect((await move('central_serra')).status).toBe(200)
  expect(errorOf(await ask('/api/agents/0/instance', { instanceName: null }))[0]).toBe(404)
})

onPostgres.test('of two administrators who add the same development at once one is told', async () => {
  const answers = await Promise.all([add('Lago'), add('lago'), add('LAGO')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
})

test("the list shows each one's real state: the gateway's link, a pause, a missing prompt", async () => {
  const gateway = {
    listInstances: async () =>
      [
        { instanceName: 'central_a', state: 'open' as const, ownerJid: '5511901000201:3@s.whatsapp.net' },
        { instanceName: 'central_b', state: 'close' as const, ownerJid: null },
        { instanceName: ana.instanceName, state: 'open' as const, ownerJid: null },
      ].map((instance) => ({
        ...instance,
        instanceId: 'x',
        number: null,
        profileName: null,
        profilePicUrl: null,
      })),
  }
  const clock = databaseClock()
  const parts = { db: db, clock, log: silentLog, backend: undefined }
  await makeAgent(db, { nome_agente: 'A', instanceName: 'central_a', regras_atendimento: 'x' })
  await makeAgent(db, { nome_agente: 'Á seguir', instanceName: 'central_b', regras_atendimento: ' \n' })
  const dead = await makeAgent(db, { nome_agente: 'Z', instanceName: ana.instanceName })
  await db.query(
    `insert into portal.instance_states ("instanceName", state, dead_at) values ($1, 'open', now())
     on conflict ("instanceName") do update set dead_at = now()`,
    [ana.instanceName],
  )
  await call('public.pause_agent($1, true)', [dead.id])
  const agents = createAgents({ ...parts, engine: null, voiceModel: null, gateway })
  expect(await agents.list(admin)).toMatchObject([
    {
      name: 'A',
      isLinked: true,
      hasPrompt: true,
      pausedAt: null,
      hasEngine: false,
      mode: 'suggest',
      model: null,
    },
    { name: 'Á seguir', isLinked: false, hasPrompt: false },
    { name: 'Z', isLinked: false, pausedAt: expect.any(String) },
  ])
  expect(await agents.instances(admin)).toEqual([
    { instanceName: 'central_a', number: '5511901000201', isLinked: true, agent: 'A' },
    { instanceName: 'central_b', number: null, isLinked: false, agent: 'Á seguir' },
    { instanceName: ana.instanceName, number: null, isLinked: true, agent: 'Z' },
  ])
  // A spent monthly budget.
  await db.query(`update portal.agent_settings set month_limit_micros = 0 where agent_id = $1`, [dead.id])
  expect((await agents.list(admin)).map(({ isSpent }) => isSpent)).toEqual([false, false, true])
  // An external engine reads prompts with a service token: one without the grant, or expired, counts as no engine.
  const giveToken = (grants: string, expires: string) =>
    db.query(
      `insert into portal.service_tokens (name, grants, expires_at) values ('n8n', $1::text[], now() + $2::interval)`,
      [grants, expires],
    )
  await giveToken('{memory}', '1 day')
  await giveToken('{prompts:read}', '-1 day')
  expect((await agents.list(admin))[0]).toMatchObject({ hasEngine: false })
  await giveToken('{prompts:read}', '1 day')
  expect((await agents.list(admin))[0]).toMatchObject({ hasEngine: true })
  await db.query('delete from portal.service_tokens')
  // A gateway that refuses or times out does not break the list.
  const refusing = { listInstances: () => Promise.reject(new GatewayError('unreachable', 'Erro')) }
  expect(
    await createAgents({ ...parts, engine: null, voiceModel: null, gateway: refusing }).list(admin),
  ).toMatchObject([{ isLinked: false }, { isLinked: false }, { isLinked: false }])
  const silent = { listInstances: () => new Promise<never>(() => undefined) }
  const listing = createAgents({ ...parts, engine: null, voiceModel: null, gateway: silent }).list(admin)
  while (clock.nextDueInMs() === null) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(4_000)
  expect(await listing).toHaveLength(3)
})

const FIELD = 'regras_atendimento'
const save = (
  id: number,
  text: string | null,
  baseVersion: number | null,
  operationId: string | null = null,
) =>
  call<{ code: string; version: number; saved_by: string; current: string | null }>(
    'public.save_prompt($1, $2, $3, $4, $5)',
    [id, FIELD, text, baseVersion, operationId],
  )

test('a save names the version that its writer saw: another current version is a conflict that changes nothing', async () => {
  const { id } = await makeAgent(db)
  const first = await save(id, 'um', null)
  expect(first).toMatchObject({ code: 'saved', saved_by: 'chefe', current: null })
  expect(await save(id, 'dois', null)).toMatchObject({
    code: 'conflict',
    version: first.version,
    current: 'um',
  })
  expect(await save(id, 'um', null)).toMatchObject({ code: 'already', version: first.version })
  const second = await save(id, 'dois', first.version)
  expect(await save(id, 'três', first.version)).toMatchObject({ code: 'conflict', current: 'dois' })
  // A save by a service, or by the popup's PATCH, counts as well.
  await db.query(`update public.prompts_agents set ${FIELD} = 'por fora' where id = $1`, [id])
  expect(await save(id, 'quatro', second.version)).toMatchObject({
    code: 'conflict',
    saved_by: 'portal',
    current: 'por fora',
  })
  expect(
    await rowsOf(`select body from public.prompt_versions where agent_id = $1 order by id`, [id]),
  ).toEqual([{ body: 'um' }, { body: 'dois' }, { body: 'por fora' }])
})

test('a repeated save is the same save', async () => {
  const { id } = await makeAgent(db)
  const operationId = randomUUID()
  const first = await save(id, 'um', null, operationId)
  await save(id, 'dois', first.version)
  expect(await save(id, 'um', null, operationId)).toEqual(first)
  expect(await rowsOf(`select ${FIELD} as text from public.prompts_agents where id = $1`, [id])).toEqual([
    { text: 'dois' },
  ])
})

onPostgres.test('of two saves at once one is a conflict', async () => {
  const { id } = await makeAgent(db)
  const codes = (await Promise.all([save(id, 'um', null), save(id, 'dois', null)])).map(({ code }) => code)
  expect(codes.toSorted()).toEqual(['conflict', 'saved'])
})

test('invalid texts are refused', async () => {
  const { id } = await makeAgent(db)
  await expect(save(id, null, null)).rejects.toMatchObject({ code: '22023' })
  await expect(save(id, 'x'.repeat(100_001), null)).rejects.toMatchObject({ code: 'PT422' })
  await expect(save(0, 'x', null)).rejects.toMatchObject({ code: 'PT404' })
  await expect(call(`public.save_prompt($1, 'agendamento', 'x')`, [id])).rejects.toMatchObject({
    code: '42501',
  })
  await expect(call(`public.save_prompt($1, 'id', 'x')`, [id])).rejects.toMatchObject({ code: '22023' })
})

type Pause = { reason: string; by: string; until: string | null } | null
const pauseOf = (agentId: number, number: string) =>
  call<{ paused: boolean; reason: string | null; by: string | null; until: string | null }>(
    'public.get_agent_pause($1, $2)',
    [agentId, number],
  )
const pause = (agentId: number, contactId: number, isPaused: boolean, minutes: number | null = null) =>
  call<Pause>('public.pause_conversation($1, $2, $3, $4)', [agentId, contactId, isPaused, minutes])
const hoursUntil = (until: string | null) => (Date.parse(until ?? '') - Date.now()) / 3_600_000

test('a pause records its author and end, and is over at that time', async () => {
  const { id } = await makeAgent(db, { empreendimento: 'Lago' })
  const lead = await makeContact(db, ana.instanceName, { empreendimento: 'Lago' })
  expect(await pause(id, lead.id, true, 60)).toMatchObject({ reason: 'person', by: 'chefe' })
  expect(hoursUntil((await pauseOf(id, lead.number)).until)).toBeCloseTo(1, 1)
  expect(await pause(id, lead.id, true)).toMatchObject({ until: null })
  expect(await pause(id, lead.id, false)).toBeNull()
  expect(await pauseOf(id, lead.number)).toMatchObject({ paused: false })
  await pause(id, lead.id, true, 60)
  await db.exec(`update portal.agent_pauses set paused_until = now() - interval '1 second'`)
  expect(await pauseOf(id, lead.number)).toMatchObject({ paused: false, reason: null })

  const stranger = await makeContact(db, ana.instanceName)
  await expect(pause(id, stranger.id, true)).rejects.toMatchObject({ code: 'PT404' })
  await expect(pause(id, lead.id, true, 0)).rejects.toMatchObject({ code: 'PT422' })
  await expect(pauseOf(0, lead.number)).rejects.toMatchObject({ code: 'PT404' })
  await call('public.pause_agent($1, true)', [id])
  expect(await pauseOf(id, '5511900001111')).toMatchObject({
    paused: true,
    reason: 'agent',
    by: 'chefe',
    until: null,
  })
  await call('public.pause_agent($1, false)', [id])
  expect(await pauseOf(id, '5511900001111')).toMatchObject({ paused: false })
})

test('a pause survives a restart of the portal, with author and end', async () => {
  const { id } = await makeAgent(db, { empreendimento: 'Lago' })
  const lead = await makeContact(db, ana.instanceName, { empreendimento: 'Lago' })
  const reported = async ({ call: ask }: Calls) =>
    (await ask('/rest/v1/rpc/get_agent_pause', { p_id: id, p_remotejid: lead.number })).body
  const pausing = { p_agent_id: id, p_contact_id: lead.id, p_is_paused: true, p_minutes: 60 }
  expect((await ask('/rest/v1/rpc/pause_conversation', pausing)).status).toBe(200)
  const before = await reported(asAdmin)
  expect(before).toMatchObject({ paused: true, reason: 'person', by: 'chefe' })
  const next = await openWhatsapp(db)
  expect(await reported(await next.enter('chefe@admin.local'))).toEqual(before)
  await next.close()
})

const answer = (contactId: number, columns: Record<string, SqlValue> = {}) =>
  makeMessage(db, contactId, {
    type: 'outgoing',
    instanceName: ana.instanceName,
    timestamp: nowSeconds(),
    ...columns,
  })

test("a person's answer from the phone pauses for a day from the last one; an agent’s, a campaign’s and an old one do not", async () => {
  const { id } = await makeAgent(db, { instanceName: ana.instanceName })
  const lead = await makeContact(db, ana.instanceName)
  await answer(lead.id, { author: 'agent' })
  await answer(lead.id, { author: 'campaign' })
  await answer(lead.id, { timestamp: nowSeconds() - 90_000 })
  await makeMessage(db, lead.id, { timestamp: nowSeconds() })
  expect(await pauseOf(id, lead.number)).toMatchObject({ paused: false })

  await answer(lead.id, { timestamp: nowSeconds() - 7_200 })
  const first = await pauseOf(id, lead.number)
  expect(first).toMatchObject({ paused: true, reason: 'phone', by: ana.username })
  expect(hoursUntil(first.until)).toBeCloseTo(22, 1)
  await answer(lead.id)
  expect(hoursUntil((await pauseOf(id, lead.number)).until)).toBeCloseTo(24, 1)
  // An earlier answer read later shortens nothing; nor does one shorten a pause made by a person.
  await answer(lead.id, { timestamp: nowSeconds() - 3_600 })
  expect(hoursUntil((await pauseOf(id, lead.number)).until)).toBeCloseTo(24, 1)
  await pause(id, lead.id, true)
  await answer(lead.id)
  expect(await pauseOf(id, lead.number)).toMatchObject({ reason: 'person', until: null })
})

test("a message sent from the portal pauses the agent, in its author's name", async () => {
  const { id } = await makeAgent(db, { empreendimento: 'Lago' })
  const lead = await makeContact(db, ana.instanceName, { empreendimento: 'Lago' })
  const sent = await portal.through(
    ask('/api/messages/text', { contactId: lead.id, operationId: randomUUID(), text: 'Olá, sou o João.' }),
  )
  expect(sent.status).toBe(200)
  expect(await pauseOf(id, lead.number)).toMatchObject({ paused: true, reason: 'portal', by: 'chefe' })
  // The portal sends no queued message after its lead is removed.
  const queue = 'select delivery_reason from public.whatsapp_messages where contact_id = $1'
  await eventually(async () =>
    expect(await rowsOf(queue, [lead.id])).toEqual([{ delivery_reason: 'not-linked' }]),
  )
})

test('a pause moves with an address that turns out to be another person’s', async () => {
  const { id } = await makeAgent(db, { instanceName: ana.instanceName })
  const hidden = await makeContact(db, ana.instanceName, { number: null })
  const known = await makeContact(db, ana.instanceName)
  await db.query(
    `insert into portal.identities (jid, "instanceName", person_id) values ('4455@lid', $1, $2)`,
    [ana.instanceName, hidden.person_id],
  )
  await pause(id, hidden.id, true)
  expect(await pauseOf(id, '4455@lid')).toMatchObject({ paused: true })
  await db.query(`update portal.identities set person_id = $1 where jid = '4455@lid'`, [known.person_id])
  expect(await pauseOf(id, known.number)).toMatchObject({ paused: true, reason: 'person' })
  expect(await pauseOf(id, '4455@lid')).toMatchObject({ paused: true })
})

type Talk = {
  id: number
  last_author: string
  pause: Pause
  called_at: number | null
  last_message: { timestamp: number }
}
async function talks(
  agentId: number,
  search: string | null = null,
  before: Talk | null = null,
): Promise<Talk[]> {
  const { rows } = await onBehalf(db, admin, (query) =>
    query<{ talk: Talk }>('select public.get_agent_conversations($1, $2, $3, $4) as talk', [
      agentId,
      search,
      before?.last_message.timestamp ?? null,
      before?.id ?? null,
    ]),
  )
  return rows.map(({ talk }) => talk)
}

test('conversations are those of the development and of the central instance, newest first, found by any form', async () => {
  const central = await makeBroker(db)
  const { id } = await makeAgent(db, { empreendimento: 'Lago', instanceName: central.instanceName })
  const number = '5511987001122'
  const first = await makeContact(db, ana.instanceName, {
    empreendimento: 'Lago',
    name: 'João Conceição',
    number,
  })
  const second = await makeContact(db, central.instanceName, { empreendimento: 'Lago', name: 'Ana' })
  const third = await makeContact(db, central.instanceName, { name: 'Bia' })
  const silent = await makeContact(db, ana.instanceName, {
    empreendimento: 'Lago',
    name: 'Sem conversa',
  })
  const foreign = await makeContact(db, ana.instanceName, { empreendimento: 'Serra' })
  const old = await makeContact(db, ana.instanceName, { empreendimento: 'Lago', name: 'Antônia' })
  await makeMessage(db, first.id, { timestamp: nowSeconds() - 10 })
  await answer(second.id, { author: 'agent', timestamp: nowSeconds() - 20 })
  await makeMessage(db, third.id, { timestamp: nowSeconds() - 30 })
  await makeMessage(db, foreign.id, { timestamp: nowSeconds() })
  await makeMessage(db, old.id, { timestamp: nowSeconds() - 40 * 86_400 })
  await pause(id, third.id, true)

  const listed = await talks(id)
  // The same fields as on a board, so that the app parses both alike; those only for 'Hoje' and for what waits on a
  // device are omitted.
  const ofBoard = ['last_op', 'updated_at', 'broker_number', 'conversation', 'done', 'target']
  const board = await call<{ leads: object[] }>('public.sync_board($1)', [central.instanceName])
  const keysOf = (lead: object | undefined) => Object.keys(lead ?? {})
  expect(keysOf(listed[1])).toEqual(
    expect.arrayContaining(keysOf(board.leads[0]).filter((key) => !ofBoard.includes(key))),
  )
  const ids = async (...asked: Parameters<typeof talks>) => (await talks(...asked)).map((talk) => talk.id)
  expect(listed).toMatchObject([
    { id: first.id, last_author: null, pause: null },
    { id: second.id, last_author: 'agent' },
    { id: third.id, pause: { reason: 'person', by: 'chefe' } },
  ])
  expect(await ids(id, null, listed[0])).toEqual([second.id, third.id])
  const one = (contactId: number) => call('public.get_agent_conversation($1, $2)', [id, contactId])
  for (const talk of listed) expect(await one(talk.id)).toEqual(talk)
  expect(await one(old.id)).toMatchObject({ id: old.id, name: 'Antônia' })
  for (const other of [foreign.id, silent.id])
    await expect(one(other)).rejects.toThrow('Conversa não encontrada.')
  expect(await ids(id, 'conceicao joao')).toEqual([first.id])
  expect(await ids(id, 'ANTONIA')).toEqual([old.id])
  for (const form of ['(11) 98700-1122', '1187001122', '8700', '+55 11 98700-1122'])
    expect(await ids(id, form)).toEqual([first.id])
  expect(await ids(id, '%')).toEqual([])
  expect(await ids(id, 'ninguém')).toEqual([])
})

test("an agent's figures are counted from its rows", async () => {
  const central = await makeBroker(db, { central_since: '2020-01-01' })
  const { id } = await makeAgent(db, { empreendimento: 'Lago', instanceName: central.instanceName })
  const { empreendimento } = await makeRotation(db, { empreendimento: 'Lago' })
  await makeSeat(db, { roletaName: empreendimento, instanceName: ana.instanceName, ordem: 1 })
  expect(await call('public.get_agent_info($1)', [id])).toMatchObject({
    version: 0,
    last_edit: null,
    active: 0,
    paused: 0,
    replies: 0,
    roleta: { name: 'Lago', is_active: true, brokers: 1 },
  })
  const leads = await Promise.all(
    [central, central, ana].map(({ instanceName }) =>
      makeContact(db, instanceName, { empreendimento: 'Lago' }),
    ),
  )
  for (const lead of leads) await answer(lead.id, { author: 'agent' })
  await answer(leads[0]!.id, { author: 'agent', timestamp: nowSeconds() - 8 * 86_400 })
  await pause(id, leads[0]!.id, true, 5)
  await save(id, 'um', null)
  // On her own number Ana answers.
  expect(await call('public.get_agent_info($1)', [id])).toMatchObject({
    version: 1,
    last_edit: { field: FIELD, by: 'chefe', at: expect.any(String) },
    active: 1,
    paused: 1,
    replies: 3,
  })
  await db.exec('delete from public.roletas')
})

test('a broker is refused everywhere, a stranger too', async () => {
  const { id } = await makeAgent(db)
  const asked: [string, unknown][] = [
    ['/api/agents', undefined],
    ['/api/agents/instances', undefined],
    ['/api/agents', { operationId: randomUUID(), name: 'X', instanceName: null, copyFrom: null }],
    [`/api/agents/${id}/instance`, { instanceName: null }],
    [`/api/agents/${id}/forget`, { number: '11987001122' }],
  ]
  for (const [path, body] of asked) {
    expect([path, (await askAsBroker(path, body)).status]).toEqual([path, 403])
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    expect([path, (await portal.request(path, request)).status]).toEqual([path, 401])
  }
  expect(await rowsOf('select count(*) as n from public.prompts_agents')).toEqual([{ n: 1 }])
})

test('forgetting a chat here covers every form of the number, and returns the number used', async () => {
  const { id } = await makeAgent(db)
  const forget = (number: string) => ask(`/api/agents/${id}/forget`, { number })
  const remember = async () => {
    for (const jid of ['5511987001122@s.whatsapp.net', '551187001122@s.whatsapp.net'])
      await makeChatMessage(db, id, jid)
  }
  for (const typed of ['(11) 98700-1122', '1187001122', '5511987001122']) {
    await remember()
    expect((await forget(typed)).body).toEqual({ number: '551187001122', deleted: 2 })
  }
  // The rule for twelve digits drops a 9 that belongs to the number, so the typed form is searched, too.
  await makeChatMessage(db, id, '551195550187@s.whatsapp.net')
  expect((await forget('551195550187')).body).toEqual({ number: '55115550187', deleted: 1 })
  expect((await forget('551187001122')).body).toEqual({ number: '551187001122', deleted: 0 })
  expect((await forget('1234567')).status).toBe(422)
  for (const typed of ['(11) 90928-6840', '11909286840', '+55 11 90928-6840', '011 90928-6840']) {
    await makeChatMessage(db, id, '5511909286840@s.whatsapp.net')
    expect([typed, (await forget(typed)).body]).toMatchObject([typed, { deleted: 1 }])
  }
  // The rule turns a mobile number into another person's landline.
  await makeChatMessage(db, id, '551123456789@s.whatsapp.net')
  expect((await forget('(11) 92345-6789')).body).toMatchObject({ deleted: 0 })
})

type Asked = { headers: Record<string, unknown>; body: { p_empreendimento_id: number; p_remotejid: string } }

/** Another project's Supabase, with the needed requests. */
async function openBackend(answerTo: (jid: string) => [number, unknown]) {
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Asked['body']
      asked.push({ headers: request.headers, body })
      const known = request.url === '/rest/v1/rpc/deletar_chat_history_por_empreendimento'
      const [status, answered] = known ? answerTo(body.p_remotejid) : [404, {}]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  }
}

const agentsWithBackend = (url: string, key: string) =>
  createAgents({
    db,
    clock: databaseClock(),
    log: silentLog,
    gateway: null,
    engine: null,
    voiceModel: null,
    backend: { url, key },
  })

test('with its own backend, that is called for every form and hidden id with its key, and our table is not changed', async () => {
  const { id } = await makeAgent(db)
  const lead = await makeContact(db, ana.instanceName, { number: '5511987001122' })
  await db.query(
    `insert into portal.identities (jid, "instanceName", person_id) values ('9988@lid', $1, $2)`,
    [ana.instanceName, lead.person_id],
  )
  await makeChatMessage(db, id, '551187001122@s.whatsapp.net')
  const backend = await openBackend((jid) => [
    200,
    jid.startsWith('5511987') ? [12] : jid.endsWith('lid') ? 2 : [0],
  ])
  const agents = agentsWithBackend(backend.url, 'chave-deles')
  expect(await agents.forget(admin, id, '11 98700-1122')).toEqual({ number: '551187001122', deleted: 14 })
  expect(backend.asked.map(({ body }) => body.p_remotejid).toSorted()).toEqual([
    '11987001122@s.whatsapp.net',
    '551187001122@s.whatsapp.net',
    '5511987001122@s.whatsapp.net',
    '9988@lid',
  ])
  expect(backend.asked[0]).toMatchObject({
    headers: { apikey: 'chave-deles', authorization: 'Bearer chave-deles' },
    body: { p_empreendimento_id: id },
  })
  expect(await rowsOf('select count(*) as n from public.agent_chat_messages')).toEqual([{ n: 1 }])
  await expect(agents.forget(await signIn(db, ana), id, '11987001122')).rejects.toMatchObject({
    code: '42501',
  })
  await backend.close()
})

test.each([
  ['refuses', [500, { message: 'x' }]],
  ['answers something else', [200, { deleted: 3 }]],
] as const)('a backend that %s is an error to retry', async (_, [status, body]) => {
  const { id } = await makeAgent(db)
  const backend = await openBackend(() => [status, body])
  const agents = agentsWithBackend(backend.url, 'k')
  const failing = {
    code: 'agents.not-forgotten',
    message: 'Erro ao deletar histórico de chat. Tente novamente.',
  }
  await expect(agents.forget(admin, id, '11987001122')).rejects.toMatchObject(failing)
  await backend.close()
  await expect(agents.forget(admin, id, '11987001122')).rejects.toMatchObject(failing)
})
