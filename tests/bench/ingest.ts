// Webhook deliveries per second, durable before the 2xx, and how many were lost or doubled. The portal is a separate
// process.
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { NOON, upsert } from '#tests/support/deliveries.ts'
import { ADMIN_PASSWORD, signIn, startPortal } from '#tests/support/portal.ts'
import type { Database } from '#server/db/database.ts'
import { withPool, type Engine } from './engines.ts'
import { send } from './http.ts'
import type { Measure } from './measure.ts'
import { pgbench } from './server.ts'
import { whenApplied } from './watching.ts'

const INSTANCES = Array.from({ length: 8 }, (_, at) => `corretor_medida${'abcdefgh'[at]}`)
const MESSAGES = 4_000
const LEADS = 200
const FEW = 8
const MANY = 32
const CONNECTIONS = 10
const EMBEDDED_LIMIT = 500
/** The required share of single-commit inserts on the same machine. */
const SERVER_SHARE = 1 / 4

/** Per second: until the last was answered, and until the last was applied. */
type Rates = { safe: number; applied: number }
type Poured = { few: Rates; many: Rates; ofAll: Rates; refused: number }

export async function measureIngest(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  const paths: string[] = []
  await engine.withDatabase(async (db) => {
    await db.query('insert into public.brokers ("instanceName") select unnest($1::text[])', [INSTANCES])
    for (const name of INSTANCES) paths.push(`/webhook/${name}/${await mintWebhookSecret(db.query, name)}`)
  })
  const portal = await startPortal(engine.dataDir, engine.env)
  let poured: Poured
  try {
    poured = await pourAll(portal.origin, paths)
  } finally {
    await portal.process.kill('SIGTERM')
  }
  const measures: Measure[] = []
  await withPool(
    engine,
    CONNECTIONS,
    async (db) => void measures.push(...(await measuresOf(engine, db, poured))),
  )
  return measures
}

/** Each message is new, except in one round that repeats all, which changes nothing. */
async function pourAll(origin: string, paths: readonly string[]): Promise<Poured> {
  const token = await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)
  let refused = 0
  const pour = async (round: number, senders: number, to: readonly string[]): Promise<Rates> => {
    const bodies = Array.from({ length: MESSAGES }, (_, index) => messageOf(round * MESSAGES + index))
    const startedMs = performance.now()
    refused += await sendAll(origin, { paths: to, bodies, senders })
    const safeMs = performance.now() - startedMs
    await whenApplied(origin, token)
    const aSecond = (ms: number) => (MESSAGES / ms) * 1000
    return { safe: aSecond(safeMs), applied: aSecond(performance.now() - startedMs) }
  }
  const one = paths.slice(0, 1)
  // A portal that has just started runs its code slowly.
  await pour(3, MANY, one)
  const few = await pour(0, FEW, one)
  const many = await pour(1, MANY, one)
  await pour(1, MANY, one)
  return { few, many, ofAll: await pour(2, MANY, paths), refused }
}

async function measuresOf(engine: Engine, db: Database, poured: Poured): Promise<Measure[]> {
  const { rows } = await db.query<{ lines: number; unread: number }>(
    `select (select count(*) from public.whatsapp_messages where "instanceName" = any($1)) as lines,
      (select sum(unread_count) from public.whatsapp_contacts where "instanceName" = any($1))::bigint as unread`,
    [INSTANCES],
  )
  const all = 4 * MESSAGES
  const { lines = 0, unread = 0 } = rows[0] ?? {}
  const url = engine.env['DATABASE_URL']
  const limit = url === undefined ? EMBEDDED_LIMIT : SERVER_SHARE * (await singleCommits(db))
  const named = (name: string) => `${engine.name}: webhook deliveries ${name}`
  const { few, many, ofAll, refused } = poured
  return [
    { name: named(`safe, ${FEW} at once`), value: few.safe, unit: '/s' },
    { name: named(`safe, ${MANY} at once`), value: many.safe, unit: '/s', limit, isLeast: true },
    { name: named('applied'), value: many.applied, unit: '/s' },
    { name: named(`applied, of ${INSTANCES.length} instances`), value: ofAll.applied, unit: '/s' },
    ...(url === undefined ? [] : await floors(db, url)),
    { name: named('refused, lost'), value: refused + Math.max(0, all - lines), unit: '', limit: 0 },
    { name: named('doubled'), value: Math.max(0, lines - all, unread - all), unit: '', limit: 0 },
  ]
}

const messageOf = (index: number) =>
  upsert({
    id: `BENCH${index}`,
    key: { remoteJid: `55119${String(80_000_000 + (index % LEADS))}@s.whatsapp.net` },
    message: { conversation: `Bom dia! Ainda tem a unidade de dois quartos? (${index})` },
    sentAt: NOON + index,
  })

type Load = { paths: readonly string[]; bodies: readonly unknown[]; senders: number }

/** Sends all with this concurrency; returns how many did not get a 200. */
async function sendAll(origin: string, { paths, bodies, senders }: Load): Promise<number> {
  let next = 0
  let refused = 0
  const sender = async () => {
    while (next < bodies.length) {
      const path = paths[next % paths.length] ?? ''
      const { status } = await send(origin, { path, body: bodies[next++] })
      if (status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return refused
}

/** The insert alone, each with its own commit, by few clients and by many. */
async function floors(db: Database, url: string): Promise<Measure[]> {
  // With spaces, because pgbench reads a colon before a word as a variable.
  const body = JSON.stringify(messageOf(0)).replaceAll('":', '": ')
  const script = `insert into portal.webhook_inbox ("instanceName", body, received_at)
    select s."instanceName", '${body}', now() from portal.webhook_secrets s where s."instanceName" = '${INSTANCES[0]}';`
  const measures: Measure[] = []
  for (const clients of [FEW, MANY])
    measures.push({
      name: `Postgres: webhook deliveries, same SQL alone, ${clients} clients`,
      value: await pgbench(url, script, clients),
      unit: '/s',
    })
  await db.exec('truncate portal.webhook_inbox')
  return measures
}

const SINGLE_COMMITS = 2_000

/** Inserts of such a row per second, each with its own commit, over as many connections as the portal has. */
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
