// Lock order: transactions that lock the same leads, deadlines and pushes wait for each other, and never in a circle.
// Only native Postgres has several connections.
import { expect, test } from 'vitest'
import { becomeUser } from '#server/db/as-user.ts'
import type { Query } from '#server/db/database.ts'
import { databasesOf, onPostgres, openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signIn, untilLockAwaited } from '#tests/support/make.ts'

const NOW = Date.parse('2026-11-23T13:00:00Z')
const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

const base = await openBase()
const [here, elsewhere] = databasesOf(base.db)

async function makeBrokerWithDevices(devices = 1) {
  const broker = await makeBroker(base.db)
  for (let place = 0; place < devices; place++) {
    const claims = await signIn(base.db, broker)
    await base.db.query(
      `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, $2, 'x', 'x', 'Celular')`,
      [String(claims['session_id']), `https://push.example/${String(claims['session_id'])}`],
    )
  }
  return broker
}

/** A lead whose deadline has passed. */
async function makeLateLead(owner: string) {
  const { id } = await makeContact(base.db, owner)
  await makeMessage(base.db, id, { timestamp: Math.floor((NOW - HOUR) / 1000) })
  return id
}

const warn = (query: Query) => query('select portal.warn_risks($1)', [iso(NOW)])

/** Fails with 55P03 instead of waiting for another transaction. */
const withoutWaiting = (work: (query: Query) => Promise<unknown>) =>
  elsewhere!.transaction(async (query) => {
    await query(`set local lock_timeout = '1s'`)
    await work(query)
  })

onPostgres.describe('the sweep of late leads', () => {
  // Postgres follows a row's newer versions even under SKIP LOCKED, and waits there.
  test('passes over a lead that its writer changed first and locked for update then', async () => {
    const broker = await makeBrokerWithDevices()
    const id = await makeLateLead(broker.instanceName)
    await here!.transaction(async (query) => {
      await query(`update public.whatsapp_contacts set name = 'Nome' where id = $1`, [id])
      await query('select from public.whatsapp_contacts where id = $1 for update', [id])
      await withoutWaiting(warn)
      await query('update public.whatsapp_contacts set waiting_since = now() where id = $1', [id])
    })
    await warn(base.db.query)
    const { rows } = await base.db.query(
      'select level from portal.risk_warnings where contact_id = $1 order by level',
      [id],
    )
    expect(rows).toEqual([{ level: 1 }, { level: 2 }])
  })

  test('no function locks rows for key share and skips the locked ones', async () => {
    const { rows } = await base.db.query<{ name: string }>(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('public', 'portal') and p.prosrc ~* 'for (key )?share( of \\w+)? (skip locked|nowait)'`,
    )
    expect(rows).toEqual([])
  })
})

onPostgres.describe('waiting pushes of one lead on several devices', () => {
  /** The pushes of a lead, with the row of the last device stored first, where an unordered statement begins. */
  async function makePushes() {
    const broker = await makeBrokerWithDevices(2)
    const { id } = await makeContact(base.db, broker.instanceName)
    await base.db.query('delete from portal.push_queue')
    const { rows } = await base.db.query<{ id: number }>(
      `insert into portal.push_queue (device_id, kind, tag, subject, due_at)
       select d.id, 'message', 'lead-' || $2::bigint, $2::bigint, now() - interval '1 hour' from portal.push_devices d
       join portal.sessions s on s.id = d.session_id where s.account_id = $1 order by d.id desc returning id::integer`,
      [broker.id, id],
    )
    return { broker, contactId: id, rows: rows.map((row) => String(row.id)) }
  }

  test('a claim leaves outdated pushes that are renewed in that moment', async () => {
    const { broker, contactId, rows } = await makePushes()
    await here!.transaction(async (query) => {
      await query(
        `select portal.push($1::text, 'message'::text, 'lead-' || $2::bigint, $2::bigint, interval '0')`,
        [broker.instanceName, contactId],
      )
      await withoutWaiting((other) => other('select portal.claim_pushes(gen_random_uuid(), now(), 60, 10)'))
    })
    const left = await base.db.query<{ happened: number }>(
      'select happened from portal.push_queue where id = any ($1)',
      [rows],
    )
    expect(left.rows).toEqual([{ happened: 2 }, { happened: 2 }])
  })

  test('muting the lead locks them in the order of a new message', async () => {
    const { broker, contactId, rows } = await makePushes()
    const claims = await signIn(base.db, broker)
    let muting: Promise<unknown> | undefined
    await here!.transaction(async (query) => {
      // The first device of a new message; its second is locked by nobody but the muting.
      await query('select from portal.push_queue where id = $1 for update', [rows[1]!])
      muting = elsewhere!.transaction(async (other) => {
        await becomeUser(other, claims)
        await other('select public.lead_mute($1, true)', [contactId])
      })
      await untilLockAwaited(base.db)
      await query('select from portal.push_queue where id = $1 for update', [rows[0]!])
    })
    await muting
    expect((await base.db.query('select from portal.push_queue')).rows).toEqual([])
  })
})

onPostgres.describe('a person who opts out by a message', () => {
  test('is locked before the lead, as by an arrival', async () => {
    const broker = await makeBroker(base.db)
    const { id, number } = await makeContact(base.db, broker.instanceName)
    const jid = `${number}@s.whatsapp.net`
    const event = {
      kind: 'text',
      body: 'SAIR',
      messageId: 'SAIR-1',
      fromMe: false,
      sentAtSeconds: Math.floor(NOW / 1000),
      optsOut: true,
      chat: { remoteJid: jid, jids: [jid], ownJid: null },
      content: null,
      raw: null,
    }
    let message: Promise<unknown> | undefined
    await here!.transaction(async (query) => {
      await query(
        'select from portal.people p join public.whatsapp_contacts c on c.person_id = p.id where c.id = $1 for no key update of p',
        [id],
      )
      message = elsewhere!.transaction((other) =>
        other('select portal.apply_message($1, $2::jsonb)', [broker.instanceName, JSON.stringify(event)]),
      )
      await untilLockAwaited(base.db)
      await query(`update public.whatsapp_contacts set name = 'Nome' where id = $1`, [id])
    })
    await message
    const { rows } = await base.db.query(
      'select from portal.people p join public.whatsapp_contacts c on c.person_id = p.id where c.id = $1 and p.opted_out_at is not null',
      [id],
    )
    expect(rows).toHaveLength(1)
  })
})
