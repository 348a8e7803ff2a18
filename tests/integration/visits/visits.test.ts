// Visits: booked once and never overlapping, moved, with an outcome, each reminder once; free hours, weekly hours,
// calendar.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { slotsOf, USUAL_WEEK } from '#domain/next-action/visit.ts'
import { calendarDay } from '#domain/format.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { comingSaturday } from '#tests/support/clock.ts'
import { makeContact } from '#tests/support/make.ts'
import { callAs, laterOf } from '#tests/support/scheduled.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
afterEach(() =>
  base.db.exec(
    'delete from public.whatsapp_contacts; delete from portal.visit_hours; delete from portal.push_queue',
  ),
)

type Answer = { success: boolean; code: string; message: string | null; action_id: number | null }

const HOUR_MS = 3_600_000
/** A Tuesday at 10h in the portal's zone, a month ahead. */
const TEN = comingSaturday()(31, 10).getTime()
const iso = (ms: number) => new Date(ms).toISOString()

const lead = async (columns = {}) => (await makeContact(base.db, ana.instanceName, columns)).id
const book = (claims: Claims, contactId: number, atMs: number, more: Record<string, SqlValue> = {}) =>
  callAs<Answer>(base.db, claims, 'visit_save', {
    p_contact_id: contactId,
    p_starts_at: iso(atMs),
    p_operation_id: randomUUID(),
    ...more,
  })
const answer = (claims: Claims, contactId: number, action: number | null, more: Record<string, SqlValue>) =>
  callAs<Answer>(base.db, claims, 'visit_outcome', { p_contact_id: contactId, p_action_id: action, ...more })
const visitOf = async (action: number | null) =>
  (
    await base.db.query<{
      at: number
      outcome: string | null
      note: string
      sequence: number
      kind: string | null
      remind: number | null
      feeling: string | null
    }>(
      `select extract(epoch from a.due_at)::bigint * 1000 as at, a.outcome, a.note, v.sequence, v.remind_kind as kind,
         extract(epoch from v.remind_at)::bigint * 1000 as remind, v.feeling
       from portal.actions a join portal.visits v on v.action_id = a.id where a.id = $1`,
      [action],
    )
  ).rows[0]

/** The scheduled texts of a lead, with their states. */
async function textsOf(contactId: number) {
  const { rows } = await base.db.query(
    `select body, state from portal.scheduled_messages where contact_id = $1 order by id`,
    [contactId],
  )
  return rows
}

test('is booked once despite repeats, and two of one broker never overlap', async () => {
  const [one, other] = [await lead(), await lead()]
  const once = { p_operation_id: randomUUID(), p_place: ' Estande ' }
  const first = await book(asAna, one, TEN, once)
  expect(first).toMatchObject({ success: true, code: 'saved' })
  expect(await book(asAna, one, TEN, once)).toEqual(first)
  expect(await visitOf(first.action_id)).toMatchObject({ at: TEN, note: 'Estande', kind: 'day' })
  expect(await book(asAna, other, TEN + 39 * 60_000)).toMatchObject({
    success: false,
    code: 'taken',
    message: 'Esse horário acabou de ser ocupado. Escolha outro.',
  })
  expect((await book(asAna, other, TEN + 40 * 60_000)).code).toBe('saved')
  // Another broker has separate hours.
  const theirs = await makeContact(base.db, bia.instanceName)
  expect((await book(asBia, theirs.id, TEN)).code).toBe('saved')
})

test('two phones that want the same hour at once: one gets it', async () => {
  const leads = await Promise.all(Array.from({ length: 6 }, () => lead()))
  const answers = await Promise.all(leads.map((id) => book(asAna, id, TEN)))
  expect(answers.map(({ code }) => code).toSorted()).toEqual(['saved', ...Array(5).fill('taken')])
})

test('a call that becomes a visit is one action, and a call again after an undo, without a message', async () => {
  const id = await lead()
  const open = async () => {
    const { rows } = await base.db.query(
      'select a.id, a.kind, a.note from portal.actions a where a.contact_id = $1 and a.finished_at is null',
      [id],
    )
    return rows
  }
  const set = (more: Record<string, SqlValue> = {}) =>
    callAs<Answer>(base.db, asAna, 'action_save', {
      p_contact_id: id,
      p_kind: 'call',
      p_due_at: iso(TEN),
      p_note: 'Preço',
      ...more,
    })
  const { action_id } = await set()
  const text = { p_remind_text: 'Amanhã às 10h', p_remind_at: iso(TEN - 16 * HOUR_MS) }
  await book(asAna, id, TEN, { ...text, p_action_id: action_id, p_place: 'Estande' })
  expect(await open()).toEqual([{ id: action_id, kind: 'visit', note: 'Estande' }])
  expect(await visitOf(action_id)).toMatchObject({ at: TEN, kind: 'day' })
  expect(await laterOf(base.db, id)).toHaveLength(1)
  await set({ p_action_id: action_id })
  expect(await open()).toEqual([{ id: action_id, kind: 'call', note: 'Preço' }])
  expect(await visitOf(action_id)).toBeUndefined()
  expect(await laterOf(base.db, id)).toBeNull()
})

test("messages to the lead follow it: if it is moved or cancelled, the old hour's texts are never sent", async () => {
  const id = await lead()
  const operation = randomUUID()
  const notified = {
    p_confirm_text: 'Marcada!',
    p_remind_text: 'Amanhã às 10h',
    p_remind_at: iso(TEN - 16 * HOUR_MS),
  }
  const { action_id } = await book(asAna, id, TEN, { ...notified, p_operation_id: operation })
  expect(await laterOf(base.db, id)).toHaveLength(2)
  const moved = await book(asAna, id, TEN + HOUR_MS, {
    p_action_operation: operation,
    p_remind_text: 'Amanhã às 11h',
    p_remind_at: notified.p_remind_at,
  })
  expect(moved.action_id).toBe(action_id)
  expect(await visitOf(action_id)).toMatchObject({ at: TEN + HOUR_MS, sequence: 1 })
  expect(await textsOf(id)).toEqual([
    { body: 'Marcada!', state: 'cancelled' },
    { body: 'Amanhã às 10h', state: 'cancelled' },
    { body: 'Amanhã às 11h', state: 'waiting' },
  ])
  await callAs(base.db, asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'removed',
    p_action_id: action_id,
  })
  expect(await laterOf(base.db, id)).toBeNull()
  expect((await book(asAna, await lead(), TEN + HOUR_MS)).code).toBe('saved')
})

test('the confirmation waits for the end of undo: a booking undone within seconds tells the lead nothing', async () => {
  const id = await lead()
  const operation = randomUUID()
  const { rows: began } = await base.db.query<{ ms: number }>(
    `select extract(epoch from now())::float8 * 1000 as ms`,
  )
  await book(asAna, id, TEN, { p_confirm_text: 'Marcada!', p_operation_id: operation })
  const leaving = async (afterMs: number) =>
    (
      await base.db.query(
        `select from portal.scheduled_messages where contact_id = $1 and state = 'waiting' and due_at <= $2`,
        [id, iso(began[0]!.ms + afterMs)],
      )
    ).rows.length
  expect(await leaving(10_000)).toBe(0)
  expect(await leaving(60_000)).toBe(1)
  await callAs(base.db, asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'removed',
    p_action_operation: operation,
  })
  expect(await leaving(60_000)).toBe(0)
})

test('moved to another place at the same hour it is reminded of once, of the new place', async () => {
  const id = await lead()
  const remind = (place: string) => ({
    p_place: place,
    p_remind_text: `Amanhã às 10h, ${place}`,
    p_remind_at: iso(TEN - 16 * HOUR_MS),
  })
  const { action_id } = await book(asAna, id, TEN, remind('Estande'))
  await book(asAna, id, TEN, { ...remind('Av. Brasil, 40'), p_action_id: action_id })
  expect(await visitOf(action_id)).toMatchObject({ at: TEN, note: 'Av. Brasil, 40', sequence: 1 })
  expect(await textsOf(id)).toEqual([
    { body: 'Amanhã às 10h, Estande', state: 'cancelled' },
    { body: 'Amanhã às 10h, Av. Brasil, 40', state: 'waiting' },
  ])
})

test("two devices that answer are one outcome, and the lead's impression comes later", async () => {
  const id = await lead()
  const { action_id } = await book(asAna, id, TEN)
  expect((await answer(asAna, id, action_id, { p_outcome: 'held' })).code).toBe('saved')
  expect((await answer(asAna, id, action_id, { p_outcome: 'missed' })).code).toBe('already')
  expect((await answer(asAna, id, action_id, { p_outcome: 'held', p_feeling: 'liked' })).code).toBe('saved')
  expect(await visitOf(action_id)).toMatchObject({ outcome: 'done', feeling: 'liked', remind: null })
  expect((await answer(asAna, id, 0, { p_outcome: 'held' })).code).toBe('unknown_visit')
})

test('a missed visit is over, and its hour is free', async () => {
  const id = await lead()
  const { action_id } = await book(asAna, id, TEN)
  await answer(asAna, id, action_id, { p_outcome: 'missed' })
  expect(await visitOf(action_id)).toMatchObject({ outcome: 'missed' })
  expect((await book(asAna, await lead(), TEN)).code).toBe('saved')
})

test('finished before its hour it was not held, and no figure counts it', async () => {
  const id = await lead()
  const finish = (action: number | null) =>
    callAs<Answer>(base.db, asAna, 'action_finish', {
      p_contact_id: id,
      p_action_id: action,
      p_outcome: 'done',
    })
  const ahead = await book(asAna, id, Date.now() + HOUR_MS)
  const begun = await book(asAna, id, Date.now() - HOUR_MS)
  expect((await finish(ahead.action_id)).code).toBe('saved')
  await finish(begun.action_id)
  const { rows } = await base.db.query<{ id: number; is_held: boolean }>(
    'select id, is_held from portal.booked_visits where contact_id = $1',
    [id],
  )
  expect(rows).toEqual([{ id: begun.action_id, is_held: true }])
  expect((await visitOf(ahead.action_id))?.outcome).toBe('removed')
})

test("another broker's lead is unknown; an administrator may", async () => {
  const id = await lead()
  expect((await book(asBia, id, TEN)).code).toBe('unknown_lead')
  const { action_id, code } = await book(asAdmin, id, TEN)
  expect(code).toBe('saved')
  expect((await answer(asBia, id, action_id, { p_outcome: 'held' })).code).toBe('unknown_lead')
})

test.each([
  ['visit_save', { p_starts_at: null }],
  ['visit_save', { p_starts_at: '2100-01-01T00:00:00Z' }],
  ['visit_save', { p_starts_at: iso(TEN), p_place: 'x'.repeat(201) }],
  ['visit_outcome', { p_outcome: 'maybe' }],
  ['visit_outcome', { p_outcome: 'held', p_feeling: 'loved' }],
])('%s refuses %o', async (name, wrong) => {
  await expect(callAs(base.db, asAna, name, { p_contact_id: await lead(), ...wrong })).rejects.toMatchObject({
    code: 'PT422',
  })
})

/** One poll at a given time; returns the kinds of pushes. */
async function remindedAt(atMs: number): Promise<string[]> {
  await base.db.query('select portal.remind_visits($1)', [iso(atMs)])
  const { rows } = await base.db.query<{ kind: string }>(
    `delete from portal.push_queue where kind in ('visit', 'outcome') returning kind`,
  )
  return rows.map(({ kind }) => kind)
}

async function withPhone() {
  await base.db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
     select s.id, 'https://push.example/' || s.id, 'k', 'a', 'Celular' from portal.sessions s where s.account_id = $1
     on conflict do nothing`,
    [ana.id],
  )
}

/** All reminders of a visit that begins at 10h, with their distance from it in hours. The last one comes at 18h. */
async function expectReminders(startsAtMs: number) {
  const sent: [number, string[]][] = []
  for (let atMs = startsAtMs - 30 * HOUR_MS; atMs < startsAtMs + 60 * HOUR_MS; atMs += HOUR_MS / 4) {
    const kinds = await remindedAt(atMs)
    if (kinds.length > 0) sent.push([(atMs - startsAtMs) / HOUR_MS, kinds])
  }
  expect(sent).toEqual([
    [-24, ['visit']],
    [-2, ['visit']],
    [1, ['outcome']],
    [8, ['outcome']],
  ])
}

test('a day before, two hours before, after it and at 18h once more, each once', async () => {
  await withPhone()
  const { action_id } = await book(asAna, await lead(), TEN)
  await expectReminders(TEN)
  expect(await visitOf(action_id)).toMatchObject({ kind: null })
})

/** 10h in New York on the next Sunday, over a week ahead, that is the month's first from this day on. */
function changeOfClocks(month: string, from: number, offset: string) {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const first = new Date(`${year}-${month}-0${from}T10:00${offset}`)
    const sundayMs = first.getTime() + ((7 - first.getUTCDay()) % 7) * 24 * HOUR_MS
    if (sundayMs > Date.now() + 8 * 24 * HOUR_MS) return sundayMs
  }
}

test.each([
  ['put forward', changeOfClocks('03', 8, '-04:00')],
  ['put back', changeOfClocks('11', 1, '-05:00')],
])('on the day of a clock change (%s) each reminder comes once, at its time', async (_, startsAtMs) => {
  await withPhone()
  const zone = (name: string) =>
    base.db.query(`update portal.settings set value = to_jsonb($1::text) where key = 'time_zone'`, [name])
  await zone('America/New_York')
  try {
    await book(asAna, await lead(), startsAtMs)
    await expectReminders(startsAtMs)
  } finally {
    await zone('America/Sao_Paulo')
  }
})

test('booked for the same day, there is no reminder the day before; after an outage only useful ones are sent', async () => {
  await withPhone()
  const nowMs = Date.now()
  const soon = await book(asAna, await lead(), nowMs + 5 * HOUR_MS)
  expect(await visitOf(soon.action_id)).toMatchObject({ kind: 'hours' })
  const far = await book(asAna, await lead(), TEN)
  // The portal was down from the day before until an hour before.
  await base.db.query('delete from portal.visits where action_id = $1', [soon.action_id])
  expect(await remindedAt(TEN - HOUR_MS)).toEqual([])
  expect(await visitOf(far.action_id)).toMatchObject({ kind: 'outcome' })
})

test('a moved visit has new reminders, a past one none', async () => {
  await withPhone()
  const id = await lead()
  const { action_id } = await book(asAna, id, TEN)
  expect(await remindedAt(TEN - 24 * HOUR_MS)).toEqual(['visit'])
  await book(asAna, id, TEN + 48 * HOUR_MS, { p_action_id: action_id })
  expect(await remindedAt(TEN + 24 * HOUR_MS)).toEqual(['visit'])
  await answer(asAna, id, action_id, { p_outcome: 'held' })
  expect(await remindedAt(TEN + 60 * HOUR_MS)).toEqual([])
})

test('free hours equal those on the phone, and an agent books one of them', async () => {
  const nowMs = TEN - 2 * HOUR_MS
  const free = async () =>
    (
      await base.db.query<{ at: number }>(
        'select extract(epoch from starts_at)::bigint * 1000 as at from portal.free_slots($1, $2, 3)',
        [ana.instanceName, iso(nowMs)],
      )
    ).rows.map(({ at }) => at)
  const shown = (taken: number[]) =>
    [0, 1, 2].flatMap((ahead) =>
      slotsOf(calendarDay(nowMs) + ahead, { week: USUAL_WEEK, taken, nowMs })
        .filter(({ isTaken }) => !isTaken)
        .map(({ startsAtMs }) => startsAtMs),
    )
  expect(await free()).toEqual(shown([]))
  const id = await lead()
  const booking = async (contactId: number) =>
    (
      await base.db.query<{ answer: Answer }>(
        `select portal.book_visit($1, $2, $3, 'Estande', null, $4) as answer`,
        [contactId, ana.instanceName, iso(TEN), iso(nowMs)],
      )
    ).rows[0]?.answer.code
  expect(await booking(id)).toBe('saved')
  expect(await booking(await lead())).toBe('taken')
  expect(await booking(0)).toBe('unknown_lead')
  expect(await free()).toEqual(shown([TEN]))
})

test('only the broker sets the weekly hours; invalid ones are refused', async () => {
  const save = (claims: Claims, hours: unknown) =>
    callAs(base.db, claims, 'visit_hours_save', {
      p_broker_name: ana.instanceName,
      p_hours: JSON.stringify(hours),
    })
  await save(asAna, [{ weekday: 2, from: 600, until: 720 }])
  const setup = await callAs<{ hours: object[] }>(base.db, asAna, 'get_visit_setup', {
    p_broker_name: ana.instanceName,
  })
  expect(setup.hours).toEqual([{ weekday: 2, from: 600, until: 720 }])
  await expect(save(asBia, [])).rejects.toMatchObject({ code: '42501' })
  for (const wrong of [[], [{ weekday: 2, from: 720, until: 600 }], [{ weekday: 9, from: 1, until: 2 }], {}])
    await expect(save(asAna, wrong)).rejects.toMatchObject({ code: 'PT422' })
})

test('a calendar shows first names, kinds and places, at its newest address only', async () => {
  const id = await lead({ name: 'Helena Duarte', number: '5511955500142' })
  await book(asAna, id, TEN, { p_place: 'Vista Serrana' })
  const renew = (claims: Claims, isOn = true) =>
    callAs<string | null>(base.db, claims, 'calendar_renew', {
      p_broker_name: ana.instanceName,
      p_is_on: isOn,
    })
  const entries = async (secret: string | null) =>
    (
      await base.db.query<{ entries: object[] | null }>(
        `select portal.calendar_of(sha256(convert_to($1, 'UTF8'))) as entries`,
        [secret ?? ''],
      )
    ).rows[0]?.entries
  const first = await renew(asAna)
  expect(await entries(first)).toMatchObject([
    { kind: 'visit', at: TEN / 1000, place: 'Vista Serrana', firstName: 'Helena' },
  ])
  expect(JSON.stringify(await entries(first))).not.toContain('5550142')
  const second = await renew(asAna)
  expect(await entries(first)).toBeNull()
  expect(await entries(second)).toHaveLength(1)
  await expect(renew(asBia)).rejects.toMatchObject({ code: '42501' })
  expect(await renew(asAna, false)).toBeNull()
  expect(await entries(second)).toBeNull()
  const { rows } = await base.db.query<{ action: string; subject: string }>(
    `select action, subject from portal.audit_log where action ~ '^calendar' order by id`,
  )
  const subject = ana.instanceName
  expect(rows).toEqual([
    { action: 'calendar.renewed', subject },
    { action: 'calendar.renewed', subject },
    { action: 'calendar.off', subject },
  ])
  // The log keeps each for a year: an account may make twenty per hour, and the last address is valid.
  let last: string | null = null
  for (let made = rows.length; made < 20; made++) last = await renew(asAna)
  await expect(renew(asAna)).rejects.toMatchObject({ code: 'PT429' })
  expect(await entries(last)).toHaveLength(1)
})

test('other systems get events about its changes', async () => {
  await base.db.query(
    `insert into portal.hooks (name, url, events, secret, secret_tail)
     values ('Outro', 'https://outro.example', '{visit.booked,visit.moved,visit.held,visit.missed,visit.cancelled}', 's', 't')`,
  )
  const id = await lead()
  const first = await book(asAna, id, TEN)
  await book(asAna, id, TEN + HOUR_MS, { p_action_id: first.action_id })
  await answer(asAna, id, first.action_id, { p_outcome: 'held' })
  const second = await book(asAna, id, TEN)
  await answer(asAna, id, second.action_id, { p_outcome: 'missed' })
  const third = await book(asAna, id, TEN)
  await callAs(base.db, asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'removed',
    p_action_id: third.action_id,
  })
  const { rows } = await base.db.query<{ type: string }>(
    'select type from portal.event_out where contact_id = $1 order by id',
    [id],
  )
  expect(rows.map(({ type }) => type.replace('visit.', ''))).toEqual([
    'booked',
    'moved',
    'held',
    'booked',
    'missed',
    'booked',
    'cancelled',
  ])
  await base.db.exec('delete from portal.hooks')
})
