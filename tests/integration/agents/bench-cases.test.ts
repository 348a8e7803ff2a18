// A conversation becomes a test of its agent: without the person's data, run with what the agent may say, deleted with
// the lead.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { BENCH_CASES } from '#domain/agent/bench-cases.ts'
import type { BenchView } from '#server/agents/bench/bench.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeAgent, makeContact, makeMessage } from '#tests/support/make.ts'
import { type Asked } from '#tests/support/model-server.ts'
import { openModelOffice } from '#tests/support/model-office.ts'

let answer: (asked: Asked) => string
const { office } = await openModelOffice((asked) => ({ text: answer(asked) }))
const { db, asAdmin, ana } = office

let agent: number
let contact: number
let turn: number
beforeEach(async () => {
  await db.exec('delete from public.prompts_agents; delete from public.whatsapp_contacts')
  answer = () => 'Sou o assistente. Quer saber o quê?'
  ;({ id: agent } = await makeAgent(db, { empreendimento: 'Mirante' }))
  ;({ id: contact } = await makeContact(db, ana.instanceName, { name: 'Marina de Sá Tavares' }))
  const say = (body: string, columns = {}) =>
    makeMessage(db, contact, { instanceName: ana.instanceName, body, ...columns })
  await say('Sou a Marina Tavares, CPF 123.456.789-09')
  await say('Certo, MARINA.', { type: 'outgoing', author: 'agent', delivery: 'sent' })
  await say('Meu e-mail é ma.tavares@example.com e o zap (11) 95550-0142. Quanto custa?')
  const { rows } = await db.query<{ id: number }>(
    `insert into portal.agent_turns (kind, agent_id, contact_id, state, reason, base_message, began_at, due_at, ended_at)
     select 'answer', $1, $2, 'refused', 'price', max(m.id), now(), now(), now()
     from public.whatsapp_messages m where m.contact_id = $2 returning id`,
    [agent, contact],
  )
  turn = rows[0]!.id
  // Later messages were not read.
  await say('Alô?')
})

const preview = () => asAdmin.call(`/api/agents/${agent}/cases/of/${turn}`)
const keep = (operationId = randomUUID(), handsOver = false, at = agent) =>
  asAdmin.call(`/api/agents/${at}/cases`, { operationId, turnId: turn, handsOver })
const bench = async () => (await asAdmin.call(`/api/agents/${agent}/bench`)).body as unknown as BenchView
const codeOf = ({ status, body }: Awaited<ReturnType<typeof keep>>) => [
  status,
  (body['error'] as { code: string } | undefined)?.code,
]

test('it keeps what the turn read, and nothing that identifies the person', async () => {
  const shown = {
    title: 'Meu e-mail é [e-mail 2] e o zap [telefone 3]. Quanto custa?',
    lines: [
      { by: 'lead', kind: 'text', text: 'Sou a [nome], CPF [cpf 1]' },
      { by: 'agent', kind: 'text', text: 'Certo, [nome].' },
      { by: 'lead', kind: 'text', text: 'Meu e-mail é [e-mail 2] e o zap [telefone 3]. Quanto custa?' },
    ],
  }
  expect((await preview()).body).toEqual(shown)
  const operationId = randomUUID()
  const made = await keep(operationId)
  expect(made.status).toBe(200)
  // A repeat after a lost response makes no second one.
  expect((await keep(operationId)).body).toEqual(made.body)
  expect((await bench()).own).toEqual([{ id: made.body['id'], ...shown, handsOver: false }])
  const { rows } = await db.query<{ action: string }>(
    `select action from portal.audit_log where action = 'agent.cases'`,
  )
  expect(rows).toHaveLength(1)
})

test("it runs with the shipped tests, with the agent's current facts, and is judged by what was right", async () => {
  await asAdmin.call(`/api/agents/${agent}/facts`, {
    id: null,
    label: 'Preço',
    value: 'a partir de R$ 512 mil',
    isPrice: true,
    validUntil: '2090-12-31',
  })
  const { body: answered } = await keep(randomUUID(), false)
  const { body: handedOver } = await keep(randomUUID(), true)
  answer = ({ body }) =>
    JSON.stringify(body.messages).includes('[telefone') || JSON.stringify(body.messages).includes('512 mil')
      ? 'É a partir de R$ 512 mil. Quer visitar?'
      : 'Quer saber o quê?'
  await asAdmin.call(`/api/agents/${agent}/bench`, {})
  await eventually(async () => expect((await bench()).run?.endedAt).toEqual(expect.any(String)))
  const { run } = await bench()
  expect(run!.cases).toBe(BENCH_CASES.length + 2)
  const faultOf = (id: unknown) => run!.results.find((result) => result.id === `own-${String(id)}`)?.fault
  expect([faultOf(answered['id']), faultOf(handedOver['id'])]).toEqual([null, 'não chamou o corretor'])
})

test('refused: an unknown turn, another agent’s, one that read nothing, a thirty-first', async () => {
  const { id: other } = await makeAgent(db, { empreendimento: 'Vista' })
  expect(codeOf(await keep(randomUUID(), true, other))).toEqual([404, 'turn.unknown'])
  await db.query('update portal.agent_turns set base_message = 0 where id = $1', [turn])
  expect(codeOf(await preview())).toEqual([409, 'turn.unread'])
  await db.query(
    `update portal.agent_turns t set base_message = (select max(m.id) from public.whatsapp_messages m where m.contact_id = t.contact_id)`,
  )
  for (let n = 0; n < 30; n++) expect((await keep()).status).toBe(200)
  expect(codeOf(await keep())).toEqual([409, 'case.too-many'])
  const { own } = await bench()
  const gone = await asAdmin.send(`/api/agents/${agent}/cases/${own[0]!.id}`, null, 'DELETE')
  expect(gone.status).toBe(200)
  expect((await keep()).status).toBe(200)
})

test('it is deleted with the lead', async () => {
  await keep()
  await db.query('delete from public.whatsapp_contacts where id = $1', [contact])
  expect((await bench()).own).toEqual([])
})
