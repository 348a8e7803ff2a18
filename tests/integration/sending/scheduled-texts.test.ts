// Scheduled messages: stored once, sent at their time after all checks, cancelled when the lead answers.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { nextOpening } from '#domain/campaign.ts'
import { asUser } from '#server/db/as-user.ts'
import { createInbox } from '#server/whatsapp/webhook/inbox.ts'
import { comingSaturday } from '#tests/support/clock.ts'
import { databasesOf } from '#tests/support/database.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { type Answer, callAs, laterOf, queueDue, schedule } from '#tests/support/scheduled.ts'
import { areSettled, messagesOf, openSender, scriptedGateway, untilMessages } from '#tests/support/sending.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
beforeAll(async () => {
  await openAllDay()
})
afterEach(async () => {
  await base.db.exec(`
    delete from public.whatsapp_contacts; delete from portal.send_queues; delete from portal.instance_states;
    delete from portal.first_text_days`)
  await openAllDay()
})

const openAllDay = () =>
  base.db.query('update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true')
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const agoSeconds = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const bodies = async (contactId: number) => (await messagesOf(base.db, contactId)).map(({ body }) => body)

/** A lead who wrote a minute ago, with a due text. */
async function waitingFor(due = inSeconds(-1), more: object = {}) {
  const { id } = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, id, { timestamp: agoSeconds(60) })
  const seen = new Date(agoSeconds(60) * 1000).toISOString()
  const answer = await schedule(base.db, asAna, id, { p_due_at: due, p_seen_at: seen, ...more })
  return { id, text: answer.scheduled_id ?? 0 }
}

test('is stored once despite repeats, sent at its time, and only once', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  const due = inSeconds(600)
  const once = { p_operation_id: operation, p_due_at: due, p_text: ' Até amanhã \n' }
  const first = await schedule(base.db, asAna, id, once)
  expect(await schedule(base.db, asAna, id, once)).toEqual(first)
  expect(await laterOf(base.db, id)).toEqual([
    {
      id: first.scheduled_id,
      op: operation.slice(0, 8),
      due: Math.floor(Date.parse(due) / 1000),
      silent: true,
    },
  ])
  const words = await callAs<{ text: string }[]>(base.db, asAna, 'get_scheduled_messages', {
    p_broker_name: ana.instanceName,
  })
  expect(words).toMatchObject([{ id: first.scheduled_id, contact_id: id, text: 'Até amanhã' }])

  expect(await queueDue(base.db, Date.now())).toEqual([])
  expect(await queueDue(base.db, Date.parse(due))).toEqual([ana.instanceName])
  expect(await queueDue(base.db, Date.parse(due) + 60_000)).toEqual([])
  expect(await bodies(id)).toEqual(['Até amanhã'])
  expect(await laterOf(base.db, id)).toBeNull()
})

test('ends the wait on the board; cancelled, the lead waits again', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, id, { timestamp: agoSeconds(60) })
  const since = async () =>
    (
      await base.db.query<{ waiting_since: string | null }>(
        'select waiting_since from whatsapp_contacts where id = $1',
        [id],
      )
    ).rows[0]?.waiting_since
  expect(await since()).not.toBeNull()
  const { scheduled_id: text } = await schedule(base.db, asAna, id, { p_due_at: inSeconds(600) })
  expect(await since()).toBeNull()
  const undo = { p_contact_id: id, p_scheduled_id: text }
  expect((await callAs<Answer>(base.db, asAna, 'message_unschedule', undo)).code).toBe('saved')
  expect((await callAs<Answer>(base.db, asAna, 'message_unschedule', undo)).code).toBe('already')
  expect(await since()).not.toBeNull()
  expect(await queueDue(base.db, Date.now() + 3_600_000)).toEqual([])
})

test('is changed by a device that knows only its operation id; after it was sent it is not sent again', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const operation = randomUUID()
  await schedule(base.db, asAna, id, { p_operation_id: operation, p_due_at: inSeconds(600) })
  const named = { p_scheduled_operation: operation }
  await schedule(base.db, asAna, id, { ...named, p_due_at: inSeconds(-1), p_text: 'Outro texto' })
  expect(await laterOf(base.db, id)).toHaveLength(1)
  await queueDue(base.db, Date.now())
  expect(await bodies(id)).toEqual(['Outro texto'])
  // 'Now' is already done; a changed text would be lost silently.
  expect((await schedule(base.db, asAna, id, { ...named, p_due_at: null })).code).toBe('already')
  expect((await schedule(base.db, asAna, id, { ...named, p_due_at: inSeconds(9) })).code).toBe('gone')
  expect(await bodies(id)).toEqual(['Outro texto'])
})

test('a text that another device cancelled is not reported as sent', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { scheduled_id: text } = await schedule(base.db, asAna, id, { p_due_at: inSeconds(600) })
  await callAs<Answer>(base.db, asAna, 'message_unschedule', { p_contact_id: id, p_scheduled_id: text })
  const now = { p_scheduled_id: text, p_due_at: null }
  expect(await schedule(base.db, asAna, id, now)).toMatchObject({ success: false, code: 'gone' })
  expect(await bodies(id)).toEqual([])
})

test('the lead who answers first cancels it, and the broker may still send it', async () => {
  const { id, text } = await waitingFor(inSeconds(600))
  await makeMessage(base.db, id, { timestamp: agoSeconds(5) })
  expect(await laterOf(base.db, id)).toMatchObject([{ id: text, why: 'answered' }])
  expect(await queueDue(base.db, Date.now() + 3_600_000)).toEqual([])
  await schedule(base.db, asAna, id, { p_scheduled_id: text, p_due_at: null })
  expect(await queueDue(base.db, Date.now() + 1_000)).toEqual([ana.instanceName])
  expect(await bodies(id)).toHaveLength(1)
})

test('one set to be sent in any case is sent after an answer, too', async () => {
  const { id } = await waitingFor(inSeconds(600), { p_unless_answered: false })
  await makeMessage(base.db, id, { timestamp: agoSeconds(5) })
  expect(await queueDue(base.db, Date.now() + 601_000)).toEqual([ana.instanceName])
  expect(await bodies(id)).toHaveLength(1)
})

test('written offline, it arrives after the answer and is cancelled at once', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, id, { timestamp: agoSeconds(60) })
  const seen = new Date(agoSeconds(120) * 1000).toISOString()
  await schedule(base.db, asAna, id, { p_due_at: inSeconds(600), p_seen_at: seen })
  expect(await laterOf(base.db, id)).toMatchObject([{ why: 'answered' }])
})

test.each([
  ['asked to be left alone', 'opted-out', 'update portal.people set opted_out_at = now()'],
  ['belongs to nobody', 'no-owner', 'update public.whatsapp_contacts set "instanceName" = null'],
])('is refused for a lead who %s', async (_, reason, sql) => {
  const { id } = await waitingFor(inSeconds(600))
  await base.db.exec(sql)
  await queueDue(base.db, Date.now() + 601_000)
  expect(await bodies(id)).toEqual([])
  if (reason === 'opted-out') expect(await laterOf(base.db, id)).toMatchObject([{ why: reason }])
  const { rows } = await base.db.query<{ state: string; reason: string }>(
    'select state, reason from portal.scheduled_messages where contact_id = $1',
    [id],
  )
  // A text whose lead has another broker, or none, needs a decision first.
  expect(rows).toEqual(
    reason === 'opted-out' ? [{ state: 'refused', reason }] : [{ state: 'asking', reason: 'handed-over' }],
  )
})

test('without a link it waits with a reason; with the link back, it is sent', async () => {
  const { id } = await waitingFor()
  await base.db.query(`insert into portal.instance_states ("instanceName", state) values ($1, 'close')`, [
    ana.instanceName,
  ])
  expect(await queueDue(base.db, Date.now())).toEqual([])
  expect(await laterOf(base.db, id)).toMatchObject([{ why: 'not-linked' }])
  await base.db.query(`update portal.instance_states set state = 'open'`)
  expect(await queueDue(base.db, Date.now() + 60_000)).toEqual([ana.instanceName])
})

test('outside the hours it waits for them, unless a person wants it now', async () => {
  await base.db.query(
    'update public.campaign_settings set opens_at = 8, closes_at = 20, sends_on_sundays = false',
  )
  const at = comingSaturday()
  const [saturdayNight, monday] = [at(0, 21).getTime(), at(2, 8).getTime()]
  const { id, text } = await waitingFor(at(0, 21).toISOString())
  const asked = await waitingFor(inSeconds(600))
  await schedule(base.db, asAna, asked.id, { p_scheduled_id: asked.text, p_due_at: null })
  expect(await queueDue(base.db, saturdayNight + 1_000)).toEqual([ana.instanceName])
  expect(await bodies(asked.id)).toHaveLength(1)
  expect(await bodies(id)).toEqual([])
  expect(await laterOf(base.db, id)).toEqual([
    expect.objectContaining({ id: text, due: monday / 1000, silent: true }),
  ])
  expect(await queueDue(base.db, monday)).toEqual([ana.instanceName])
})

/** Sets courtesy hours that do not include the present hour. */
async function closeNow() {
  const { rows } = await base.db.query<{ hour: number }>(
    'select extract(hour from now() at time zone portal.time_zone())::integer as hour',
  )
  const hour = rows[0]?.hour ?? 0
  const [opens, closes] = hour < 22 ? [hour + 2, 24] : [0, 1]
  await base.db.query('update public.campaign_settings set opens_at = $1, closes_at = $2', [opens, closes])
}

test.each([
  ['opted out', () => base.db.exec('update portal.people set opted_out_at = now()'), { why: 'opted-out' }],
  [
    'two hours late',
    () => base.db.exec(`update portal.scheduled_messages set due_at = now() - interval '3 hours'`),
    { why: 'late' },
  ],
  ['outside the hours', closeNow, {}],
  ['answered', null, { why: 'answered' }],
] as const)('one queued without a link is checked again before it leaves: %s', async (_, change, later) => {
  const { id, text } = await waitingFor(inSeconds(-1), { p_unless_answered: change === null })
  const other = await waitingFor(inSeconds(-1), { p_unless_answered: false, p_due_at: null })
  await queueDue(base.db, Date.now())
  expect(await bodies(id)).toHaveLength(1)
  // The broker's link was down meanwhile.
  await (change?.() ?? makeMessage(base.db, id, { timestamp: agoSeconds(0) + 1 }))
  const phone = scriptedGateway()
  const sender = openSender(base.db, phone.gateway)
  sender.wake(ana.instanceName)
  // A message wanted at once is sent at any hour.
  await untilMessages(base.db, other.id, areSettled)
  expect(phone.sent).toHaveLength(1)
  expect(await bodies(id)).toEqual([])
  expect(await laterOf(base.db, id)).toEqual([expect.objectContaining({ id: text, ...later })])
  if (change === closeNow) {
    const [open] = (await laterOf(base.db, id)) ?? []
    expect(open?.why).toBeUndefined()
    expect((open?.due ?? 0) * 1000).toBeGreaterThan(Date.now())
  }
})

test('the database and the app compute the same opening times', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: Date.UTC(2026, 0, 1) / 1000, max: Date.UTC(2028, 0, 1) / 1000 }),
      fc.integer({ min: 0, max: 22 }),
      fc.boolean(),
      async (atSeconds, opensAt, sendsOnSundays) => {
        const closesAt = opensAt + 1
        await base.db.query(
          'update public.campaign_settings set opens_at = $1, closes_at = $2, sends_on_sundays = $3',
          [opensAt, closesAt, sendsOnSundays],
        )
        const { rows } = await base.db.query<{ at: number }>(
          'select extract(epoch from portal.opening_from(to_timestamp($1)))::bigint as at',
          [atSeconds],
        )
        const policy = { opensAt, closesAt, sendsOnSundays, dailyCap: 1, warmUpFrom: 1, warmUpDays: 1 }
        expect(rows[0]?.at).toBe(nextOpening(policy, atSeconds * 1000, 'America/Sao_Paulo') / 1000)
      },
    ),
    { numRuns: byTier(20, 500) },
  )
})

test('after an outage they are not sent all at once, and one two hours late needs a decision', async () => {
  const old = await waitingFor(inSeconds(600))
  await base.db.query(`update portal.scheduled_messages set due_at = now() - interval '3 hours'`)
  const others = await Promise.all(Array.from({ length: 4 }, () => waitingFor()))
  const sentAt = async (atMs: number) => {
    await queueDue(base.db, atMs, 15_000)
    const { rows } = await base.db.query('select from portal.scheduled_messages where state = $1', ['queued'])
    return rows.length
  }
  const nowMs = Date.now()
  expect(await sentAt(nowMs)).toBe(1)
  expect(await sentAt(nowMs + 14_000)).toBe(1)
  expect(await sentAt(nowMs + 15_000)).toBe(2)
  expect(await sentAt(nowMs + 30_000)).toBe(3)
  expect(await sentAt(nowMs + 45_000)).toBe(4)
  expect(await laterOf(base.db, old.id)).toMatchObject([{ why: 'late' }])
  expect(await Promise.all(others.map(({ id }) => bodies(id)))).toEqual(
    others.map(() => [expect.any(String)]),
  )
})

test('another broker may not; after a transfer, its new broker decides', async () => {
  const { id, text } = await waitingFor(inSeconds(600))
  expect((await schedule(base.db, asBia, id, { p_due_at: null })).code).toBe('unknown_lead')
  const named = { p_contact_id: id, p_scheduled_id: text }
  expect((await callAs<Answer>(base.db, asBia, 'message_unschedule', named)).code).toBe('unknown_lead')
  await expect(
    callAs(base.db, asBia, 'get_scheduled_messages', { p_broker_name: ana.instanceName }),
  ).rejects.toMatchObject({ code: '42501' })
  await asUser(base.db, asAdmin, (query) =>
    query('select transferir_leads($1, $2)', [`{${id}}`, bia.instanceName]),
  )
  expect(await laterOf(base.db, id)).toMatchObject([{ why: 'handed-over' }])
  expect(await queueDue(base.db, Date.now() + 601_000)).toEqual([])
  expect((await callAs<Answer>(base.db, asBia, 'message_unschedule', named)).code).toBe('saved')
})

test('after a merge of two leads both texts are on it, and separate with them', async () => {
  const stored = await waitingFor(inSeconds(600))
  const gone = await waitingFor(inSeconds(300))
  const { rows } = await base.db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    stored.id,
    gone.id,
  ])
  expect((await laterOf(base.db, stored.id))?.map(({ id }) => id)).toEqual([gone.text, stored.text])
  await base.db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect((await laterOf(base.db, stored.id))?.map(({ id }) => id)).toEqual([stored.text])
  expect((await laterOf(base.db, gone.id))?.map(({ id }) => id)).toEqual([gone.text])
})

test.each([{ p_text: '  ' }, { p_text: 'x'.repeat(10_001) }, { p_due_at: '2100-01-01T00:00:00Z' }])(
  'refuses %o',
  async (wrong) => {
    const { id } = await makeContact(base.db, ana.instanceName)
    await expect(schedule(base.db, asAna, id, { p_due_at: inSeconds(60), ...wrong })).rejects.toMatchObject({
      code: 'PT422',
    })
  },
)

test('beyond the daily limit of first messages it is refused with a reason', async () => {
  await base.db.query(`insert into portal.settings values ('first_texts_a_day', '0')
    on conflict (key) do update set value = excluded.value`)
  const { id } = await makeContact(base.db, ana.instanceName)
  await schedule(base.db, asAna, id, { p_due_at: inSeconds(1) })
  expect(await queueDue(base.db, Date.now() + 2_000)).toEqual([])
  expect(await laterOf(base.db, id)).toMatchObject([{ why: 'first-texts' }])
  await base.db.exec(`delete from portal.settings where key = 'first_texts_a_day'`)
})

const ROUNDS = byTier(10, 1_000)

test(
  `${ROUNDS} rounds: never passed to the gateway after the answer's delivery was acknowledged`,
  async () => {
    await base.db.query(
      `insert into portal.webhook_secrets ("instanceName", hash) values ($1, '\\x00') on conflict do nothing`,
      [ana.instanceName],
    )
    const phone = scriptedGateway()
    const sender = openSender(base.db, phone.gateway)
    const inbox = createInbox(databasesOf(base.db).at(-1) ?? base.db)
    let acknowledged = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await waitingFor()
      // A running poll may pass it on as soon as it is queued.
      const before = phone.sent.length
      await queueDue(base.db, Date.now())
      // The answer comes after so many polls, each with a statement of its own: in the first of ten rounds before the
      // text leaves, in the last ones after it.
      const polls = Math.floor((round % 10) ** 2 / 3)
      for (let poll = 0; poll < polls; poll++) {
        sender.wake(ana.instanceName)
        await base.db.query('select')
      }
      await inbox.store({
        instanceName: ana.instanceName,
        kind: 'evolution',
        body: '{}',
        receivedAtMs: Date.now(),
      })
      const atAcknowledgement = phone.sent.length
      sender.wake(ana.instanceName)
      // Applied: the message is there, and its delivery is gone.
      await base.db.transaction(async (query) => {
        await query('delete from portal.webhook_inbox')
        await query(
          `insert into public.whatsapp_messages (contact_id, "instanceName", body, "timestamp", type, message_id)
         values ($1, $2, 'Sim!', $3, 'incoming', $4)`,
          [id, ana.instanceName, agoSeconds(0), `R${round}`],
        )
      })
      // As in the next poll: messages behind unapplied deliveries wait until then.
      await untilMessages(base.db, id, (lines) => {
        sender.wake(ana.instanceName)
        return areSettled(lines)
      })
      expect(phone.sent.length, 'nothing left after it').toBe(atAcknowledgement)
      acknowledged += atAcknowledgement - before
      const { rows } = await base.db.query<{ type: string }>(
        'select type from public.whatsapp_messages where contact_id = $1 order by "timestamp", id',
        [id],
      )
      const isHanded = atAcknowledgement > before
      expect(rows.map(({ type }) => type)).toEqual(
        isHanded ? ['incoming', 'outgoing', 'incoming'] : ['incoming', 'incoming'],
      )
      expect(await laterOf(base.db, id)).toEqual(
        isHanded ? null : [expect.objectContaining({ why: 'answered' })],
      )
    }
    // Both outcomes occurred, otherwise nothing raced.
    expect(acknowledged).toBeGreaterThan(0)
    expect(acknowledged).toBeLessThan(ROUNDS)
  },
  ROUNDS * 2_000,
)
