// The dashboard over 10 thousand, 100 thousand and a million leads, each result compared with a direct count.
import { isDeepStrictEqual } from 'node:util'
import { inRoot } from '#server/ops/cli/root.mjs'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Database, SqlValue } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { makeAdmin, signIn } from '#tests/support/make.ts'
import { PLAIN_DASHBOARD } from '#tests/support/plain-dashboard.ts'
import type { Engine } from './engines.ts'
import { type Measure, middleMs } from './measure.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const ROUNDS = 21
/** The median at a million leads. */
const MAX_MS = { PGlite: 100, Postgres: 10 }
/** The last page may take this multiple of the first page's time. */
const PAGING_LIMIT = 2
const BROKERS = 16

const OVERVIEW = 'select get_dashboard_overview_data() as data'
const FILTERED = `select get_dashboard_data_by_params(p_broker_names => $1, p_empreendimentos => $2, p_start_date => $3,
  p_end_date => $4) as data`
const PAGE = `select id, created_at::text as at
  from get_leads_with_filters_and_pagination(p_cursor => $1, p_id_cursor => $2)`

const instance = (index: number) => `corretor_${'abcdefghijklmnop'.charAt(index)}`
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const FILTERS: Record<string, SqlValue[]> = {
  'three brokers, 30 days': [
    [0, 3, 7].map(instance),
    [],
    `${daysAgo(29)}T00:00:00Z`,
    `${daysAgo(0)}T23:59:59Z`,
  ],
  'two developments, a year': [
    [],
    ['Obra 1', 'Obra 4'],
    `${daysAgo(364)}T00:00:00Z`,
    `${daysAgo(0)}T23:59:59Z`,
  ],
  'both, 90 days': [[instance(2)], ['Obra 3'], `${daysAgo(89)}T00:00:00Z`, `${daysAgo(0)}T23:59:59Z`],
  'everything, three years': [[], [], `${daysAgo(1_094)}T00:00:00Z`, `${daysAgo(0)}T23:59:59Z`],
}

export async function measureDashboard(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await engine.withDatabase(async (db) => {
    await migrate(db, inRoot('supabase'))
    const claims = await signIn(db, await makeAdmin(db, 'medidor'))
    await db.query(
      `insert into public.brokers ("instanceName") select unnest($1::text[]) on conflict do nothing`,
      [Array.from({ length: BROKERS }, (_, index) => instance(index))],
    )
    let present = 0
    for (const size of SIZES) {
      await addLeads(db, size - present)
      present = size
      measures.push(...(await measureAt(db, claims, { engine, size })))
    }
  })
  return measures
}

async function measureAt(
  db: Database,
  claims: Claims,
  { engine, size }: { engine: Engine; size: number },
): Promise<Measure[]> {
  const ask = async (sql: string, values: SqlValue[] = []) =>
    (await asUser(db, claims, (query) => query<Record<string, unknown>>(sql, values))).rows
  const isLarge = size === SIZES.at(-1)
  const named = (name: string) => `${engine.name}: dashboard of ${size.toLocaleString('en')}, ${name}`
  const limit = isLarge ? { limit: engine.name === 'PGlite' ? MAX_MS.PGlite : MAX_MS.Postgres } : {}
  const measures: Measure[] = [
    {
      name: named('overview, p50'),
      value: await middleMs(() => ask(OVERVIEW), ROUNDS),
      unit: 'ms',
      ...limit,
    },
  ]
  let wrong = 0
  for (const [name, values] of Object.entries(FILTERS)) {
    measures.push({
      name: named(`${name}, p50`),
      value: await middleMs(() => ask(FILTERED, values), ROUNDS),
      unit: 'ms',
      ...limit,
    })
    const [shown] = await ask(FILTERED, values)
    const [plain] = await ask(PLAIN_DASHBOARD, values)
    if (!isDeepStrictEqual(figuresOf(shown), figuresOf(plain))) wrong += 1
  }
  measures.push({ name: named('answers unlike the plain count'), value: wrong, unit: '', limit: 0 })
  if (isLarge) measures.push({ name: named('last page to first'), ...(await measurePaging(db, ask)) })
  return measures
}

const figuresOf = (row: Record<string, unknown> | undefined): unknown => {
  const data: unknown = row?.['data']
  if (typeof data !== 'object' || data === null || !('kpi' in data) || !('charts' in data)) return null
  return { kpi: data.kpi, charts: data.charts }
}

async function measurePaging(
  db: Database,
  ask: (sql: string, values: SqlValue[]) => Promise<unknown[]>,
): Promise<{ value: number; unit: ''; limit: number }> {
  const { rows } = await db.query<{ id: number; at: string }>(
    'select id, created_at::text as at from public.whatsapp_contacts order by created_at, id limit 1 offset 30',
  )
  const { id = 0, at = '' } = rows[0] ?? {}
  const first = await middleMs(() => ask(PAGE, [null, null]), ROUNDS)
  const last = await middleMs(() => ask(PAGE, [at, id]), ROUNDS)
  return { value: last / first, unit: '', limit: PAGING_LIMIT }
}

/** Leads of three years over brokers, developments, sources and campaigns; only the counting triggers run. */
async function addLeads(db: Database, count: number): Promise<void> {
  await db.exec(`
    alter table public.whatsapp_contacts disable trigger user;
    alter table public.whatsapp_contacts enable trigger note_new_lead_counts;`)
  await db.query(
    `with people as (
       insert into portal.people (created_at) select now() from generate_series(1, $1::int) returning id
     )
     insert into public.whatsapp_contacts ("instanceName", person_id, name, status, source, campaign, empreendimento,
       created_at, first_incoming_at, first_response_at, won_at)
     select 'corretor_' || substr('abcdefghijklmnop', 1 + (h % ${BROKERS})::int, 1), id, 'Lead ' || n,
       (array['new', 'conversa', 'negociacao', 'fechado', 'arquivado'])[1 + (h / 16 % 5)::int],
       (array['instagram', 'facebook', 'google', 'site', 'indicacao', 'whatsapp', 'desconhecida'])[1 + (h / 80 % 7)::int],
       nullif('Campanha ' || (h / 560 % 21), 'Campanha 0'), 'Obra ' || (h / 11760 % 11), at, at,
       case when h % 10 < 8 then at + (h % 7200) * interval '1 second' end,
       case when h / 16 % 5 = 3 then at + interval '5 days' end
     from (
       select id, row_number() over () as n, abs(hashint8(id)::bigint) as h,
         now() - (abs(hashint8(id * 7)::bigint) % (1094 * 86400)) * interval '1 second' as at
       from people
     ) drawn`,
    [count],
  )
  await db.exec('alter table public.whatsapp_contacts enable trigger user;')
  await db.exec('do $$ begin while portal.fold_lead_deltas() > 0 loop end loop; end $$')
  await db.exec('vacuum (analyze) public.whatsapp_contacts, portal.lead_rollup, portal.lead_deltas')
}
