// A broker marks a conversation as unread: counts, boards and pushes agree, and opening or a message removes the mark.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, asAna, asBia, asAdmin } = await openStaff()

async function call<T>(claims: Claims, sql: string, values: (number | string | null)[]): Promise<T> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ answer: T }>(`select ${sql} as answer`, values),
  )
  return rows[0]!.answer
}
const mark = (claims: Claims, id: number, operation: string | null = null) =>
  call<{ code: string; success: boolean }>(claims, 'public.lead_unread($1, $2::uuid)', [id, operation])
const read = (claims: Claims, id: number, upTo: number) =>
  call<number>(claims, 'public.mark_read($1, $2)', [id, upTo])

async function cardOf(id: number) {
  const board = await call<{ leads: { id: number; unread_count: number; marked_unread: true | null }[] }>(
    asAna,
    'public.sync_board($1, null)',
    [ana.instanceName],
  )
  const { unread_count: count, marked_unread: isMarked } = board.leads.find((lead) => lead.id === id)!
  return [count, isMarked]
}

const SAVED = { success: true, code: 'saved', message: null, current: null }

test('a read conversation counts as one unread until it is opened, a second mark changes nothing', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { timestamp } = await makeMessage(base.db, id, { read: true })
  expect(await cardOf(id)).toEqual([0, null])
  expect(await mark(asAna, id)).toEqual(SAVED)
  expect(await cardOf(id)).toEqual([1, true])
  expect(await mark(asAna, id)).toMatchObject({ success: true, code: 'already' })
  await makeMessage(base.db, id, { type: 'outgoing', author: 'human', timestamp: timestamp + 5 })
  expect(await cardOf(id), 'a message to the lead keeps the mark').toEqual([1, true])
  expect(await read(asAna, id, 0)).toBe(0)
  expect(await cardOf(id)).toEqual([0, null])
})

test('a lead that never wrote can be marked; its first message replaces the mark', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  expect(await mark(asAna, id)).toEqual(SAVED)
  expect(await cardOf(id)).toEqual([1, true])
  const { timestamp } = await makeMessage(base.db, id, { read: false })
  expect(await cardOf(id)).toEqual([1, null])
  expect(await mark(asAna, id), 'unread messages need no mark').toMatchObject({ code: 'already' })
  expect(await read(asAna, id, timestamp - 1)).toBe(1)
  expect(await read(asAna, id, timestamp)).toBe(0)
})

test('a repeat of the same operation after the opening marks nothing', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  expect(await mark(asAna, id, operation)).toEqual(SAVED)
  await read(asAna, id, 0)
  expect(await mark(asAna, id, operation)).toEqual(SAVED)
  expect(await cardOf(id)).toEqual([0, null])
})

test("another broker's lead is unknown and stays as it is; an administrator may", async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  expect(await mark(asBia, id)).toMatchObject({ success: false, code: 'unknown_lead' })
  expect(await cardOf(id)).toEqual([0, null])
  await expect(
    asUser(base.db, asAna, (query) =>
      query('update public.whatsapp_contacts set marked_unread_at = now() where id = $1', [id]),
    ),
  ).rejects.toThrow(/permission denied/)
  expect(await mark(asAdmin, id)).toEqual(SAVED)
  expect(await cardOf(id)).toEqual([1, true])
})

test('a merge keeps the mark of either contact, and its undoing gives each its own', async () => {
  const [kept, gone] = [
    await makeContact(base.db, ana.instanceName),
    await makeContact(base.db, ana.instanceName),
  ]
  await makeMessage(base.db, kept.id, { read: true })
  await mark(asAna, gone.id)
  const { rows } = await base.db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    kept.id,
    gone.id,
  ])
  expect(await cardOf(kept.id)).toEqual([1, true])
  await base.db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect([await cardOf(kept.id), await cardOf(gone.id)]).toEqual([
    [0, null],
    [1, true],
  ])
})

test('an unread message of the merged contact outranks the mark', async () => {
  const [kept, gone] = [
    await makeContact(base.db, ana.instanceName),
    await makeContact(base.db, ana.instanceName),
  ]
  await mark(asAna, kept.id)
  await makeMessage(base.db, gone.id, { read: false })
  await makeMessage(base.db, gone.id, { read: false })
  await base.db.query('select portal.merge_contacts($1, $2)', [kept.id, gone.id])
  expect(await cardOf(kept.id)).toEqual([2, null])
})
