// Campaigns as the server runs them: nobody twice, nobody forgotten, after people's own messages, and paused by
// WhatsApp or by the hour.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlanStore, createRunStore, type Settling } from '#server/campaigns/campaign-store.ts'
import { asUser } from '#server/db/as-user.ts'
import {
  countRecipients,
  openCampaigns,
  planFor,
  recipientsOf,
  steer,
  statusOf,
  type TestCampaigns,
} from '#tests/support/campaigns.ts'
import { databasesOf, onPostgres, openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, signIn, signInAdmin, untilLockAwaited } from '#tests/support/make.ts'
import { accepted, queueText } from '#tests/support/sending.ts'

const HALF_AN_HOUR = 1_800_000
/** Noon of a Friday, a Saturday and a Sunday in São Paulo. */
const FRIDAY = Date.parse('2026-11-20T15:00:00Z')
const SATURDAY_19_59 = Date.parse('2026-11-21T22:59:00Z')
const MONDAY_8 = '2026-11-23T11:00:00'

const base = await openBase()
const ana = await makeBroker(base.db)
const asAna = await signIn(base.db, ana)
const asAdmin = await signInAdmin(base.db)

let portal: TestCampaigns
beforeEach(() => {
  portal = openCampaigns(base.db, FRIDAY)
})
afterEach(async () => {
  await portal.stop()
  await base.db.exec(
    `delete from public.remarketing_campaigns; delete from public.whatsapp_contacts; delete from portal.send_queues;
     delete from portal.campaign_days;
     update public.campaign_settings set warm_up_from = 20, daily_cap = 200, warm_up_days = 14; delete from portal.instance_states; delete from portal.instance_limits; delete from portal.people; delete from portal.opt_outs`,
  )
})

async function plan(count: number, more: Parameters<typeof planFor>[2] = {}) {
  const leads = []
  for (let each = 0; each < count; each++) leads.push(await makeContact(base.db, ana.instanceName))
  return { leads, id: await planFor(base.db, asAna, { contactIds: leads.map(({ id }) => id), ...more }) }
}
const ended = (id: number, stepMs?: number) =>
  portal.until(async () => (await statusOf(base.db, id)).status === 'completed', stepMs)
const countMarked = async () =>
  (await base.db.query('select from public.whatsapp_contacts where remarketing_sent_at is not null')).rows
    .length
const saveSettings = ({ cap }: { cap: number }) =>
  asUser(base.db, asAdmin, (query) =>
    query('select public.save_campaign_settings(8, 20, false, $1, $1, 1, 7)', [cap]),
  )
const paused = (id: number) => portal.until(async () => (await statusOf(base.db, id)).status === 'paused')

test('every recipient gets the own text once, in order, and is marked', async () => {
  const { id, leads } = await plan(5)
  await ended(id)
  expect(portal.phone.texts()).toEqual(leads.map((lead) => `Oi, ${lead.id}!`))
  expect(await statusOf(base.db, id)).toMatchObject({
    processed_contacts: 5,
    total_contacts: 5,
    pause_reason: null,
  })
  expect(await countRecipients(base.db, id)).toEqual({ sent: 5 })
  expect(await countMarked()).toBe(5)
})

test('a person on two boards gets one of two campaigns planned at once', async () => {
  const bia = await makeBroker(base.db)
  const asBia = await signIn(base.db, bia)
  const own = await makeContact(base.db, ana.instanceName, { number: '5511987650001' })
  const theirs = await makeContact(base.db, bia.instanceName, { number: '551187650001' })
  const ids = [
    await planFor(base.db, asAna, { contactIds: [own.id] }),
    await planFor(base.db, asBia, { contactIds: [theirs.id] }),
  ]
  await portal.until(async () =>
    (await Promise.all(ids.map((id) => statusOf(base.db, id)))).every(({ status }) => status === 'completed'),
  )
  expect(portal.phone.texts()).toHaveLength(1)
  const ends = (await Promise.all(ids.map((id) => recipientsOf(base.db, id)))).flat()
  expect(ends.map(({ state, reason }) => `${state} ${reason}`).toSorted()).toEqual([
    'cancelled recent',
    'sent null',
  ])
})

test('without the setting nobody is marked', async () => {
  const { id } = await plan(1, { marks: false })
  await ended(id)
  const { rows } = await base.db.query('select remarketing_sent_at as at from public.whatsapp_contacts')
  expect(rows).toEqual([{ at: null }])
})

test('between two messages there is a gap, plus the typing time', async () => {
  portal.pace({ min: 10_000, max: 10_000 })
  const { id } = await plan(2)
  await portal.begun(1)
  await portal.until(async () => (await statusOf(base.db, id)).next_send_at !== null)
  const next = Date.parse(String((await statusOf(base.db, id)).next_send_at))
  const [first] = await recipientsOf(base.db, id)
  // Ten of gap and ten of typing, which the next lead sees while other messages may leave.
  expect(next - Date.parse(String(first?.settled_at))).toBe(20_000)
  while (portal.clock.now() + 11_000 < next) await portal.turn()
  expect(portal.typed).toEqual([])
  while (portal.clock.now() + 1_000 < next) await portal.turn()
  expect(portal.phone.sent).toHaveLength(1)
  const [typed] = portal.typed
  expect([portal.typed.length, typed?.instanceName]).toEqual([1, ana.instanceName])
  expect([typed?.shownMs, (typed?.atMs ?? 0) + (typed?.shownMs ?? 0)]).toEqual([10_000, next])
  await ended(id)
  expect(portal.phone.sent).toHaveLength(2)
  expect(portal.typed).toHaveLength(1)
})

test("a person's message goes before the campaign", async () => {
  const { id, leads } = await plan(3)
  portal.phone.byHand()
  await portal.begun(1)
  for (const words of ['um', 'dois'])
    await queueText(base.db, asAna, { contactId: leads[2]?.id ?? 0, body: words })
  for (let turn = 1; turn <= 5; turn++) {
    await portal.begun(turn)
    portal.phone.answerNext(accepted())
  }
  await ended(id)
  expect(portal.phone.texts().slice(1, 3)).toEqual(['um', 'dois'])
})

test.each([
  ['23514', 'data'],
  ['42703', 'schema'],
  ['XX001', 'storage'],
  ['P0001', 'fault'],
])(
  'a step refused with %s stops the campaign with the reason %s until it is resumed',
  async (code, reason) => {
    await base.db.exec(
      `create function portal.refuse() returns trigger language plpgsql as
       $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
     create trigger refuse before insert on portal.outgoing execute function portal.refuse()`,
    )
    const { id } = await plan(2)
    await portal.until(async () => (await statusOf(base.db, id)).status === 'error')
    await base.db.exec('drop function portal.refuse() cascade')
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: reason, processed_contacts: 0 })
    expect(await countRecipients(base.db, id)).toEqual({ pending: 2 })
    await steer(base.db, asAna, { id, intent: 'resume', nowMs: portal.clock.now() })
    await ended(id)
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: null, processed_contacts: 2 })
  },
)

test('after failed messages of a campaign in error are sent again, it is no longer in error', async () => {
  const { id } = await plan(1)
  await base.db.query(`update public.campaign_recipients set state = 'failed' where campaign_id = $1`, [id])
  await createRunStore(base.db).fail(id, portal.clock.now(), 'data')
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'error', pause_reason: 'data' })
  await steer(base.db, asAna, { id, intent: 'retry', nowMs: portal.clock.now() })
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'running', pause_reason: null })
  await ended(id)
})

test('a failed contact is recorded with the reason and skipped, and only failed ones are sent again', async () => {
  portal.phone.plan('not-on-whatsapp', 'refused', 'unknown-outcome')
  const { id, leads } = await plan(4)
  await ended(id)
  expect(await recipientsOf(base.db, id)).toMatchObject([
    { state: 'failed', reason: 'not-on-whatsapp' },
    { state: 'failed', reason: 'refused' },
    { state: 'unknown', reason: 'no-answer' },
    { state: 'sent', reason: null },
  ])
  expect(await statusOf(base.db, id)).toMatchObject({ processed_contacts: 1 })
  await steer(base.db, asAna, { id, intent: 'retry', nowMs: portal.clock.now() })
  await ended(id)
  expect(portal.phone.texts().slice(4)).toEqual(leads.slice(0, 2).map((lead) => `Oi, ${lead.id}!`))
  expect(await countRecipients(base.db, id)).toEqual({ sent: 3, unknown: 1 })
})

test('paused it waits, resumed it continues, stopped it never does', async () => {
  const { id } = await plan(4)
  portal.phone.byHand()
  await portal.begun(1)
  await steer(base.db, asAna, { id, intent: 'pause', nowMs: portal.clock.now() })
  portal.phone.answerNext()
  await portal.settle()
  expect(portal.phone.sent).toHaveLength(1)
  expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: 'person', processed_contacts: 1 })
  await steer(base.db, asAna, { id, intent: 'resume', nowMs: portal.clock.now() })
  await portal.begun(2)
  await steer(base.db, asAna, { id, intent: 'stop', nowMs: portal.clock.now() })
  portal.phone.answerNext()
  await portal.until(async () => (await statusOf(base.db, id)).processed_contacts === 2)
  await portal.settle()
  expect(portal.phone.sent).toHaveLength(2)
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'stopped' })
  expect(await countRecipients(base.db, id)).toEqual({ sent: 2, cancelled: 2 })
})

test('a lost link pauses with the reason, leaves nothing in the conversation, and the campaign continues when it is back', async () => {
  await linkIs('open')
  portal.phone.plan(accepted(), 'not-linked')
  const { id, leads } = await plan(3)
  await paused(id)
  expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: 'unreachable' })
  expect(await countRecipients(base.db, id)).toEqual({ sent: 1, pending: 2 })
  const { rows } = await base.db.query('select from public.whatsapp_messages where contact_id = $1', [
    leads[1]?.id ?? 0,
  ])
  expect(rows).toEqual([])
  await linkIs('close')
  await base.db.query('update portal.send_queues set held_until = null')
  await portal.settle()
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'paused' })
  await linkIs('open')
  await ended(id)
  expect(new Set(portal.phone.texts()).size).toBe(3)
  expect(await countRecipients(base.db, id)).toEqual({ sent: 3 })
})

const linkIs = (state: string, reason: number | null = null) =>
  base.db.query(
    `insert into portal.instance_states ("instanceName", state, reason) values ($1, $2, $3)
     on conflict ("instanceName") do update set state = excluded.state, reason = excluded.reason`,
    [ana.instanceName, state, reason],
  )

describe('signs of restriction stop it until a person resumes', () => {
  const ack = (messageId: string, event: object) =>
    base.db.query('select portal.apply_ack($1, $2::jsonb)', [
      ana.instanceName,
      JSON.stringify({ event: 'ack', messageId, ...event }),
    ])
  const gatewayIds = async () =>
    (
      await base.db.query<{ message_id: string }>(
        'select message_id from public.whatsapp_messages where message_id is not null order by id',
      )
    ).rows.map((row) => row.message_id)

  test('three numbers in a row without WhatsApp', async () => {
    portal.phone.plan('not-on-whatsapp', 'not-on-whatsapp', 'not-on-whatsapp')
    const { id } = await plan(5)
    await paused(id)
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: 'wrong-numbers' })
    expect(portal.phone.sent).toHaveLength(3)
    await steer(base.db, asAna, { id, intent: 'resume', nowMs: portal.clock.now() + 1 })
    portal.clock.advance(2)
    await ended(id)
    expect(portal.phone.sent).toHaveLength(5)
  })

  test.each([
    ['two refusals after acceptance', {}, 2, 'rejected'],
    ['one refusal with 463', { code: '463' }, 1, 'restricted'],
  ])('%s', async (...[, code, refusals, reason]) => {
    portal.pace({ min: 1_000, max: 1_000 })
    const { id } = await plan(6)
    await portal.until(async () => (await gatewayIds()).length >= refusals && (await isResting(id)))
    for (const messageId of (await gatewayIds()).slice(0, refusals))
      await ack(messageId, { delivery: 'failed', ...code })
    await paused(id)
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: reason })
    expect(portal.phone.sent.length).toBeLessThan(6)
  })

  test.each([401, 403])('logged out by WhatsApp with %d', async (reason) => {
    portal.pace({ min: 1_000, max: 1_000 })
    await linkIs('open')
    const { id } = await plan(3)
    await portal.begun(1)
    await linkIs('close', reason)
    await paused(id)
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: 'restricted' })
    await linkIs('open')
    await portal.settle()
    expect(await statusOf(base.db, id)).toMatchObject({ status: 'paused' })
  })

  test('nothing confirmed within two minutes; with a confirmation it continues', async () => {
    portal.goQuiet()
    portal.pace({ min: 70_000, max: 70_000 })
    const { id } = await plan(5)
    await portal.until(() => isResting(id))
    const [first = ''] = await gatewayIds()
    await ack(first, { delivery: 'sent' })
    await portal.begun(2)
    await paused(id)
    expect(await statusOf(base.db, id)).toMatchObject({ pause_reason: 'no-confirmation' })
    expect(portal.phone.sent.length).toBeLessThan(4)
  })

  const isResting = async (id: number) => {
    const { next_send_at: next, current_recipient: current } = await statusOf(base.db, id)
    return next !== null && current === null
  }
})

const optOut = (lead: { person_id: number } | undefined) =>
  base.db.query('update portal.people set opted_out_at = now() where id = $1', [lead?.person_id ?? 0])

test('a recipient who opts out between plan and send gets nothing', async () => {
  portal.phone.byHand()
  const { id, leads } = await plan(3)
  await portal.begun(1)
  await optOut(leads[1])
  portal.phone.answerNext()
  await portal.begun(2)
  portal.phone.answerNext()
  await ended(id)
  expect(portal.phone.texts()).toEqual([`Oi, ${leads[0]?.id}!`, `Oi, ${leads[2]?.id}!`])
  expect((await recipientsOf(base.db, id))[1]).toMatchObject({ state: 'cancelled', reason: 'opted-out' })
})

test('a recipient who opts out while the message is queued gets nothing', async () => {
  portal.phone.byHand()
  const talking = await makeContact(base.db, ana.instanceName)
  await queueText(base.db, asAna, { contactId: talking.id, body: 'um' })
  await portal.begun(1)
  const { id, leads } = await plan(2)
  await portal.until(async () => (await recipientsOf(base.db, id))[0]?.state === 'sending')
  await optOut(leads[0])
  portal.phone.answerNext()
  await portal.begun(2)
  portal.phone.answerNext()
  await ended(id)
  expect(portal.phone.texts()).toEqual(['um', `Oi, ${leads[1]?.id}!`])
  expect((await recipientsOf(base.db, id))[0]).toMatchObject({ state: 'cancelled', reason: 'opted-out' })
})

test('nothing is sent at night or on a Sunday', async () => {
  await portal.stop()
  portal = openCampaigns(base.db, SATURDAY_19_59)
  portal.pace({ min: 60_000, max: 60_000 })
  const { id } = await plan(2)
  await portal.until(async () => (await statusOf(base.db, id)).wait_reason === 'sunday')
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'running', processed_contacts: 1 })
  expect(new Date(String((await statusOf(base.db, id)).next_send_at)).toISOString()).toContain(MONDAY_8)
  await ended(id, HALF_AN_HOUR)
  expect(portal.clock.now()).toBeGreaterThanOrEqual(Date.parse(`${MONDAY_8}Z`))
})

test('on a weekday it waits only for the night', async () => {
  await portal.stop()
  portal = openCampaigns(base.db, FRIDAY + 8 * 3_600_000)
  const { id } = await plan(1)
  await portal.until(async () => (await statusOf(base.db, id)).wait_reason === 'courtesy-hours')
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'running', processed_contacts: 0 })
})

test('a number warms up: messages over the cap are sent the next day', async () => {
  await base.db.query('update public.campaign_settings set warm_up_from = 2, daily_cap = 4, warm_up_days = 3')
  const { id } = await plan(5)
  await portal.until(async () => (await statusOf(base.db, id)).wait_reason === 'daily-cap')
  expect(portal.phone.sent).toHaveLength(2)
  await ended(id, HALF_AN_HOUR)
  const { rows } = await base.db.query('select day::text, sent from portal.campaign_days order by day')
  expect(rows).toEqual([
    { day: '2026-11-20', sent: 2 },
    { day: '2026-11-21', sent: 3 },
  ])
})

test('a campaign that waits for tomorrow says so again after a pause, and continues at once if the settings allow it', async () => {
  await base.db.query('update public.campaign_settings set warm_up_from = 1, daily_cap = 1, warm_up_days = 1')
  const { id } = await plan(2)
  const waits = () => portal.until(async () => (await statusOf(base.db, id)).wait_reason === 'daily-cap')
  await waits()
  await steer(base.db, asAna, { id, intent: 'pause', nowMs: portal.clock.now() })
  await steer(base.db, asAna, { id, intent: 'resume', nowMs: portal.clock.now() })
  await waits()
  await steer(base.db, asAna, { id, intent: 'pause', nowMs: portal.clock.now() })
  await saveSettings({ cap: 2 })
  await steer(base.db, asAna, { id, intent: 'resume', nowMs: portal.clock.now() })
  await ended(id)
  expect(portal.phone.sent).toHaveLength(2)
})

describe('settings saved during a step', () => {
  /** A step that finds the daily limit used up, by the settings at its time. */
  async function due() {
    await base.db.query(
      'update public.campaign_settings set warm_up_from = 1, daily_cap = 1, warm_up_days = 1',
    )
    const { id } = await plan(2)
    await portal.until(async () => (await statusOf(base.db, id)).wait_reason === 'daily-cap')
    await portal.stop()
    await base.db.exec('update public.remarketing_campaigns set wait_reason = null, next_send_at = null')
    const now = new Date(portal.clock.now()).toISOString()
    const { rows } = await base.db.query<{ pacing: Record<string, unknown> }>(
      'select pacing from portal.due_campaigns($1)',
      [now],
    )
    const { day, sentToday, earlierDays, ...settings } = rows[0]?.pacing ?? {}
    expect([sentToday, earlierDays]).toEqual([1, 0])
    const waitUntil = new Date(portal.clock.now() + 24 * 3_600_000).toISOString()
    const pace = { settings, day, cap: 1, gapMs: 0, typingMs: 0, waitUntil, waitReason: 'daily-cap' }
    const step = async (query = base.db.query) =>
      (
        await query<{ step: string }>('select portal.run_campaign($1, $2, $3::jsonb) as step', [
          id,
          now,
          JSON.stringify(pace),
        ])
      ).rows[0]?.step
    return { id, step }
  }

  test('it does not wait for a limit that no longer exists', async () => {
    const { id, step } = await due()
    await saveSettings({ cap: 2 })
    expect(await step()).toBe('passed')
    expect(await statusOf(base.db, id)).toMatchObject({ wait_reason: null, next_send_at: null })
  })

  onPostgres.test('they find what it just made wait', async () => {
    const { id, step } = await due()
    const stepping = await base.db.transaction(async (query) => {
      expect(await step(query)).toBe('waiting')
      const saving = saveSettings({ cap: 2 })
      await untilLockAwaited(base.db)
      return { saving }
    })
    await stepping.saving
    expect(await statusOf(base.db, id)).toMatchObject({ wait_reason: null, next_send_at: null })
  })
})

test('a scheduled campaign begins then', async () => {
  const { id } = await plan(1, { startsAt: new Date(FRIDAY + 3_600_000).toISOString() })
  await portal.settle()
  expect(await statusOf(base.db, id)).toMatchObject({ status: 'scheduled', started_at: null })
  await ended(id, HALF_AN_HOUR)
  expect(portal.clock.now()).toBeGreaterThanOrEqual(FRIDAY + 3_600_000)
})

test('a lead removed or transferred meanwhile is skipped', async () => {
  const bia = await makeBroker(base.db)
  portal.phone.byHand()
  const { id, leads } = await plan(4)
  await portal.begun(1)
  await base.db.query('delete from public.whatsapp_contacts where id = any($1::bigint[])', [
    [String(leads[0]?.id), String(leads[1]?.id)],
  ])
  await base.db.query('update public.whatsapp_contacts set "instanceName" = $1 where id = $2', [
    bia.instanceName,
    leads[2]?.id ?? 0,
  ])
  portal.phone.answerNext()
  await portal.begun(2)
  portal.phone.answerNext()
  await ended(id)
  expect(portal.phone.texts()[1]).toBe(`Oi, ${leads[3]?.id}!`)
  expect(await countRecipients(base.db, id)).toEqual({ cancelled: 3, sent: 1 })
})

test('a queued message is cancelled when its lead is transferred, and not sent by the new owner', async () => {
  const bia = await makeBroker(base.db)
  await base.db.query(
    `insert into portal.send_queues ("instanceName", held_until) values ($1, now() + interval '1 day')`,
    [bia.instanceName],
  )
  portal.phone.byHand()
  const talking = await makeContact(base.db, ana.instanceName)
  await queueText(base.db, asAna, { contactId: talking.id, body: 'um' })
  await portal.begun(1)
  await base.db.query('delete from public.whatsapp_contacts where id = $1', [talking.id])
  const { id, leads } = await plan(2)
  await portal.until(async () => (await recipientsOf(base.db, id))[0]?.state === 'sending')
  await base.db.query('select portal.hand_over($1::bigint[], $2)', [`{${leads[0]?.id}}`, bia.instanceName])
  await portal.until(async () => (await recipientsOf(base.db, id))[0]?.state === 'cancelled')
  portal.phone.answerNext()
  await portal.begun(2)
  portal.phone.answerNext()
  await ended(id)
  expect((await recipientsOf(base.db, id))[0]).toMatchObject({ reason: 'handed-over', state: 'cancelled' })
  expect(portal.phone.texts()).toEqual(['um', `Oi, ${leads[1]?.id}!`])
  const { rows } = await base.db.query('select from public.whatsapp_messages where contact_id = $1', [
    leads[0]?.id ?? 0,
  ])
  expect(rows, 'it was never in the conversation').toEqual([])
})

test("a message that returned to another broker's queue is not sent there", async () => {
  const bia = await makeBroker(base.db)
  portal.phone.byHand()
  const { id, leads } = await plan(1)
  await portal.begun(1)
  await base.db.query('select portal.hand_over($1::bigint[], $2)', [`{${leads[0]?.id}}`, bia.instanceName])
  portal.phone.answerNext('not-linked')
  await portal.until(async () => (await recipientsOf(base.db, id))[0]?.state === 'cancelled')
  expect((await recipientsOf(base.db, id))[0]).toMatchObject({ reason: 'handed-over' })
  expect(portal.phone.sent).toHaveLength(1)
})

onPostgres.test(
  'who is changing a lead at that moment is not waited for, and the lead is looked at again',
  async () => {
    const bia = await makeBroker(base.db)
    const { id, leads } = await plan(2, { startsAt: new Date(FRIDAY + 3_600_000).toISOString() })
    const [, other = base.db] = databasesOf(base.db)
    await other.transaction(async (query) => {
      await query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
        leads[0]?.id ?? 0,
        bia.instanceName,
      ])
      portal.clock.advance(3_600_000)
      await portal.settle()
      expect(await statusOf(base.db, id)).toMatchObject({ status: 'running', current_recipient: null })
      expect(await countRecipients(base.db, id)).toEqual({ pending: 2 })
    })
    await ended(id)
    expect(await countRecipients(base.db, id)).toEqual({ cancelled: 1, sent: 1 })
    expect(portal.phone.texts()).toEqual([`Oi, ${leads[1]?.id}!`])
  },
)

test('two portals over one database send each row once', async () => {
  const other = openCampaigns(base.db, FRIDAY, portal.phone)
  const { id, leads } = await plan(20)
  await portal.until(async () => {
    await other.turn()
    return (await statusOf(base.db, id)).status === 'completed'
  })
  await other.stop()
  expect(portal.phone.texts().toSorted()).toEqual(leads.map((lead) => `Oi, ${lead.id}!`).toSorted())
})

/** A campaign that ended after the portal died during its first send and another one went on. */
async function planAndDie(recipients: number) {
  portal.phone.byHand()
  const { id } = await plan(recipients)
  await portal.begun(1)
  await portal.stop()
  await base.db.query('update portal.send_queues set leased_until = null')
  portal = openCampaigns(base.db, FRIDAY)
  await ended(id)
  return { id }
}

test('a portal that died during a send leaves an unknown result, and nobody gets it twice', async () => {
  const { id } = await planAndDie(3)
  expect(await countRecipients(base.db, id)).toEqual({ unknown: 1, sent: 2 })
  expect(portal.phone.sent).toHaveLength(2)
})

describe('an unknown result is settled by a person', () => {
  /** The first of two, whose sending portal died. */
  async function endUnknown() {
    const { id } = await planAndDie(2)
    const [unknown] = await recipientsOf(base.db, id)
    expect(unknown?.state).toBe('unknown')
    return { id, recipientId: unknown?.id ?? 0 }
  }
  const settle = (
    settling: Settling,
    asked: { id: number; recipientId: number },
    operationId = randomUUID(),
  ) => createPlanStore(base.db).settle(asAna, settling, { ...asked, operationId, nowMs: portal.clock.now() })

  test('as sent: counted and marked once, whatever is reported later', async () => {
    const asked = await endUnknown()
    const operationId = randomUUID()
    for (const each of [operationId, operationId]) await settle('sent', asked, each)
    await expect(settle('sent', asked)).rejects.toMatchObject({ code: 'campaign.settled' })
    await expect(settle('again', asked)).rejects.toMatchObject({ code: 'campaign.settled' })
    const done = { status: 'completed', processed_contacts: 2 }
    expect(await statusOf(base.db, asked.id)).toMatchObject(done)
    expect((await recipientsOf(base.db, asked.id))[0]).toMatchObject({ state: 'sent', reason: 'by-hand' })
    await base.db.query(
      `update public.whatsapp_messages set message_id = 'reported', delivery = 'delivered', delivery_reason = null
       where author = 'campaign' and delivery = 'unknown'`,
    )
    expect((await recipientsOf(base.db, asked.id))[0]).toMatchObject({ state: 'sent', reason: null })
    expect(await statusOf(base.db, asked.id)).toMatchObject(done)
    expect(await countMarked()).toBe(2)
    await portal.settle()
    expect(portal.phone.sent).toHaveLength(1)
  })

  test('sent again: once, as a second message, and the first cannot be sent a third time', async () => {
    const asked = await endUnknown()
    await settle('again', asked)
    await ended(asked.id)
    expect(await countRecipients(base.db, asked.id)).toEqual({ sent: 2 })
    expect(portal.phone.sent).toHaveLength(2)
    const { rows } = await base.db.query(
      `select delivery, delivery_reason from public.whatsapp_messages where author = 'campaign' order by id`,
    )
    expect(rows).toEqual([
      { delivery: 'unknown', delivery_reason: 'retried' },
      { delivery: 'sent', delivery_reason: null },
      { delivery: 'sent', delivery_reason: null },
    ])
    await expect(settle('again', asked)).rejects.toMatchObject({ code: 'campaign.settled' })
  })

  test('not again if the conversation did it already, nor during another campaign', async () => {
    const asked = await endUnknown()
    await plan(1, { startsAt: '2026-12-01T15:00:00Z' })
    await expect(settle('again', asked)).rejects.toMatchObject({ code: 'campaign.active' })
    await base.db.query(
      `update public.whatsapp_messages set delivery_reason = 'retried' where delivery = 'unknown'`,
    )
    await expect(settle('again', asked)).rejects.toMatchObject({ code: 'message.retried' })
    expect((await recipientsOf(base.db, asked.id))[0]?.state).toBe('unknown')
    expect(portal.phone.sent).toHaveLength(1)
  })
})
