// Who holds a conversation of an agent: the agent at its hours, a person, or nobody while a broker is called, and why.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { makeAgent, makeBroker, makeContact, makeMessage, signIn } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, ana, chief, close } = await openOffice()
afterAll(close)
const admin = await signIn(db, chief)
beforeEach(() =>
  db.exec(
    'delete from public.prompts_agents; delete from public.whatsapp_contacts; delete from portal.people',
  ),
)

type Talk = { id: number; called_at: number | null }

/** Calls a database function as the administrator; returns its JSON. */
async function call(sql: string, values: SqlValue[] = []): Promise<Record<string, unknown>> {
  const { rows } = await onBehalf(db, admin, (query) =>
    query<{ answer: Record<string, unknown> }>(`select ${sql} as answer`, values),
  )
  // A function's answer is always one row.
  return rows[0]!.answer
}
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Makes it a working hour or not, whatever the clock says. */
const hours = (at: 'day' | 'night') =>
  db.exec(
    `create or replace function portal.is_after_hours(p_now timestamptz) returns boolean
     language sql stable security definer set search_path = '' as 'select ${at === 'night'}'`,
  )

test('the holder of a conversation is the agent, a person, or nobody while a broker is called', async () => {
  const central = await makeBroker(db, { central_since: '2020-01-01' })
  const { id } = await makeAgent(db, { empreendimento: 'Lago', instanceName: central.instanceName })
  const make = async (agoSeconds: number, { instanceName } = central) => {
    const lead = await makeContact(db, instanceName, { empreendimento: 'Lago' })
    const { id: messageId } = await makeMessage(db, lead.id, { timestamp: nowSeconds() - agoSeconds })
    return { id: lead.id, messageId }
  }
  const called = await make(10)
  const stored = await make(20)
  const taken = await make(30)
  const own = await make(40, ana)
  await call('public.pause_conversation($1, $2, true, null)', [id, taken.id])
  await db.query(
    `with turn as (
       insert into portal.agent_turns (kind, agent_id, contact_id, state, reason, base_message, began_at, due_at, ended_at)
       values ('answer', $1, $2, 'sent', 'handed-over', $3, now(), now(), now()) returning id, contact_id)
     insert into portal.agent_handovers (contact_id, turn_id, at) select contact_id, id, to_timestamp($4) from turn`,
    [id, called.id, called.messageId, nowSeconds() - 660],
  )
  await hours('night')
  const listed = async (holder: string | null) => {
    const { rows } = await onBehalf(db, admin, (query) =>
      query<{ talk: Talk }>('select public.get_agent_conversations($1, p_holder => $2) as talk', [
        id,
        holder,
      ]),
    )
    return rows.map(({ talk }) => [talk.id, talk.called_at !== null])
  }
  const holders = () => call('public.get_agent_holders($1)', [id])
  expect(await listed('waiting')).toEqual([[called.id, true]])
  expect(await listed('agent')).toEqual([[stored.id, false]])
  expect(await listed(null)).toEqual([
    [called.id, true],
    [stored.id, false],
    [taken.id, false],
    [own.id, false],
  ])
  expect(await holders()).toEqual({ agent: 1, waiting: 1 })
  // On a broker's own number the agent may do what that broker allows.
  const talk = (lead: number) => call('public.get_agent_conversation($1, $2)', [id, lead])
  expect(await talk(own.id)).toMatchObject({ answers_here: false, has_broker: true })
  await db.query('insert into portal.own_assistants (broker_id) values ($1)', [ana.id])
  expect(await holders()).toEqual({ agent: 2, waiting: 1 })
  expect(await talk(own.id)).toMatchObject({ answers_here: true })
  await db.query('delete from portal.own_assistants')
  await expect(listed('outro')).rejects.toThrow('p_holder é agent ou waiting.')
  // A central number is no broker, and a lead on its way to one is with no agent.
  expect(await talk(stored.id)).toMatchObject({ answers_here: true, has_broker: false })
  await db.query(`select portal.open_case($1, null, 'site', now())`, [stored.id])
  expect(await talk(stored.id)).toMatchObject({ answers_here: false })
  expect(await holders()).toEqual({ agent: 0, waiting: 1 })
  await db.query('delete from portal.roleta_cases')
  // A person has answered.
  await makeMessage(db, called.id, {
    type: 'outgoing',
    author: 'human',
    instanceName: ana.instanceName,
    timestamp: nowSeconds(),
  })
  expect(await listed('waiting')).toEqual([])
})

test('by day an agent for the night holds no conversation, and says that it answers later', async () => {
  const central = await makeBroker(db, { central_since: '2020-01-01' })
  const { id } = await makeAgent(db, { empreendimento: 'Lago', instanceName: central.instanceName })
  const lead = await makeContact(db, central.instanceName, { empreendimento: 'Lago' })
  await makeMessage(db, lead.id, { timestamp: nowSeconds() - 30 })
  const modes = async (at: 'day' | 'night', mode: string) => {
    await hours(at)
    await db.query('update portal.agent_settings set mode = $2 where agent_id = $1', [id, mode])
    const talk = await call('public.get_agent_conversation($1, $2)', [id, lead.id])
    const held = await call('public.get_agent_holders($1)', [id])
    return [talk['answers_here'], talk['answers_later'], held['agent']]
  }
  expect(await modes('day', 'after_hours')).toEqual([false, true, 0])
  expect(await modes('night', 'after_hours')).toEqual([true, false, 1])
  expect(await modes('day', 'answer')).toEqual([true, false, 1])
  // On a broker's own number every mode answers by night only.
  await db.query('insert into portal.own_assistants (broker_id) values ($1)', [ana.id])
  await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    lead.id,
    ana.instanceName,
  ])
  expect(await modes('day', 'answer')).toEqual([false, true, 0])
  expect(await modes('night', 'answer')).toEqual([true, false, 1])
  await db.query('delete from portal.own_assistants')
})

test.each(['handed-over', 'unreachable'])('a call says how its turn ended: %s', async (reason) => {
  const { id } = await makeAgent(db, { empreendimento: 'Lago', instanceName: ana.instanceName })
  const lead = await makeContact(db, ana.instanceName, { empreendimento: 'Lago' })
  const { id: messageId } = await makeMessage(db, lead.id, { timestamp: nowSeconds() - 30 })
  const of = () => call('public.get_agent_conversation($1, $2)', [id, lead.id])
  expect(await of()).toMatchObject({ called_at: null, called_for: null })
  await db.query(
    `with turn as (
       insert into portal.agent_turns (kind, agent_id, contact_id, state, reason, base_message, began_at, due_at, ended_at)
       values ('answer', $1, $2, 'failed', $4, $3, now(), now(), now()) returning id, contact_id)
     insert into portal.agent_handovers (contact_id, turn_id, at) select contact_id, id, to_timestamp($5) from turn`,
    [id, lead.id, messageId, reason, nowSeconds() - 660],
  )
  expect(await of()).toMatchObject({ called_for: reason })
})
