// What the portal serves a second over HTTP, each row beside its floor: what Postgres alone does with the same SQL under the same
// row rules, session looked up, measured in the same minutes by pgbench.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { findPostgres } from '#tests/support/runner/native-postgres.mjs'
import { call, signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { load, type Call } from './http.ts'
import type { Measure } from './measure.ts'

const LEADS = 5_000
const CLIENTS = 8
const FLOOR_SECONDS = 5
const COUNTS = { list: 6_000, conversation: 6_000, board: 60, move: 4_000 }
const LIST =
  '/rest/v1/whatsapp_contacts?select=id,name,number,status,broker:brokers(id,instanceName)&order=id&limit=20'
const CONVERSATION =
  '/rest/v1/whatsapp_messages?select=id,body,timestamp,type,kind,delivery,content,quoted,reactions&order=timestamp.desc,id.desc&limit=30&contact_id=eq.'

type Lead = { id: number; number: string }
type Target = { origin: string; token: string; leads: Lead[] }

export async function measureServer(engine: Engine): Promise<Measure[]> {
  const first = await startPortal(engine.dataDir, engine.env)
  await first.process.kill('SIGTERM')
  await engine.withDatabase(async (db) => {
    const { rowCount } = await db.query('select from public.brokers where "instanceName" = $1', [
      BROKER.instance,
    ])
    if (rowCount === 0) await fillBoard(db, LEADS, { hasMessages: true })
    await db.exec('analyze')
  })
  const portal = await startPortal(engine.dataDir, engine.env)
  try {
    const { origin } = portal
    const token = await signIn(origin, BROKER.email, BROKER.password)
    const { body: leads } = await call<Lead[]>(
      `${origin}/rest/v1/whatsapp_contacts?select=id,number&order=id&limit=1000`,
      { token },
    )
    return await measureAll(engine, { origin, token, leads })
  } finally {
    await portal.process.kill('SIGTERM')
  }
}

async function measureAll(engine: Engine, target: Target): Promise<Measure[]> {
  const measures: Measure[] = []
  const url = engine.env['DATABASE_URL']
  for (const [name, { next, count, floor }] of Object.entries(rowsOf(target))) {
    await load(target.origin, { clients: CLIENTS, count: Math.ceil(count / 10), next })
    const { perSecond, p50Ms, p99Ms } = await load(target.origin, { clients: CLIENTS, count, next })
    const floorPerSecond = url === undefined ? null : await pgbench(url, floor)
    const named = (what: string) => `${engine.name}: ${name}${what}`
    measures.push(
      { name: named(''), value: perSecond, unit: '/s' },
      { name: named(', half within'), value: p50Ms, unit: 'ms' },
      { name: named(', 99 % within'), value: p99Ms, unit: 'ms' },
    )
    if (floorPerSecond !== null)
      measures.push(
        { name: named(', same SQL alone'), value: floorPerSecond, unit: '/s' },
        { name: named(', of its floor'), value: (perSecond / floorPerSecond) * 100, unit: '%' },
      )
  }
  return measures
}

type MeasuredRow = { next: (index: number) => Call; count: number; floor: string }

function rowsOf({ token, leads }: Target): Record<string, MeasuredRow> {
  const [lead] = leads
  if (!lead) throw new Error('the board is empty')
  const ids = { first: lead.id, last: leads.at(-1)?.id ?? lead.id }
  // As a portal's connections: what is told comes to the client instead of as a NOTIFY.
  const asked = `begin;
set local portal.client_notifies = on;
select set_config('request.jwt.claims', '${claimsOf(token)}', true), set_config('role', 'authenticated', true),
  1 / (portal.account_id() is not null)::int;`
  return {
    'list of 20 with its broker': {
      next: () => ({ path: LIST, token }),
      count: COUNTS.list,
      floor: `${asked}
select coalesce('[' || string_agg(to_json(page)::text, ',') || ']', '[]') from (
        select c.id, c.name, c.number, c.status, row_to_json(b) as broker
        from public.whatsapp_contacts c left join lateral (select b.id, b."instanceName" from public.brokers b
          where b."instanceName" = c."instanceName") b on true
        order by c.id limit 20) page;
commit;`,
    },
    'page of a conversation': {
      next: (index) => ({ path: `${CONVERSATION}${leads[index % leads.length]?.id}`, token }),
      count: COUNTS.conversation,
      floor: `\\set id random(${ids.first}, ${ids.last})
${asked}
select coalesce('[' || string_agg(to_json(page)::text, ',') || ']', '[]') from (
        select id, body, "timestamp", type, kind, delivery, content, quoted, reactions
        from public.whatsapp_messages where contact_id = :id order by "timestamp" desc, id desc limit 30) page;
commit;`,
    },
    move: {
      next: (index) => moveOf(leads[index % leads.length] ?? lead, index, token),
      count: COUNTS.move,
      floor: `\\set id random(${ids.first}, ${ids.last})
${asked}
select public.atualizar_status_lead(null, '${BROKER.instance}',
  (select case c.status when 'conversa' then 'negociacao' else 'conversa' end from public.whatsapp_contacts c where c.id = :id),
  gen_random_uuid(), null, null, :id);
commit;`,
    },
    [`whole board of ${LEADS}`]: {
      next: () => ({
        path: '/rest/v1/rpc/sync_board',
        token,
        body: { p_instance: BROKER.instance, p_cursor: null },
      }),
      count: COUNTS.board,
      floor: `${asked} select public.sync_board('${BROKER.instance}', null); commit;`,
    },
  }
}

const moveOf = (lead: Lead, index: number, token: string): Call => ({
  path: '/rest/v1/rpc/atualizar_status_lead',
  token,
  body: {
    p_number_lead: lead.number,
    p_broker_name: BROKER.instance,
    // Once around all leads, each goes the other way.
    p_novo_status: Math.floor(index / 1_000) % 2 === 0 ? 'conversa' : 'negociacao',
    p_contact_id: lead.id,
    p_operation_id: randomUUID(),
  },
})

/** Spaced, since a colon before a word is a variable to pgbench. */
const claimsOf = (token: string) =>
  Buffer.from(token.split('.')[1] ?? '', 'base64url')
    .toString('utf8')
    .replaceAll('":', '": ')

/** Transactions a second of a script, prepared, by so many clients. */
export async function pgbench(url: string, script: string, clients = CLIENTS): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-pgbench-'))
  try {
    const file = path.join(folder, 'script.sql')
    await writeFile(file, script)
    const programs = (await findPostgres()) ?? ''
    const args = ['-n', '-Mprepared', `-c${clients}`, '-j2', `-T${FLOOR_SECONDS}`, `-f${file}`, url]
    // What is told goes to the other output, and nobody reads it.
    const bench = spawn(path.join(programs, 'pgbench'), args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    bench.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    await once(bench, 'close')
    return Number(/tps = ([\d.]+)/.exec(printed)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
