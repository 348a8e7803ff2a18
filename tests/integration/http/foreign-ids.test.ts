// A broker combines an own lead with another broker's data, or the reverse: nothing of the other's is returned or
// changed.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeDevelopment, makeMessage, signIn } from '#tests/support/make.ts'
import { callAs, schedule } from '#tests/support/scheduled.ts'

type Answer = { code: string; action_id: number | null; scheduled_id: number | null }
/** Bia's data: ids, and the operation ids of her device. */
type Owned = Record<'contact' | 'action' | 'visit' | 'text' | 'message', number> & {
  number: string
  actionOperation: string
  visitOperation: string
  textOperation: string
}

const base = await openBase()
const ana = await makeBroker(base.db)
const bia = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)
const asBia = await signIn(base.db, bia)

const inDays = (days: number) => new Date(Date.now() + days * 864e5).toISOString()
const call = (claims: Claims, name: string, given: Record<string, SqlValue>) =>
  callAs<Answer>(base.db, claims, name, given)
const bias = await makeOwned()
const development = await makeDevelopment(base.db)

async function makeOwned(): Promise<Owned> {
  const { id: contact, number } = await makeContact(base.db, bia.instanceName, { notes: 'De Bia' })
  const { id: message } = await makeMessage(base.db, contact, { instanceName: bia.instanceName })
  const [actionOperation, visitOperation, textOperation] = [randomUUID(), randomUUID(), randomUUID()]
  const action = await call(asBia, 'action_save', {
    p_contact_id: contact,
    p_kind: 'call',
    p_due_at: inDays(1),
    p_operation_id: actionOperation,
  })
  const visit = await call(asBia, 'visit_save', {
    p_contact_id: contact,
    p_starts_at: inDays(2),
    p_operation_id: visitOperation,
  })
  const text = await schedule(base.db, asBia, contact, {
    p_due_at: inDays(1),
    p_operation_id: textOperation,
  })
  return {
    contact,
    number,
    message,
    action: Number(action.action_id),
    visit: Number(visit.action_id),
    text: Number(text.scheduled_id),
    actionOperation,
    visitOperation,
    textOperation,
  }
}

/** All rows of Bia's lead, as text. */
async function standingOfBia(): Promise<string> {
  const { rows } = await base.db.query<{ text: string }>(
    `select jsonb_build_array(
       (select to_jsonb(c) from public.whatsapp_contacts c where c.id = $1),
       (select jsonb_agg(a order by a.id) from portal.actions a where a.contact_id = $1),
       (select jsonb_agg(v order by v.action_id) from portal.visits v join portal.actions a on a.id = v.action_id where a.contact_id = $1),
       (select jsonb_agg(s order by s.id) from portal.scheduled_messages s where s.contact_id = $1),
       (select jsonb_agg(m order by m.id) from public.whatsapp_messages m where m.contact_id = $1),
       (select jsonb_agg(o) from portal.outgoing_reactions o),
       (select jsonb_agg(i) from portal.interests i),
       (select jsonb_agg(l) from portal.muted_leads l),
       (select jsonb_agg(h order by h.weekday) from portal.visit_hours h),
       (select jsonb_agg(f) from portal.calendar_feeds f))::text as text`,
    [bias.contact],
  )
  return rows[0]!.text
}

const soon = inDays(3)

test('with an own lead another broker’s action, visit, text or message is unknown', async () => {
  const before = await standingOfBia()
  const { id } = await makeContact(base.db, ana.instanceName)
  const own = { p_contact_id: id }
  const named = { p_action_id: bias.action, p_action_operation: bias.actionOperation }
  const visited = { p_action_id: bias.visit, p_action_operation: bias.visitOperation }
  const written = { p_scheduled_id: bias.text, p_scheduled_operation: bias.textOperation }
  const codes = [
    await call(asAna, 'action_finish', { ...own, ...named, p_outcome: 'done' }),
    await call(asAna, 'action_snooze', { ...own, ...named, p_due_at: soon }),
    await call(asAna, 'visit_outcome', { ...own, ...visited, p_outcome: 'held' }),
    await call(asAna, 'message_schedule', { ...own, ...written, p_text: 'Oi!', p_due_at: soon }),
    await call(asAna, 'message_unschedule', { ...own, ...written }),
    await call(asAna, 'message_react', { ...own, p_message_id: bias.message, p_emoji: '👍' }),
    await call(asAna, 'message_edit', { ...own, p_message_id: bias.message, p_text: 'De Ana' }),
    await call(asAna, 'message_delete', { ...own, p_message_id: bias.message }),
  ].map(({ code }) => code)
  expect(codes).toEqual(['already', 'already', 'unknown_visit', 'gone', 'already', 'gone', 'gone', 'gone'])
  const made = await call(asAna, 'action_save', { ...own, ...named, p_kind: 'task', p_due_at: soon })
  expect(made.action_id).not.toBe(bias.action)
  const booked = await call(asAna, 'visit_save', { ...own, ...visited, p_starts_at: inDays(2) })
  expect(booked).toMatchObject({ code: 'saved' })
  expect(booked.action_id).not.toBe(bias.visit)
  expect(await standingOfBia()).toBe(before)
})

test('another broker’s lead is unknown by its id, by its number, and under the other’s name', async () => {
  const before = await standingOfBia()
  const ways: Record<string, SqlValue>[] = [
    { p_contact_id: bias.contact },
    { p_contact_id: null, p_number_lead: bias.number },
    { p_contact_id: bias.contact, p_number_lead: bias.number, p_broker_name: bia.instanceName },
    { p_contact_id: bias.contact, p_number_lead: bias.number, p_broker_name: ana.instanceName },
  ]
  const deeds: [name: string, given: Record<string, SqlValue>][] = [
    ['action_save', { p_kind: 'call', p_due_at: soon }],
    ['action_finish', { p_outcome: 'done', p_action_id: bias.action }],
    ['action_snooze', { p_due_at: soon, p_action_id: bias.action }],
    ['visit_save', { p_starts_at: soon, p_action_id: bias.visit }],
    ['visit_outcome', { p_outcome: 'missed', p_action_id: bias.visit }],
    ['message_schedule', { p_text: 'Oi!', p_due_at: soon, p_scheduled_id: bias.text }],
    ['message_unschedule', { p_scheduled_id: bias.text }],
    ['plan_start', { p_steps: JSON.stringify([{ operationId: randomUUID(), kind: 'call', dueAt: soon }]) }],
    ['plan_stop', {}],
    ['interest_add', { p_development_id: development.id }],
    ['interest_remove', { p_development_id: development.id }],
    ['message_react', { p_message_id: bias.message, p_emoji: '👍' }],
    ['message_edit', { p_message_id: bias.message, p_text: 'De Ana' }],
    ['message_delete', { p_message_id: bias.message }],
    ['lead_fields', { p_fields: '{"value": 1}' }],
    ['save_lead_notes', { p_notes: 'De Ana' }],
    ['rename_lead', { p_name: 'De Ana' }],
    ['lead_unread', {}],
    ['atualizar_status_lead', { p_novo_status: 'conversa' }],
  ]
  for (const way of ways)
    for (const [name, given] of deeds)
      expect(await call(asAna, name, { ...way, ...given }), `${name} ${JSON.stringify(way)}`).toMatchObject({
        code: 'unknown_lead',
      })
  for (const way of ways) expect(await call(asAna, 'lead_mute', { ...way, p_is_muted: true })).toBeNull()
  expect(await standingOfBia()).toBe(before)
})

test("another account's operation id is a new operation", async () => {
  const before = await standingOfBia()
  const { id } = await makeContact(base.db, ana.instanceName)
  const answer = await call(asAna, 'action_save', {
    p_contact_id: id,
    p_kind: 'call',
    p_due_at: soon,
    p_operation_id: bias.actionOperation,
  })
  expect(answer).toMatchObject({ code: 'saved' })
  expect(answer.action_id).not.toBe(bias.action)
  expect(await standingOfBia()).toBe(before)
})
