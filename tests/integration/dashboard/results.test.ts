// Results: generated histories of leads, whose every figure equals a second, slow reckoning, and the list behind each
// figure; who may ask.
import { expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { makeBroker, makeContact, makeMessage, makeTeam, signIn, signInManager } from '#tests/support/make.ts'
import { type Asked, type Life, plainFigures } from '#tests/support/plain-results.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAdmin: admin } = await openStaff()
const brokers = [ana, bia, await makeBroker(base.db)]
const names = brokers.map(({ instanceName }) => instanceName)
const NOW = Date.parse('2026-11-20T15:00:00Z') / 1000
const DAY = 86_400
const TARGET = 900

/** A generator that draws the same numbers in each run. */
function numbers(seed: number) {
  let state = (seed * 2_654_435_761 + 97) >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const at = (seconds: number) => new Date(seconds * 1000).toISOString()

function lifeOf(draw: (below: number) => number, person: number, last: string): Life {
  const arrivedAt = NOW - 60 - draw(220 * DAY)
  const leftAt = draw(3) === 0 ? arrivedAt : null
  const owners: { since: number; owner: string | null }[] = []
  let since = -Infinity
  for (let changes = draw(3); changes > 0; changes--) {
    owners.push({ since, owner: [null, ...names][draw(4)]! })
    since = (owners.length === 1 ? arrivedAt : since) + 1 + draw([60, 3_600, 20 * DAY][draw(3)]!)
  }
  owners.push({ since, owner: last })
  const messages: {
    at: number
    isHuman: boolean
    isIncoming: boolean
    by: string | null
    hasFailed?: boolean
  }[] = []
  let time = arrivedAt
  if (leftAt === null) messages.push({ at: time, isHuman: true, isIncoming: true, by: null })
  for (let count = draw(6); count > 0; count--) {
    time += 1 + draw([120, 1_800, DAY, 120 * DAY][draw(4)]!)
    const kind = draw(6)
    const holder = owners.findLast((owner) => owner.since <= time)?.owner ?? null
    messages.push({
      at: time,
      isIncoming: kind < 2,
      isHuman: kind !== 2,
      by: kind < 2 ? null : draw(4) === 0 ? names[draw(3)]! : (holder ?? 'corretor_saiu'),
      ...(kind === 3 && { hasFailed: true }),
    })
  }
  const later = () => arrivedAt + draw(40 * DAY)
  return {
    person,
    source: ['site', 'olx'][draw(2)]!,
    leftAt,
    owners,
    messages: messages.filter((message) => message.at < NOW),
    optedOutAt: draw(8) === 0 ? arrivedAt + draw(2 * DAY) - 600 : null,
    wonAt: draw(4) === 0 ? later() : null,
    cents: draw(2) === 0 ? 1_000_000 * draw(90) : null,
    lost: draw(4) === 0 ? { at: later(), reason: [null, 'no_means', 'no_answer'][draw(3)]! } : null,
    visits: Array.from({ length: draw(3) }, () => {
      const madeAt = later()
      return {
        madeAt,
        at: madeAt + draw(9 * DAY),
        outcome: ([null, 'done', 'missed', 'not_needed'] as const)[draw(4)]!,
      }
    }),
  }
}

async function live(life: Life, world: string, personId: number | null): Promise<number> {
  const { db } = base
  const { id, person_id } = await makeContact(db, life.owners.at(-1)!.owner, {
    empreendimento: world,
    source: life.source,
    created_at: at(NOW - 300 * DAY),
    left_contact_at: life.leftAt === null ? null : at(life.leftAt),
    value_cents: life.cents,
    ...(personId !== null && { person_id: personId }),
  })
  for (const { at: timestamp, isIncoming, isHuman, by, hasFailed } of life.messages)
    await makeMessage(db, id, {
      timestamp,
      ...(isIncoming
        ? {}
        : {
            type: 'outgoing',
            author: isHuman ? 'human' : 'agent',
            instanceName: by,
            ...(hasFailed && { delivery: 'failed' }),
          }),
    })
  for (const [index, { since, owner }] of life.owners.entries()) {
    if (index === 0) continue
    await db.query(
      `insert into portal.owner_history (contact_id, from_instance, to_instance, changed_by, changed_at)
       values ($1, $2, $3, 'teste', $4::timestamptz + interval '300 ms')`,
      [id, life.owners[index - 1]!.owner, owner, at(since)],
    )
  }
  if (life.lost) {
    await db.query(
      `update public.whatsapp_contacts set status = 'arquivado', loss_reason = $2 where id = $1`,
      [id, life.lost.reason],
    )
    await db.query('update portal.stage_history set changed_at = $2 where contact_id = $1', [
      id,
      at(life.lost.at),
    ])
  }
  if (life.optedOutAt !== null)
    await db.query('update portal.people set opted_out_at = $2 where id = $1', [
      person_id,
      at(life.optedOutAt),
    ])
  if (life.wonAt !== null)
    await db.query('update public.whatsapp_contacts set won_at = $2 where id = $1', [id, at(life.wonAt)])
  for (const visit of life.visits)
    await db.query(
      `insert into portal.actions (contact_id, kind, due_at, seen_at, created_at, finished_at, outcome)
       values ($1, 'visit', $2, $3, $3, $4, $5)`,
      [id, at(visit.at), at(visit.madeAt), visit.outcome === null ? null : at(visit.at), visit.outcome],
    )
  return person_id
}

/** Some leads of some persons; one person is a lead of several brokers at times. */
async function worldOf(seed: number): Promise<{ name: string; lives: Life[] }> {
  const draw = numbers(seed)
  const name = `Mundo ${seed}`
  const lives: Life[] = []
  const people: { id: number; owners: Set<string>; optedOutAt: number | null }[] = []
  for (let count = 3 + draw(8); count > 0; count--) {
    const known = draw(3) === 0 ? people[draw(people.length || 1)] : undefined
    const free = names.filter((broker) => !known?.owners.has(broker))
    const shared = known && free.length > 0 ? known : undefined
    const owner = free.length > 0 ? free[draw(free.length)]! : names[draw(3)]!
    const made = lifeOf(draw, shared ? people.indexOf(shared) : people.length, owner)
    const life = shared ? { ...made, optedOutAt: shared.optedOutAt } : made
    const id = await live(life, name, shared?.id ?? null)
    if (shared) shared.owners.add(owner)
    else people.push({ id, owners: new Set([owner]), optedOutAt: life.optedOutAt })
    lives.push(life)
  }
  return { name, lives }
}

type Figures = Record<string, number | null> & { losses: { reason: string; leads: number }[] }

const TEAM = { team: names.slice(0, 2), rest: names.slice(2) }
const TEAMS = Object.fromEntries(
  Object.entries(TEAM).flatMap(([team, members]) => members.map((name) => [name, team])),
)

async function figuresOf(level: 'all' | 'broker' | 'team', world: string, { from, to, now, days }: Asked) {
  const { rows } = await base.db.query<{ grp: string; figures: Figures }>(
    'select grp, figures from portal.result_figures($1, $2::jsonb, $3, $4, $5)',
    [level, JSON.stringify({ developments: [world], days, teams: TEAMS }), at(from), at(to), at(now)],
  )
  return new Map(rows.map(({ grp, figures }) => [grp, figures]))
}

function expectSame(figures: Figures | undefined, plain: ReturnType<typeof plainFigures>, name: string) {
  const { within, losses, ...counted } = plain
  if (!figures) {
    expect(counted, name).toMatchObject({
      received: 0,
      booked: 0,
      held: 0,
      missed: 0,
      untold: 0,
      won: 0,
      lost: 0,
    })
    return
  }
  expect(figures, name).toMatchObject(counted)
  expect(figures['within'] === null ? null : figures['within']! / 100, name).toEqual(
    within === null ? null : expect.closeTo(within, 3),
  )
  expect(Object.fromEntries(figures.losses.map(({ reason, leads }) => [reason, leads])), name).toEqual(losses)
}

/** Generated histories of an agency. */
const WORLDS = byTier(8, 200)
/** For the embedded engine, which reads all of them again for each list. */
const LIMIT = { timeout: byTier(60_000, 900_000) }

test(
  'generated histories: every figure of the total, the teams and each broker equals the slow reckoning',
  LIMIT,
  async () => {
    let answered = 0
    for (let seed = 1; seed <= WORLDS; seed++) {
      const { name, lives } = await worldOf(seed)
      for (const [from, to, days] of [
        [NOW - 30 * DAY, NOW, 7],
        [NOW - 230 * DAY, NOW - 20 * DAY, 30],
      ] as const) {
        const asked: Asked = { from, to, now: NOW, days, target: TARGET, known: names }
        const total = await figuresOf('all', name, asked)
        expectSame(total.get(''), plainFigures(lives, null, asked), `${name}, total`)
        answered += total.get('')?.['answered'] ?? 0
        const teams = await figuresOf('team', name, asked)
        for (const [team, members] of Object.entries(TEAM))
          expectSame(teams.get(team), plainFigures(lives, members, asked), `${name}, ${team}`)
        const each = await figuresOf('broker', name, asked)
        for (const broker of names)
          expectSame(each.get(broker), plainFigures(lives, broker, asked), `${name}, ${broker}`)
      }
    }
    expect(answered).toBeGreaterThan(WORLDS)
  },
)

const FIGURES = [
  'received',
  'answered',
  'inTime',
  'cohort',
  'converted',
  'booked',
  'held',
  'missed',
  'untold',
  'won',
  'lost',
  'waiting',
]

test('each figure opens a list of as many leads', LIMIT, async () => {
  await asUser(base.db, admin, async (query) => {
    const { rows } = await query<{
      results: { total: { now: Figures }; brokers: { broker: string; now?: Figures }[] }
    }>(`select get_results('2026-01-01', '2026-12-31', p_days => 7) as results`)
    const { total, brokers: lines } = rows[0]!.results
    for (const [broker, figures] of [
      [null, total.now] as const,
      ...lines.map((line) => [line.broker, line.now] as const),
    ])
      for (const figure of FIGURES) {
        const { rows: lists } = await query<{ list: { count: number; leads: unknown[] } }>(
          `select get_result_leads($1, '2026-01-01', '2026-12-31', p_broker => $2, p_days => 7) as list`,
          [figure, broker],
        )
        expect(lists[0]!.list.count, `${broker} ${figure}`).toBe(figures?.[figure])
        expect(lists[0]!.list.leads).toHaveLength(Math.min(50, figures?.[figure] ?? 0))
      }
    for (const { reason, leads } of total.now.losses) {
      const { rows: lists } = await query<{ count: number }>(
        `select (get_result_leads('lost', '2026-01-01', '2026-12-31', p_part => $1) -> 'count')::integer as count`,
        [reason],
      )
      expect(lists[0]!.count).toBe(leads)
    }
  })
})

test('a gerente sees the brokers it leads and no other, in rows, total and lists', async () => {
  const { db } = base
  const [mine, other] = [await makeBroker(db), await makeBroker(db)]
  const [team, rivals] = [await makeTeam(db, { brokers: [mine] }), await makeTeam(db, { brokers: [other] })]
  const gerente = await signInManager(db, team)
  const rival = await signInManager(db, rivals)
  for (const broker of [mine, other, other]) {
    const { id } = await makeContact(db, broker.instanceName)
    await makeMessage(db, id, { timestamp: NOW - 3_600 })
  }
  type Lines = { broker: string; now: Figures }[]
  type Answer = {
    total: { now: Figures } | null
    brokers: Lines
    teams: { team: string }[]
    teamNames: { id: string }[]
  }
  const read = (who: typeof gerente, teamId: string | null = null) =>
    asUser(db, who, async (query) => {
      const { rows } = await query<{ results: Answer; count: number; foreign: number }>(
        `select get_results('2026-11-01', '2026-11-30', $1) as results,
          (get_result_leads('received', '2026-11-01', '2026-11-30', p_team => $1) -> 'count')::integer as count,
          (get_result_leads('received', '2026-11-01', '2026-11-30', $2, p_team => $1) -> 'count')::integer as foreign`,
        [teamId, who === gerente ? other.instanceName : mine.instanceName],
      )
      const { results, count, foreign } = rows[0]!
      return {
        received: results.total?.now['received'] ?? 0,
        brokers: results.brokers.map(({ broker }) => broker),
        teams: results.teams.map((line) => line.team),
        names: results.teamNames.map(({ id }) => id),
        count,
        foreign,
      }
    })
  expect(await read(gerente)).toEqual({
    received: 1,
    brokers: [mine.instanceName],
    teams: [team],
    names: [team],
    count: 1,
    foreign: 0,
  })
  expect(await read(rival)).toMatchObject({
    received: 2,
    brokers: [other.instanceName],
    count: 2,
    foreign: 0,
  })
  // The team of another gerente has nobody for this one.
  expect(await read(gerente, rivals)).toMatchObject({ received: 0, brokers: [], count: 0, foreign: 0 })
  expect(await read(admin, rivals)).toMatchObject({ received: 2, brokers: [other.instanceName], count: 2 })
  const broker = await signIn(db, mine)
  for (const call of [
    `get_results('2026-11-01', '2026-11-30')`,
    `get_result_leads('received', '2026-11-01', '2026-11-30')`,
  ])
    await expect(asUser(db, broker, (query) => query(`select ${call}`))).rejects.toMatchObject({
      code: '42501',
    })
})

test('a question that makes no sense gets an error, and no figures', async () => {
  for (const [call, code] of [
    [`get_results('2026-11-30', '2026-11-01')`, '22023'],
    [`get_results('2026-11-01', '2026-11-30', p_days => 0)`, 'PT422'],
    [`get_results('2026-11-01', '2026-11-30', p_clock => 'lunar')`, 'PT422'],
    [`get_result_leads('nada', '2026-11-01', '2026-11-30')`, 'PT422'],
  ] as const)
    await expect(
      asUser(base.db, admin, (query) => query(`select ${call}`)),
      call,
    ).rejects.toMatchObject({ code })
})

test('waits count only in opening hours if asked', async () => {
  const world = 'Horário'
  const { id } = await makeContact(base.db, names[0]!, { empreendimento: world })
  const evening = Date.parse('2026-11-17T19:50:00-03:00') / 1000
  await makeMessage(base.db, id, { timestamp: evening })
  await makeMessage(base.db, id, {
    timestamp: Date.parse('2026-11-18T08:05:00-03:00') / 1000,
    type: 'outgoing',
    instanceName: names[0]!,
  })
  const { rows } = await base.db.query<{ median: number }>(
    `select (f.figures ->> 'median')::integer as median from (values ('all'), ('open')) as c (clock)
     cross join lateral portal.result_figures('all', jsonb_build_object('developments', jsonb_build_array($1::text), 'clock', c.clock), $2, $3, $3) f`,
    [world, at(evening - 60), at(evening + 2 * DAY)],
  )
  expect(rows.map(({ median }) => median)).toEqual([12 * 3_600 + 900, 900])
})
