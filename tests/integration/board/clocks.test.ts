// The four response times: generated histories, each predicted to the second; and the leads that wait for a first
// response.
import { expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signIn, signInAdmin } from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
const ana = await makeBroker(base.db)

/** Random numbers, equal in every run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString()

type Timeline = {
  received: number
  offered: number | null
  accepted: number | null
  answered: number | null
  isWritten: boolean
}

/** By a form or a message, with or without a rotation, answered or not; a broker may answer before accepting. */
function timeline(index: number): Timeline {
  const next = numbers(index + 1)
  const received = 1_790_000_000 + index * 10_000
  const hasRotation = next(4) > 0
  const offered = hasRotation ? received + next(60) : null
  const accepted = offered !== null && next(4) > 0 ? offered + next(600) : null
  const answered = next(5) > 0 ? (accepted ?? offered ?? received) + 1 + next(7_200) : null
  return { received, offered, accepted, answered, isWritten: next(2) === 0 }
}

async function live({ received, offered, accepted, answered, isWritten }: Timeline) {
  const { id } = await makeContact(base.db, ana.instanceName, {
    created_at: at(received),
    ...(!isWritten && { left_contact_at: at(received) }),
  })
  if (isWritten) await makeMessage(base.db, id, { timestamp: received })
  const { rows } = await base.db.query<{ id: number }>(
    `insert into portal.roleta_cases (contact_id, arrived_at, since, state) values ($1, $2, $2, 'done') returning id`,
    [id, at(received)],
  )
  const steps = [
    ['received', received],
    ['offered', offered],
    ['accepted', accepted],
  ] as const
  for (const [kind, seconds] of steps) {
    if (seconds === null) continue
    // Between two seconds, because only whole ones count.
    await base.db.query(
      `insert into portal.roleta_events (case_id, kind, "instanceName", at) values ($1, $2, $3, $4::timestamptz + interval '400 ms')`,
      [rows[0]!.id, kind, ana.instanceName, at(seconds)],
    )
  }
  // Messages of a campaign or an agent are no response.
  await makeMessage(base.db, id, { timestamp: received, type: 'outgoing', author: 'campaign' })
  await makeMessage(base.db, id, { timestamp: received, type: 'outgoing', author: 'agent' })
  if (answered !== null) await makeMessage(base.db, id, { timestamp: answered, type: 'outgoing' })
  return id
}

/** Generated histories of a lead. */
const HISTORIES = byTier(50, 200)

test('generated histories: each time to the second, and the parts add up to the wait', async () => {
  const made = new Map<number, Timeline>()
  for (let index = 0; index < HISTORIES; index++) {
    const expected = timeline(index)
    made.set(await live(expected), expected)
  }
  const { rows } = await base.db.query<
    Record<'id' | 'received' | 'offered' | 'accepted' | 'answered', number | null>
  >(
    `select id, extract(epoch from received_at)::float8 as received, extract(epoch from offered_at)::float8 as offered,
      extract(epoch from accepted_at)::float8 as accepted, extract(epoch from answered_at)::float8 as answered
     from portal.clocks where id = any ($1)`,
    [[...made.keys()].map(String)],
  )
  expect(rows).toHaveLength(HISTORIES)
  for (const { id, ...clocks } of rows) {
    const { isWritten: _, ...expected } = made.get(Number(id))!
    expect(clocks).toEqual(expected)
    const { received, offered, accepted, answered } = clocks
    if (received === null || answered === null) continue
    const stops = [received, offered ?? received, accepted ?? offered ?? received, answered]
    const gaps = stops.slice(1).map((stop, index) => stop - stops[index]!)
    expect(gaps.every((gap) => gap >= 0)).toBe(true)
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBe(answered - received)
  }
})

test('an answer before acceptance ends every clock', async () => {
  const received = 1_793_000_000
  const expected = { received, offered: received + 5, accepted: received + 90, answered: received + 20 }
  const id = await live({ ...expected, isWritten: true })
  const { rows } = await base.db.query<{ accepted: number }>(
    'select extract(epoch from accepted_at)::float8 as accepted from portal.clocks where id = $1',
    [id],
  )
  expect(rows[0]!.accepted).toBe(expected.answered)
})

test('a lead added by hand has no clocks', async () => {
  const { id } = await makeContact(base.db, ana.instanceName)
  const { rows } = await base.db.query('select from portal.clocks where id = $1', [id])
  expect(rows).toHaveLength(0)
})

type Clocks = {
  target: number
  risk: { id: number; dueAt: string | null }[]
  counts: { waiting: number; twice: number }
  brokers: { broker: string; waiting: number; received: number; answered: number; median: number | null }[]
}
async function readClocks() {
  const admin = await signInAdmin(base.db)
  return async () => {
    const { rows } = await asUser(base.db, admin, (query) =>
      query<{ clocks: Clocks }>('select get_clocks() as clocks'),
    )
    return rows[0]!.clocks
  }
}
const nowSeconds = Math.floor(Date.now() / 1000)

test('the answers of today equal the rows of Agora', async () => {
  const read = await readClocks()
  const lead = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, lead.id, { timestamp: nowSeconds - 20 })
  await makeMessage(base.db, lead.id, { timestamp: nowSeconds - 10, type: 'outgoing' })
  const admin = await signInAdmin(base.db)
  const { rows } = await asUser(base.db, admin, (query) =>
    query<{ today: unknown[] }>('select get_answers_today() as today'),
  )
  const lines = (await read()).brokers
    .filter(({ received }) => received > 0)
    .map(({ broker, received, answered }) => ({ broker, received, answered }))
  expect(lines.some(({ broker, answered }) => broker === ana.instanceName && answered > 0)).toBe(true)
  expect(rows[0]?.today).toEqual(lines.toSorted((one, other) => (one.broker < other.broker ? -1 : 1)))
})

test('who waits stands in the list, the latest first, and leaves it with the first answer', async () => {
  const read = await readClocks()
  const late = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, late.id, { timestamp: nowSeconds - 60 })
  const later = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, later.id, { timestamp: nowSeconds - 30 })
  const both = await read()
  expect(both.target).toBe(900)
  expect(both.risk.map(({ id }) => id)).toEqual([later.id, late.id])
  await makeMessage(base.db, late.id, { timestamp: nowSeconds, type: 'outgoing' })
  expect((await read()).risk.map(({ id }) => id)).toEqual([later.id])
})

test('a lead that an agent answered, a closed one and one that opted out wait for nobody', async () => {
  const read = await readClocks()
  const before = await read()
  const mine = ({ brokers }: Clocks) => brokers.find(({ broker }) => broker === ana.instanceName)?.waiting
  const ids: number[] = []
  for (let index = 0; index < 4; index++) {
    const { id } = await makeContact(base.db, ana.instanceName)
    await makeMessage(base.db, id, { timestamp: nowSeconds - 60 })
    ids.push(id)
  }
  const [answered = 0, closed = 0, out = 0, waits] = ids
  await makeMessage(base.db, answered, { timestamp: nowSeconds - 30, type: 'outgoing', author: 'agent' })
  await base.db.query(`update public.whatsapp_contacts set status = 'arquivado' where id = $1`, [closed])
  await base.db.query(
    `update portal.people set opted_out_at = now()
     where id = (select person_id from public.whatsapp_contacts where id = $1)`,
    [out],
  )
  const after = await read()
  const added = after.risk.filter(({ id }) => before.risk.every((one) => one.id !== id))
  expect(added.map(({ id }) => id)).toEqual([waits])
  expect(after.counts.waiting).toBe(before.counts.waiting + 1)
  expect(mine(after)).toBe((mine(before) ?? 0) + 1)
  await makeMessage(base.db, answered, { timestamp: nowSeconds - 10 })
  expect((await read()).counts.waiting, 'it wrote to the agent again').toBe(before.counts.waiting + 2)
})

test('of 130 who wait all are counted, and the 100 shown are those who can still be answered in time', async () => {
  const read = await readClocks()
  const before = await read()
  const { rows } = await base.db.query<{ at: number }>(
    `select extract(epoch from lower(o.span))::float8 as at
     from unnest(portal.open_hours(null, now() - interval '6 days')) as o (span) order by 1 limit 1`,
  )
  // The target of these leads passed days ago, on the first day when somebody was there. A day remains until they are
  // older than the seven days that are counted.
  for (let index = 0; index < 129; index++) {
    const { id } = await makeContact(base.db, ana.instanceName)
    await makeMessage(base.db, id, { timestamp: Math.ceil(rows[0]!.at) + 1 + index })
  }
  const { id } = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, id, { timestamp: nowSeconds - 1 })
  const { risk, counts } = await read()
  expect(counts.waiting).toBe(before.counts.waiting + 130)
  expect(counts.twice).toBe(before.counts.twice + 129)
  expect(risk).toHaveLength(100)
  expect(risk[0]?.id).toBe(id)
  const each = await base.db.query<{ due: string }>(
    `select portal.target_at(null, k.received_at, 900)::text as due from portal.clocks k where k.id = $1`,
    [risk.at(-1)!.id],
  )
  expect(Date.parse(risk.at(-1)!.dueAt!)).toBe(Date.parse(each.rows[0]!.due))
})

test('the median of today counts who still waits', async () => {
  const read = await readClocks()
  const bia = await makeBroker(base.db)
  const lead = async (waitedSeconds: number, answeredAfter: number | null) => {
    const { id } = await makeContact(base.db, bia.instanceName)
    await makeMessage(base.db, id, { timestamp: nowSeconds - waitedSeconds })
    if (answeredAfter === null) return
    await makeMessage(base.db, id, {
      timestamp: nowSeconds - waitedSeconds + answeredAfter,
      type: 'outgoing',
      instanceName: bia.instanceName,
    })
  }
  const medians = async () => {
    const { rows } = await asUser(base.db, await signIn(base.db, bia), (query) =>
      query<{ day: { median: number | null } }>('select get_broker_day($1) as day', [bia.instanceName]),
    )
    const line = (await read()).brokers.find(({ broker }) => broker === bia.instanceName)
    return [line?.median, rows[0]!.day.median]
  }
  await lead(8, 1)
  await lead(9, null)
  await lead(9, null)
  // The median of the answered leads alone would be 1.
  expect(await medians()).toEqual([null, null])
  await lead(9, 3)
  await lead(9, 3)
  expect(await medians()).toEqual([3, 3])
})

test('the median of today counts a lead that was handed over from then on', async () => {
  const read = await readClocks()
  const [caio, duda] = [await makeBroker(base.db), await makeBroker(base.db)]
  const { id } = await makeContact(base.db, duda.instanceName)
  await makeMessage(base.db, id, { timestamp: nowSeconds - 12 })
  await base.db.query(
    `insert into portal.owner_history (contact_id, from_instance, to_instance, changed_by, changed_at) values ($1, $2, $3, 'teste', $4)`,
    [id, caio.instanceName, duda.instanceName, at(nowSeconds - 5)],
  )
  await makeMessage(base.db, id, {
    timestamp: nowSeconds - 3,
    type: 'outgoing',
    instanceName: duda.instanceName,
  })
  const line = (await read()).brokers.find(({ broker }) => broker === duda.instanceName)
  expect(line).toMatchObject({ median: 2, answered: 1 })
})
