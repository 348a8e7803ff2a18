// A broker gives a conversation back to the assistant: it knows what was said, nobody else's pause ends, and repeats
// have no effect.
import { beforeEach, describe, expect, test } from 'vitest'
import { failTurn, type Talk } from '#tests/support/agent-dialogue.ts'
import { openTalks } from '#tests/support/agent-talks.ts'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import { makeBroker, makeContact, makeMessage, signIn, signInAdmin } from '#tests/support/make.ts'

const NIGHT = '2026-11-24T02:00:00Z'
const NOON = '2026-11-24T15:00:00Z'

const { db, nextTalk } = await openTalks()
let talk: Talk
let asBroker: Claims
beforeEach(async () => {
  talk = await nextTalk()
  asBroker = await signIn(db, talk.broker)
})

const now = () => new Date(talk.clock.now()).toISOString()
async function asked<Answer>(claims: Claims, name: string, lead: number, at = now()): Promise<Answer> {
  const { rows } = await onBehalf(db, claims, (query) =>
    query<{ answer: Answer }>(`select portal.${name}($1, $2) as answer`, [lead, at]),
  )
  return rows[0]!.answer
}
const giveBack = (claims: Claims, lead: number, at?: string) =>
  asked<{ isAnsweredNow: boolean }>(claims, 'return_to_agent', lead, at)
type Passing = { handover: { lines: number; firstId: number; lastId: number } | null; baton: string | null }
const passing = (claims: Claims, lead: number, at?: string) => asked<Passing>(claims, 'passing_of', lead, at)
const count = async (words: string) => (await db.query(words)).rows.length
const audited = () => count(`select from portal.audit_log where action = 'agent.given-back'`)
const pauses = () => count('select from portal.agent_pauses')

/** A lead with whom the broker spoke. */
async function spokenTo() {
  const lead = await talk.lead()
  await talk.says(lead, 'Oi')
  await talk.pass(9)
  await talk.human(lead, 'A chave do 702 está comigo.')
  return lead
}

test("after it is given back, an assistant that knows the broker's messages answers the next one", async () => {
  const before = await audited()
  const lead = await spokenTo()
  await talk.says(lead, 'Aceitam carta?')
  await talk.pass(9)
  expect(await talk.answers(lead)).toHaveLength(1)
  expect(await passing(asBroker, lead)).toEqual({ handover: null, baton: 'broker' })
  expect(await giveBack(asBroker, lead)).toEqual({ isAnsweredNow: true })
  expect(await passing(asBroker, lead)).toEqual({ handover: null, baton: 'assistant' })
  // Unanswered messages are answered now, and so are the next ones.
  talk.model.plan({ text: 'Aceitamos, sim.' }, { text: 'Sábado a equipe está lá.' })
  await talk.pass(9)
  await talk.says(lead, 'Quando posso ver?')
  await talk.pass(9)
  expect((await talk.answers(lead)).slice(1)).toEqual(['Aceitamos, sim.', 'Sábado a equipe está lá.'])
  for (const { body } of talk.model.asked.slice(-2))
    expect(JSON.stringify(body.messages)).toContain('A chave do 702 está comigo.')
  expect(await audited()).toBe(before + 1)
  // After a person's message it stops again.
  await talk.human(lead, 'Deixa comigo.')
  await talk.says(lead, 'Obrigado')
  await talk.pass(9)
  expect(await talk.answers(lead)).toHaveLength(3)
})

test('an immediate repeat changes nothing, and is logged once', async () => {
  const before = await audited()
  const lead = await spokenTo()
  await talk.says(lead, 'E a vaga?')
  const answers = await Promise.all(Array.from({ length: 5 }, () => giveBack(asBroker, lead)))
  expect(answers).toEqual(answers.map(() => ({ isAnsweredNow: true })))
  await giveBack(asBroker, lead)
  expect([await pauses(), (await audited()) - before]).toEqual([0, 1])
  expect(await talk.turns(lead)).toMatchObject([{ state: 'sent' }, { state: 'waiting', bubbles: 1 }])
})

test('after the broker’s own message nothing is planned: the lead is expected to write', async () => {
  const lead = await spokenTo()
  await giveBack(asBroker, lead)
  expect(await talk.turns(lead)).toHaveLength(1)
})

describe('refused', () => {
  test('to a stranger and to another broker', async () => {
    const lead = await spokenTo()
    const bia = await signIn(db, await makeBroker(db))
    await expect(giveBack(bia, lead)).rejects.toMatchObject({ code: 'PT404' })
    await expect(passing(bia, lead)).rejects.toMatchObject({ code: 'PT404' })
    await expect(db.query('select portal.return_to_agent($1, now())', [lead])).rejects.toMatchObject({
      code: 'PT401',
    })
    expect(await pauses()).toBe(1)
  })

  test.each([
    ['whose agent is off', `update portal.agent_settings set mode = 'off'`],
    ['whose agent suggests alone', `update portal.agent_settings set mode = 'suggest'`],
    ['whose agent is paused everywhere', `update public.prompts_agents set paused_at = now()`],
    ['without a model', `delete from portal.settings where key = 'agent_model'`],
    ['whose month is spent', 'update portal.agent_settings set month_limit_micros = 0'],
  ])('in a conversation %s', async (_, statement) => {
    const lead = await spokenTo()
    await db.exec(statement)
    expect(await passing(asBroker, lead)).toMatchObject({ baton: null })
    await expect(giveBack(asBroker, lead)).rejects.toMatchObject({ hint: 'assistant.elsewhere' })
    expect(await pauses()).toBe(1)
  })

  test.each([
    [
      'an administrator paused',
      `update portal.agent_pauses set reason = 'person', paused_until = now() + interval '1 day'`,
    ],
    ['the person opted out of', 'update portal.people set opted_out_at = now()'],
  ])('where %s', async (_, statement) => {
    const lead = await spokenTo()
    await db.exec(statement)
    expect(await passing(asBroker, lead)).toMatchObject({ baton: 'stopped' })
    await expect(giveBack(asBroker, lead)).rejects.toMatchObject({ hint: 'assistant.stopped' })
    expect(await pauses()).toBe(1)
  })

  test('if another broker speaks with the same person', async () => {
    const lead = await spokenTo()
    const bia = await makeBroker(db)
    const { rows } = await db.query<{ number: string }>(
      'select number from public.whatsapp_contacts where id = $1',
      [lead],
    )
    const hers = await makeContact(db, bia.instanceName, {
      number: rows[0]!.number,
      empreendimento: 'Mirante',
    })
    await makeMessage(db, hers.id, {
      instanceName: bia.instanceName,
      message_id: 'BIA',
      type: 'outgoing',
      author: 'human',
      delivery: 'sent',
      timestamp: Math.floor(Date.now() / 1000) + 60,
    })
    expect(await passing(asBroker, lead)).toMatchObject({ baton: 'stopped' })
    await expect(giveBack(asBroker, lead)).rejects.toMatchObject({ hint: 'assistant.stopped' })
    expect(await pauses()).toBe(1)
  })
})

describe("on a broker's own number", () => {
  let own: { id: string; instanceName: string }
  let asOwn: Claims
  let lead: number
  const answering = async (at: string) =>
    (await db.query('select portal.answering_agent($1, $2) as agent', [lead, at])).rows[0]!['agent']
  /** The state after an agent failed. */
  const handOver = () => failTurn(db, { agentId: talk.agent.id, lead, instanceName: own.instanceName })
  const line = (body: string, columns: object = {}) =>
    talk.says(lead, body, { instanceName: own.instanceName, ...columns })
  beforeEach(async () => {
    own = await makeBroker(db)
    asOwn = await signIn(db, own)
    lead = await talk.lead({ instanceName: own.instanceName, empreendimento: 'Mirante' })
    await onBehalf(db, asOwn, (query) => query('select portal.set_own_assistant(true)', []))
  })

  test('the card disappears, and outside working hours the assistant answers again', async () => {
    await line('Bom dia', { type: 'outgoing', author: 'human', delivery: 'sent' })
    await db.exec('delete from portal.agent_pauses')
    const first = await line('Oi')
    await line('Temos de 3 quartos.', { type: 'outgoing', author: 'agent', delivery: 'sent' })
    const last = await line('Quero sim')
    await handOver()
    expect(await passing(asOwn, lead, NIGHT)).toMatchObject({
      handover: { lines: 3, firstId: first.id, lastId: last.id },
      baton: 'broker',
    })
    expect(await answering(NIGHT)).toBeNull()
    expect(await giveBack(asOwn, lead, NOON)).toEqual({ isAnsweredNow: false })
    expect(await passing(asOwn, lead, NIGHT)).toEqual({ handover: null, baton: 'assistant' })
    expect([await answering(NIGHT), await answering(NOON)]).toEqual([talk.agent.id, null])
    // When the agent calls the broker again, the broker gets a new card.
    await line('Alô?')
    await handOver()
    expect(await passing(asOwn, lead, NIGHT)).toMatchObject({ handover: { lines: 4 }, baton: 'broker' })
    expect(await giveBack(asOwn, lead, NIGHT)).toEqual({ isAnsweredNow: true })
    expect(await talk.turns(lead)).toMatchObject([
      { state: 'failed' },
      { state: 'failed' },
      { state: 'waiting' },
    ])
  })

  test('a broker who has not turned it on cannot give back', async () => {
    await line('Oi')
    await handOver()
    await onBehalf(db, asOwn, (query) => query('select portal.set_own_assistant(false)', []))
    expect(await passing(asOwn, lead, NIGHT)).toMatchObject({ baton: null })
    await expect(giveBack(asOwn, lead, NIGHT)).rejects.toMatchObject({ hint: 'assistant.elsewhere' })
  })

  test('an administrator does it for the broker', async () => {
    await line('Oi')
    await handOver()
    expect(await giveBack(await signInAdmin(db), lead, NOON)).toEqual({
      isAnsweredNow: false,
    })
  })
})
