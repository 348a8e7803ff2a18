// Waits stored while the clock ran a month ahead: each ends after its own length once the clock is right.
import { expect, test } from 'vitest'
import { hasPassed } from '#server/clock.ts'
import { capWaits } from '#server/ops/maintenance.ts'
import { createLog } from '#server/log.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'
import {
  makeAgent,
  makeBroker,
  makeCampaign,
  makeContact,
  makeRotation,
  makeRoutingCase,
  signIn,
  signInAdmin,
} from '#tests/support/make.ts'

const clock = databaseClock()
const lines: string[] = []
const MAX_GAP_MS = 40_000
/** The rows of the waits, for one broker. */
const MADE = `
  insert into portal.send_queues ("instanceName", holder, held_until, leased_until)
    values ($1, gen_random_uuid(), $2 + interval '30 seconds', $2 + interval '30 seconds');
  insert into portal.name_turns ("instanceName", holder, held_until) values ($1, gen_random_uuid(), $2 + interval '30 seconds');
  insert into portal.leftover_instances ("instanceName", noted_at) values ('corretor_removido', $2);
  insert into portal.instance_sweeps ("instanceName", claimed_at, read_until) values ($1, $2, $2);
  insert into portal.instance_states ("instanceName", state, changed_at, dead_at, state_at, owner_at, qr_at, qr_received_at)
    values ($1, 'open', $2, $2, $2, $2, $2, $2);
  insert into portal.erasures (hash, erased_at) values ('\\x01', $2);
  insert into portal.throttle (key, kind, attempts, counted_at, trusted_until)
    values ('\\x01', 'pair', 0, $2, $2 + interval '90 days');
  update portal.accounts set first_access_until = $2 + interval '24 hours', invite_hash = '\\x01',
    invite_expires_at = $2 + interval '7 days';
  update portal.sessions set expires_at = $2 + interval '30 days'`

const base = await openBase()
const { db } = base
const broker = await makeBroker(db)
await signIn(db, broker)
await signInAdmin(db)
for (const statement of MADE.split(';'))
  await db.exec(
    statement.replaceAll('$1', `'${broker.instanceName}'`).replaceAll('$2', `(now() + interval '31 days')`),
  )
const ahead = new Date(clock.now() + 31 * 86_400_000).toISOString()
const soonAfter = new Date(Date.parse(ahead) + 600_000).toISOString()
const lead = await makeContact(db, broker.instanceName)
const rotation = await makeRotation(db)
const { id } = await makeRoutingCase(db, { contactId: lead.id, roletaId: rotation.id }, [])
await db.query(
  `update portal.roleta_cases set state = 'offered', holder = $2, since = $3, next_at = $4 where id = $1`,
  [id, broker.instanceName, ahead, soonAfter],
)
const agent = await makeAgent(db)
await db.query(
  `insert into portal.agent_pauses (agent_id, person_id, reason, paused_by, paused_at, paused_until)
   select $1, person_id, 'phone', 'x', $3, $3::timestamptz + interval '24 hours' from public.whatsapp_contacts where id = $2`,
  [agent.id, lead.id, ahead],
)
await makeCampaign(db, broker.id, { status: 'running', next_send_at: soonAfter, watched_since: ahead })
await db.query(
  `with device as (
     insert into portal.push_devices (session_id, endpoint, p256dh, auth, name, held_until, watched_contact, watched_until)
     select id, 'https://push.example/1', 'x', 'x', 'Telefone', $1::timestamptz + interval '1 hour', 1, $1::timestamptz + interval '1 minute'
     from portal.sessions limit 1 returning id)
   insert into portal.push_queue (device_id, kind, tag, queued_at, due_at, claimed_by, claimed_until)
   select id, 'digest', 'digest', $1, $1::timestamptz + interval '1 second', gen_random_uuid(), $1::timestamptz + interval '30 seconds'
   from device`,
  [ahead],
)
await capWaits({
  db,
  clock,
  log: createLog('warn', (line) => lines.push(line)),
  longestGapMs: MAX_GAP_MS,
})

const HOUR = 3_600
const DAY = 24 * HOUR

test.each([
  ['a queue held after a fault of the gateway', 'portal.send_queues', 'held_until', 300],
  ['a queue leased by a portal', 'portal.send_queues', 'leased_until', 60],
  ['the turn at an instance', 'portal.name_turns', 'held_until', 60],
  ['an instance left over', 'portal.leftover_instances', 'noted_at', 0],
  ['a sweep that was claimed', 'portal.instance_sweeps', 'claimed_at', 0],
  ['what was read back', 'portal.instance_sweeps', 'read_until', 0],
  ['when a link changed', 'portal.instance_states', 'changed_at', 0],
  ['when a link died', 'portal.instance_states', 'dead_at', 0],
  ['the newest report of a link', 'portal.instance_states', 'state_at', 60],
  ['the newest report of a phone', 'portal.instance_states', 'owner_at', 60],
  ['the newest code', 'portal.instance_states', 'qr_at', 60],
  ['an erasure', 'portal.erasures', 'erased_at', 0],
  ['an agent paused by an answer', 'portal.agent_pauses', 'paused_until', DAY],
  ['a push that is queued', 'portal.push_queue', 'due_at', 1],
  ['a push under way', 'portal.push_queue', 'claimed_until', 60],
  ['a device in peace', 'portal.push_devices', 'held_until', HOUR],
  ['a conversation watched', 'portal.push_devices', 'watched_until', 60],
  ['an offer', 'portal.roleta_cases', 'next_at', 600],
  ['the gap of a campaign', 'public.remarketing_campaigns', 'next_send_at', MAX_GAP_MS / 1000],
  ['the watch over a campaign', 'public.remarketing_campaigns', 'watched_since', 0],
  ['a session', 'portal.sessions', 'expires_at', 30 * DAY],
  ['a first access', 'portal.accounts', 'first_access_until', DAY],
  ['an invitation', 'portal.accounts', 'invite_expires_at', 7 * DAY],
  ['a pair that is trusted', 'portal.throttle', 'trusted_until', 90 * DAY],
])('%s', async (_, table, column, mostSeconds) => {
  const { rows } = await base.db.query<{ seconds: number }>(
    `select extract(epoch from max(${column}) - clock_timestamp())::float8 as seconds from ${table}`,
  )
  // The test's clock stands still, the database's runs: the rest is no more than the whole.
  expect(rows[0]?.seconds).toBeLessThanOrEqual(mostSeconds)
  expect(rows[0]?.seconds).toBeGreaterThan(mostSeconds - 600)
})

test('it is logged once, and correct rows stay', async () => {
  expect(lines).toHaveLength(1)
  await capWaits({
    db: base.db,
    clock: { ...clock, now: () => Date.now() + 1_000 },
    log: createLog('warn', (line) => lines.push(line)),
    longestGapMs: MAX_GAP_MS,
  })
  expect(lines).toHaveLength(1)
})

test("in the process's memory, too, a future moment counts as past", () => {
  const at = { now: () => 1_000_000 }
  expect(hasPassed(at, 940_001, 60_000)).toBe(false)
  expect(hasPassed(at, 940_000, 60_000)).toBe(true)
  expect(hasPassed(at, 1_000_001, 60_000)).toBe(true)
})
