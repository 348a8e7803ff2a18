// The cost of one broker's requests in an installation, and in one with ten times as many leads of others: through the
// REST layer, without HTTP.
import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { inRoot } from '#server/ops/cli/root.mjs'
import { applyEvents, takeLock } from '#server/whatsapp/webhook/apply.ts'
import { readDelivery } from '#server/whatsapp/gateway/evolution/deliveries.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { makeBroker, signIn } from '#tests/support/make.ts'
import { withPool, type Engine } from './engines.ts'
import { type Measure, middleMs } from './measure.ts'
import { openWireOf } from '#tests/support/rest-wire.ts'

const SIZES = [10_000, 100_000] as const
const OTHERS = 10
const OWN = 2_000
const ROUNDS = 101
const MAX_TIMES = 1.2

type Ask = (path: string, body?: unknown) => Promise<unknown>

export async function measureGrowth(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await withPool(engine, 4, async (db) => void measures.push(...(await measureOn(db, engine))))
  return measures
}

async function measureOn(db: Database, { name: engine }: Engine): Promise<Measure[]> {
  await migrate(db, inRoot('supabase'))
  const broker = await makeBroker(db)
  await seedLeads(db, { instanceName: broker.instanceName, count: OWN, seed: 1 })
  const others = await Promise.all(Array.from({ length: OTHERS }, () => makeBroker(db)))
  const claims = { ...(await signIn(db, broker)), app_metadata: { portal_role: 'broker' } }
  const wire = openWireOf(db, claims)
  const ask: Ask = async (path, body) => {
    const answer = await wire.request(
      path,
      body === undefined
        ? undefined
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    )
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }

  const measures: Measure[] = []
  const before = new Map<string, number>()
  let present = 0
  for (const [at, size] of SIZES.entries()) {
    for (const [index, other] of others.entries())
      await seedLeads(db, {
        instanceName: other.instanceName,
        count: (size - present) / OTHERS,
        seed: 2 + index + at * OTHERS,
      })
    present = size
    await db.exec('vacuum (analyze) public.whatsapp_contacts, public.whatsapp_messages')
    const requests = {
      ...(await requestsOf(ask, broker.instanceName)),
      'a message applied': await applying(db, broker.instanceName),
    }
    for (const [what, run] of Object.entries(requests)) {
      await middleMs(run, 10)
      const ms = await middleMs(run, ROUNDS)
      const named = `${engine}: ${what}, ${size.toLocaleString('en')} leads`
      measures.push({ name: named, value: ms, unit: 'ms' })
      const smallMs = before.get(what)
      if (smallMs === undefined) before.set(what, ms)
      else measures.push({ name: `${named}, times before`, value: ms / smallMs, unit: '', limit: MAX_TIMES })
    }
  }
  return measures
}

/** One delivery per transaction, to each of the broker's leads in turn. */
async function applying(db: Database, instanceName: string): Promise<() => Promise<unknown>> {
  const { rows: leads } = await db.query<{ number: string }>(
    'select number from public.whatsapp_contacts where "instanceName" = $1 order by id limit 1000',
    [instanceName],
  )
  let round = 0
  return async () => {
    const { number } = leads[round++ % leads.length] ?? {}
    const nowMs = Date.now()
    const key = { remoteJid: `${number}@s.whatsapp.net` }
    const read = readDelivery(upsert({ id: randomUUID(), key, sentAt: Math.floor(nowMs / 1000) }), nowMs)
    if (!read.ok || read.events.length !== 1) throw new Error('a delivery could not be read')
    await db.transaction(async (query) => {
      await takeLock(query, instanceName)
      await applyEvents(
        query,
        read.events.map((event) => ({ instanceName, event })),
      )
    })
  }
}

async function requestsOf(ask: Ask, instance: string): Promise<Record<string, () => Promise<unknown>>> {
  const leads = (await ask('/whatsapp_contacts?select=id,number&order=id&limit=1000')) as {
    id: number
    number: string
  }[]
  const board = (await ask('/rpc/sync_board', { p_instance: instance, p_cursor: null })) as { cursor: string }
  let round = 0
  const lead = () => leads[(round = (round + 1) % leads.length)]
  return {
    'twelve cards of a stage': () =>
      ask(
        '/whatsapp_contacts?select=id,name,number,status&status=eq.new&order=last_message_timestamp.desc.nullslast,id.desc&limit=12',
      ),
    'page of the leads by id': () => ask('/whatsapp_contacts?select=id,name,number,status&order=id&limit=20'),
    'page of a conversation': () =>
      ask(
        `/whatsapp_messages?select=id,body,timestamp&order=timestamp.desc,id.desc&limit=30&contact_id=eq.${lead()?.id}`,
      ),
    "a broker's newest messages": () =>
      ask('/whatsapp_messages?select=id,body,timestamp&order=timestamp.desc,id.desc&limit=30'),
    'refresh without change': () => ask('/rpc/sync_board', { p_instance: instance, p_cursor: board.cursor }),
    move: () =>
      ask('/rpc/atualizar_status_lead', {
        p_number_lead: null,
        p_broker_name: instance,
        p_novo_status: round % 2 === 0 ? 'conversa' : 'negociacao',
        p_contact_id: lead()?.id,
        p_operation_id: randomUUID(),
      }),
  }
}
