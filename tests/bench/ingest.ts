// Webhook deliveries a second, durable before the 2xx, and how many were lost or doubled.
import path from 'node:path'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { inRoot } from '#server/ops/cli/root.mjs'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { createLog } from '#server/log.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { NOON, upsert } from '#tests/support/deliveries.ts'
import { withPool, type Engine } from './engines.ts'
import { send } from './http.ts'
import type { Measure } from './measure.ts'
import { pgbench } from './server.ts'

const INSTANCES = Array.from({ length: 8 }, (_, at) => `corretor_medida${'abcdefgh'[at]}`)
const [INSTANCE = ''] = INSTANCES
const MESSAGES = 4_000
const LEADS = 200
const SENDERS = 64
const CONNECTIONS = 10
const EMBEDDED_LIMIT = 500
/** Of single-commit inserts on the same machine. */
const SERVER_SHARE = 1 / 4

/** Opens the engine's database while no portal does. */
export async function measureIngest(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await withPool(engine, CONNECTIONS, async (db) => void measures.push(...(await measureOn(db, engine))))
  return measures
}

async function measureOn(db: Database, engine: Engine): Promise<Measure[]> {
  await migrate(db, inRoot('supabase/migrations'))
  await db.query('insert into public.brokers ("instanceName") select unnest($1::text[])', [INSTANCES])
  const webhook = createWebhook({
    db,
    clock: systemClock,
    log: createLog('error'),
    storage: await openFolderStore(path.join(engine.dataDir, 'bench-media')),
  })
  const answer = getRequestListener(webhook.routes.fetch)
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const paths = await Promise.all(
    INSTANCES.map(async (name) => `/${name}/${await mintWebhookSecret(db.query, name)}`),
  )
  const bodies = Array.from({ length: MESSAGES }, (_, index) => messageOf(index))
  const target = { origin, paths: paths.slice(0, 1) }

  const startedMs = performance.now()
  const refused = await sendAll(target, bodies)
  const storedMs = performance.now() - startedMs
  await webhook.drained()
  const appliedMs = performance.now() - startedMs
  // Everything once more: what is known changes nothing.
  await sendAll(target, bodies)
  await webhook.drained()
  // As many again, over all instances in turn.
  const manyStartedMs = performance.now()
  await sendAll(
    { origin, paths },
    Array.from({ length: MESSAGES }, (_, index) => messageOf(MESSAGES + index)),
  )
  await webhook.drained()
  const manyMs = performance.now() - manyStartedMs
  server.close()

  const { rows } = await db.query<{ lines: number; unread: number }>(
    `select (select count(*) from public.whatsapp_messages where "instanceName" like $1) as lines,
      (select sum(unread_count) from public.whatsapp_contacts where "instanceName" like $1)::bigint as unread`,
    [`${INSTANCE.slice(0, -1)}_`],
  )
  const all = 2 * MESSAGES
  const { lines = 0, unread = 0 } = rows[0] ?? {}
  const url = engine.env['DATABASE_URL']
  const limit = url === undefined ? EMBEDDED_LIMIT : SERVER_SHARE * (await singleCommits(db))
  const named = (name: string) => `${engine.name}: ${name}`
  return [
    {
      name: named('webhook deliveries made safe'),
      value: (MESSAGES / storedMs) * 1000,
      unit: '/s',
      limit,
      isLeast: true,
    },
    { name: named('webhook deliveries applied'), value: (MESSAGES / appliedMs) * 1000, unit: '/s' },
    {
      name: named(`webhook deliveries applied, of ${INSTANCES.length} instances`),
      value: (MESSAGES / manyMs) * 1000,
      unit: '/s',
    },
    ...(url === undefined ? [] : await floors(db, url)),
    {
      name: named('deliveries refused, lost'),
      value: refused + Math.max(0, all - lines),
      unit: '',
      limit: 0,
    },
    {
      name: named('deliveries doubled'),
      value: Math.max(0, lines - all, unread - all),
      unit: '',
      limit: 0,
    },
  ]
}

const messageOf = (index: number) =>
  upsert({
    id: `BENCH${index}`,
    key: { remoteJid: `55119${String(80_000_000 + (index % LEADS))}@s.whatsapp.net` },
    message: { conversation: `Bom dia! Ainda tem a unidade de dois quartos? (${index})` },
    sentAt: NOON + index,
  })

/** Sends all with some at a time; answers how many did not get a 200. */
async function sendAll(
  { origin, paths }: { origin: string; paths: readonly string[] },
  bodies: readonly unknown[],
): Promise<number> {
  let next = 0
  let refused = 0
  const sender = async () => {
    while (next < bodies.length) {
      const path = paths[next % paths.length] ?? ''
      const { status } = await send(origin, { path, body: bodies[next++] })
      if (status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  return refused
}

/** The same insert alone, each its own commit, by few clients and by many. */
async function floors(db: Database, url: string): Promise<Measure[]> {
  // Spaced, since a colon before a word is a variable to pgbench.
  const body = JSON.stringify(messageOf(0)).replaceAll('":', '": ')
  const script = `insert into portal.webhook_inbox ("instanceName", body, received_at)
    select s."instanceName", '${body}', now() from portal.webhook_secrets s where s."instanceName" = '${INSTANCE}';`
  const measures: Measure[] = []
  for (const clients of [8, 32])
    measures.push({
      name: `Postgres: webhook deliveries, same SQL alone, ${clients} clients`,
      value: await pgbench(url, script, clients),
      unit: '/s',
    })
  await db.exec('truncate portal.webhook_inbox')
  return measures
}

const SINGLE_COMMITS = 2_000

/** Inserts of one such row a second, each its own commit, over as many connections as the portal has. */
async function singleCommits(db: Database): Promise<number> {
  const body = JSON.stringify(messageOf(0))
  let left = SINGLE_COMMITS
  await db.exec(
    'create table if not exists portal.bench_single_commits (id bigint generated always as identity, body text)',
  )
  const startedMs = performance.now()
  const insert = async () => {
    while (left-- > 0) await db.query('insert into portal.bench_single_commits (body) values ($1)', [body])
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, insert))
  const perSecond = (SINGLE_COMMITS / (performance.now() - startedMs)) * 1000
  await db.exec('drop table portal.bench_single_commits')
  return perSecond
}
