// The dashboard's roll-up equals the direct count after any writes, folded or not.
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeStage, signIn, signInAdmin } from '#tests/support/make.ts'
import { PLAIN_DASHBOARD } from '#tests/support/plain-dashboard.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { countRows } from '#tests/support/truth.ts'
import { NO_ANSWERS } from '#tests/support/make-app.ts'

type Count = { count: number }
type Figures = {
  kpi: { totalLeads: number; answeredLeads: number; unansweredLeads: number; conversionRate: number }
  charts: {
    statusDistribution: (Count & { status: string })[]
    leadSource: (Count & { source: string })[]
    leadsByDayOfWeek: (Count & { day_number: number })[]
    leadsByCampaign: (Count & { campaign: string })[]
  }
}
type Filter = {
  brokers: readonly (0 | 1)[]
  developments: readonly string[]
  start: string
  end: string
}

const base = await openBase()
const brokers = [await makeBroker(base.db), await makeBroker(base.db)]
const asAdmin = await signInAdmin(base.db)
beforeEach(() => base.db.query('delete from public.whatsapp_contacts'))

const names = (chosen: readonly (0 | 1)[]) => chosen.map((index) => brokers[index]?.instanceName ?? '')

async function ask<T>(claims: Claims, sql: string, values: SqlValue[]): Promise<T> {
  const { rows } = await asUser(base.db, claims, (query) => query<{ data: T }>(sql, values))
  if (!rows[0]) throw new Error('no answer')
  return rows[0].data
}

const valuesOf = (filter: Filter): SqlValue[] => [
  names(filter.brokers),
  [...filter.developments],
  filter.start,
  filter.end,
]

const dashboard = (filter: Filter, claims = asAdmin) =>
  ask<Figures>(
    claims,
    `select get_dashboard_data_by_params(p_broker_names => $1, p_empreendimentos => $2, p_start_date => $3,
       p_end_date => $4) as data`,
    valuesOf(filter),
  )

const plain = (filter: Filter) => ask<Figures>(asAdmin, PLAIN_DASHBOARD, valuesOf(filter))

const fold = () => base.db.query('select portal.fold_lead_deltas()')

const SEED = 20_261_121
const START_MS = Date.UTC(2026, 4, 20)
const HOUR_MS = 3_600_000
const wallClock = (hours: number, seconds = 0) =>
  new Date(START_MS + hours * HOUR_MS + seconds * 1000).toISOString()

const owner = fc.constantFrom<0 | 1 | null>(0, 1, null)
const development = fc.constantFrom(null, 'Vista Mar', 'Parque Norte')
const which = fc.nat(30)
const write = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    owner,
    development,
    hour: fc.nat(80 * 24),
    status: fc.constantFrom('new', 'conversa', 'fechado'),
    source: fc.constantFrom('google', 'facebook'),
    campaign: fc.constantFrom(null, 'Verão'),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('move' as const),
    which,
    status: fc.constantFrom('new', 'fechado', 'arquivado'),
  }),
  fc.record({ kind: fc.constant('hand-over' as const), which, owner }),
  fc.record({
    kind: fc.constant('ask for' as const),
    which,
    development,
    campaign: fc.constantFrom(null, 'Inverno'),
  }),
  fc.record({ kind: fc.constant('write' as const), which, after: fc.nat(5_000) }),
  fc.record({ kind: fc.constant('answer' as const), which, after: fc.nat(90_000) }),
  fc.record({ kind: fc.constant('rename' as const), which }),
  fc.record({ kind: fc.constant('remove' as const), which }),
  fc.record({ kind: fc.constant('fold' as const) }),
)
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

/** The lead with that index among the existing ones. */
const LEAD = `(select id from public.whatsapp_contacts order by id limit 1 offset (
  $1::int % greatest((select count(*) from public.whatsapp_contacts), 1)))`

async function apply(step: Write): Promise<unknown> {
  const { db } = base
  const nameOf = (index: 0 | 1 | null) => (index === null ? null : (names([index])[0] ?? null))
  const update = (set: string, values: SqlValue[]) =>
    db.query(`update public.whatsapp_contacts set ${set} where id = ${LEAD}`, values)
  switch (step.kind) {
    case 'insert':
      return db.query(
        `insert into public.whatsapp_contacts ("instanceName", empreendimento, created_at, status, source, campaign)
         select $1, $2, $3::timestamptz, $4, $5, $6 from generate_series(1, $7::int)`,
        [
          nameOf(step.owner),
          step.development,
          wallClock(step.hour, 1_800),
          step.status,
          step.source,
          step.campaign,
          step.count,
        ],
      )
    case 'move':
      return update('status = $2', [step.which, step.status])
    case 'hand-over':
      return update('"instanceName" = $2', [step.which, nameOf(step.owner)])
    case 'ask for':
      return update('empreendimento = $2, campaign = $3', [step.which, step.development, step.campaign])
    case 'write':
      return update(`first_incoming_at = created_at + $2 * interval '1 second'`, [step.which, step.after])
    case 'answer':
      return update(`first_response_at = first_incoming_at + $2 * interval '1 second'`, [
        step.which,
        step.after,
      ])
    case 'rename':
      return update(`name = 'Outro nome'`, [step.which])
    case 'remove':
      return db.query(`delete from public.whatsapp_contacts where id = ${LEAD}`, [step.which])
    case 'fold':
      return fold()
  }
}

const filter: fc.Arbitrary<Filter> = fc
  .record({
    brokers: fc.constantFrom<readonly (0 | 1)[]>([], [0], [0, 1]),
    developments: fc.constantFrom<readonly string[]>([], ['Vista Mar'], ['Vista Mar', 'Parque Norte']),
    /** Mostly whole days, as the screen requests; otherwise any second. */
    firstHour: fc.oneof(
      fc.nat(60).map((days) => days * 24),
      fc.nat(60 * 24),
    ),
    hours: fc.oneof(
      fc.integer({ min: 1, max: 80 }).map((days) => days * 24),
      fc.integer({ min: 1, max: 2_000 }),
    ),
  })
  .map(({ firstHour, hours, ...rest }) => ({
    ...rest,
    start: wallClock(firstHour),
    end: wallClock(firstHour + hours, -1),
  }))

test('after any writes, with folds in between, any filter gives the direct count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 5, maxLength: 40 }),
      fc.array(filter, { minLength: 4, maxLength: 4 }),
      async (writes, filters) => {
        await base.db.query('delete from public.whatsapp_contacts')
        for (const step of writes) await apply(step)
        for (const asked of filters) expect(await dashboard(asked)).toMatchObject(await plain(asked))
        await fold()
        for (const asked of filters) expect(await dashboard(asked)).toMatchObject(await plain(asked))
      },
    ),
    { numRuns: byTier(5, 60), seed: SEED },
  )
})

test('deleted leads leave nothing in the roll-up', async () => {
  await apply({
    kind: 'insert',
    owner: 0,
    development: 'Vista Mar',
    hour: 5,
    status: 'new',
    source: 'google',
    campaign: null,
    count: 3,
  })
  await fold()
  expect(await countRows(base.db, 'portal.lead_rollup')).toBeGreaterThan(0)
  await base.db.query('delete from public.whatsapp_contacts')
  await fold()
  expect(await countRows(base.db, 'portal.lead_rollup')).toBe(0)
  expect(await countRows(base.db, 'portal.lead_deltas')).toBe(0)
})

test('by broker and development, for periods that begin and end anywhere in a month', async () => {
  const { db } = base
  await db.query(
    `insert into public.whatsapp_contacts ("instanceName", empreendimento, created_at)
     select $1, 'Vista Mar', timestamptz '2026-05-20 12:00-03:00' + n * interval '1 day' from generate_series(0, 79) n`,
    names([0]),
  )
  await fold()
  const pair = { brokers: [0] as const, developments: ['Vista Mar'] }
  for (const start of ['05-31', '06-01', '06-10', '06-16', '06-17', '06-23'])
    for (const end of ['06-24', '06-30', '07-01', '07-10', '07-20', '07-31']) {
      const asked = { ...pair, start: `2026-${start}T12:30:00Z`, end: `2026-${end}T23:59:59Z` }
      const days = (Date.parse(asked.end) - Date.parse(asked.start)) / (24 * HOUR_MS)
      const { kpi, charts } = await dashboard(asked)
      expect([start, end, kpi.totalLeads]).toEqual([start, end, Math.floor(days)])
      expect(charts.leadsByDayOfWeek.reduce((sum, { count }) => sum + count, 0)).toBe(kpi.totalLeads)
    }
})

test('a message that changes no figure writes no row', async () => {
  await apply({
    kind: 'insert',
    owner: 0,
    development: null,
    hour: 5,
    status: 'new',
    source: 'google',
    campaign: null,
    count: 1,
  })
  await fold()
  await apply({ kind: 'rename', which: 0 })
  expect(await countRows(base.db, 'portal.lead_deltas')).toBe(0)
})

const DAY: Filter = {
  brokers: [],
  developments: [],
  start: '2026-06-10T00:00:00Z',
  end: '2026-06-10T23:59:59Z',
}

/** A lead at an hour of São Paulo, three behind UTC. */
const leadAt = (local: string) =>
  base.db.query(`insert into public.whatsapp_contacts ("instanceName", created_at) values ($1, $2)`, [
    names([0])[0] ?? null,
    `${local}-03:00`,
  ])

test('a lead of 20:59, 21:00 or 23:59 counts on its local day, one of a leap day in February', async () => {
  for (const hour of ['20:59:59', '21:00:00', '23:59:59']) await leadAt(`2026-06-10T${hour}`)
  await leadAt('2026-06-11T00:00:00')
  await leadAt('2024-02-29T22:00:00')
  await fold()
  expect((await dashboard(DAY)).kpi.totalLeads).toBe(3)
  const february = { ...DAY, start: '2024-02-01T00:00:00Z', end: '2024-02-29T23:59:59Z' }
  const march = { ...DAY, start: '2024-03-01T00:00:00Z', end: '2024-03-31T23:59:59Z' }
  expect((await dashboard(february)).kpi.totalLeads).toBe(1)
  expect((await dashboard(march)).kpi.totalLeads).toBe(0)
})

test('a changed time zone counts every lead anew', async () => {
  const setZone = (zone: string) =>
    base.db.query(`update portal.settings set value = to_jsonb($1::text) where key = 'time_zone'`, [zone])
  await leadAt('2026-06-10T23:30:00')
  await fold()
  await setZone('UTC')
  try {
    expect((await dashboard(DAY)).kpi.totalLeads).toBe(0)
    expect(await dashboard(DAY)).toMatchObject(await plain(DAY))
  } finally {
    await setZone('America/Sao_Paulo')
  }
  expect((await dashboard(DAY)).kpi.totalLeads).toBe(1)
})

test('a stage that becomes a winning one changes the conversion of its earlier leads', async () => {
  const stage = await makeStage(base.db)
  await leadAt('2026-06-10T10:00:00')
  await base.db.query('update public.whatsapp_contacts set status = $1', [stage.slug])
  await fold()
  expect((await dashboard(DAY)).kpi.conversionRate).toBe(0)
  await base.db.query(`update public.kanban_stages set kind = 'won' where id = $1`, [stage.id])
  expect((await dashboard(DAY)).kpi.conversionRate).toBe(100)
  await base.db.query('update public.whatsapp_contacts set status = $1', ['new'])
  await base.db.query('delete from public.kanban_stages where id = $1', [stage.id])
})

test('a broker who asks for a colleague gets nothing, and for all gets only the own', async () => {
  const [ana, bia] = brokers
  if (!ana || !bia) throw new Error('two brokers were made')
  await leadAt('2026-06-10T10:00:00')
  await fold()
  expect((await dashboard(DAY, await signIn(base.db, ana))).kpi.totalLeads).toBe(1)
  const asBia = await signIn(base.db, bia)
  expect((await dashboard(DAY, asBia)).kpi.totalLeads).toBe(0)
  expect((await dashboard({ ...DAY, brokers: [0] }, asBia)).kpi.totalLeads).toBe(0)
  expect((await dashboard({ ...DAY, brokers: [0, 1] }, asBia)).kpi.totalLeads).toBe(0)
})

describe('behind a figure', () => {
  const FIGURE = `p_broker_names => $1, p_empreendimentos => $2, p_data_inicio => $3, p_data_fim => $4`
  const countOf = (asked: Filter, figure: string, value: string | null) =>
    ask<number>(asAdmin, `select count_leads_of_figure($5, $6, ${FIGURE}) as data`, [
      ...valuesOf(asked),
      figure,
      value,
    ])

  async function listOf(asked: Filter, figure: string, value: string | null): Promise<number[]> {
    const ids: number[] = []
    let cursor: { at: string | null; id: number | null } = { at: null, id: null }
    for (;;) {
      const page: { id: number; at: string }[] = (
        await asUser(base.db, asAdmin, (query) =>
          query<{ id: number; at: string }>(
            `select id, created_at::text as at from get_leads_of_figure($5, $6, ${FIGURE}, p_cursor => $7, p_id_cursor => $8)`,
            [...valuesOf(asked), figure, value, cursor.at, cursor.id],
          ),
        )
      ).rows
      ids.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      if (!last || page.length < 20) return ids
      cursor = { at: last.at, id: last.id }
    }
  }

  test('are as many leads as it says, each once, with every filter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 10, maxLength: 40 }), filter, async (writes, asked) => {
        await base.db.query('delete from public.whatsapp_contacts')
        for (const step of writes) await apply(step)
        const { kpi, charts } = await dashboard(asked)
        const won = Math.round((kpi.conversionRate * kpi.totalLeads) / 100)
        const of = (...figure: [string, string | null, number]) => figure
        const figures = [
          of('total', null, kpi.totalLeads),
          of('answered', null, kpi.answeredLeads),
          of('unanswered', null, kpi.unansweredLeads),
          of('won', null, won),
          ...charts.statusDistribution.map(({ status, count }) => of('status', status, count)),
          ...charts.leadSource.map(({ source, count }) => of('source', source, count)),
          ...charts.leadsByCampaign.map(({ campaign, count }) => of('campaign', campaign, count)),
          ...charts.leadsByDayOfWeek.map((bar) => of('weekday', `${bar.day_number}`, bar.count)),
        ]
        for (const [figure, value, count] of figures) {
          expect([figure, value, await countOf(asked, figure, value)]).toEqual([figure, value, count])
          const ids = await listOf(asked, figure, value)
          expect([figure, value, new Set(ids).size, ids.length]).toEqual([figure, value, count, count])
        }
      }),
      { numRuns: byTier(3, 25), seed: SEED },
    )
  })

  test.each([
    ['total', 'algo'],
    ['weekday', '7'],
    ['status', null],
    ['nada', null],
  ])('%s with %j is refused', async (figure, value) => {
    await expect(countOf(DAY, figure, value)).rejects.toMatchObject({
      code: '22023',
      message: 'Este número do painel não existe.',
    })
  })

  test('response times: mean, median and p90 of answered leads, and those answered within five minutes', async () => {
    const seconds = [60, 120, 300, 301, 86_400]
    for (const [index, after] of [...seconds, null].entries()) {
      await leadAt(`2026-06-10T10:0${index}:00`)
      await base.db.query(
        `update public.whatsapp_contacts
         set first_incoming_at = created_at, first_response_at = created_at + $1::int * interval '1 second'
         where first_incoming_at is null`,
        [after],
      )
    }
    const times = await ask<Record<string, number>>(
      asAdmin,
      `select get_response_times(${FIGURE}) as data`,
      valuesOf(DAY),
    )
    expect(times).toEqual({
      answeredLeads: 5,
      unansweredLeads: 1,
      meanHours: 4.843389,
      medianHours: 0.083333,
      p90Hours: 14.433444,
      withinFiveMinutes: 3,
      withinFiveMinutesRate: 50,
      wroteUnansweredLeads: 1,
      leftContact: NO_ANSWERS,
    })
  })
})
