// action_save, action_finish, action_snooze: every answer, repeats, two devices, ownership, transfers, merges and their
// undo.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()

type Answer = { success: boolean; code: string; message: string | null; action_id: number | null }
type Done = { id: number; kind: string; due: number; at: number; note: string; missed?: true }
type Row = { id: number; next: Next[] | null; done: Done[] | null; waiting_since: number | null }
type Next = { id: number; op: string; kind: string; due: number; note: string }

async function call(claims: Claims, name: string, given: Record<string, SqlValue>): Promise<Answer> {
  const names = Object.keys(given)
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: Answer }>(
      `select public.${name}(${names.map((word, n) => `${word} => $${n + 1}`).join(', ')}) as answer`,
      Object.values(given),
    ),
  )
  return rows[0]!.answer
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const at = (epochSeconds: number) => new Date(epochSeconds * 1000).toISOString()
const due = inSeconds(7_200)

const save = (claims: Claims, contactId: number, more: Record<string, SqlValue> = {}) =>
  call(claims, 'action_save', {
    p_contact_id: contactId,
    p_kind: 'call',
    p_due_at: at(due),
    p_operation_id: randomUUID(),
    ...more,
  })

async function board(instanceName: string, contactId: number) {
  const { rows } = await asUser(base.db, asAdmin, (query) =>
    query<{ board: { leads: Row[] } }>('select sync_board($1) as board', [instanceName]),
  )
  return rows[0]!.board.leads.find(({ id }) => id === contactId)
}

test('is set once despite repeats, and is shown on the lead', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  const once = { p_operation_id: operation, p_note: '  Ia falar com o marido ' }
  const first = await save(asAna, id, once)
  expect(first).toEqual({ success: true, code: 'saved', message: null, action_id: expect.any(Number) })
  expect(await save(asAna, id, once)).toEqual(first)
  expect((await board(ana.instanceName, id))?.next).toEqual([
    { id: first.action_id, op: operation.slice(0, 8), kind: 'call', due, note: 'Ia falar com o marido' },
  ])
})

test('the one due first is in front; finishing it leaves the other', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const later = await save(asAna, id, { p_due_at: at(due + 60), p_kind: 'task' })
  const sooner = await save(asAna, id)
  const ids = async () => (await board(ana.instanceName, id))?.next?.map((action) => action.id) ?? null
  expect(await ids()).toEqual([sooner.action_id, later.action_id])
  const finish = { p_contact_id: id, p_outcome: 'done' }
  await call(asAna, 'action_finish', { ...finish, p_action_id: sooner.action_id })
  expect(await ids()).toEqual([later.action_id])
  await call(asAna, 'action_finish', { ...finish, p_action_id: later.action_id })
  expect(await ids()).toBeNull()
})

test('a finished action is on the lead for the day: once, unless removed, and not on the next day', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const done = async () => (await board(ana.instanceName, id))?.done
  const finish = (action: number | null, p_outcome = 'done') =>
    call(asAna, 'action_finish', { p_contact_id: id, p_action_id: action, p_outcome })
  const first = await save(asAna, id, { p_note: 'Ia falar com o marido' })
  const other = await save(asAna, id, { p_kind: 'task' })
  expect(await done()).toBeNull()
  await finish(first.action_id)
  await finish(first.action_id)
  await finish(other.action_id, 'removed')
  await call(asAna, 'action_finish', { p_contact_id: id, p_outcome: 'not_needed' })
  expect(await done()).toEqual([
    { id: first.action_id, kind: 'call', due, note: 'Ia falar com o marido', at: expect.any(Number) },
  ])
  expect(Math.abs((await done())![0]!.at - inSeconds(0))).toBeLessThan(60)
  await base.db.query(
    `update portal.actions set finished_at = finished_at - interval '1 day' where id = $1`,
    [first.action_id],
  )
  expect(await done()).toBeNull()
  // The end of a day changes nothing on the lead.
  await base.db.query(
    `update public.whatsapp_contacts set done = '[{"id": 1, "kind": "call", "due": 1, "at": 1, "note": ""}]' where id = $1`,
    [id],
  )
  expect(await done()).toBeNull()
})

test('a missed visit is marked, an automatic message is not an action; a hundred become twenty', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const visit = await save(asAna, id, { p_kind: 'visit' })
  await base.db.query(`update portal.actions set finished_at = now(), outcome = 'missed' where id = $1`, [
    visit.action_id,
  ])
  await base.db.query(
    `insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at, state, at_once, changed_at)
     select $1, 'Bom dia', now(), false, now(), state, at_once, now()
     from (values ('queued', false), ('queued', true), ('cancelled', false)) as t (state, at_once)`,
    [id],
  )
  // A visit's confirmation and reminder are no tasks of the broker.
  await base.db.query(
    `insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at, state, action_id, changed_at)
     values ($1, 'Confirmado', now(), false, now(), 'queued', $2, now())`,
    [id, visit.action_id],
  )
  const done = async () => (await board(ana.instanceName, id))?.done ?? []
  expect((await done()).map(({ kind, missed }) => [kind, missed])).toEqual([
    ['text', undefined],
    ['visit', true],
  ])
  await base.db.query(
    `insert into portal.actions (contact_id, kind, due_at, seen_at, finished_at, outcome)
     select $1, 'task', now(), now(), now() + make_interval(secs => n), 'done' from generate_series(1, 100) n`,
    [id],
  )
  expect(await done()).toHaveLength(20)
})

test('finished actions move with the lead to the next broker', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { action_id } = await save(asAna, id)
  await call(asAna, 'action_finish', { p_contact_id: id, p_action_id: action_id, p_outcome: 'done' })
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    id,
    bia.instanceName,
  ])
  expect((await board(bia.instanceName, id))?.done?.[0]?.id).toBe(action_id)
  expect(await board(ana.instanceName, id)).toBeUndefined()
})

test('a device names its action by its operation until it knows the id', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  const { action_id } = await save(asAna, id, { p_operation_id: operation })
  const named = { p_contact_id: id, p_action_operation: operation }
  expect(await call(asAna, 'action_snooze', { ...named, p_due_at: at(due + 3_600) })).toMatchObject({
    code: 'saved',
    action_id,
  })
  expect((await board(ana.instanceName, id))?.next?.[0]?.due).toBe(due + 3_600)
  expect(await save(asAna, id, { p_action_operation: operation, p_kind: 'visit' })).toMatchObject({
    action_id,
  })
  expect((await board(ana.instanceName, id))?.next).toMatchObject([
    { id: action_id, kind: 'visit', due, note: '' },
  ])
  expect(await call(asAna, 'action_finish', { ...named, p_outcome: 'done' })).toMatchObject({ code: 'saved' })
})

test('finished on two devices it is finished once; postponed afterwards it stays finished, set anew it is another', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { action_id } = await save(asAna, id)
  const named = { p_contact_id: id, p_action_id: action_id }
  const finish = () =>
    call(asAna, 'action_finish', { ...named, p_outcome: 'done', p_operation_id: randomUUID() })
  expect((await finish()).code).toBe('saved')
  expect((await finish()).code).toBe('already')
  expect((await call(asAna, 'action_snooze', { ...named, p_due_at: at(due) })).code).toBe('already')
  const again = await save(asAna, id, { p_action_id: action_id })
  expect(again.action_id).not.toBe(action_id)
  const { rows } = await base.db.query(
    'select outcome from portal.actions where contact_id = $1 order by id',
    [id],
  )
  expect(rows.map(({ outcome }) => outcome)).toEqual(['done', null])
})

test('an action set after the message ends the wait; removed, or set before the last message, it does not', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const wroteAt = inSeconds(-600)
  await makeMessage(base.db, id, { timestamp: wroteAt })
  const since = async () => (await board(ana.instanceName, id))?.waiting_since
  expect(await since()).toBe(wroteAt)
  const { action_id } = await save(asAna, id, { p_seen_at: at(wroteAt) })
  expect(await since()).toBeNull()
  await makeMessage(base.db, id, { timestamp: wroteAt + 60 })
  expect(await since()).toBe(wroteAt + 60)
  await save(asAna, id, { p_action_id: action_id, p_seen_at: at(wroteAt + 60) })
  expect(await since()).toBeNull()
  await call(asAna, 'action_finish', { p_contact_id: id, p_action_id: action_id, p_outcome: 'removed' })
  expect(await since()).toBe(wroteAt)
  await call(asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'not_needed',
    p_seen_at: at(wroteAt + 60),
  })
  expect(await since()).toBeNull()
})

test("another broker's lead is unknown; an administrator may", async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const unknown = { success: false, code: 'unknown_lead', message: 'Lead não encontrado.' }
  expect(await save(asBia, id)).toMatchObject(unknown)
  const { action_id } = await save(asAdmin, id)
  const named = { p_contact_id: id, p_action_id: action_id }
  expect(await call(asBia, 'action_finish', { ...named, p_outcome: 'done' })).toMatchObject(unknown)
  expect(await call(asBia, 'action_snooze', { ...named, p_due_at: at(due + 60) })).toMatchObject(unknown)
  expect((await board(ana.instanceName, id))?.next?.[0]?.due).toBe(due)
})

test.each([
  { p_kind: 'none' },
  { p_kind: null },
  { p_due_at: null },
  { p_due_at: '2100-01-01T00:00:00Z' },
  { p_note: 'x'.repeat(201) },
])('refuses %o', async (wrong) => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await expect(save(asAna, id, wrong)).rejects.toMatchObject({ code: 'PT422' })
})

test('moves with the lead to another broker', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { action_id } = await save(asAna, id)
  await asUser(base.db, asAdmin, (query) =>
    query('select transferir_leads($1, $2)', [`{${id}}`, bia.instanceName]),
  )
  expect((await board(bia.instanceName, id))?.next?.[0]?.id).toBe(action_id)
  const finish = { p_contact_id: id, p_action_id: action_id, p_outcome: 'done' }
  expect((await call(asAna, 'action_finish', finish)).code).toBe('unknown_lead')
  expect((await call(asBia, 'action_finish', finish)).code).toBe('saved')
})

test('after a merge of two leads both are open on it, and separate with them', async () => {
  const remaining = await makeContact(base.db, ana.instanceName)
  const gone = await makeContact(base.db, ana.instanceName)
  const mine = await save(asAna, remaining.id)
  const theirs = await save(asAna, gone.id, { p_due_at: at(due - 60) })
  const { rows } = await base.db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    remaining.id,
    gone.id,
  ])
  const ids = async (contactId: number) =>
    (await board(ana.instanceName, contactId))?.next?.map((action) => action.id)
  expect(await ids(remaining.id)).toEqual([theirs.action_id, mine.action_id])
  await base.db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect(await ids(remaining.id)).toEqual([mine.action_id])
  expect(await ids(gone.id)).toEqual([theirs.action_id])
})
