// The statistics and definitions behind results, against figures worked out by hand and with R's survfit; under a
// session in UTC and in São Paulo.
import { expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import type { Query, Row } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signInAdmin } from '#tests/support/make.ts'

const base = await openBase()
const admin = await signInAdmin(base.db)
const ZONES = ['UTC', 'America/Sao_Paulo']

/** Runs the reading in a session of each zone. */
async function inZones(read: (query: Query) => Promise<void>) {
  for (const zone of ZONES)
    await asUser(base.db, admin, async (query) => {
      await query(`select set_config('timezone', $1, true)`, [zone])
      await query('reset role')
      await read(query)
    })
}

async function one<T extends Row>(query: Query, sql: string, values: Parameters<Query>[1] = []): Promise<T> {
  const { rows } = await query<T>(sql, values)
  return rows[0]!
}

/** Minutes of waits, `+` after those that ended with an answer; quarter, half, nine tenths, share within five. */
const WAITS: [string, string, number | null, number | null, number | null, number][] = [
  ['four of ten are answered, six wait', '1+ 2+ 3+ 4+ 60 60 60 60 60 60', 3, null, null, 0.4],
  ['exactly half are answered', '1+ 2+ 3+ 4+ 5+ 60 60 60 60 60', 3, 5, null, 0.5],
  ['nobody waits, an even number', '1+ 2+ 3+ 4+', 1, 2, 4, 1],
  ['nobody waits, an odd number', '3+ 1+ 20+ 7+ 90+', 3, 7, 90, 0.4],
  ['answers and departures in one minute', '5+ 5 5+ 5 9+', 5, 9, 9, 0.4],
  ['some left at different times', '2+ 3+ 3 5+ 8 10+ 12 15+ 20 30', 5, 15, null, 0.314286],
  ['nobody is answered', '7 9 12', null, null, null, 0],
  ['one lead, answered', '7+', 7, 7, 7, 0],
  ['leads of the last ten minutes', '1+ 2+ 1 3 4 6 8 10', 2, null, null, 0.270833],
  ['the longest wait was answered', '1+ 2+ 30 45 50 600+', 2, 600, 600, 0.333333],
  ['answered in the same minute', '0+ 0+ 1+ 4 9+ 30', 0, 1, null, 0.5],
  ['ten values, all answered', '2+ 4+ 7+ 11+ 16+ 22+ 29+ 37+ 46+ 56+', 7, 16, 46, 0.2],
  ['one far value, all answered', '1+ 2+ 3+ 4+ 600+', 2, 3, 600, 0.8],
]

test.each(WAITS)('waits: %s', async (_name, waits, p25, median, p90, within) => {
  const told = waits.split(' ')
  await inZones(async (query) => {
    const curve = await one(
      query,
      `select p25, median, p90, within_share, spans, answered from portal.answer_curve($1, $2::float8[], $3::boolean[], 5)`,
      [
        told.map(() => 'a'),
        told.map((wait) => wait.replace('+', '')),
        told.map((wait) => String(wait.endsWith('+'))),
      ],
    )
    expect(curve).toEqual({
      p25,
      median,
      p90,
      within_share: expect.closeTo(within, 5),
      spans: told.length,
      answered: told.filter((wait) => wait.endsWith('+')).length,
    })
  })
})

test('one more waiting lead never lowers the median', async () => {
  const waits = [3, 9, 14, 22, 31, 55]
  const medianOf = async (more: readonly number[]) => {
    const all = [...waits, ...more]
    const { median } = await one<{ median: number | null }>(
      base.db.query,
      `select median from portal.answer_curve($1, $2::float8[], $3::boolean[], 5)`,
      [all.map(() => 'a'), all.map(String), all.map((_, index) => String(index < waits.length))],
    )
    return median ?? Infinity
  }
  const before = await medianOf([])
  for (const minutes of [0, 5, 14, 20, 60, 600])
    expect(await medianOf([minutes])).toBeGreaterThanOrEqual(before)
})

type Hours = [weekday: number, opens: string, closes: string][]
const WEEK: Hours = [
  ...[1, 2, 3, 4, 5].map((day): Hours[number] => [day, '09:00', '18:00']),
  [6, '09:00', '13:00'],
]
const NIGHT: Hours = [
  [5, '18:00', '02:00'],
  [6, '09:00', '13:00'],
]
const SP = 'America/Sao_Paulo'
const OPENING: [string, string, string, string, Hours, string[], number][] = [
  ['within the day', '2026-09-14T10:00:00-03:00', '2026-09-14T10:07:00-03:00', SP, WEEK, [], 7],
  ['before opening', '2026-09-14T08:00:00-03:00', '2026-09-14T09:05:00-03:00', SP, WEEK, [], 5],
  ['answered while closed', '2026-09-14T20:00:00-03:00', '2026-09-14T22:00:00-03:00', SP, WEEK, [], 0],
  ['over a weekend', '2026-09-11T17:50:00-03:00', '2026-09-14T09:10:00-03:00', SP, WEEK, [], 260],
  ['over a holiday', '2026-09-05T12:30:00-03:00', '2026-09-08T09:15:00-03:00', SP, WEEK, ['2026-09-07'], 45],
  ['over midnight', '2026-09-11T23:00:00-03:00', '2026-09-12T01:00:00-03:00', SP, NIGHT, [], 120],
  ['from the night to the morning', '2026-09-12T01:30:00-03:00', '2026-09-12T09:20:00-03:00', SP, NIGHT, [], 50],
  ['a night into a holiday', '2026-09-11T23:00:00-03:00', '2026-09-12T12:00:00-03:00', SP, NIGHT, ['2026-09-12'], 180],
  ['over lunch', '2026-09-14T11:50:00-03:00', '2026-09-14T13:40:00-03:00', SP, [[1, '09:00', '12:00'], [1, '13:30', '18:00']], [], 20],
  ['rows that overlap', '2026-09-14T09:00:00-03:00', '2026-09-14T12:00:00-03:00', SP, [[1, '09:00', '11:00'], [1, '10:00', '12:00']], [], 180],
  ['around the clock', '2026-09-13T10:00:00-03:00', '2026-09-13T12:30:00-03:00', SP, [[0, '00:00', '00:00']], [], 150],
  ['Manaus', '2026-09-14T11:59:00Z', '2026-09-14T12:06:00Z', 'America/Manaus', [[1, '08:00', '17:00']], [], 6],
  ['the night that loses an hour', '2018-11-03T20:00:00-03:00', '2018-11-04T04:00:00-02:00', SP, [[6, '20:00', '04:00']], [], 420],
  ['the night that has an hour twice', '2018-02-17T20:00:00-02:00', '2018-02-18T02:00:00-03:00', SP, [[6, '20:00', '02:00']], [], 420],
] // prettier-ignore

test.each(OPENING)('opening hours: %s', async (_name, from, until, zone, hours, holidays, minutes) => {
  const rows = hours.map(([weekday, opens, closes]) => ({ weekday, opens, closes }))
  await inZones(async (query) => {
    const { seconds } = await one<{ seconds: number[] }>(
      query,
      'select portal.opening_seconds($1::timestamptz[], $2::timestamptz[], $3, $4::jsonb, $5::date[]) as seconds',
      [[from, from], [until, from], zone, JSON.stringify(rows), holidays],
    )
    expect(seconds).toEqual([minutes * 60, 0])
  })
})

test.each([
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  ['America/Sao_Paulo', '2018-02-17', '2018-02-17', '2018-02-17T02:00:00Z', '2018-02-18T03:00:00Z'],
  ['America/Sao_Paulo', '2026-01-10', '2026-01-10', '2026-01-10T03:00:00Z', '2026-01-11T03:00:00Z'],
  ['America/Manaus', '2018-12-01', '2018-12-01', '2018-12-01T04:00:00Z', '2018-12-02T04:00:00Z'],
  ['America/Rio_Branco', '2012-06-01', '2012-06-01', '2012-06-01T04:00:00Z', '2012-06-02T04:00:00Z'],
  ['America/Rio_Branco', '2026-06-01', '2026-06-01', '2026-06-01T05:00:00Z', '2026-06-02T05:00:00Z'],
  ['America/Noronha', '2026-06-01', '2026-06-01', '2026-06-01T02:00:00Z', '2026-06-02T02:00:00Z'],
  ['America/Sao_Paulo', '2018-11-01', '2018-11-30', '2018-11-01T03:00:00Z', '2018-12-01T02:00:00Z'],
])('the days of %s from %s to %s begin and end there', async (zone, from, to, startsAt, endsAt) => {
  await inZones(async (query) => {
    await query(`update portal.settings set value = to_jsonb($1::text) where key = 'time_zone'`, [zone])
    const span = await one(
      query,
      `select extract(epoch from starts_at)::float8 * 1000 as starts, extract(epoch from ends_at)::float8 * 1000 as ends
       from portal.period($1::date::timestamp, $2::date + time '23:59:59')`,
      [from, to],
    )
    await query(`update portal.settings set value = '"America/Sao_Paulo"' where key = 'time_zone'`)
    expect(span).toEqual({ starts: Date.parse(startsAt), ends: Date.parse(endsAt) })
  })
})

test.each([
  [1, 2, 0.094531, 0.905469],
  [40, 100, 0.309401, 0.497997],
  [0, 3, 0, 0.561497],
  [3, 3, 0.438503, 1],
  [8, 90, 0.04573, 0.165705],
  [0, 18, 0, 0.175879],
])('the interval of %d of %d', async (hits, of, low, high) => {
  await inZones(async (query) => {
    const range = await one(query, 'select low, high from portal.wilson($1, $2)', [hits, of])
    expect(range).toEqual({ low: expect.closeTo(low, 5), high: expect.closeTo(high, 5) })
  })
})

test.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [200, 199, 1],
    [50, 50, 0],
  ],
  [
    [16, 56, 18],
    [18, 62, 20],
  ],
  [
    [0, 0],
    [null, null],
  ],
])('whole percents of %j add up', async (parts, percents) => {
  await inZones(async (query) => {
    expect(
      await one(query, 'select portal.whole_percents($1::bigint[]) as percents', [parts.map(String)]),
    ).toEqual({
      percents,
    })
  })
})

test.each([
  ['2026-03-01', '2026-03-15', '2026-02-01', '2026-02-15'],
  ['2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ['2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
  ['2026-03-05', '2026-03-06', '2026-03-03', '2026-03-04'],
])('%s to %s is put beside %s to %s', async (from, to, beforeFrom, beforeTo) => {
  await inZones(async (query) => {
    const before = await one(
      query,
      'select from_day::text as from, to_day::text as to from portal.period_before($1, $2)',
      [from, to],
    )
    expect(before).toEqual({ from: beforeFrom, to: beforeTo })
  })
})

test('a broker with the harder source is first once the sources weigh the same', async () => {
  const { rows } = await base.db.query(
    `select grp, share from portal.same_mix('{A,A,B,B}', '{portal,site,portal,site}', '{27,8,2,63}', '{90,10,10,90}') order by grp`,
  )
  expect(rows).toEqual([
    { grp: 'A', share: expect.closeTo(0.55, 9) },
    { grp: 'B', share: expect.closeTo(0.45, 9) },
  ])
})

const SP_AT = (text: string) => `${text}-03:00`

type Made = { broker?: string; arrived: string; won?: string | null; person?: number }
let worlds = 0

/** Leads of a development of their own; returns its name. */
async function leadsOf(made: readonly Made[]): Promise<{ world: string; ids: number[]; people: number[] }> {
  const world = `Vetor ${++worlds}`
  const ids: number[] = []
  const people: number[] = []
  for (const { broker = null, arrived, won, person } of made) {
    const known = person === undefined ? undefined : people[person]
    const lead = await makeContact(base.db, broker, {
      empreendimento: world,
      created_at: arrived,
      ...(known !== undefined && { person_id: known }),
    })
    await makeMessage(base.db, lead.id, { timestamp: Date.parse(arrived) / 1000 })
    if (won)
      await base.db.query('update public.whatsapp_contacts set won_at = $2 where id = $1', [lead.id, won])
    ids.push(lead.id)
    people.push(lead.person_id)
  }
  return { world, ids, people }
}

type Figures = Record<string, number | null>
async function figuresOf(
  query: Query,
  level: string,
  world: string,
  [from = '', to = '', now = '']: readonly string[],
  days = 30,
) {
  const { rows } = await query<{ grp: string; figures: Figures }>(
    'select grp, figures from portal.result_figures($1, $2::jsonb, $3, $4, $5)',
    [level, JSON.stringify({ developments: [world], days }), from, to, now],
  )
  return Object.fromEntries(rows.map(({ grp, figures }) => [grp, figures]))
}

test('conversion is of the leads that are old enough, and wins of a month are no part of it', async () => {
  const { world } = await leadsOf([
    { arrived: '2026-08-05T12:00:00Z', won: '2026-08-20T12:00:00Z' },
    { arrived: '2026-08-10T12:00:00Z', won: '2026-09-02T12:00:00Z' },
    { arrived: '2026-08-28T12:00:00Z' },
    { arrived: '2026-09-03T12:00:00Z', won: '2026-09-25T12:00:00Z' },
    { arrived: '2026-09-20T12:00:00Z' },
  ])
  const now = SP_AT('2026-09-30T12:00:00')
  const august = [SP_AT('2026-08-01T00:00:00'), SP_AT('2026-09-01T00:00:00'), now]
  const september = [SP_AT('2026-09-01T00:00:00'), SP_AT('2026-10-01T00:00:00'), now]
  const later = september.with(2, SP_AT('2026-11-30T12:00:00'))
  await inZones(async (query) => {
    expect((await figuresOf(query, 'all', world, august))['']).toMatchObject({
      converted: 2,
      cohort: 3,
      conversion: 66.7,
    })
    expect((await figuresOf(query, 'all', world, september))['']).toMatchObject({
      received: 2,
      won: 2,
      converted: 0,
      cohort: 0,
      conversion: null,
    })
    expect((await figuresOf(query, 'all', world, later))['']).toMatchObject({
      won: 2,
      converted: 1,
      cohort: 2,
      conversion: 50,
    })
    // Time that passes changes no closed cohort.
    expect(
      (await figuresOf(query, 'all', world, august.with(2, SP_AT('2026-12-30T12:00:00'))))[''],
    ).toMatchObject({ converted: 2, cohort: 3 })
  })
})

test('the whole is the sum of wins by the sum of leads, not the mean of the rates', async () => {
  await inZones(async (query) => {
    const { rate } = await one<{ rate: string }>(query, 'select portal.rate(1 + 40, 2 + 100)::text as rate')
    expect(rate).toBe('40.2')
  })
})

test('one person of two brokers who comes back after months: two leads of the agency', async () => {
  const [ana, bia] = [await makeBroker(base.db), await makeBroker(base.db)]
  const { world, ids } = await leadsOf([
    { broker: ana.instanceName, arrived: '2026-03-02T12:00:00Z' },
    { broker: bia.instanceName, arrived: '2026-03-05T12:00:00Z', person: 0 },
  ])
  await makeMessage(base.db, ids[0]!, { timestamp: Date.parse('2026-07-20T12:00:00Z') / 1000 })
  const period = [SP_AT('2026-03-01T00:00:00'), SP_AT('2026-08-01T00:00:00'), SP_AT('2026-08-02T00:00:00')]
  await inZones(async (query) => {
    expect((await figuresOf(query, 'all', world, period))['']).toMatchObject({ received: 2 })
    const each = await figuresOf(query, 'broker', world, period)
    expect([each[ana.instanceName]?.['received'], each[bia.instanceName]?.['received']]).toEqual([2, 1])
  })
})

const CLOCK_DAY = [SP_AT('2026-09-14T00:00:00'), SP_AT('2026-09-15T00:00:00'), SP_AT('2026-09-14T11:00:00')]
const spansOf = async (query: Query, level: string, contact: number) => {
  const { rows } = await query(
    `select grp, extract(epoch from until_at - at)::float8 / 60 as minutes, is_answered from portal.result_spans($1, null, $2, $3, $4)
     where contact_id = $5 order by at`,
    [level, ...CLOCK_DAY, contact],
  )
  return rows
}

test('each broker’s clock runs from arrival or hand-over to the answer or the next hand-over', async () => {
  const [ana, bia] = [await makeBroker(base.db), await makeBroker(base.db)]
  const { ids } = await leadsOf([{ broker: bia.instanceName, arrived: SP_AT('2026-09-14T10:00:00') }])
  await base.db.query(
    `insert into portal.owner_history (contact_id, from_instance, to_instance, changed_by, changed_at) values ($1, $2, $3, 'teste', $4)`,
    [ids[0]!, ana.instanceName, bia.instanceName, SP_AT('2026-09-14T10:20:00')],
  )
  const answered = { type: 'outgoing', instanceName: bia.instanceName }
  await makeMessage(base.db, ids[0]!, {
    ...answered,
    timestamp: Date.parse(SP_AT('2026-09-14T10:26:00')) / 1000,
  })
  await inZones(async (query) => {
    expect(await spansOf(query, 'all', ids[0]!)).toEqual([{ grp: '', minutes: 26, is_answered: true }])
    expect(await spansOf(query, 'broker', ids[0]!)).toEqual([
      { grp: ana.instanceName, minutes: 20, is_answered: false },
      { grp: bia.instanceName, minutes: 6, is_answered: true },
    ])
  })
})

test('a lead that opts out leaves without an answer, and waits no more', async () => {
  const ana = await makeBroker(base.db)
  const { world, ids, people } = await leadsOf([
    { broker: ana.instanceName, arrived: SP_AT('2026-09-14T10:00:00') },
  ])
  await base.db.query('update portal.people set opted_out_at = $2 where id = $1', [
    people[0]!,
    SP_AT('2026-09-14T10:12:00'),
  ])
  await inZones(async (query) => {
    expect(await spansOf(query, 'all', ids[0]!)).toEqual([{ grp: '', minutes: 12, is_answered: false }])
    expect(await spansOf(query, 'broker', ids[0]!)).toEqual([
      { grp: ana.instanceName, minutes: 12, is_answered: false },
    ])
    expect((await figuresOf(query, 'all', world, CLOCK_DAY))['']).toMatchObject({ received: 1, waiting: 0 })
  })
})

test('a colleague’s answer ends the holder’s clock as not answered', async () => {
  const [ana, bia] = [await makeBroker(base.db), await makeBroker(base.db)]
  const { ids } = await leadsOf([{ broker: ana.instanceName, arrived: SP_AT('2026-09-14T10:00:00') }])
  const answered = { type: 'outgoing', instanceName: bia.instanceName }
  await makeMessage(base.db, ids[0]!, {
    ...answered,
    timestamp: Date.parse(SP_AT('2026-09-14T10:09:00')) / 1000,
  })
  await inZones(async (query) => {
    expect(await spansOf(query, 'all', ids[0]!)).toEqual([{ grp: '', minutes: 9, is_answered: true }])
    expect(await spansOf(query, 'broker', ids[0]!)).toEqual([
      { grp: ana.instanceName, minutes: 9, is_answered: false },
    ])
  })
})
