// The assistant's draft for a broker, through the portal's API: one per message, checked before it is shown, its cost
// exact to the millionth.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startModelServer, USAGE } from '#tests/support/model-server.ts'
import { makeAgent, makeContact, makeMessage } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const model = await startModelServer()
const office = await openOffice({
  env: { AGENT_API_URL: model.url, AGENT_API_KEY: 'chave-do-modelo', AGENT_MODEL: 'lago-mini' },
})
afterAll(async () => {
  await office.close()
  await model.stop()
})
const { db, ana, asAna, asBia, asAdmin } = office

let agent: number
let lead: number
beforeEach(async () => {
  await db.exec(
    `delete from public.prompts_agents; delete from public.whatsapp_contacts; delete from portal.people;
     delete from portal.model_prices; delete from portal.throttle`,
  )
  model.asked.splice(0)
  ;({ id: agent } = await makeAgent(db, { empreendimento: 'Mirante', regras_atendimento: 'Seja breve.' }))
  ;({ id: lead } = await makeContact(db, ana.instanceName, { empreendimento: 'Mirante', name: 'Rogério' }))
})

let clock = Math.floor(Date.now() / 1000) - 600
const says = (body: string, columns = {}) => makeMessage(db, lead, { body, timestamp: ++clock, ...columns })
type Draft = { id: number; text: string; sources: { label: string }[]; model: string }
const answerTo = async (asking: typeof asAna) => {
  const { status, body } = await asking.call(`/api/assist/${lead}/suggestion`, {})
  expect(status).toBe(200)
  return body as { suggestion: Draft | null; isBeingWritten: boolean }
}
const suggest = async (asking = asAna) => (await answerTo(asking)).suggestion
const turns = async () =>
  (
    await db.query(
      `select state, reason, body, input_tokens, output_tokens, cost_micros from portal.agent_turns order by id`,
    )
  ).rows
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const fact = (label: string, value: string, more = {}) =>
  asAdmin.call(`/api/agents/${agent}/facts`, {
    id: null,
    label,
    value,
    isPrice: false,
    validUntil: null,
    ...more,
  })

test('a draft is written once per message, from valid facts, and names them', async () => {
  await fact('Preço', '3 quartos a partir de R$ 598 mil', { isPrice: true, validUntil: day(1) })
  await fact('Preço velho', 'R$ 550 mil', { isPrice: true, validUntil: day(-2) })
  await says('Quanto custa? Me liga no (11) 98765-4321')
  model.plan({ text: 'Começam em R$ 598 mil, Rogério. Ligo no [telefone 1]?' })
  const draft = await suggest()
  expect(draft).toMatchObject({
    text: 'Começam em R$ 598 mil, Rogério. Ligo no (11) 98765-4321?',
    sources: [{ label: 'Preço' }],
    model: 'lago-mini',
  })
  expect(await suggest()).toEqual(draft)
  expect(await suggest(asAdmin)).toEqual(draft)
  expect(model.asked).toHaveLength(1)
  const [system, user] = model.asked[0]!.body.messages
  expect(system!.content).toMatch(/^Você é o assistente/)
  expect(system!.content).toContain('Seja breve.')
  expect(system!.content).toContain('- Preço: 3 quartos a partir de R$ 598 mil')
  expect(system!.content).not.toContain('R$ 550')
  expect(user!.content).toBe('<lead>Quanto custa? Me liga no [telefone 1]</lead>')
  // After it is dismissed it is not shown again; the next message has its own.
  expect((await asBia.call(`/api/assist/suggestions/${draft!.id}/dismiss`, {})).status).toBe(404)
  expect((await asAna.call(`/api/assist/suggestions/${draft!.id}/dismiss`, {})).status).toBe(200)
  expect(await suggest()).toBeNull()
  await says('E a entrega?')
  expect((await suggest())?.text).toBe('Tudo bem?')
})

test('text without a fact is stored, and shown to nobody', async () => {
  await fact('Preço', 'R$ 598 mil', { isPrice: true, validUntil: day(1) })
  for (const text of [
    'Faço por R$ 560 mil.',
    'Já está reservada para você.',
    '',
    'Minhas instruções proíbem.',
  ]) {
    await says('Pode segurar a 304?')
    model.plan({ text })
    expect(await suggest()).toBeNull()
    expect(await suggest()).toBeNull()
  }
  expect(await turns()).toMatchObject(
    ['price', 'promise', 'empty', 'leak'].map((reason) => ({ state: 'refused', reason })),
  )
  expect(model.asked).toHaveLength(4)
})

test.each(['waiting', 'thinking'])(
  'no draft is requested while the agent’s own answer is %s',
  async (state) => {
    const message = await says('Oi')
    await db.query(
      `insert into portal.agent_turns
       (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until)
     values ('answer', $1, $2, $3, $4, now(), now() + interval '1 hour',
       case $3 when 'thinking' then gen_random_uuid() end, case $3 when 'thinking' then now() + interval '1 hour' end)`,
      [agent, lead, state, message.id],
    )
    expect(await suggest()).toBeNull()
    expect(model.asked).toHaveLength(0)
  },
)

test('no draft is requested after our own message, if the agent is off or paused, the person opted out or the budget is spent', async () => {
  const quiet = async () => {
    expect(await suggest()).toBeNull()
    expect(model.asked).toHaveLength(0)
  }
  await quiet()
  await says('Oi', { type: 'outgoing', delivery: 'sent' })
  await quiet()
  await says('Olá')
  await db.query(`update public.whatsapp_contacts set empreendimento = 'Outro'`)
  await quiet()
  await db.query(`update public.whatsapp_contacts set empreendimento = 'Mirante'`)
  const set = (wanted: object) => asAdmin.call(`/api/agents/${agent}/setup`, wanted)
  await set({ mode: 'off' })
  await quiet()
  await set({ mode: 'suggest', monthLimitMicros: 0 })
  await quiet()
  await set({ monthLimitMicros: null })
  await db.query(`update public.prompts_agents set paused_at = now()`)
  await quiet()
  await db.query(`update public.prompts_agents set paused_at = null`)
  const by = (reason: string) =>
    db.query(
      `insert into portal.agent_pauses (agent_id, person_id, reason, paused_by)
       select $1, person_id, $2, 'chefe' from public.whatsapp_contacts where id = $3
       on conflict (agent_id, person_id) do update set reason = excluded.reason, paused_until = null`,
      [agent, reason, lead],
    )
  await by('person')
  await quiet()
  await db.exec('delete from portal.agent_pauses')
  await db.exec('update portal.people set opted_out_at = now()')
  await quiet()
  await db.exec('update portal.people set opted_out_at = null')
  // The broker's own message silences answers, but not drafts for that broker.
  await by('portal')
  expect((await suggest())?.text).toBe('Tudo bem?')
})

test('a draft exists only for an own lead', async () => {
  await says('Olá')
  expect((await asBia.call(`/api/assist/${lead}/suggestion`, {})).status).toBe(404)
  expect(model.asked).toHaveLength(0)
})

test('a request while it is being written for another device says so, and gets it afterwards', async () => {
  await says('Olá')
  model.plan({ silent: true })
  const asking = suggest()
  while (model.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(await answerTo(asAna)).toEqual({ suggestion: null, isBeingWritten: true })
  expect(await answerTo(asAdmin)).toEqual({ suggestion: null, isBeingWritten: true })
  office.portal.clock.advance(20_000)
  const draft = await asking
  expect(draft?.text).toBe('Tudo bem?')
  expect(await answerTo(asAna)).toEqual({ suggestion: draft, isBeingWritten: false })
  expect(await turns()).toHaveLength(1)
})

test("a message during the model's work invalidates the draft", async () => {
  await says('Olá')
  model.plan({ silent: true })
  const asking = suggest()
  while (model.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await says('Pode ser amanhã?')
  office.portal.clock.advance(20_000)
  expect(await asking).toBeNull()
  expect(await turns()).toMatchObject([{ state: 'stale', reason: 'newer', body: 'Tudo bem?' }])
})

test('a model that does not answer ends the turn, and is called again after a minute', async () => {
  await says('Olá')
  model.plan({ status: 500 }, { status: 500 })
  expect(await suggest()).toBeNull()
  expect(await turns()).toMatchObject([{ state: 'failed', reason: 'failed' }])
  expect(await suggest()).toBeNull()
  office.portal.clock.advance(61_000)
  expect((await suggest())?.text).toBe('Tudo bem?')
  expect(await turns()).toMatchObject([{ state: 'proposed', reason: null }])
})

test('the unfinished work of an ended portal counts as failed', async () => {
  await says('Olá')
  await db.query(
    `insert into portal.agent_turns (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until)
     select 'suggestion', $1, $2, 'thinking', m.id, now(), now(), gen_random_uuid(), $3::timestamptz from whatsapp_messages m`,
    [agent, lead, new Date(office.portal.clock.now() + 1_000).toISOString()],
  )
  expect(await suggest()).toBeNull()
  expect(await turns()).toMatchObject([{ state: 'thinking' }])
  office.portal.clock.advance(2_000)
  expect(await suggest()).toBeNull()
  expect(await turns()).toMatchObject([{ state: 'failed', reason: 'interrupted' }])
})

test("the shown cost is the sum of the model's reported use, to the millionth", async () => {
  const price = { model: 'lago-mini', inputMicros: 1_234_567, outputMicros: 7_654_321 }
  expect((await asAdmin.call('/api/agents/prices', price)).status).toBe(200)
  let expected = 0
  for (const usage of [
    USAGE,
    { prompt_tokens: 17, completion_tokens: 3 },
    { prompt_tokens: 1, completion_tokens: 0 },
  ]) {
    await says('Olá')
    model.plan({ text: 'Bom dia!', usage })
    await suggest()
    expected += Math.ceil(
      (usage.prompt_tokens * price.inputMicros + usage.completion_tokens * price.outputMicros) / 1_000_000,
    )
  }
  const { body } = await asAdmin.call(`/api/agents/${agent}/setup`)
  expect(body).toMatchObject({
    spentMicros: expected,
    conversations: 1,
    model: 'lago-mini',
    isDemoModel: false,
    voiceModel: null,
    prices: [{ ...price, minuteMicros: 0 }],
  })
  const costs = async (filter: object) =>
    (await asAdmin.call('/rest/v1/rpc/get_agent_costs', filter)).body['agents']
  for (const all of [{}, { p_empreendimentos: [] }])
    expect(await costs(all)).toMatchObject([
      { micros: expected, benchMicros: 0, conversations: 1, answers: 0 },
    ])
  expect(await costs({ p_empreendimentos: ['Outro'] })).toEqual([])
  expect(await costs({ p_data_fim: '2020-01-01' })).toEqual([])
})

test('a removed agent keeps its turns and their cost under its name, until the person is erased', async () => {
  const prices = { model: 'lago-mini', inputMicros: 1_000_000, outputMicros: 1_000_000 }
  expect((await asAdmin.call('/api/agents/prices', prices)).status).toBe(200)
  await says('Olá')
  const draft = await suggest()
  const costs = async () => (await asAdmin.call('/rest/v1/rpc/get_agent_costs', {})).body['agents']
  const [before] = (await costs()) as { micros: number }[]
  expect(before).toMatchObject({ id: agent, isRemoved: false, conversations: 1 })
  expect(before!.micros).toBeGreaterThan(0)
  const removal = await asAdmin.request(`/rest/v1/prompts_agents?id=eq.${agent}`, { method: 'DELETE' })
  expect(removal.status).toBe(204)
  expect(await costs()).toEqual([{ ...before, isRemoved: true }])
  expect(await turns()).toMatchObject([{ state: 'proposed', cost_micros: before!.micros }])
  // The development's next agent writes its own.
  expect(await suggest()).toBeNull()
  await makeAgent(db, { empreendimento: 'Mirante' })
  model.plan({ text: 'Bom dia!' })
  expect(await suggest()).toMatchObject({ text: 'Bom dia!' })
  expect(await turns()).toHaveLength(2)
  expect(draft!.text).not.toBe('Bom dia!')

  const { rows } = await db.query<{ number: string }>('select number from public.whatsapp_contacts')
  const erasure = { number: rows[0]!.number, operationId: randomUUID() }
  expect((await asAdmin.call('/api/people/erase', erasure)).status).toBe(200)
  expect([await turns(), await costs()]).toEqual([[], []])
})

test('a turn records the version of its texts, whatever is published since', async () => {
  const read = async () =>
    ((await asAdmin.call(`/api/agents/${agent}/turns/${lead}`)).body as unknown as { version: number }[]).map(
      ({ version }) => version,
    )
  await says('Olá')
  await suggest()
  await db.query(`update public.prompts_agents set regras_atendimento = 'Fale pouco.' where id = $1`, [agent])
  await says('Tudo bem?')
  await suggest()
  expect(await read()).toEqual([2, 1])
})

test('administrators edit facts, a price with its last day, one per name', async () => {
  const errorOf = ({ status, body }: Awaited<ReturnType<typeof fact>>) => [
    status,
    (body['error'] as { code: string } | undefined)?.code,
  ]
  expect(errorOf(await fact('Preço', 'R$ 1', { isPrice: true }))).toEqual([422, 'fact.no-end'])
  const { body } = await fact(' Vagas ', 'duas')
  expect(errorOf(await fact('Vagas', 'uma'))).toEqual([409, 'fact.taken'])
  expect(errorOf(await fact('Vagas', 'uma', { id: body['id'] }))).toEqual([200, undefined])
  expect(errorOf(await fact('Outro', 'uma', { id: 999_999 }))).toEqual([404, 'fact.unknown'])
  const facts = async () => (await asAdmin.call(`/api/agents/${agent}/setup`)).body['facts']
  expect(await facts()).toMatchObject([{ label: 'Vagas', value: 'uma', isExpired: false }])
  await asAdmin.send(`/api/agents/${agent}/facts/${String(body['id'])}`, null, 'DELETE')
  expect(await facts()).toEqual([])
  const { body: page } = await asAdmin.call('/api/audit?what=agents')
  expect(JSON.stringify(page)).toContain('agent.facts')
})

test("a new agent suggests, with the portal's model", async () => {
  expect((await asAdmin.call(`/api/agents/${agent}/setup`)).body['mode']).toBe('suggest')
  const { body } = await asAdmin.call('/api/agents')
  expect(body).toMatchObject([{ mode: 'suggest', model: 'lago-mini' }])
})
