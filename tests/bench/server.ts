// The portal's requests per second over HTTP, each beside Postgres alone with the same SQL, row rules and session
// lookup, measured in the same minutes by pgbench; and beside the minimum of a Node server between them.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BROKER, fillBoard, type BoardBroker } from '#tests/support/board.ts'
import { inRoot, root } from '#server/ops/cli/root.mjs'
import { findPostgres } from '#tests/support/runner/native-postgres.mjs'
import { call, signIn, startPortal } from '#tests/support/portal.ts'
import { startNode } from '#tests/support/process.ts'
import type { Engine } from './engines.ts'
import { load, type Call } from './http.ts'
import type { Measure } from './measure.ts'

const LEADS = 5_000
const LEADS_OF_OTHERS = 1_000
const BROKERS: BoardBroker[] = [
  BROKER,
  ...Array.from('abcdefg', (letter) => `medida${letter}`).map((name) => ({
    instance: `corretor_${name}`,
    email: `${name}@corretor.local`,
    password: BROKER.password,
  })),
]
const CLIENTS = BROKERS.length
const FLOOR_SECONDS = 5
const COUNTS = { list: 6_000, conversation: 6_000, board: 60, move: 4_000 }
const LIST =
  '/rest/v1/whatsapp_contacts?select=id,name,number,status,broker:brokers(id,instanceName)&order=id&limit=20'
const CONVERSATION =
  '/rest/v1/whatsapp_messages?select=id,body,timestamp,type,kind,delivery,content,quoted,reactions&order=timestamp.desc,id.desc&limit=30&contact_id=eq.'

const LIST_SQL = `select coalesce('[' || string_agg(to_json(page)::text, ',') || ']', '[]') from (
  select c.id, c.name, c.number, c.status, row_to_json(b) as broker
  from public.whatsapp_contacts c left join lateral (select b.id, b."instanceName" from public.brokers b
    where b."instanceName" = c."instanceName") b on true
  order by c.id limit 20) page`
const CONVERSATION_SQL = `select coalesce('[' || string_agg(to_json(page)::text, ',') || ']', '[]') from (
  select id, body, "timestamp", type, kind, delivery, content, quoted, reactions
  from public.whatsapp_messages where contact_id = $1 order by "timestamp" desc, id desc limit 30) page`

type Lead = { id: number; number: string }
/** One of several brokers, because requests of one account are limited. */
type Asking = { token: string; leads: [Lead, ...Lead[]] }
type Target = { origin: string; brokers: [Asking, ...Asking[]] }

export async function measureServer(engine: Engine): Promise<Measure[]> {
  const first = await startPortal(engine.dataDir, engine.env)
  await first.process.kill('SIGTERM')
  await engine.withDatabase(async (db) => {
    const { rowCount } = await db.query('select from public.brokers where "instanceName" = $1', [
      BROKER.instance,
    ])
    for (const broker of rowCount === 0 ? BROKERS : [])
      await fillBoard(db, broker === BROKER ? LEADS : LEADS_OF_OTHERS, { hasMessages: true, broker })
    await db.exec('analyze')
  })
  const portal = await startPortal(engine.dataDir, engine.env)
  try {
    const { origin } = portal
    const [first, ...others] = await Promise.all(BROKERS.map((broker) => enter(origin, broker)))
    if (!first) throw new Error('nobody asks')
    return await measureAll(engine, { origin, brokers: [first, ...others] })
  } finally {
    await portal.process.kill('SIGTERM')
  }
}

async function enter(origin: string, { email, password }: BoardBroker): Promise<Asking> {
  const token = await signIn(origin, email, password)
  const { body } = await call<Lead[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id,number&order=id&limit=${LEADS_OF_OTHERS}`,
    { token },
  )
  const [first, ...others] = body
  if (!first) throw new Error('the board is empty')
  return { token, leads: [first, ...others] }
}

async function measureAll(engine: Engine, target: Target): Promise<Measure[]> {
  const measures: Measure[] = []
  const url = engine.env['DATABASE_URL']
  for (const [name, { next, count, floor, bare }] of Object.entries(rowsOf(target))) {
    await load(target.origin, { clients: CLIENTS, count, next })
    const { perSecond, p50Ms, p99Ms } = await load(target.origin, { clients: CLIENTS, count, next })
    const floorPerSecond = url === undefined ? null : await pgbench(url, floor)
    const barePerSecond = url === undefined || bare === undefined ? null : await loadBare(url, bare, count)
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
    if (barePerSecond !== null)
      measures.push({ name: named(', behind a bare server'), value: barePerSecond, unit: '/s' })
  }
  return measures
}

type MeasuredRow = {
  next: (index: number) => Call
  count: number
  floor: string
  /** The statement alone, and the range of its ids for $1. */
  bare?: string[]
}

/** The minimum of a Node server for the same rows, measured by the same client. */
async function loadBare(url: string, bare: string[], count: number): Promise<number> {
  const server = startNode([inRoot('tests/bench/floor/bare-server.mjs'), url, ...bare], { cwd: root })
  try {
    const [, port = ''] = await server.says(/"port":(\d+)/)
    const origin = `http://127.0.0.1:${port}`
    const next = () => ({ path: '/' })
    await load(origin, { clients: CLIENTS, count, next })
    return (await load(origin, { clients: CLIENTS, count, next })).perSecond
  } finally {
    await server.kill('SIGTERM')
  }
}

function rowsOf({ brokers }: Target): Record<string, MeasuredRow> {
  const [{ token, leads }] = brokers
  const ids = { first: leads[0].id, last: leads.at(-1)?.id ?? 0 }
  /** In turn, each over its own leads. */
  const askerOf = (index: number) => {
    const broker = brokers[index % brokers.length] ?? brokers[0]
    const round = Math.floor(index / brokers.length)
    return { ...broker, lead: broker.leads[round % broker.leads.length] ?? broker.leads[0], round }
  }
  // Like the portal's connections: the client gets no NOTICE.
  const asked = `begin;
set local portal.client_notifies = on;
select set_config('request.jwt.claims', '${claimsOf(token)}', true), set_config('role', 'authenticated', true),
  1 / (portal.account_id() is not null)::int;`
  return {
    'list of 20 with its broker': {
      next: (index) => ({ path: LIST, token: askerOf(index).token }),
      count: COUNTS.list,
      floor: `${asked}
${LIST_SQL};
commit;`,
      bare: [LIST_SQL],
    },
    'page of a conversation': {
      next: (index) => ({
        path: `${CONVERSATION}${askerOf(index).lead.id}`,
        token: askerOf(index).token,
      }),
      count: COUNTS.conversation,
      floor: `\\set id random(${ids.first}, ${ids.last})
${asked}
${CONVERSATION_SQL.replace('$1', ':id')};
commit;`,
      bare: [CONVERSATION_SQL, String(ids.first), String(ids.last)],
    },
    move: {
      next: (index) => moveOf(askerOf(index), BROKERS[index % CLIENTS] ?? BROKER),
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

type Asker = Asking & { lead: Lead; round: number }

const moveOf = ({ token, lead, leads, round }: Asker, { instance }: BoardBroker): Call => ({
  path: '/rest/v1/rpc/atualizar_status_lead',
  token,
  body: {
    p_number_lead: lead.number,
    p_broker_name: instance,
    // After one round over all leads, each moves back.
    p_novo_status: Math.floor(round / leads.length) % 2 === 0 ? 'conversa' : 'negociacao',
    p_contact_id: lead.id,
    p_operation_id: randomUUID(),
  },
})

/** With spaces, because pgbench reads a colon before a word as a variable. */
const claimsOf = (token: string) =>
  Buffer.from(token.split('.')[1] ?? '', 'base64url')
    .toString('utf8')
    .replaceAll('":', '": ')

/** Transactions per second of a prepared script with this many clients. */
export async function pgbench(url: string, script: string, clients = CLIENTS): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-pgbench-'))
  try {
    const file = path.join(folder, 'script.sql')
    await writeFile(file, script)
    const programs = (await findPostgres()) ?? ''
    const args = ['-n', '-Mprepared', `-c${clients}`, '-j2', `-T${FLOOR_SECONDS}`, `-f${file}`, url]
    // pgbench writes its progress to stderr, which is ignored.
    const bench = spawn(path.join(programs, 'pgbench'), args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    bench.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    await once(bench, 'close')
    return Number(/tps = ([\d.]+)/.exec(printed)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
