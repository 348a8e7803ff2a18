// What the portal itself adds to a campaign's message, from the end of one to the end of the next, with 100,000 still to go.
import { inHouse } from '#server/cli/house.mjs'
import { createRunner } from '#server/campaigns/campaign-worker.ts'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/log.ts'
import { createSender } from '#server/messages/send-worker.ts'
import { takeTurn } from '#server/webhook/apply.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { scriptedGateway } from '#tests/support/sending.ts'
import type { Engine } from './engines.ts'
import type { Measure } from './measure.ts'

const INSTANCE = 'corretor_disparo'
const QUEUED = 100_000
/** Before it is measured, so that every plan is made. */
const FIRST = 20
const MEASURED = 200
/** Of the people's numbers: no other measure's. */
const SEED = 70
const NO_MEDIA = {
  put: () => Promise.reject(new Error('not here')),
  find: () => Promise.resolve(null),
}

/** Over a gateway that answers at once, without a gap. */
export async function measureCampaign(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await engine.withDatabase(async (db) => {
    await migrate(db, inHouse('supabase/migrations'))
    await queueCampaign(db)
    measures.push({
      name: `${engine.name}: campaign of ${QUEUED.toLocaleString('en')}, the portal's part of a message`,
      value: await meanMs(db),
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

async function meanMs(db: Database): Promise<number> {
  const phone = scriptedGateway()
  const log = createLog('error')
  const parts = { db, clock: systemClock, log }
  const sender = createSender({
    ...parts,
    storage: NO_MEDIA,
    gateway: phone.gateway,
    takeTurn,
    onSettled: () => runner.wake(),
  })
  const runner = createRunner({
    ...parts,
    zone: 'America/Sao_Paulo',
    delayMs: { min: 0, max: 0 },
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
