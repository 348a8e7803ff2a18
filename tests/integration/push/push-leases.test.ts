// Pushes that a portal was sending when it ended pass every rule again, also for changes during a poll: never to a
// wrong person, and not a minute late.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Query } from '#server/db/database.ts'
import { databasesOf, openBase, onPostgres } from '#tests/support/database.ts'
import { makeContact, makeMessage, signIn, untilLockAwaited, type MadeBroker } from '#tests/support/make.ts'
import { addDevice, makeKeys } from '#tests/support/push.ts'
import {
  answerOffer,
  routingCaseOf,
  makeLinkedBroker,
  makeSeatedRotation,
  openDistributor,
  takeLead,
} from '#tests/support/rotation.ts'

const LEASE_SECONDS = 30
/** When the ended portal claims, and when the next one polls, in seconds from now. */
const CLAIM = 5
const AFTER = CLAIM + LEASE_SECONDS + 1

type Claimed = {
  deviceId: string
  kind: string
  tag: string
  happened: number
  lead: { body: string } | null
}

let ana: MadeBroker
let bia: MadeBroker
const base = await openBase()
beforeEach(async () => {
  ana = await makeLinkedBroker(base.db)
  bia = await makeLinkedBroker(base.db)
})
afterEach(() =>
  base.db.exec(
    'delete from public.whatsapp_contacts; delete from public.roletas; delete from public.brokers',
  ),
)

/** A new portal each time; none records a result. The time is in seconds after now, or after another moment. */
async function claim(seconds: number, { db = base.db, sinceMs = Date.now() } = {}): Promise<Claimed[]> {
  const { rows } = await db.query<{ claimed: { pushes: Claimed[] } }>(
    'select portal.claim_pushes(gen_random_uuid(), $1, $2, 10) as claimed',
    [new Date(sinceMs + seconds * 1_000).toISOString(), LEASE_SECONDS],
  )
  return rows[0]?.claimed.pushes ?? []
}

let count = 0
async function device({ id }: MadeBroker): Promise<string> {
  const { p256dh, authText } = makeKeys()
  const endpoint = `https://push.example.com/${++count}`
  return (await addDevice(base.db, id, { endpoint, keys: { p256dh, auth: authText } })).id
}
const writes = (contactId: number, body: string) =>
  makeMessage(base.db, contactId, { body, timestamp: Math.floor(Date.now() / 1000) })
const waiting = async () =>
  (
    await base.db.query<{ deviceId: string; kind: string; isClaimed: boolean }>(
      `select device_id as "deviceId", kind, claimed_by is not null as "isClaimed" from portal.push_queue order by id`,
    )
  ).rows

/** A message of Ana's lead, sent to her phone by a portal that then ended. */
async function underWay() {
  const phone = await device(ana)
  const lead = await makeContact(base.db, ana.instanceName, { name: 'Marina' })
  await writes(lead.id, 'Oi')
  const sinceMs = Date.now()
  expect(await claim(CLAIM, { sinceMs })).toMatchObject([
    { deviceId: phone, kind: 'lead', lead: { body: 'Oi' } },
  ])
  return { phone, lead, sinceMs }
}

test('it is sent again once its lease has ended, and not before', async () => {
  const { phone, sinceMs } = await underWay()
  expect(await claim(CLAIM + LEASE_SECONDS - 1, { sinceMs })).toEqual([])
  expect(await claim(AFTER)).toMatchObject([{ deviceId: phone, kind: 'lead', lead: { body: 'Oi' } }])
})

test('a lead transferred meanwhile notifies only the new broker', async () => {
  const { lead } = await underWay()
  const hers = await device(bia)
  await base.db.query('select portal.hand_over($1::bigint[], $2)', [`{${lead.id}}`, bia.instanceName])
  expect(await claim(AFTER)).toMatchObject([{ deviceId: hers, kind: 'assigned' }])
  expect(await waiting()).toEqual([{ deviceId: hers, kind: 'assigned', isClaimed: true }])
})

test('a message read or deleted meanwhile notifies nobody', async () => {
  const { phone, lead } = await underWay()
  await base.db.query('update public.whatsapp_messages set read = true where contact_id = $1', [lead.id])
  expect(await claim(AFTER)).toEqual([])
  const other = await makeContact(base.db, ana.instanceName)
  expect(await claim(CLAIM)).toMatchObject([{ deviceId: phone, kind: 'lead' }])
  await base.db.query('delete from public.whatsapp_contacts where id = $1', [other.id])
  expect(await claim(AFTER)).toEqual([])
  expect(await waiting()).toEqual([])
})

test('a message that came meanwhile replaces it, once', async () => {
  const { phone, lead, sinceMs } = await underWay()
  await writes(lead.id, 'Você está aí?')
  expect(await claim(CLAIM + LEASE_SECONDS - 1, { sinceMs })).toEqual([])
  expect(await claim(AFTER)).toMatchObject([{ deviceId: phone, lead: { body: 'Você está aí?' } }])
  expect(await waiting()).toHaveLength(1)
})

test('quiet hours that began meanwhile apply', async () => {
  const { phone } = await underWay()
  await base.db.query(
    `insert into portal.push_settings (account_id, quiet_from, quiet_until)
     select $1, (local - interval '1 hour')::time, (local + interval '1 hour')::time
     from (select now() at time zone portal.time_zone() as local) here`,
    [ana.id],
  )
  expect(await claim(AFTER)).toEqual([])
  expect(await waiting()).toEqual([{ deviceId: phone, kind: 'digest', isClaimed: false }])
  expect(await claim(61 * 60)).toMatchObject([{ deviceId: phone, kind: 'digest', lead: null }])
})

test('a conversation opened meanwhile is being read, so the push waits', async () => {
  const { phone, lead } = await underWay()
  await base.db.query(
    `update portal.push_devices set watched_contact = $2, watched_until = now() + interval '10 minutes' where id = $1`,
    [phone, lead.id],
  )
  expect(await claim(AFTER)).toEqual([])
  expect(await waiting()).toEqual([{ deviceId: phone, kind: 'lead', isClaimed: false }])
})

test('a device removed during its claim gets nothing', async () => {
  const phone = await device(ana)
  await makeContact(base.db, ana.instanceName)
  await base.db.query('update portal.push_devices set removed_at = now() where id = $1', [phone])
  expect(await claim(CLAIM)).toEqual([])
  expect(await waiting()).toEqual([])
})

async function offered() {
  const portal = openDistributor(base.db)
  await device(ana)
  const rotation = await makeSeatedRotation(base.db, [ana], { needs_acceptance: true, accept_minutes: 5 })
  const { contactId } = await takeLead(portal, { development: rotation.name })
  await portal.run()
  const { id } = await routingCaseOf(base.db, contactId)
  expect(await claim(CLAIM)).toMatchObject([{ kind: 'offer', tag: `offer-${id}` }])
  return { portal, id }
}

test('a valid offer is sent again', async () => {
  const { id } = await offered()
  expect(await claim(AFTER)).toMatchObject([{ kind: 'offer', tag: `offer-${id}` }])
})

test('an offer accepted meanwhile is not', async () => {
  const { portal, id } = await offered()
  await answerOffer(portal, await signIn(base.db, ana), { id, intent: 'accept' })
  expect(await claim(AFTER)).toEqual([])
  expect(await waiting()).toEqual([])
})

test('nor is an expired one, even before anybody has checked it', async () => {
  await offered()
  expect(await claim(5 * 60 + 1)).toEqual([])
  expect(await waiting()).toEqual([])
})

onPostgres.test('what comes in while a portal looks is told by the next look, with its kind', async () => {
  const leads = await Promise.all(Array.from({ length: 6 }, () => makeContact(base.db, ana.instanceName)))
  const [hers, desk] = [await device(bia), await device(ana)]
  // So many that one push combines them; the poll waits for the device's lock.
  for (let i = 0; i < 6; i++) await writes((await makeContact(base.db, ana.instanceName)).id, 'Oi')
  const [, other = base.db] = databasesOf(base.db)
  const looking = await base.db.transaction(async (query) => {
    await query('select from portal.push_devices where id = $1 for update', [desk])
    const claimed = claim(CLAIM, { db: other })
    await untilLockAwaited(base.db)
    await base.db.query('select portal.hand_over($1::bigint[], $2)', [
      `{${leads.map(({ id }) => id).join()}}`,
      bia.instanceName,
    ])
    return { claimed }
  })
  expect(await looking.claimed).toMatchObject([{ deviceId: desk, kind: 'digest', happened: 6 }])
  expect(await claim(CLAIM)).toMatchObject([{ deviceId: hers, kind: 'handover', happened: 6 }])
})

const watch = (query: Query, id: string, contactId: number | null) =>
  query(
    `select portal.watch_conversation(session_id, $2, now() + interval '10 minutes') from portal.push_devices where id = $1`,
    [id, contactId],
  )

onPostgres.test('a conversation that is closed while a portal looks is told of at once', async () => {
  const phone = await device(ana)
  const lead = await makeContact(base.db, ana.instanceName)
  await watch(base.db.query, phone, lead.id)
  await writes(lead.id, 'Oi')
  const [, other = base.db] = databasesOf(base.db)
  await base.db.transaction(async (query) => {
    await watch(query, phone, null)
    expect(await claim(CLAIM, { db: other })).toEqual([])
  })
  expect(await claim(CLAIM)).toMatchObject([{ deviceId: phone, kind: 'lead', lead: { body: 'Oi' } }])
})

onPostgres.test('a conversation that is closed right as a portal put it off is told of at once', async () => {
  const phone = await device(ana)
  const lead = await makeContact(base.db, ana.instanceName)
  await watch(base.db.query, phone, lead.id)
  await writes(lead.id, 'Oi')
  await base.db.exec(`update portal.push_queue set due_at = now() - interval '1 second'`)
  const [, other = base.db] = databasesOf(base.db)
  const closing = await base.db.transaction(async (query) => {
    expect(await claim(CLAIM, { db: { ...base.db, query } })).toEqual([])
    const closed = watch(other.query, phone, null)
    await untilLockAwaited(base.db)
    return { closed }
  })
  await closing.closed
  expect(await claim(CLAIM)).toMatchObject([{ deviceId: phone, kind: 'lead', lead: { body: 'Oi' } }])
})

onPostgres.test('what comes in at the very moment that a lease ends takes its place', async () => {
  const { phone, lead } = await underWay()
  const [, other = base.db] = databasesOf(base.db)
  const claiming = await base.db.transaction(async (query) => {
    await query(`select portal.push($1, 'message', $2, $3, interval '0')`, [
      ana.instanceName,
      `lead-${lead.id}`,
      lead.id,
    ])
    const claimed = claim(AFTER, { db: other })
    const isHeld = async () => {
      const { rows } = await query(
        'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      )
      return rows.length > 0
    }
    while (!(await isHeld()));
    // Not awaited here, because it ends after this transaction.
    return { claimed }
  })
  expect(await claiming.claimed).toMatchObject([{ deviceId: phone, kind: 'message' }])
  expect(await waiting()).toHaveLength(1)
})
