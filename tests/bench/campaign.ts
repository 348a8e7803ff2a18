// The portal's own time per campaign message, from the end of one send to the end of the next, with 100,000 to go; and
// the totals of many campaigns for the report.
import { inRoot } from '#server/ops/cli/root.mjs'
import { createRunner } from '#server/campaigns/campaign-worker.ts'
import { systemClock } from '#server/clock.ts'
import { asUser } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/log.ts'
import { createSender } from '#server/whatsapp/sending/send-worker.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { makeAdmin, signIn } from '#tests/support/make.ts'
import { PRESENT, scriptedGateway } from '#tests/support/sending.ts'
import type { Engine } from './engines.ts'
import { type Measure, middleMs } from './measure.ts'

const INSTANCE = 'corretor_disparo'
const QUEUED = 100_000
/** Sent before the measurement, so that query plans are cached. */
const FIRST = 20
const MEASURED = 200
/** Number of ended campaigns. */
const ENDED = 500
const REACHED = 400
const ROUNDS = 7
/** A seed for phone numbers that no other benchmark uses. */
const SEED = 70
const NO_MEDIA = {
  put: () => Promise.reject(new Error('not here')),
  find: () => Promise.resolve(null),
  remove: () => Promise.resolve(true),
  list: async function* () {},
  listOld: async function* () {},
}

/** Over a gateway that answers at once, without gaps between messages. */
export async function measureCampaign(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await engine.withDatabase(async (db) => {
    await migrate(db, inRoot('supabase'))
    await queueCampaign(db)
    measures.push({
      name: `${engine.name}: campaign of ${QUEUED.toLocaleString('en')}, the portal's part of a message`,
      value: await meanMs(db),
      unit: 'ms',
    })
    await addEnded(db)
    const claims = await signIn(db, await makeAdmin(db, 'medidor_de_campanhas'))
    const ask = (sql: string) => asUser(db, claims, (query) => query(sql))
    const over = `${ENDED} campaigns to ${(ENDED * REACHED).toLocaleString('en')}`
    for (const [name, sql] of Object.entries(REPORTS))
      measures.push({
        name: `${engine.name}: ${name} of ${over}, p50`,
        value: await middleMs(() => ask(sql), ROUNDS),
        unit: 'ms',
      })
  })
  return measures
}

async function queueCampaign(db: Database) {
  await db.query('insert into public.brokers ("instanceName") values ($1) on conflict do nothing', [INSTANCE])
  await seedLeads(db, { instanceName: INSTANCE, count: QUEUED, seed: SEED })
  await db.exec(
    `update public.campaign_settings
     set opens_at = 0, closes_at = 24, sends_on_sundays = true, daily_cap = 5000, warm_up_from = 5000`,
  )
  await db.query(
    `with planned as (
       insert into public.remarketing_campaigns (broker_id, kanban_stage, status, message, total_contacts)
       select id, 'new', 'running', 'Oi, {nome}!', $2 from public.brokers where "instanceName" = $1 returning id
     )
     insert into public.campaign_recipients (campaign_id, contact_id, person_id, name, body)
     select planned.id, c.id, c.person_id, c.name, 'Oi, ' || c.name || '!'
     from planned, public.whatsapp_contacts c where c."instanceName" = $1`,
    [INSTANCE, QUEUED],
  )
  await db.exec('vacuum (analyze) public.campaign_recipients')
}

const REPORTS = {
  summary: 'select * from get_campaign_stats()',
  'first page of the history': 'select * from get_campaign_history()',
}

/** Three in four were delivered, half of those read, and leads that wrote within three days have answered. */
async function addEnded(db: Database): Promise<void> {
  await db.exec('alter table public.whatsapp_messages disable trigger user')
  await db.query(
    `with ended as (
       insert into public.remarketing_campaigns
         (broker_id, kanban_stage, status, message, total_contacts, processed_contacts, created_at, finished_at)
       select b.id, 'new', 'completed', 'Oi, {nome}!', $3::int, $3::int, at, at
       from public.brokers b, generate_series(1, $2::int) n, lateral (select now() - n * interval '4 hours' as at) drawn
       where b."instanceName" = $1 returning id, created_at
     ), placed as (
       select id, created_at, row_number() over (order by id) - 1 as place from ended
     ), leads as (
       select id, person_id, name, row_number() over (order by id) - 1 as place from public.whatsapp_contacts
       where "instanceName" = $1
     ), reached as (
       select p.id as campaign_id, p.created_at, l.id as contact_id, l.person_id, l.name, n
       from placed p, generate_series(0, $3::int - 1) n, leads l
       where l.place = (p.place * $3 + n) % (select count(*) from leads)
     ), lines as (
       insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type, author, delivery)
       select contact_id, $1, 'campaign-' || campaign_id || '-' || contact_id, 'Oi!', extract(epoch from created_at)::bigint,
         'outgoing', 'campaign', (array['sent', 'delivered', 'read', 'read'])[1 + n % 4]
       from reached returning id, contact_id, message_id
     )
     insert into public.campaign_recipients
       (campaign_id, contact_id, person_id, name, body, state, message_id, accepted_at, settled_at, acknowledged)
     select r.campaign_id, r.contact_id, r.person_id, r.name, 'Oi!', 'sent', lines.id, r.created_at, r.created_at, true
     from reached r
     join lines on lines.message_id = 'campaign-' || r.campaign_id || '-' || r.contact_id`,
    [INSTANCE, ENDED, REACHED],
  )
  await db.exec('alter table public.whatsapp_messages enable trigger user')
  await db.exec(
    'vacuum (analyze) public.whatsapp_messages, public.campaign_recipients, public.remarketing_campaigns',
  )
}

async function meanMs(db: Database): Promise<number> {
  const phone = scriptedGateway()
  const log = createLog('error')
  const parts = { db, clock: systemClock, log }
  const sender = createSender({
    ...parts,
    storage: NO_MEDIA,
    gateway: phone.gateway,
    presence: PRESENT,
    takeLock,
    onSettled: () => runner.wake(),
  })
  const runner = createRunner({
    storage: {},
    ...parts,
    zone: 'America/Sao_Paulo',
    delayMs: { min: 0, max: 0 },
    ...PRESENT,
    showTyping: undefined,
    onQueued: sender.wake,
  })
  const stops = [runner.start(), sender.start()]
  await phone.begun(FIRST)
  const startedMs = performance.now()
  await phone.begun(FIRST + MEASURED)
  const meanMs = (performance.now() - startedMs) / MEASURED
  await Promise.all(stops.map((stop) => stop()))
  return meanMs
}
