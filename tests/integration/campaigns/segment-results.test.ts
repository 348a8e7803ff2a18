// The result of a campaign to a segment compared with its holdout: the intervals equal figures computed in R, the
// counts equal a second computation, and each figure is shown only after its time.
import { describe, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import type { Row, SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signInAdmin } from '#tests/support/make.ts'

const { db } = await openBase()
const admin = await signInAdmin(db)
const [ana, bia] = [await makeBroker(db), await makeBroker(db)]
const DAY_MS = 86_400_000

async function one<T extends Row>(sql: string, values: SqlValue[] = []): Promise<T> {
  return (await db.query<T>(sql, values)).rows[0]!
}
const asAdmin = <T>(sql: string, values: SqlValue[]) =>
  onBehalf(db, admin, async (query) => (await query<{ answer: T }>(sql, values)).rows[0]!.answer)

/** Intervals by Newcombe (1998, method 10). Wald's method would give others. */
const SHARES: [number, number, number, number, number, number, number][] = [
  [8, 90, 3, 20, -0.061111, -0.27591, 0.063117],
  [56, 70, 48, 80, 0.2, 0.052431, 0.333873],
  [0, 18, 30, 182, -0.164835, -0.225556, 0.017181],
  [0, 10, 0, 20, 0, -0.161125, 0.277533],
  [10, 10, 0, 20, 1, 0.679086, 1],
]

test.each(SHARES)('%i of %i against %i of %i persons', async (a, ofA, b, ofB, difference, low, high) => {
  const found = await one('select * from portal.share_difference($1, $2, $3, $4)', [a, ofA, b, ofB])
  expect(found).toEqual({
    difference: expect.closeTo(difference, 5),
    low: expect.closeTo(low, 5),
    high: expect.closeTo(high, 5),
  })
})

test('several leads a person: the interval goes by persons', async () => {
  const campaign = [[1, 0], [1, 1], [2, 2], [1, 0], [3, 3], [1, 0], [1, 0], [2, 0], [1, 1], [4, 4]] // prettier-ignore
  const holdout = [[1, 0], [2, 0], [1, 1], [3, 0], [1, 0]] // prettier-ignore
  const persons = [
    ...campaign.map(([leads, hits]) => ['campaign', leads, hits]),
    ...holdout.map(([leads, hits]) => ['holdout', leads, hits]),
  ]
  const column = (index: number) => persons.map((person) => String(person[index]))
  const found = await one('select * from portal.ratio_difference($1, $2::bigint[], $3::bigint[])', [
    column(0),
    column(1),
    column(2),
  ])
  // An interval that counts leads would be from 0.199 to 0.845, which is too narrow.
  expect(found).toEqual({
    difference: expect.closeTo(0.522059, 5),
    low: expect.closeTo(0.095995, 5),
    high: expect.closeTo(0.948122, 5),
  })
})

test('nothing beside something has no difference', async () => {
  expect(await one('select * from portal.share_difference(0, 0, 1, 2)')).toEqual({
    difference: null,
    low: null,
    high: null,
  })
})

type Life = {
  arm: 'campaign' | 'holdout'
  /** In days after the assignment, as the fields below. */
  answeredOn?: number
  visitOn?: number
  isVisitOff?: boolean
  wonOn?: number
  optsOutOn?: number
  /** A second lead of the same person, at another broker. */
  hasTwin?: boolean
  isErased?: boolean
}

let sends = 0

/** Makes a campaign that was assigned `ageDays` ago, to persons who did this since. */
async function live(ageDays: number, lives: readonly Life[]): Promise<number> {
  const startMs = Date.now() - ageDays * DAY_MS
  const on = (days: number) => new Date(startMs + days * DAY_MS).toISOString()
  const { id } = await one<{ id: number }>(
    `insert into portal.segment_sends (question, percent, message, sent_by, assigned_at) values ('{}', 10, 'Oi', 'chefe', $1) returning id`,
    [on(0)],
  )
  sends++
  for (const [place, life] of lives.entries()) {
    const number = `55119${String(60_000_000 + sends * 10_000 + place)}`
    const lead = await makeContact(db, ana.instanceName, { number })
    const acting = life.hasTwin ? await makeContact(db, bia.instanceName, { number }) : lead
    await db.query(
      `insert into portal.segment_arms (send_id, place, person_id, contact_id, arm, assigned_at) values ($1, $2, $3, $4, $5, $6)`,
      [id, place + 1, lead.person_id, lead.id, life.arm, on(0)],
    )
    // A message from before the assignment does not count.
    await makeMessage(db, lead.id, { timestamp: Math.floor(startMs / 1000) - 3_600 })
    if (life.answeredOn !== undefined)
      await makeMessage(db, acting.id, { timestamp: Math.ceil(Date.parse(on(life.answeredOn)) / 1000) })
    if (life.visitOn !== undefined)
      await db.query(
        `insert into portal.actions (contact_id, kind, due_at, seen_at, created_at, outcome, finished_at) values ($1, 'visit', $2, $2, $2, $3, $4)`,
        [
          acting.id,
          on(life.visitOn),
          life.isVisitOff ? 'removed' : null,
          life.isVisitOff ? on(life.visitOn) : null,
        ],
      )
    if (life.wonOn !== undefined)
      await db.query('update public.whatsapp_contacts set won_at = $2 where id = $1', [
        acting.id,
        on(life.wonOn),
      ])
    if (life.optsOutOn !== undefined)
      await db.query('update portal.people set opted_out_at = $2 where id = $1', [
        lead.person_id,
        on(life.optsOutOn),
      ])
    if (life.isErased)
      await db.query('select portal.free_arms(array[$1::bigint], $2)', [lead.person_id, '{}'])
  }
  return id
}

type Measure = {
  measure: string
  campaign: [number, number]
  holdout: [number, number]
  rates?: [number, number]
  difference?: number
  range?: [number, number]
  verdict?: string
}
const resultOf = (id: number) =>
  asAdmin<{ days: number | null; measures: Measure[] }>('select public.get_segment_result($1) as answer', [
    id,
  ])
const counts = async (id: number) =>
  (await resultOf(id)).measures.map(({ measure, campaign, holdout }) => [measure, ...campaign, ...holdout])
const many = (count: number, life: Life) => Array.from({ length: count }, () => life)

describe('when what is shown', () => {
  const lives: Life[] = [
    ...many(20, { arm: 'campaign', answeredOn: 3 }),
    ...many(20, { arm: 'campaign', answeredOn: 20 }),
    ...many(40, { arm: 'holdout' }),
  ]

  test('before fourteen days nothing', async () => {
    expect(await resultOf(await live(13.99, lives))).toEqual({ days: null, measures: [] })
  })

  test('from fourteen days on what happened within them, without a verdict', async () => {
    const { days, measures } = await resultOf(await live(29.99, lives))
    expect(days).toBe(14)
    expect(measures[0]).toEqual({
      measure: 'answered',
      campaign: [20, 40],
      holdout: [0, 40],
      rates: [50, 0],
      difference: 50,
      range: [32.8, 64.8],
    })
  })

  test('from thirty days on all of it, judged', async () => {
    const { days, measures } = await resultOf(await live(30.01, lives))
    expect(days).toBe(30)
    expect(measures[0]).toMatchObject({
      campaign: [40, 40],
      holdout: [0, 40],
      difference: 100,
      verdict: 'more',
    })
    expect(measures[1]).toMatchObject({
      measure: 'visits',
      campaign: [0, 40],
      holdout: [0, 40],
      verdict: 'open',
    })
  })

  test('the other way round it brought less', async () => {
    const id = await live(31, [...many(40, { arm: 'campaign' }), ...many(40, { arm: 'holdout', wonOn: 2 })])
    expect((await resultOf(id)).measures[2]).toMatchObject({ measure: 'won', verdict: 'less' })
  })

  test('under thirty persons in an arm counts only', async () => {
    const id = await live(31, [
      ...many(40, { arm: 'campaign', answeredOn: 1 }),
      ...many(29, { arm: 'holdout' }),
    ])
    expect((await resultOf(id)).measures[0]).toEqual({
      measure: 'answered',
      campaign: [40, 40],
      holdout: [0, 29],
    })
  })
})

describe('what counts', () => {
  test.each<[string, Life, Record<string, number>]>([
    ['an answer', { arm: 'campaign', answeredOn: 29.9 }, { answered: 1 }],
    ['an answer too late', { arm: 'campaign', answeredOn: 30.1 }, {}],
    ['a request to be left alone is no answer', { arm: 'campaign', answeredOn: 1, optsOutOn: 1 }, {}],
    ['a visit that was booked', { arm: 'campaign', visitOn: 10 }, { visits: 1 }],
    ['a visit that was called off', { arm: 'campaign', visitOn: 10, isVisitOff: true }, {}],
    ['a sale', { arm: 'campaign', wonOn: 10 }, { won: 1 }],
    [
      'an answer to a colleague',
      { arm: 'campaign', answeredOn: 5, hasTwin: true },
      { answered: 1, sales: 0 },
    ],
    ['a sale through a colleague', { arm: 'campaign', wonOn: 5, hasTwin: true }, { won: 1, sales: 1 }],
    [
      'whose data were erased',
      { arm: 'campaign', answeredOn: 5, wonOn: 6, isErased: true },
      { answered: 1, won: 1 },
    ],
  ])('%s', async (_name, life, expected) => {
    const found = Object.fromEntries(
      (await counts(await live(40, [life, { arm: 'holdout' }]))).map(([name, hits]) => [name, hits]),
    )
    expect(found).toEqual({ answered: 0, visits: 0, won: 0, ...expected })
  })

  test('everybody assigned, reached or not; of several leads each', async () => {
    const id = await live(40, [
      { arm: 'campaign', wonOn: 1, hasTwin: true },
      { arm: 'campaign', isErased: true },
      { arm: 'holdout', answeredOn: 1 },
    ])
    expect(await counts(id)).toEqual([
      ['answered', 0, 2, 1, 1],
      ['visits', 0, 2, 0, 1],
      ['won', 1, 2, 0, 1],
      ['sales', 1, 3, 0, 1],
    ])
  })

  test('every number opens a list of as many; who was erased is only counted', async () => {
    const id = await live(40, [
      { arm: 'campaign', answeredOn: 1 },
      { arm: 'campaign', answeredOn: 1, isErased: true },
      { arm: 'holdout' },
    ])
    const listed = (measure: string, arm: string) =>
      asAdmin<{ count: number; gone: number; leads: unknown[] }>(
        'select public.get_segment_result_leads($1, $2, $3) as answer',
        [id, measure, arm],
      )
    expect(await listed('answered', 'campaign')).toMatchObject({ count: 1, gone: 1, leads: [{}] })
    expect(await listed('assigned', 'holdout')).toMatchObject({ count: 1, gone: 0, leads: [{}] })
    expect(await listed('won', 'campaign')).toEqual({ count: 0, gone: 0, leads: [] })
    await expect(listed('secret', 'campaign')).rejects.toMatchObject({ code: 'PT422' })
    const early = await live(1, [{ arm: 'holdout' }])
    await expect(
      asAdmin('select public.get_segment_result_leads($1, $2, $3) as answer', [early, 'assigned', 'holdout']),
    ).rejects.toMatchObject({ code: 'PT422' })
  })
})

test('the list of campaigns says how many got it, how many were held out, and when it can be read', async () => {
  await db.exec('delete from portal.segment_sends')
  const id = await live(20, [{ arm: 'campaign' }, { arm: 'campaign' }, { arm: 'holdout' }])
  const list = await asAdmin<{ count: number; sends: Row[] }>(
    'select public.get_segment_sends() as answer',
    [],
  )
  expect(list).toMatchObject({
    count: 1,
    sends: [
      {
        id,
        name: null,
        message: 'Oi',
        by: 'chefe',
        receiving: 2,
        heldOut: 1,
        days: 14,
        sent: 0,
        isOver: true,
      },
    ],
  })
  await expect(resultOf(id + 1000)).rejects.toMatchObject({ code: 'PT404' })
})
