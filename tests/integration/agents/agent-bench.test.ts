// An agent's tests through the portal's API: their cost and results, and no agent answers by itself before them.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { BENCH_CASES } from '#domain/agent/bench-cases.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeAgent } from '#tests/support/make.ts'
import { USAGE, type Asked } from '#tests/support/model-server.ts'
import { openModelOffice } from '#tests/support/model-office.ts'

let answer: (asked: Asked) => string
const { office, model } = await openModelOffice((asked) => ({ text: answer(asked) }))
const { db, asAdmin } = office

let agent: number
beforeEach(async () => {
  await db.exec(
    'delete from public.prompts_agents; delete from portal.agent_bench_runs; delete from portal.model_prices',
  )
  model.asked.splice(0)
  answer = () => 'Sou o assistente. O corretor confirma. Quer saber o quê?'
  ;({ id: agent } = await makeAgent(db, { empreendimento: 'Mirante', regras_atendimento: 'Seja breve.' }))
})
type Run = {
  cases: number
  endedAt: string | null
  results: { id: string; fault: string | null; body: string }[]
}
type Bench = {
  isCurrent: boolean
  mark: string
  version: number
  draft: object | null
  run: Run | null
  before: Run | null
}
const bench = async () => (await asAdmin.call(`/api/agents/${agent}/bench`)).body as Bench
const run = async () => {
  expect((await asAdmin.call(`/api/agents/${agent}/bench`, {})).status).toBe(200)
  await eventually(async () => {
    const { run: last, before } = await bench()
    expect([last!.endedAt, before?.endedAt]).not.toContain(null)
  })
  return (await bench()).run!
}
const failures = ({ results }: Run) => results.filter(({ fault }) => fault !== null).length
const setMode = async (mode: string, more = {}) => {
  const { status, body } = await asAdmin.call(`/api/agents/${agent}/setup`, { mode, ...more })
  return [status, (body['error'] as { code: string; message: string } | undefined)?.code]
}
const setPrice = () =>
  asAdmin.call('/api/agents/prices', { model: 'lago-mini', inputMicros: 0, outputMicros: 0 })
const modeOf = async () => (await asAdmin.call(`/api/agents/${agent}/setup`)).body['mode']

test("the cost of a removed agent's tests stays; an agent that did nothing leaves no name", async () => {
  const price = { model: 'lago-mini', inputMicros: 1_000_000, outputMicros: 2_000_000 }
  await asAdmin.call('/api/agents/prices', price)
  await run()
  const { id: idle } = await makeAgent(db, { empreendimento: 'Serra' })
  const costs = async () =>
    (await asAdmin.call('/rest/v1/rpc/get_agent_costs', {})).body['agents'] as Record<string, unknown>[]
  const [before] = await costs()
  expect(before!['benchMicros']).toBeGreaterThan(0)
  await db.query('delete from public.prompts_agents')
  expect(await costs()).toEqual([{ ...before, isRemoved: true }])
  const { rows } = await db.query(
    'select agent_id from portal.agent_names where agent_id = any ($1::int[])',
    [`{${agent},${idle}}`],
  )
  expect(rows).toEqual([{ agent_id: agent }])
  // A period after its removal does not show it.
  await db.query(`update portal.agent_names set removed_at = '2020-01-01'`)
  expect(
    (await asAdmin.call('/rest/v1/rpc/get_agent_costs', { p_data_inicio: '2021-01-01' })).body['agents'],
  ).toEqual([])
})

test('every conversation is run once with the current texts, judged and paid for, without touching a lead', async () => {
  await asAdmin.call('/api/agents/prices', {
    model: 'lago-mini',
    inputMicros: 1_000_000,
    outputMicros: 2_000_000,
  })
  const { results } = await run()
  expect(new Set(results.map(({ id }) => id))).toEqual(new Set(BENCH_CASES.map(({ id }) => id)))
  // A request for a person is recognised without the model.
  const asked = results.length - 2
  expect(model.asked).toHaveLength(asked)
  expect(model.asked[0]!.body.messages[0]!.content).toContain('Seja breve.')
  expect(results.find(({ id }) => id === 'robot')).toMatchObject({ fault: null })
  expect(results.find(({ id }) => id === 'delivery')).toMatchObject({ fault: 'não disse o que devia' })
  const { body } = await asAdmin.call(`/api/agents/${agent}/setup`)
  expect(body['spentMicros']).toBe(asked * (USAGE.prompt_tokens + 2 * USAGE.completion_tokens))
  expect((await db.query('select from portal.agent_turns')).rows).toEqual([])
  const costs = await asAdmin.call('/rest/v1/rpc/get_agent_costs', {})
  const micros = body['spentMicros']
  expect(costs.body['agents']).toMatchObject([{ micros, benchMicros: micros, conversations: 0, answers: 0 }])
})

test('an agent answers by itself only after a run of its current texts; with failures it requires a second confirmation, which is logged', async () => {
  // The price must be known first, even if it is 0.
  expect(await setMode('answer')).toEqual([409, 'agent.no-price'])
  await setPrice()
  expect(await setMode('answer')).toEqual([409, 'agent.untested'])
  expect(await setMode('after_hours')).toEqual([409, 'agent.untested'])
  await run()
  expect(await setMode('answer')).toEqual([409, 'agent.failing'])
  expect(await modeOf()).toBe('suggest')
  // Without a monthly limit the agent may not answer by itself, and the refused change changed nothing.
  expect(await setMode('answer', { isAskedTwice: true })).toEqual([409, 'agent.no-limit'])
  expect(await modeOf()).toBe('suggest')
  const limit = { monthLimitMicros: 200_000_000 }
  expect(await setMode('answer', { isAskedTwice: true, ...limit })).toEqual([200, undefined])
  expect(await modeOf()).toBe('answer')
  const { status, body } = await asAdmin.call(`/api/agents/${agent}/setup`, { monthLimitMicros: null })
  expect([status, body['error']]).toMatchObject([
    409,
    { message: 'Para responder sozinho a qualquer hora, o agente precisa de um limite por mês.' },
  ])
  const { rows } = await db.query(
    `select details ->> 'failed' as failed from portal.audit_log where action = 'agent.mode' order by id desc limit 1`,
  )
  expect(Number(rows[0]!['failed'])).toBeGreaterThan(0)
  // Switching between both modes needs no new run; new texts do.
  expect(await setMode('after_hours')).toEqual([200, undefined])
  expect(await setMode('suggest')).toEqual([200, undefined])
  await db.query(`update public.prompts_agents set regras_atendimento = 'Outras regras.' where id = $1`, [
    agent,
  ])
  expect((await bench()).isCurrent).toBe(false)
  expect(await setMode('answer', { isAskedTwice: true })).toEqual([409, 'agent.untested'])
})

test('one run at a time, and the last two are shown', async () => {
  await run()
  answer = ({ body }) => (body.messages.at(-1)!.content.includes('pronto') ? 'Em março de 2028.' : 'Olá?')
  await run()
  const { run: last, before } = await bench()
  expect(last!.results.find(({ id }) => id === 'delivery')).toMatchObject({ fault: null })
  expect(before!.results.find(({ id }) => id === 'delivery')).toMatchObject({
    fault: 'não disse o que devia',
  })
  await db.query(
    `insert into portal.agent_bench_runs (agent_id, model, cases, began_at) values ($1, 'm', 30, $2)`,
    [agent, new Date(office.portal.clock.now()).toISOString()],
  )
  expect((await asAdmin.call(`/api/agents/${agent}/bench`, {})).status).toBe(409)
})

const FIELD = 'regras_atendimento'
const save = async (text: string, base: number | null, operationId: string = randomUUID()) =>
  (await asAdmin.call(`/api/prompts/${agent}/${FIELD}`, { operationId, text, base })).body as {
    code: string
    text: string
    version: number
    isDraft: boolean
  }
const standing = async () =>
  (await asAdmin.call(`/api/prompts/${agent}/${FIELD}`)).body as {
    text: string
    version: number
    isDraft: boolean
  }
const publish = async (mark: string, isAskedTwice = false) => {
  const { status, body } = await asAdmin.call(`/api/prompts/${agent}/publish`, { mark, isAskedTwice })
  return [status, (body['error'] as { code: string } | undefined)?.code]
}
const published = async () =>
  (await db.query(`select ${FIELD} as text from public.prompts_agents where id = $1`, [agent])).rows[0]![
    'text'
  ]
const lastAudited = async () =>
  (await db.query('select action, details from portal.audit_log order by id desc limit 1')).rows[0]

test('a saved text is a draft until it is published, and no save overwrites an unseen version', async () => {
  const { version } = await standing()
  const operationId = randomUUID()
  const saved = await save('Fale pouco.', version, operationId)
  expect(saved).toMatchObject({ code: 'saved', text: 'Fale pouco.', isDraft: true })
  expect(await save('Fale pouco.', version, operationId)).toEqual(saved)
  expect(await published()).toBe('Seja breve.')
  expect((await asAdmin.call(`/api/prompts/${agent}`)).body).toEqual({ [FIELD]: 'Fale pouco.' })
  expect(await save('Outro.', version)).toMatchObject({ code: 'conflict', text: 'Fale pouco.' })
  expect(await save('Fale pouco.', null)).toMatchObject({ code: 'already' })
  // Saving the published text again removes the draft.
  expect(await save('Seja breve.', saved.version)).toMatchObject({ code: 'saved', version, isDraft: false })
  expect((await bench()).draft).toBeNull()
  await save('Fale pouco.', version)
  expect((await asAdmin.call(`/api/prompts/${agent}/discard`, {})).status).toBe(200)
  expect(await standing()).toMatchObject({ text: 'Seja breve.', version, isDraft: false })
  expect(await publish((await bench()).mark)).toEqual([409, 'draft.none'])
})

test('tests compare a draft with the published text; with failures publishing requires a second confirmation, which is logged', async () => {
  const { version } = await standing()
  await save('Diga a entrega.', version)
  const { mark, version: beforeIt } = await bench()
  expect(beforeIt).toBe(1)
  expect(await publish(mark)).toEqual([409, 'draft.untested'])
  answer = ({ body }) =>
    !body.messages[0]!.content.includes('Diga a entrega.')
      ? 'Sou o assistente. Quer saber o quê?'
      : body.messages.at(-1)!.content.includes('pessoa de verdade')
        ? 'Sou corretor.'
        : 'Em março de 2028.'
  await run()
  const { run: drafted, before, isCurrent } = await bench()
  expect(isCurrent).toBe(true)
  const of = (tried: Run | null, id: string) => tried!.results.find((result) => result.id === id)!.fault
  expect([of(before, 'delivery'), of(drafted, 'delivery')]).toEqual(['não disse o que devia', null])
  expect([of(before, 'human-claim'), of(drafted, 'human-claim')]).toEqual([null, expect.any(String)])
  // The published texts were tested, so the next run covers only the draft.
  model.asked.splice(0)
  await run()
  expect(model.asked.every(({ body }) => body.messages[0]!.content.includes('Diga a entrega.'))).toBe(true)

  expect(await publish('outro')).toEqual([409, 'draft.changed'])
  expect(await publish(mark)).toEqual([409, 'draft.failing'])
  expect(await published()).toBe('Seja breve.')
  expect(await publish(mark, true)).toEqual([200, undefined])
  expect(await published()).toBe('Diga a entrega.')
  expect(await standing()).toMatchObject({ text: 'Diga a entrega.', isDraft: false })
  expect(await lastAudited()).toEqual({
    action: 'agent.published',
    details: { fields: [FIELD], failed: failures(drafted!) },
  })
  expect((await bench()).version).toBe(2)
  // The draft's test counts after publishing.
  await setPrice()
  expect(await setMode('answer')).toEqual([409, 'agent.failing'])
})

test('a text published through the API meanwhile is reported, and shown as untested', async () => {
  await save('Fale pouco.', (await standing()).version)
  await db.query(`update public.prompts_agents set ${FIELD} = 'Do fio.' where id = $1`, [agent])
  expect(await lastAudited()).toEqual({
    action: 'agent.changed',
    details: { fields: [FIELD], untested: true },
  })
  expect(await published()).toBe('Do fio.')
  const { mark } = await bench()
  expect(await publish(mark)).toEqual([409, 'draft.overtaken'])
  expect(await publish(mark, true)).toEqual([200, undefined])
  expect(await published()).toBe('Fale pouco.')
  expect(await lastAudited()).toEqual({
    action: 'agent.published',
    details: { fields: [FIELD], failed: null },
  })
})
