// Questions about leads: who matches, compared with a plain count; who is left out and why; what is refused; what a
// question costs; and the segments that administrators save.
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import type { Row, SqlValue } from '#server/db/database.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { onPostgres } from '#tests/support/database.ts'
import { makeBroker, makeCampaign, makeContact, makeMessage } from '#tests/support/make.ts'
import { byTier, isDeepRun, onBest } from '#tests/support/runner/tier.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin: admin } = await openStaff()
const { db } = base
const NOW = Date.parse('2026-11-30T12:00:00Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString()

beforeEach(() =>
  db.exec(
    'delete from public.remarketing_campaigns; delete from public.whatsapp_contacts; delete from portal.people; delete from portal.segments',
  ),
)

async function one<T extends Row>(sql: string, values: SqlValue[] = []): Promise<T> {
  const { rows } = await db.query<T>(sql, values)
  return rows[0]!
}

const asAdmin = <T extends Row>(sql: string, values: SqlValue[] = []) =>
  onBehalf(db, admin, async (query) => (await query<T>(sql, values)).rows[0]!)

type Person = { contact_id: number; why: string | null; arm: string | null }
const people = async (question: object, percent: number | null = null) =>
  (
    await db.query<Person>(
      'select contact_id, why, arm from portal.segment_people(portal.segment_question($1), $2, $3) order by contact_id',
      [JSON.stringify(question), percent, new Date(NOW).toISOString()],
    )
  ).rows
const matching = async (question: object) => (await people(question)).map(({ contact_id: id }) => id)

async function development(name: string): Promise<number> {
  const { id } = await one<{ id: number }>(
    'insert into public.developments (name) values ($1) returning id',
    [name],
  )
  return id
}
const lago = await development('Mirante do Lago')
const ipe = await development('Reserva Ipê')

const STAGES = ['new', 'conversa', 'negociacao'] as const
const SOURCES = ['meta', 'olx'] as const
const TAGS = ['3 quartos', 'investidor', 'já comprou'] as const

const leads = fc.record({
  stage: fc.constantFrom(...STAGES),
  source: fc.constantFrom(...SOURCES),
  tags: fc.subarray([...TAGS]),
  named: fc.constantFrom(null, 'Mirante do Lago', 'MIRANTE DO LAGO', 'Outro lugar'),
  interest: fc.constantFrom(null, lago, ipe),
  quietDays: fc.constantFrom(null, 5, 40),
  value: fc.constantFrom(null, 30_000_000, 50_000_000),
  wrote: fc.boolean(),
  contacted: fc.constantFrom('nobody', 'person', 'campaign', 'failed'),
  visit: fc.constantFrom(null, 'done', 'missed', 'removed', 'open'),
})
type Made = typeof leads extends fc.Arbitrary<infer T> ? T : never

const questions = fc.record(
  {
    stages: fc.subarray([...STAGES]),
    sources: fc.subarray([...SOURCES]),
    tags: fc.subarray([...TAGS]),
    withoutTags: fc.subarray([...TAGS], { maxLength: 1 }),
    developments: fc.subarray([lago, ipe]),
    quietDays: fc.constantFrom(1, 30),
    minCents: fc.constantFrom(0, 40_000_000),
    maxCents: fc.constantFrom(40_000_000, 90_000_000),
    withoutValue: fc.boolean(),
    contact: fc.subarray(['never-contacted', 'never-answered']),
    visit: fc.subarray(['held', 'missed']),
  },
  { requiredKeys: [] },
)
type Question = typeof questions extends fc.Arbitrary<infer T> ? T : never

/** The rules of a question a second time, in TypeScript. */
function answers(lead: Made, asked: Question): boolean {
  const anyOf = <T>(wanted: readonly T[] | undefined, has: readonly T[]) =>
    !wanted || wanted.length === 0 || wanted.some((item) => has.includes(item))
  const isNamed = lead.named === 'Mirante do Lago' || lead.named === 'MIRANTE DO LAGO'
  const wasContacted = lead.contacted === 'person'
  const wasWritten = wasContacted || lead.contacted === 'campaign'
  const { minCents, maxCents } = asked
  const hasLimits = minCents !== undefined || maxCents !== undefined
  const isWorth =
    lead.value === null
      ? (asked.withoutValue ?? false)
      : lead.value >= (minCents ?? 0) && lead.value <= (maxCents ?? Infinity)
  return (
    anyOf(asked.stages, [lead.stage]) &&
    anyOf(asked.sources, [lead.source]) &&
    anyOf(asked.tags, lead.tags) &&
    !(asked.withoutTags ?? []).some((tag) => lead.tags.includes(tag)) &&
    anyOf(asked.developments, [...(isNamed ? [lago] : []), ...(lead.interest ? [lead.interest] : [])]) &&
    (asked.quietDays === undefined || (lead.quietDays ?? 10) >= asked.quietDays) &&
    (!hasLimits || isWorth) &&
    anyOf(asked.contact, [
      ...(wasContacted ? [] : ['never-contacted']),
      ...(!lead.wrote && wasWritten ? ['never-answered'] : []),
    ]) &&
    anyOf(asked.visit, lead.visit === 'done' ? ['held'] : lead.visit === 'missed' ? ['missed'] : [])
  )
}

async function make(lead: Made): Promise<number> {
  const { id } = await makeContact(db, ana.instanceName, {
    status: lead.stage,
    source: lead.source,
    tags: `{${lead.tags.map((tag) => `"${tag}"`).join(',')}}`,
    empreendimento: lead.named,
    value_cents: lead.value,
  })
  if (lead.interest)
    await db.query(
      `insert into portal.interests (contact_id, development_id, origin) values ($1, $2, 'hand')`,
      [id, lead.interest],
    )
  if (lead.contacted !== 'nobody')
    await makeMessage(db, id, {
      type: 'outgoing',
      author: lead.contacted === 'campaign' ? 'campaign' : 'human',
      delivery: lead.contacted === 'failed' ? 'failed' : 'sent',
      delivery_reason: lead.contacted === 'failed' ? 'rejected' : null,
    })
  if (lead.visit)
    await db.query(
      `insert into portal.actions (contact_id, kind, due_at, seen_at, outcome, finished_at)
       values ($1, 'visit', $2, $2, $3, case when $3::text is not null then now() end)`,
      [id, daysAgo(1), lead.visit === 'open' ? null : lead.visit],
    )
  // Messages would update these columns; here they are set directly, so that each field varies by itself.
  await db.query(
    `update public.whatsapp_contacts set created_at = $2, first_incoming_at = $3, last_message_timestamp = $4 where id = $1`,
    [
      id,
      daysAgo(10),
      lead.wrote ? daysAgo(9) : null,
      lead.quietDays === null ? null : Math.floor((NOW - lead.quietDays * DAY_MS) / 1000),
    ],
  )
  return id
}

test('who matches a question: random leads and questions, against a plain count', async () => {
  const made = fc.sample(leads, { numRuns: onBest(120, 40), seed: 58 })
  const ids: number[] = []
  for (const lead of made) ids.push(await make(lead))
  const found = new Map(ids.map((id, index) => [id, made[index]!]))
  let some = 0
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const expected = ids.filter((id) => answers(found.get(id)!, asked))
      expect(await matching(asked)).toEqual(expected)
      if (expected.length > 0 && expected.length < ids.length) some++
    }),
    { numRuns: byTier(50, onBest(150, 60)), seed: 59 },
  )
  // Enough questions match some leads but not all; otherwise the test would prove little.
  expect(some).toBeGreaterThan(byTier(10, onBest(40, 15)))
})

test('leads of a trial never match', async () => {
  await makeContact(db, ana.instanceName, { source: 'teste' })
  expect(await matching({})).toEqual([])
})

describe('left out', () => {
  const REASONS: [string, (lead: { id: number; person_id: number }) => Promise<unknown>][] = [
    [
      'opted-out',
      async (lead) =>
        db.query('update portal.people set opted_out_at = now() where id = $1', [lead.person_id]),
    ],
    [
      'recent',
      async (lead) =>
        db.query('update public.whatsapp_contacts set remarketing_sent_at = $2 where id = $1', [
          lead.id,
          daysAgo(3),
        ]),
    ],
    [
      'no-number',
      async (lead) =>
        db.query(
          `insert into portal.number_doubts (contact_id, shown, numbers) values ($1, '11', '{+5511987650001}')`,
          [lead.id],
        ),
    ],
    [
      'no-broker',
      async (lead) =>
        db.query('update public.whatsapp_contacts set "instanceName" = null where id = $1', [lead.id]),
    ],
    [
      'not-on-whatsapp',
      async (lead) =>
        makeMessage(db, lead.id, {
          type: 'outgoing',
          delivery: 'failed',
          delivery_reason: 'not-on-whatsapp',
          timestamp: 1_796_000_000,
        }),
    ],
    ['busy', async () => makeCampaign(db, ana.id, { status: 'paused', pause_reason: 'person' })],
  ]

  test.each(REASONS)('%s', async (why, change) => {
    const lead = await makeContact(db, ana.instanceName)
    const other = await makeContact(db, bia.instanceName)
    await change(lead)
    expect(await people({})).toEqual([
      { contact_id: lead.id, why, arm: null },
      { contact_id: other.id, why: null, arm: 'campaign' },
    ])
  })

  test('the days of rest count by person, over all instances; later they may be reached again', async () => {
    const lead = await makeContact(db, ana.instanceName, { number: '5511987650001' })
    const same = await makeContact(db, bia.instanceName, { number: '551187650001' })
    expect(same.person_id).toBe(lead.person_id)
    const sent = await makeCampaign(db, bia.id)
    await db.query(
      `insert into public.campaign_recipients (campaign_id, contact_id, person_id, body, state, accepted_at) values ($1, $2, $3, 'Oi', 'sent', $4)`,
      [sent.id, same.id, same.person_id, daysAgo(3)],
    )
    expect(await people({})).toMatchObject([{ why: 'recent' }])
    await db.query('update public.campaign_recipients set accepted_at = $1', [daysAgo(8)])
    expect(await people({})).toMatchObject([{ why: null }])
  })

  test('a person with several leads counts once, by the one that may get it', async () => {
    const busy = await makeContact(db, ana.instanceName, { number: '5511987650002' })
    const free = await makeContact(db, bia.instanceName, { number: '11987650002' })
    await db.query('update public.whatsapp_contacts set last_message_timestamp = 1900000000 where id = $1', [
      busy.id,
    ])
    expect(await matching({})).toEqual([busy.id])
    await makeCampaign(db, ana.id, { status: 'paused', pause_reason: 'person' })
    expect(await people({})).toEqual([{ contact_id: free.id, why: null, arm: 'campaign' }])
  })

  test("no address and rest are decided as by a broker's own campaign", async () => {
    const ids = [
      await makeContact(db, ana.instanceName, { number: null }),
      await makeContact(db, ana.instanceName, { number: '4133221100' }),
      await makeContact(db, ana.instanceName, { number: null, name: 'Só id' }),
      await makeContact(db, ana.instanceName, { number: '+351912345678' }),
    ]
    await db.query(
      `insert into portal.identities ("instanceName", jid, person_id) values ($1, '88112233445566@lid', $2)`,
      [ana.instanceName, ids[2]!.person_id],
    )
    const { rows: own } = await onBehalf(db, asAna, (query) =>
      query<{ contact_id: number; exclusion: string | null }>(
        `select contact_id, exclusion from portal.campaign_candidates('new') order by 1`,
      ),
    )
    expect((await people({})).map(({ contact_id, why }) => ({ contact_id, exclusion: why }))).toEqual(own)
    expect(own.map(({ exclusion }) => exclusion)).toEqual(['no-number', null, null, null])
  })
})

test('the counts add up, every number opens a list of as many, and none names who is private', async () => {
  for (const owner of [ana, bia, ana, ana, bia]) await makeContact(db, owner.instanceName)
  const out = await makeContact(db, ana.instanceName)
  await db.query('update portal.people set opted_out_at = now() where id = $1', [out.person_id])
  await makeContact(db, null)
  await db.query(
    `insert into portal.private_contacts ("instanceName", form_hashes) values ($1, array['\\x01'::bytea])`,
    [ana.instanceName],
  )
  const { counts } = await asAdmin<{ counts: Record<string, unknown> }>(
    `select portal.count_segment('{}', 10) as counts`,
  )
  expect(counts).toMatchObject({
    matching: 7,
    eligible: 5,
    receiving: 5,
    heldOut: 0,
    leftOut: { 'opted-out': 1, 'no-broker': 1 },
    private: 1,
    restDays: 7,
    brokers: [
      { instanceName: ana.instanceName, count: 3, pacing: { dailyCap: 200 } },
      { instanceName: bia.instanceName, count: 2 },
    ].toSorted((a, b) => (a.instanceName < b.instanceName ? -1 : 1)),
  })
  const listed = async (group: string) =>
    (
      await asAdmin<{ list: { count: number; leads: { id: number }[] } }>(
        `select public.get_segment_leads('{}', $1, 10) as list`,
        [group],
      )
    ).list
  expect(await listed('campaign')).toMatchObject({ count: 5 })
  expect(await listed('opted-out')).toMatchObject({ count: 1, leads: [{ id: out.id }] })
  expect(await listed('holdout')).toEqual({ count: 0, leads: [] })
  await expect(listed('private')).rejects.toMatchObject({ code: 'PT422' })
})

test('where nobody matches, it says without which condition most would', async () => {
  await makeContact(db, ana.instanceName, { status: 'conversa', tags: '{investidor}' })
  await makeContact(db, ana.instanceName, { status: 'conversa' })
  await makeContact(db, ana.instanceName, { status: 'negociacao', tags: '{"3 quartos"}' })
  const { counts } = await asAdmin<{ counts: Row }>(
    `select portal.count_segment('{"stages": ["conversa"], "tags": ["3 quartos"]}', null) as counts`,
  )
  expect(counts).toMatchObject({ matching: 0, without: { condition: 'tags', count: 2 } })
})

test.each([
  ['no object', '[]'],
  ['an unknown condition', '{"where": "1=1"}'],
  ['SQL in a number', '{"quietDays": "1; drop table x"}'],
  ['no days', '{"quietDays": 0}'],
  ['too many days', '{"quietDays": 3651}'],
  ['turned limits', '{"minCents": 2, "maxCents": 1}'],
  ['a negative limit', '{"minCents": -1}'],
  ['no list', '{"stages": "new"}'],
  ['a list of another kind', '{"stages": [1]}'],
  ['a development that is no id', '{"developments": [1.5]}'],
  ['an unknown contact', '{"contact": ["ever"]}'],
  ['an unknown visit', '{"visit": ["done"]}'],
  ['more than a hundred', JSON.stringify({ tags: Array.from({ length: 101 }, (_, n) => `t${n}`) })],
  ['an endless text', JSON.stringify({ tags: ['x'.repeat(201)] })],
])('refused: %s', async (_name, question) => {
  await expect(one('select portal.segment_question($1) as q', [question])).rejects.toMatchObject({
    code: 'PT422',
  })
})

test('equal questions are one text, whatever their order', async () => {
  const { a, b } = await one<{ a: unknown; b: unknown }>(
    `select portal.segment_question($1) as a, portal.segment_question($2) as b`,
    [
      '{"tags": ["b", "a", "b"], "stages": [], "withoutValue": true, "minCents": null}',
      '{"tags": ["a", "b"]}',
    ],
  )
  expect(a).toEqual({ tags: ['a', 'b'] })
  expect(a).toEqual(b)
})

test.each([4, 21])('a comparison of %i percent is refused', async (percent) => {
  await expect(asAdmin(`select portal.count_segment('{}', $1)`, [percent])).rejects.toMatchObject({
    code: 'PT422',
  })
})

test('segments are saved under a name, changed and removed', async () => {
  const save = async (name: string, question: object, id: number | null = null) =>
    (
      await asAdmin<{ id: number }>('select public.segment_save($1, $2, $3) as id', [
        name,
        JSON.stringify(question),
        id,
      ])
    ).id
  const first = await save(' Parados ', { quietDays: 30 })
  // The same request again, as after a lost answer.
  expect(await save('parados', { quietDays: 30 })).toBe(first)
  await expect(save('PARADOS', { quietDays: 60 })).rejects.toMatchObject({ hint: 'segment.taken' })
  await expect(save('  ', {})).rejects.toMatchObject({ code: 'PT422' })
  await expect(save('x'.repeat(61), {})).rejects.toMatchObject({ code: 'PT422' })
  expect(await save('Parados', { quietDays: 60 }, first)).toBe(first)
  const { known } = await asAdmin<{ known: Record<string, unknown> }>('select public.get_segments() as known')
  expect(known).toMatchObject({
    segments: [{ id: first, name: 'Parados', question: { quietDays: 60 } }],
    stages: [{ value: 'new', label: 'Novos Contatos' }, {}, {}, {}, {}],
    developments: [
      { value: lago, label: 'Mirante do Lago' },
      { value: ipe, label: 'Reserva Ipê' },
    ],
  })
  expect(await asAdmin('select public.segment_remove($1) as gone', [first])).toEqual({ gone: true })
  expect(await asAdmin('select public.segment_remove($1) as gone', [first])).toEqual({ gone: false })
  await expect(save('Parados', {}, first)).rejects.toMatchObject({ hint: 'segment.unknown' })
})

/** The test measures with this number of leads, and again with four times as many. */
const COUNT = 2_500
const WIDE = JSON.stringify({
  stages: ['new', 'conversa', 'negociacao'],
  tags: [],
  contact: ['never-contacted', 'never-answered'],
  visit: [],
  quietDays: 1,
})

type Plan = { 'QUERY PLAN': { Plan: Record<string, number> }[] }

/** Blocks that the statement touched, with those of the functions that it calls. */
async function blocksOf(question: string): Promise<number> {
  const { rows } = await db.query<Plan>(
    `explain (analyze, buffers, format json) select count(*) from portal.segment_people(portal.segment_question('${question}'), 10, now())`,
  )
  const plan = rows[0]!['QUERY PLAN'][0]!.Plan
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

// The embedded engine has the same plans.
onPostgres.test.runIf(isDeepRun)(
  'four times the leads touch about four times the blocks, and few for each',
  async () => {
    const { instanceName } = await makeBroker(db)
    await seedLeads(db, { instanceName, count: COUNT, seed: 1 })
    const few = [await blocksOf('{}'), await blocksOf(WIDE)]
    await seedLeads(db, { instanceName, count: 3 * COUNT, seed: 2 })
    const many = [await blocksOf('{}'), await blocksOf(WIDE)]
    for (const [index, blocks] of many.entries()) {
      expect(blocks).toBeLessThan(6 * few[index]!)
      expect(blocks / (4 * COUNT)).toBeLessThan(40)
    }
  },
)
