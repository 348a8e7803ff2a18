// The model's endpoint is tested as soon as it is set: the result is in health, for administrators only, and survives a
// restart.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createEngine } from '#server/agents/engine/engine.ts'
import { createModelStore, type Found, type ModelState } from '#server/agents/engine/model-store.ts'
import { createModelTrial } from '#server/agents/engine/trial.ts'
import { systemClock } from '#server/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeAgent } from '#tests/support/make.ts'
import { startModelServer, type Answer } from '#tests/support/model-server.ts'
import { openOffice } from '#tests/support/office.ts'

const KEY = 'chave-do-modelo'
const MODEL = 'lago-mini'
const model = await startModelServer()
const office = await openOffice({
  env: { AGENT_API_URL: model.url, AGENT_API_KEY: KEY, AGENT_MODEL: MODEL },
})
afterAll(async () => {
  await office.close()
  await model.stop()
})
const { db, asAna, asAdmin } = office
const inHealth = async (asked = asAdmin) =>
  ((await asked.call('/api/health')).body as { model?: ModelState | null }).model

const NO_TOOLS: Answer = { status: 400, said: { error: { message: 'lago-mini does not support tools' } } }

/** Another portal over the same database, with these endpoint settings. */
function another(key = KEY) {
  const settings = { url: model.url, key, model: MODEL }
  const parts = { db, clock: systemClock, log: silentLog }
  const store = createModelStore(parts, settings)
  const engine = createEngine({ ...parts, ...settings, memory: store.memory })
  return { store, engine, trial: createModelTrial({ ...parts, engine, store }) }
}
beforeEach(async () => {
  await db.exec('delete from public.prompts_agents; delete from portal.model_prices')
  model.trials.splice(0)
})

test('a starting portal tests its endpoint once, and shows the result to administrators', async () => {
  const { trial } = another()
  await db.exec('delete from portal.model_endpoints')
  const stop = trial.start()
  await eventually(async () =>
    expect(await inHealth()).toMatchObject({
      model: MODEL,
      found: { answers: true, tools: 'used', inputTokens: 2_000, outputTokens: 100, fault: null, said: null },
      failure: null,
    }),
  )
  await stop()
  expect(model.trials.map(({ body }) => body.tools !== undefined)).toEqual([false, true])
  // The model was tested with these settings.
  await another().trial.start()()
  expect(model.trials).toHaveLength(2)
  await another('outra-chave').trial.start()()
  expect(model.trials).toHaveLength(4)
  expect(await inHealth(asAna)).toBe(undefined)
})

test('a model without tools may suggest and not answer; another test may give another result', async () => {
  const { id } = await makeAgent(db, { empreendimento: 'Mirante' })
  const wanted = async () => {
    const { status, body } = await asAdmin.call(`/api/agents/${id}/setup`, { mode: 'answer' })
    return [status, (body['error'] as { code: string } | undefined)?.code]
  }
  model.planTrial({ text: 'pronto' }, NO_TOOLS)
  const tried = await asAdmin.call('/api/agents/model/trial', {})
  expect(tried.body).toMatchObject({
    answers: true,
    tools: 'refused',
    fault: 'no-tools',
    said: 'lago-mini does not support tools',
  } satisfies Partial<Found>)
  expect(await wanted()).toEqual([409, 'agent.no-tools'])
  expect((await asAdmin.call('/api/agents/model/trial', {})).body).toMatchObject({ tools: 'used' })
  expect(await wanted()).toEqual([409, 'agent.no-price'])
  await asAdmin.call('/api/agents/prices', { model: MODEL, inputMicros: 0, outputMicros: 0 })
  expect(await wanted()).toEqual([409, 'agent.untested'])
})

test("the endpoint's message is in health, without the key", async () => {
  const refused: Answer = { status: 401, said: { error: { message: `Incorrect API key provided: ${KEY}` } } }
  model.planTrial(refused)
  const { body } = await asAdmin.call('/api/agents/model/trial', {})
  expect(body).toMatchObject({
    answers: false,
    tools: null,
    fault: 'refused',
    said: 'Incorrect API key provided: …',
  })
  expect((await inHealth())?.failure).toMatchObject({
    fault: 'refused',
    said: 'Incorrect API key provided: …',
  })
  // The next answer ends the failure; people's numbers are masked.
  model.plan({ status: 400, said: { error: { message: 'bad input: (11) 98765-4321' } } }, { text: 'Oi' })
  const { engine } = another()
  const asked = { messages: [{ role: 'user', content: 'Oi' } as const], tools: [] }
  await expect(engine.complete(asked)).rejects.toThrow('refused')
  expect((await inHealth())?.failure?.said).toBe('bad input: [telefone 1]')
  await engine.complete(asked)
  expect((await inHealth())?.failure).toBe(null)
})

test('the known properties of a model are stored until its endpoint changes', async () => {
  const refused = (said: string): Answer => ({ status: 400, said: { error: { message: said } } })
  await asAdmin.call('/api/agents/model/trial', {})
  model.plan(refused("'max_tokens' is not supported, use 'max_completion_tokens'"), { text: 'Oi' })
  const asked = { messages: [{ role: 'user', content: 'Oi' } as const], tools: [] }
  await another().engine.complete(asked)
  model.asked.splice(0)
  await another().engine.complete(asked)
  expect(model.asked.map(({ body }) => body.max_completion_tokens)).toEqual([600])
  await another('outra-chave').engine.complete(asked)
  expect(model.asked.at(-1)!.body).toMatchObject({ max_tokens: 600 })
})

test('a broker may not test the model', async () => {
  expect((await asAna.call('/api/agents/model/trial', {})).status).toBe(403)
  expect(model.trials).toHaveLength(0)
})
