// The dashboard's figures equal direct counts of the same leads.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signIn, signInAdmin } from '#tests/support/make.ts'
import { NO_LEADS } from '#tests/support/make-app.ts'
import { byTier } from '#tests/support/runner/tier.ts'

type Count<Key extends string, Value = string> = { [K in Key]: Value } & { count: number }
type Dashboard = {
  kpi: {
    totalLeads: number
    avgResponseTimeHours: number | null
    avgLeadsPerDay: number
    conversionRate: number
    answeredLeads: number
    unansweredLeads: number
  }
  charts: {
    statusDistribution: Count<'status'>[]
    leadSource: Count<'source'>[]
    leadsByDayOfWeek: (Count<'day_name'> & { day_number: number })[]
    leadsByCampaign: Count<'campaign'>[]
  }
  period: { start: string | null; end: string | null; days: number }
}

const base = await openBase()
const brokers = [await makeBroker(base.db), await makeBroker(base.db)]
const asAdmin = await signInAdmin(base.db)

async function dashboard(claims: Claims, call: string, values: SqlValue[] = []): Promise<Dashboard> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ data: Dashboard }>(`select public.${call} as data`, values),
  )
  if (!rows[0]) throw new Error('no dashboard')
  return rows[0].data
}

type Trend = { step: string; points: { from: string; to: string; leads: number; answered: number }[] }

async function trend(claims: Claims, values: SqlValue[]): Promise<Trend> {
  const { rows } = await asUser(base.db, claims, (query) =>
    query<{ data: Trend }>('select public.get_lead_trend($1, $2, $3, $4) as data', values),
  )
  if (!rows[0]) throw new Error('no trend')
  return rows[0].data
}

test('of one lead: created, answered, won', async () => {
  const [ana, bia] = brokers
  const instance = ana?.instanceName ?? ''
  const lead = await makeContact(base.db, instance, {
    created_at: '2026-02-10T12:00:00Z',
    source: 'facebook',
    campaign: 'Verão',
    empreendimento: 'Vista Mar',
  })
  await makeMessage(base.db, lead.id, { timestamp: 1_770_724_800 })
  await makeMessage(base.db, lead.id, { timestamp: 1_770_724_800 + 5_400, type: 'outgoing' })
  await base.db.query(`update public.whatsapp_contacts set status = 'fechado' where id = $1`, [lead.id])
  await base.db.query(`update public.whatsapp_contacts set status = 'arquivado' where id = $1`, [lead.id])
  const call =
    'get_dashboard_data_by_params(p_broker_names => $1, p_start_date => $2, p_end_date => $3, p_empreendimentos => $4)'
  const filter = [[instance], '2026-02-01T00:00:00Z', '2026-02-10T23:59:59Z', ['Vista Mar']]
  const expected = {
    kpi: {
      totalLeads: 1,
      avgResponseTimeHours: 1.5,
      avgLeadsPerDay: 0.1,
      conversionRate: 100,
      answeredLeads: 1,
      unansweredLeads: 0,
    },
    charts: {
      statusDistribution: [{ status: 'arquivado', count: 1 }],
      leadSource: [{ source: 'facebook', count: 1 }],
      leadsByDayOfWeek: [{ day_name: 'terça-feira', day_number: 2, count: 1 }],
      leadsByCampaign: [{ campaign: 'Verão', count: 1 }],
    },
    period: { start: '2026-02-01T00:00:00', end: '2026-02-10T23:59:59', days: 10 },
    previous: {
      kpi: NO_LEADS,
      start: '2026-01-22T00:00:00',
      end: '2026-01-31T23:59:59',
    },
  }
  expect(await dashboard(asAdmin, call, filter)).toEqual(expected)
  if (!ana || !bia) throw new Error('two brokers were made')
  expect(await dashboard(await signIn(base.db, ana), call, filter)).toEqual(expected)
  expect((await dashboard(await signIn(base.db, bia), call, filter)).kpi.totalLeads).toBe(0)
})

test('without a lead every figure is zero, and there is no response time', async () => {
  const data = await dashboard(asAdmin, 'get_dashboard_data_by_params($1, $2, $3)', [
    null,
    '2001-01-01T00:00:00Z',
    '2001-01-31T23:59:59Z',
  ])
  expect(data.kpi).toEqual(NO_LEADS)
  expect(Object.values(data.charts)).toEqual([[], [], [], []])
  expect(data.period.days).toBe(31)
})

test('the overview covers the last thirty days in the portal’s zone, including today', async () => {
  const broker = await makeBroker(base.db)
  const asBroker = await signIn(base.db, broker)
  const startOfToday = `(date_trunc('day', now() at time zone 'America/Sao_Paulo') at time zone 'America/Sao_Paulo')`
  const insert = (createdAt: string) =>
    base.db.query(
      `insert into public.whatsapp_contacts ("instanceName", created_at) values ($1, ${createdAt})`,
      [broker.instanceName],
    )
  await insert('now()')
  await insert(`${startOfToday} - interval '29 days'`)
  await insert(`${startOfToday} - interval '29 days 1 second'`)
  const data = await dashboard(asBroker, 'get_dashboard_overview_data()')
  expect(data.kpi).toMatchObject({ totalLeads: 2, avgLeadsPerDay: 0.0667 })
  expect(data.period.days).toBe(30)
})

test('an open period lasts from the first lead to today', async () => {
  const broker = await makeBroker(base.db)
  await base.db.query(
    `insert into public.whatsapp_contacts ("instanceName", created_at) values ($1, now() - interval '9 days')`,
    [broker.instanceName],
  )
  const data = await dashboard(await signIn(base.db, broker), 'get_dashboard_data_by_params()')
  expect(data).toMatchObject({
    kpi: { totalLeads: 1, avgLeadsPerDay: 0.1 },
    period: { start: null, end: null, days: 10 },
  })
})

const DAYS = [
  'domingo',
  'segunda-feira',
  'terça-feira',
  'quarta-feira',
  'quinta-feira',
  'sexta-feira',
  'sábado',
]
const DAY_MS = 86_400_000
const lead = fc.record({
  broker: fc.nat(1),
  /** Hours after 1 June 2026 00:30 in São Paulo. */
  hour: fc.nat(24 * 20),
  status: fc.constantFrom('new', 'conversa', 'fechado'),
  source: fc.constantFrom('facebook', 'google', 'desconhecida'),
  campaign: fc.constantFrom(null, 'Verão', 'Inverno'),
  development: fc.constantFrom(null, 'Vista Mar', 'Parque Norte'),
  wroteAfter: fc.option(fc.nat(100_000)),
  answeredAfter: fc.option(fc.nat(100_000)),
})
const filter = fc.record({
  brokers: fc.constantFrom<number[]>([], [0], [1], [0, 1]),
  developments: fc.constantFrom<string[]>([], ['Vista Mar'], ['Vista Mar', 'Parque Norte']),
  firstDay: fc.nat(10),
  days: fc.integer({ min: 1, max: 12 }),
})

function countBy<Key extends string>(key: Key, values: string[]) {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ [key]: value, count }))
    .toSorted((a, b) => b.count - a.count || (String(a[key]) < String(b[key]) ? -1 : 1))
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1)

test('any leads and any filter give the direct counts', async () => {
  const firstHour = Date.UTC(2026, 5, 1, 3, 30)
  await fc.assert(
    fc.asyncProperty(fc.array(lead, { maxLength: 25 }), filter, async (leads, asked) => {
      await base.db.query('delete from public.whatsapp_contacts')
      await base.db.query(
        `insert into public.whatsapp_contacts
           ("instanceName", status, source, campaign, empreendimento, created_at, first_incoming_at, first_response_at)
         select ($1::text[])[l.broker + 1], l.status, l.source, l.campaign, l.development, l.at,
           l.at + l."wroteAfter" * interval '1 second',
           l.at + (l."wroteAfter" + l."answeredAfter") * interval '1 second'
         from jsonb_to_recordset($2::jsonb) as l(broker int, status text, source text, campaign text, development text,
           at timestamptz, "wroteAfter" int, "answeredAfter" int)`,
        [
          brokers.map((broker) => broker.instanceName),
          JSON.stringify(
            leads.map((row) => ({ ...row, at: new Date(firstHour + row.hour * 3_600_000).toISOString() })),
          ),
        ],
      )
      const from = new Date(Date.UTC(2026, 5, 1) + asked.firstDay * DAY_MS)
      const to = new Date(from.getTime() + asked.days * DAY_MS - 1_000)
      const instances = asked.brokers.map((n) => brokers[n]?.instanceName ?? '')
      const data = await dashboard(asAdmin, 'get_dashboard_data_by_params($1, $2, $3, $4)', [
        instances,
        from.toISOString(),
        to.toISOString(),
        asked.developments,
      ])
      const { step, points } = await trend(asAdmin, [
        instances,
        asked.developments,
        from.toISOString(),
        to.toISOString(),
      ])

      const dayOf = (row: { hour: number }) => Math.floor((row.hour + 0.5) / 24)
      const chosen = leads.filter(
        (row) =>
          dayOf(row) >= asked.firstDay &&
          dayOf(row) < asked.firstDay + asked.days &&
          (asked.brokers.length === 0 || asked.brokers.includes(row.broker)) &&
          (asked.developments.length === 0 || asked.developments.includes(row.development ?? '')),
      )
      const answers = chosen.flatMap((row) =>
        row.wroteAfter !== null && row.answeredAfter !== null ? [row.answeredAfter] : [],
      )
      const wrote = chosen.filter((row) => row.wroteAfter !== null)
      const daily = Array.from({ length: asked.days }, (_, index) => {
        const there = chosen.filter((row) => dayOf(row) === asked.firstDay + index)
        const day = new Date(from.getTime() + index * DAY_MS).toISOString().slice(0, 10)
        const answered = there.filter((row) => row.wroteAfter !== null && row.answeredAfter !== null)
        return { from: day, to: day, leads: there.length, answered: answered.length }
      })
      expect({ step, points }).toEqual({ step: 'day', points: daily })
      const { avgResponseTimeHours, avgLeadsPerDay, conversionRate, ...counts } = data.kpi
      expect(counts).toEqual({
        totalLeads: chosen.length,
        answeredLeads: answers.length,
        unansweredLeads: wrote.length - answers.length,
      })
      expect(avgResponseTimeHours === null).toBe(answers.length === 0)
      expect(avgResponseTimeHours ?? 0).toBeCloseTo(mean(answers) / 3_600, 5)
      expect(avgLeadsPerDay).toBeCloseTo(chosen.length / asked.days, 3)
      expect(conversionRate).toBeCloseTo(100 * mean(chosen.map((row) => Number(row.status === 'fechado'))), 3)
      // 1 June 2026 is a Monday.
      const weekdays = countBy(
        'day_name',
        chosen.map((row) => DAYS[(dayOf(row) + 1) % 7] ?? ''),
      )
      expect(data.charts).toEqual({
        statusDistribution: countBy(
          'status',
          chosen.map((row) => row.status),
        ),
        leadSource: countBy(
          'source',
          chosen.map((row) => row.source),
        ),
        leadsByCampaign: countBy(
          'campaign',
          chosen.map((row) => row.campaign ?? 'sem campanha'),
        ),
        leadsByDayOfWeek: weekdays
          .map((row) => ({ ...row, day_number: DAYS.indexOf(String(row['day_name'])) }))
          .toSorted((a, b) => a.day_number - b.day_number),
      })
    }),
    { numRuns: byTier(20, 60), seed: 20_261_121 },
  )
})

test.each([
  ['week', '2026-05-06', '2026-07-20', 12, { from: '2026-05-06', to: '2026-05-10' }, '2026-07-20'],
  ['month', '2026-01-20', '2026-12-02', 12, { from: '2026-01-20', to: '2026-01-31' }, '2026-12-01'],
  ['year', '2022-03-01', '2026-12-31', 5, { from: '2022-03-01', to: '2022-12-31' }, '2026-01-01'],
] as const)(
  'over longer periods the trend has one point a %s, cut at both ends of the period',
  async (step, from, to, count, first, lastFrom) => {
    await base.db.query('delete from public.whatsapp_contacts')
    const instance = brokers[0]?.instanceName ?? ''
    // The first and the last second of the period, and one on either side of it.
    const [startMs, endMs] = [Date.parse(`${from}T00:00:00-03:00`), Date.parse(`${to}T23:59:59-03:00`)]
    for (const atMs of [startMs, endMs, startMs - 1_000, endMs + 1_000])
      await base.db.query(
        'insert into public.whatsapp_contacts ("instanceName", created_at) values ($1, $2)',
        [instance, new Date(atMs).toISOString()],
      )
    const found = await trend(asAdmin, [[], [], `${from}T00:00:00Z`, `${to}T23:59:59Z`])
    expect(found.step).toBe(step)
    expect(found.points).toHaveLength(count)
    expect(found.points[0]).toMatchObject({ ...first, leads: 1 })
    expect(found.points.at(-1)).toMatchObject({ from: lastFrom, to, leads: 1 })
    expect(found.points.reduce((total, { leads }) => total + leads, 0)).toBe(2)
  },
)

test('an open trend begins with the first lead and ends today; a broker sees the own one', async () => {
  await base.db.query('delete from public.whatsapp_contacts')
  const broker = await makeBroker(base.db)
  await base.db.query(
    `insert into public.whatsapp_contacts ("instanceName", created_at) values ($1, now() - interval '9 days')`,
    [broker.instanceName],
  )
  const open: SqlValue[] = [null, null, null, null]
  const own = await trend(await signIn(base.db, broker), open)
  expect(own.points.map(({ leads }) => leads)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const [ana] = brokers
  const others = await trend(await signIn(base.db, ana ?? broker), open)
  expect(others.points.every(({ leads }) => leads === 0)).toBe(true)
})
