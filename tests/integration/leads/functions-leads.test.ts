// Lists and counts of leads: their answers, stable paging, and periods in the portal's zone.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Row, SqlValue } from '#server/db/database.ts'
import { makeBroker, makeContact, makeMessage, makeRotation, makeSeat, signIn } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin } = await openStaff()

async function call<T extends Row>(claims: Claims, sql: string, values: SqlValue[] = []): Promise<T[]> {
  const { rows } = await asUser(base.db, claims, (query) => query<T>(`select * from public.${sql}`, values))
  return rows
}

test("get_leads_by_brokers: the CRM's fields, latest message first, of the requested brokers that the caller may see", async () => {
  const silent = await makeContact(base.db, ana.instanceName, { name: null })
  const talked = await makeContact(base.db, ana.instanceName, {
    profile_pic_url: 'p.jpg',
    status: 'conversa',
  })
  const theirs = await makeContact(base.db, bia.instanceName)
  await makeContact(base.db, null)
  await makeMessage(base.db, talked.id, { timestamp: 1_795_000_000 })
  const mine = await call(asAna, 'get_leads_by_brokers($1)', [[ana.instanceName, bia.instanceName]])
  expect(mine.map((row) => row['contact_id'])).toEqual([talked.id, silent.id])
  expect(mine[0]).toEqual({
    broker_name: ana.instanceName,
    nome_lead: 'Marina Tavares',
    number_lead: talked.number,
    last_interaction: '2026-11-18 11:06:40+00',
    kanban_lead: 'conversa',
    profile_pic_url: 'p.jpg',
    created_at: talked.created_at,
    contact_id: talked.id,
  })
  expect(mine[1]).toMatchObject({ nome_lead: null, last_interaction: null, profile_pic_url: null })
  const idsFor = async (claims: Claims, brokers: string[] | null) =>
    (await call<{ contact_id: number }>(claims, 'get_leads_by_brokers($1)', [brokers]))
      .map((row) => row.contact_id)
      .toSorted((a, b) => a - b)
  expect(await idsFor(asAdmin, [bia.instanceName])).toEqual([theirs.id])
  for (const none of [[], null]) {
    expect(await idsFor(asAna, none)).toEqual([silent.id, talked.id])
    expect(await idsFor(asAdmin, none)).toEqual([silent.id, talked.id, theirs.id])
  }
  expect(await idsFor(asAna, [bia.instanceName])).toEqual([])
  expect(await idsFor(asAdmin, ['corretor_ninguem'])).toEqual([])
})

test('get_total_contatos_por_corretor: every broker with the count, zeros included; a broker gets the own one', async () => {
  const none = await makeBroker(base.db)
  const totals = await call<{ broker_name: string; total_contatos: number }>(
    asAdmin,
    'get_total_contatos_por_corretor()',
  )
  expect(totals).toContainEqual({ broker_name: none.instanceName, total_contatos: 0 })
  expect(totals).toContainEqual({ broker_name: ana.instanceName, total_contatos: 2 })
  expect(await call(asAna, 'get_total_contatos_por_corretor()')).toEqual([
    { broker_name: ana.instanceName, total_contatos: 2 },
  ])
})

test('pages of 20 follow without a gap or a repeat, also when leads come in meanwhile', async () => {
  const caio = await makeBroker(base.db)
  const made: number[] = []
  // Five with one time, as after a bulk import: the id orders them.
  for (let n = 0; n < 45; n++) {
    const day = String(Math.floor(n / 5) + 1).padStart(2, '0')
    made.push(
      (await makeContact(base.db, caio.instanceName, { created_at: `2026-05-${day}T12:00:00.123456Z` })).id,
    )
  }
  const seen: number[] = []
  let cursor: [string | null, number | null] = [null, null]
  for (let page = 0; page < 4; page++) {
    const rows = await call<{ id: number; created_at: string }>(
      asAdmin,
      'buscar_leads_paginados(p_broker_names => $1, p_cursor => $2, p_id_cursor => $3)',
      [[caio.instanceName], ...cursor],
    )
    expect(rows).toHaveLength([20, 20, 5, 0][page] ?? -1)
    seen.push(...rows.map((row) => row.id))
    const last = rows.at(-1)
    if (last) cursor = [last.created_at, last.id]
    await makeContact(base.db, caio.instanceName)
  }
  expect(seen).toEqual(made.toReversed())
})

test("detail rows have the table's fields, filtered by development too", async () => {
  const dora = await makeBroker(base.db)
  const lead = await makeContact(base.db, dora.instanceName, { empreendimento: 'Jardim das Águas' })
  await makeContact(base.db, dora.instanceName, { empreendimento: 'Vista Mar' })
  await makeContact(base.db, dora.instanceName)
  const rows = await call(asAdmin, 'get_leads_with_filters_and_pagination($1, $2)', [
    [dora.instanceName],
    ['Jardim das Águas', 'Outro'],
  ])
  expect(rows).toEqual([
    {
      id: lead.id,
      nome_lead: 'Marina Tavares',
      number_lead: lead.number,
      created_at: lead.created_at,
      kanban_lead: 'new',
      empreendimento: 'Jardim das Águas',
      broker_name: dora.instanceName,
    },
  ])
  expect(await call(asAna, 'get_leads_with_filters_and_pagination($1)', [[dora.instanceName]])).toEqual([])
})

test("a period's days are those of the portal's zone, including the last second", async () => {
  const eva = await makeBroker(base.db)
  const at = async (created_at: string) => (await makeContact(base.db, eva.instanceName, { created_at })).id
  await at('2026-11-01T02:59:59.999Z')
  const first = await at('2026-11-01T03:00:00Z')
  const late = await at('2026-11-02T01:00:00Z')
  const last = await at('2026-11-02T02:59:59.999Z')
  await at('2026-11-02T03:00:00Z')
  const within = async (from: string | null, to: string | null) =>
    (
      await call<{ id: number }>(asAdmin, 'buscar_leads_paginados($1, $2, $3)', [
        [eva.instanceName],
        from,
        to,
      ])
    ).map((row) => row.id)
  const day = [last, late, first]
  expect(await within('2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z')).toEqual(day)
  // A zone in the value is ignored in favour of local time; milliseconds belong to their second.
  expect(await within('2026-11-01T00:00:00-03:00', '2026-11-01T23:59:59.999Z')).toEqual(day)
  expect(await within('2026-11-01T00:00:00', null)).toHaveLength(4)
  expect(await within(null, '2026-11-01T23:59:59Z')).toHaveLength(4)
  await base.db.query(`update portal.settings set value = '"UTC"' where key = 'time_zone'`)
  expect(await within('2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z')).toHaveLength(3)
  await base.db.query(`update portal.settings set value = '"America/Sao_Paulo"' where key = 'time_zone'`)
})

test.each([
  ['buscar_leads_paginados(null, $1, $2)'],
  ['get_leads_with_filters_and_pagination(null, null, $1, $2)'],
  ['get_dashboard_data_by_params(null, $1, $2)'],
  ['relatorio_leads_kanban_periodo2(null, $1, $2)'],
  ['relatorio_leads_por_horario(null, $1, $2)'],
])('%s refuses an end before the start, invalid dates, and impossible years', async (sql) => {
  await expect(call(asAdmin, sql, ['2026-11-02T00:00:00Z', '2026-11-01T23:59:59Z'])).rejects.toMatchObject({
    code: '22023',
    message: 'O fim do período vem antes do início.',
  })
  await expect(call(asAdmin, sql, ['ontem', null])).rejects.toMatchObject({ code: '22007' })
  for (const far of [
    ['2026-11-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ['0202-11-01T00:00:00Z', '2026-11-01T23:59:59Z'],
    ['2026-11-01T00:00:00Z', 'infinity'],
  ])
    await expect(call(asAdmin, sql, far)).rejects.toMatchObject({
      code: '22023',
      message: 'Escolha datas entre os anos 2000 e 2100.',
    })
  await call(asAdmin, sql, ['2000-01-01T00:00:00Z', '2100-12-31T23:59:59Z'])
})

test("reports by stage and by hour count the period's leads", async () => {
  const flor = await makeBroker(base.db)
  const make = (created_at: string, status: string) =>
    makeContact(base.db, flor.instanceName, { created_at, status })
  await make('2026-03-01T12:30:00Z', 'new')
  await make('2026-03-02T12:59:59Z', 'new')
  await make('2026-03-03T02:10:00Z', 'fechado')
  await make('2026-04-20T12:30:00Z', 'fechado')
  const period = [[flor.instanceName], '2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z']
  expect(await call(asAdmin, 'relatorio_leads_kanban_periodo2($1, $2, $3)', period)).toEqual([
    {
      broker_name: flor.instanceName,
      kanban_lead: 'new',
      stage_name: 'Novos Contatos',
      order_index: 1,
      total_leads: 2,
    },
    {
      broker_name: flor.instanceName,
      kanban_lead: 'fechado',
      stage_name: 'Fechado',
      order_index: 4,
      total_leads: 1,
    },
  ])
  const hours = await call<{ hora: number; total_leads: number }>(
    asAdmin,
    'relatorio_leads_por_horario($1, $2, $3)',
    period,
  )
  expect(hours.map((row) => row.hora)).toEqual(Array.from({ length: 24 }, (_, hour) => hour))
  expect(hours.filter((row) => row.total_leads > 0)).toEqual([
    { hora: 9, total_leads: 2 },
    { hora: 23, total_leads: 1 },
  ])
})

test('developments with their leads, and the brokers of some', async () => {
  const [gil, hugo] = [await makeBroker(base.db), await makeBroker(base.db)]
  const rotation = await makeRotation(base.db, { empreendimento: 'Parque Norte' })
  await makeSeat(base.db, { roletaName: rotation.empreendimento, instanceName: hugo.instanceName, ordem: 1 })
  await makeContact(base.db, gil.instanceName, { empreendimento: 'Parque Norte' })
  await makeContact(base.db, gil.instanceName, { empreendimento: 'Parque Norte' })
  const options = await call<{ empreendimento: string; lead_count: number }>(
    asAdmin,
    'get_available_empreendimentos()',
  )
  expect(options).toContainEqual({ empreendimento: 'Parque Norte', lead_count: 2 })
  expect(options.every((option) => option.lead_count > 0)).toBe(true)
  const names = async (claims: Claims, developments: string[] | null) =>
    (
      await call<{ get_brokers_by_empreendimento: string }>(claims, 'get_brokers_by_empreendimento($1)', [
        developments,
      ])
    ).map((row) => row.get_brokers_by_empreendimento)
  expect(await names(asAdmin, ['Parque Norte'])).toEqual([gil.instanceName, hugo.instanceName])
  expect(await names(asAdmin, ['Nenhum'])).toEqual([])
  expect(await names(asAdmin, [])).toContain(ana.instanceName)
  expect(await names(asAna, null)).toEqual([ana.instanceName])
  expect(await call(await signIn(base.db, hugo), 'get_available_empreendimentos()')).toEqual([])
})

/** Leads a minute apart, the first half of one broker, the second of another, every other one of a development. */
const MANY = `
  with people as (
    insert into portal.people (created_at) select now() from generate_series(1, 10000) returning id
  ), made as (
    select id, row_number() over (order by id) as n from people
  )
  insert into public.whatsapp_contacts ("instanceName", person_id, name, empreendimento, created_at)
  select case when n <= 5000 then $1 else $2 end, id, 'Lead', 'Torre ' || n % 2,
    timestamptz '2024-01-01 00:00Z' + n * interval '1 minute'
  from made`

/** Maximum cost of any page and filter, as a multiple of the first page of all leads. */
const MAX_TIMES = 2

test("each page costs as much as the first, also the last one and those between other brokers' leads", async () => {
  const [past, recent] = [await makeBroker(base.db), await makeBroker(base.db)]
  await base.db.transaction(async (query) => {
    await query('alter table public.whatsapp_contacts disable trigger user')
    await query(MANY, [past.instanceName, recent.instanceName])
    await query('alter table public.whatsapp_contacts enable trigger user')
  })
  await base.db.exec('analyze public.whatsapp_contacts')
  const page = (...values: SqlValue[]) =>
    asUser(base.db, asAdmin, async (query) => {
      const explained = async () =>
        (
          await query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
            `explain (analyze, buffers, timing off, format json)
             select * from get_leads_of_figure('status', 'new', $1, $2, null, null, $3, 0)`,
            values,
          )
        ).rows[0]?.['QUERY PLAN'][0]?.Plan
      // The first run also reads the catalogue.
      await explained()
      const plan = await explained()
      const blocks = (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)
      return { blocks, leads: plan?.['Actual Rows'] }
    })
  const all = await page([], [], null)
  const dear: unknown[] = []
  for (const [brokers, lastPage] of [
    [[], '2024-01-01 00:30Z'],
    [[past.instanceName], '2024-01-01 00:30Z'],
    [[recent.instanceName], '2024-01-04 11:50Z'],
  ] as const)
    for (const developments of [[], ['Torre 1'], ['Torre 0', 'Torre 1']])
      for (const before of [null, lastPage]) {
        const { blocks, leads } = await page([...brokers], developments, before)
        expect(leads).toBe(before !== null && developments.length === 1 ? 15 : 20)
        if (!(blocks <= MAX_TIMES * all.blocks)) dear.push({ brokers, developments, before, blocks, all })
      }
  expect(dear).toEqual([])
})
