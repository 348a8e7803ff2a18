// Leads per second through an intake key, durable before the 201, and the speed of a rotation.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { inRoot } from '#server/ops/cli/root.mjs'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { createDistributor } from '#server/leads/routing/distribute.ts'
import { createIntakeRoutes } from '#server/leads/intake/intake-routes.ts'
import { hashKey } from '#server/leads/intake/keys.ts'
import { createRawMaker } from '#server/leads/intake/raw/maker.ts'
import { createRawStore, type RawStore } from '#server/leads/intake/raw/store.ts'
import { toNewLead } from '#server/leads/intake/new-lead.ts'
import { createLog } from '#server/log.ts'
import { makeLinkedBroker, makeSeatedRotation, replayAll } from '#tests/support/rotation.ts'
import { withPool, type Engine } from './engines.ts'
import { send } from './http.ts'
import type { Measure } from './measure.ts'

const LEADS = 2_000
const LEADS_ALONE = 1_000
/** Sent first and not counted, because a new portal has compiled and planned little. */
const LEADS_BEFORE = 2_000
const BROKERS = 20
const SENDERS = 64
const CONNECTIONS = 10
const KEY = 'pc_medida'

/** Opens the engine's database while no portal is running. */
export async function measureRotation(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await withPool(engine, CONNECTIONS, async (db) => void measures.push(...(await measureOn(db, engine))))
  return measures
}

async function measureOn(db: Database, engine: Engine): Promise<Measure[]> {
  await migrate(db, inRoot('supabase'))
  const brokers = []
  for (let each = 0; each < BROKERS; each++) brokers.push(await makeLinkedBroker(db))
  const rotation = await makeSeatedRotation(db, brokers)
  await db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, 'form', 'Medida', $2, 6000, 'portal', now())`,
    [randomUUID(), hashKey(KEY)],
  )
  const log = createLog('error')
  const distributor = createDistributor({ db, clock: systemClock, log })
  const rawStore = createRawStore(db)
  const maker = createRawMaker({ clock: systemClock, log, store: rawStore, onTaken: () => undefined })
  const app = new Hono().route('/api/leads', createIntakeRoutes({ clock: systemClock, log, rawStore, maker }))
  const answer = getRequestListener(app.fetch)
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const origin = `http://127.0.0.1:${port}`
  await sendAll(origin, { prefix: '118', leads: LEADS_BEFORE, development: null })
  const takenMs = await timed(() =>
    sendAll(origin, { prefix: '119', leads: LEADS, development: rotation.name }),
  )
  server.close()
  // Leads that were answered during a long queue are created over time.
  maker.wake()
  await maker.settled()
  const givenMs = await timed(async () => {
    distributor.wake()
    await distributor.settled()
  })
  const aloneMs = await timed(() => takeAlone(rawStore))
  const { rows } = await db.query<{ owned: number; astray: number }>(
    `select count(*) as owned, coalesce(max(abs(leads - $2::double precision)), 0) as astray from (
      select count(*) over (partition by c."instanceName") as leads
      from public.whatsapp_contacts c where c.empreendimento = $1 and c."instanceName" is not null) given`,
    [rotation.name, LEADS / BROKERS],
  )
  const { owned = 0, astray = 0 } = rows[0] ?? {}
  const replayed = await replayAll(db)
  const named = (name: string) => `${engine.name}: ${name}`
  return [
    { name: named('leads by key made safe'), value: (LEADS / takenMs) * 1000, unit: '/s' },
    {
      name: named('leads by key kept and made, the SQL alone'),
      value: (LEADS_ALONE / aloneMs) * 1000,
      unit: '/s',
    },
    { name: named('leads handed out by a rotation'), value: (LEADS / givenMs) * 1000, unit: '/s' },
    { name: named('leads lost or doubled'), value: Math.abs(LEADS - owned), unit: '', limit: 0 },
    { name: named('leads that a broker is off the share'), value: astray, unit: '', limit: 1 },
    { name: named('decisions that come out otherwise'), value: replayed.astray.length, unit: '', limit: 0 },
  ]
}

type Sent = { prefix: string; leads: number; development: string | null }

async function sendAll(origin: string, { prefix, leads, development }: Sent) {
  let next = 0
  const sender = async () => {
    while (next < leads) {
      const index = next++
      const body = {
        nome: 'Marina Tavares',
        telefone: `${prefix}${String(50_000_000 + index)}`,
        ...(development && { empreendimento: development }),
        id: `B${prefix}${index}`,
      }
      const { status } = await send(origin, { path: '/api/leads', body, token: KEY })
      if (status !== 201 && status !== 202) throw new Error(`a lead was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

/** The two statements of a form that is read at once, without notification and reading; without a rotation. */
async function takeAlone(store: RawStore) {
  let next = 0
  const taker = async () => {
    while (next < LEADS_ALONE) {
      const index = next++
      const nowMs = Date.now()
      const sent = { contentType: 'application/json', repeatKey: null, body: `{"id":"A${index}"}` }
      const kept = await store.keep(hashKey(KEY), sent, { nowMs, retryAtMs: nowMs + 60_000 })
      if (kept === null || !('id' in kept)) throw new Error('a lead was refused')
      const told = { name: 'Marina Tavares', phones: [`117${50_000_000 + index}`], externalId: `A${index}` }
      await store.take(kept.id, { leads: [toNewLead(told, kept.settings, nowMs)], fault: null }, nowMs)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, taker))
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}
