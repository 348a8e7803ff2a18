// The bench through the portal's own doors: what it costs and says, and that no agent answers by itself before it.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { BENCH_CASES } from '#domain/agent-bench.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeAgent } from '#tests/support/make.ts'
import { startModelServer, USAGE, type Asked } from '#tests/support/model-server.ts'
import { openOffice } from '#tests/support/office.ts'

let answer: (asked: Asked) => string
const model = await startModelServer((asked) => ({ text: answer(asked) }))
const office = await openOffice({ env: { AGENT_API_URL: model.url, AGENT_MODEL: 'lago-mini' } })
afterAll(async () => {
  await office.close()
  await model.stop()
})
const { db, asAdmin } = office

let agent: number
beforeEach(async () => {
  await db.exec('delete from public.prompts_agents; delete from portal.model_prices')
  model.asked.splice(0)
  answer = () => 'Sou o assistente. O corretor confirma. Quer saber o quê?'
  ;({ id: agent } = await makeAgent(db, { empreendimento: 'Mirante', regras_atendimento: 'Seja breve.' }))
})
type Run = {
  cases: number
  endedAt: string | null
  results: { id: string; fault: string | null; body: string }[]
}
const bench = async () =>
  (await asAdmin.call(`/api/agents/${agent}/bench`)).body as { isCurrent: boolean; runs: Run[] }
const run = async () => {
  expect((await asAdmin.call(`/api/agents/${agent}/bench`, {})).status).toBe(200)
  await eventually(async () => expect((await bench()).runs[0]!.endedAt).not.toBeNull())
  return (await bench()).runs[0]!
}
const setMode = async (mode: string, more = {}) => {
  const { status, body } = await asAdmin.call(`/api/agents/${agent}/setup`, { mode, ...more })
  return [status, (body['error'] as { code: string; message: string } | undefined)?.code]
}
const modeOf = async () => (await asAdmin.call(`/api/agents/${agent}/setup`)).body['mode']

test('every conversation is asked once with the present texts, judged, paid for, and touches no lead', async () => {
  await asAdmin.call('/api/agents/prices', {
    model: 'lago-mini',
    inputMicros: 1_000_000,
    outputMicros: 2_000_000,
  })
  const { results } = await run()
  expect(new Set(results.map(({ id }) => id))).toEqual(new Set(BENCH_CASES.map(({ id }) => id)))
  // Who asks for a person is heard without a model.
  const asked = results.length - 2
  expect(model.asked).toHaveLength(asked)
  expect(model.asked[0]!.body.messages[0]!.content).toContain('Seja breve.')
  expect(results.find(({ id }) => id === 'robot')).toMatchObject({ fault: null })
  expect(results.find(({ id }) => id === 'delivery')).toMatchObject({ fault: 'não disse o que devia' })
  const { body } = await asAdmin.call(`/api/agents/${agent}/setup`)
  expect(body['spentMicros']).toBe(asked * (USAGE.prompt_tokens + 2 * USAGE.completion_tokens))
  expect((await db.query('select from portal.agent_turns')).rows).toEqual([])
})

test('an agent answers by itself only after a run of its present texts; with failures it is asked twice, and told', async () => {
  expect(await setMode('answer')).toEqual([409, 'agent.untested'])
  expect(await setMode('after_hours')).toEqual([409, 'agent.untested'])
  await run()
  expect(await setMode('answer')).toEqual([409, 'agent.failing'])
  expect(await modeOf()).toBe('suggest')
  expect(await setMode('answer', { isAskedTwice: true })).toEqual([200, undefined])
  expect(await modeOf()).toBe('answer')
  const { rows } = await db.query(
    `select details ->> 'failed' as failed from portal.audit_log where action = 'agent.mode' order by id desc limit 1`,
  )
  expect(Number(rows[0]!['failed'])).toBeGreaterThan(0)
  // Back and forth between both needs no other run; new texts do.
  expect(await setMode('after_hours')).toEqual([200, undefined])
  expect(await setMode('suggest')).toEqual([200, undefined])
  await db.query(`update public.prompts_agents set regras_atendimento = 'Outras regras.' where id = $1`, [
    agent,
  ])
  expect((await bench()).isCurrent).toBe(false)
  expect(await setMode('answer', { isAskedTwice: true })).toEqual([409, 'agent.untested'])
})

test('one run at a time, and the last two are told', async () => {
  await run()
  answer = ({ body }) => (body.messages.at(-1)!.content.includes('pronto') ? 'Em março de 2028.' : 'Olá?')
  await run()
  const { runs } = await bench()
  expect(runs).toHaveLength(2)
  expect(runs[0]!.results.find(({ id }) => id === 'delivery')).toMatchObject({ fault: null })
  await db.query(
    `insert into portal.agent_bench_runs (agent_id, model, cases, began_at) values ($1, 'm', 30, $2)`,
    [agent, new Date(office.line.clock.now()).toISOString()],
  )
  expect((await asAdmin.call(`/api/agents/${agent}/bench`, {})).status).toBe(409)
})
