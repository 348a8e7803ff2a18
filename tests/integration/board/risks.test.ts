// Leads that wait longer than the target: in counted hours, reported once at the target and once at twice.
import { beforeEach, describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { databasesOf, openBase } from '#tests/support/database.ts'
import {
  makeAdmin,
  makeBroker,
  makeContact,
  makeManager,
  makeMessage,
  makeTeam,
  signIn,
} from '#tests/support/make.ts'

/** A Monday, 10h in São Paulo. */
const MONDAY = Date.parse('2026-11-23T13:00:00Z')
const minutes = (count: number) => count * 60_000
const iso = (ms: number) => new Date(ms).toISOString()

const base = await openBase()
const ana = await makeBroker(base.db)
const chief = await makeAdmin(base.db)
const asAna = await signIn(base.db, ana)
const asAdmin = await signIn(base.db, chief)
for (const [place, claims] of [asAna, asAdmin].entries())
  await base.db.query(
    `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, $2, 'x', 'x', 'Celular')`,
    [String(claims['session_id']), `https://push.example/${place}`],
  )
beforeEach(() =>
  base.db.exec(
    `delete from public.whatsapp_contacts; delete from portal.push_queue; delete from public.roletas;
     delete from portal.settings where key = 'answer_target_seconds'`,
  ),
)

/** Makes a lead that wrote this long before Monday's ten o'clock, and returns its id. */
async function waiting(agoMs = 0, columns: Parameters<typeof makeContact>[2] = {}) {
  const { id } = await makeContact(base.db, ana.instanceName, columns)
  await makeMessage(base.db, id, { timestamp: Math.floor((MONDAY - agoMs) / 1000) })
  await base.db.query('delete from portal.push_queue')
  return id
}
const warn = async (nowMs: number, db = base.db) =>
  (await db.query<{ told: number }>('select portal.warn_risks($1) as told', [iso(nowMs)])).rows[0]?.told
const queued = async () =>
  (
    await base.db.query<{ kind: string; subject: number; role: string }>(
      `select q.kind, q.subject::integer, a.role from portal.push_queue q
       join portal.push_devices d on d.id = q.device_id join portal.sessions s on s.id = d.session_id
       join portal.accounts a on a.id = s.account_id order by q.id`,
    )
  ).rows
const targetAt = async (fromMs: number, seconds: number, rotation: number | null = null) => {
  const { rows } = await base.db.query<{ at: string | null }>(
    `select extract(epoch from portal.target_at($1, $2, $3)) * 1000 as at`,
    [rotation, iso(fromMs), seconds],
  )
  return rows[0]?.at == null ? null : iso(Number(rows[0].at))
}
const rpc = async (claims: Claims, call: string) =>
  (await asUser(base.db, claims, (query) => query<{ answer: unknown }>(`select ${call} as answer`))).rows[0]
    ?.answer

describe('the target', () => {
  test.each([
    ['in the middle of a day', '2026-11-23T13:00:00Z', 900, '2026-11-23T13:15:00.000Z'],
    ['goes on the next morning', '2026-11-23T22:55:00Z', 900, '2026-11-24T11:10:00.000Z'],
    ['begins at eight for who wrote at night', '2026-11-24T05:00:00Z', 900, '2026-11-24T11:15:00.000Z'],
    ['passes over Sunday', '2026-11-21T22:59:00Z', 120, '2026-11-23T11:01:00.000Z'],
    ['to the second of the last hour', '2026-11-23T22:45:00Z', 900, '2026-11-23T23:00:00.000Z'],
  ])('of the agency %s', async (_, from, seconds, at) => {
    expect(await targetAt(Date.parse(from), seconds)).toBe(at)
  })

  test('of a rotation counts in the combined shifts of its seats, at any time if one has none', async () => {
    const { rows } = await base.db.query<{ id: number }>(
      `insert into public.roletas (empreendimento) values ('Reserva Ipê') returning id`,
    )
    const rotation = rows[0]!.id
    const seat = (shifts: object | null, place: number, instanceName: string) =>
      base.db.query(
        `insert into public.roleta_corretores ("roletaName", "instanceName", ordem, shifts) values ('Reserva Ipê', $1, $2, $3::jsonb)`,
        [instanceName, place, shifts === null ? null : JSON.stringify(shifts)],
      )
    // Monday 8h to 10h30, and from 22h into the night.
    await seat([{ days: [1], from: 480, to: 630 }], 1, ana.instanceName)
    await seat([{ days: [1], from: 1320, to: 120 }], 2, (await makeBroker(base.db)).instanceName)
    expect(await targetAt(MONDAY, 1_800, rotation)).toBe('2026-11-23T13:30:00.000Z')
    expect(await targetAt(MONDAY, 3_600, rotation)).toBe('2026-11-24T01:30:00.000Z')
    await seat(null, 3, (await makeBroker(base.db)).instanceName)
    expect(await targetAt(Date.parse('2026-11-22T06:00:00Z'), 900, rotation)).toBe('2026-11-22T06:15:00.000Z')
  })
})

test('only the time within working hours counts, and the answer says whether it is such an hour now', async () => {
  const { rows } = await base.db.query<{ id: number; weekday: number }>(
    `insert into public.roletas (empreendimento) values ('Reserva Ipê')
     returning id, extract(isodow from now() at time zone portal.time_zone())::integer as weekday`,
  )
  const { id: rotation, weekday } = rows[0]!
  const atWork = (days: number[]) =>
    base.db.query(
      `insert into public.roleta_corretores ("roletaName", "instanceName", ordem, shifts) values ('Reserva Ipê', $1, $2, $3::jsonb)`,
      [ana.instanceName, 1, JSON.stringify([{ days, from: 0, to: 1440 }])],
    )
  const { id } = await makeContact(base.db, ana.instanceName)
  await makeMessage(base.db, id, { timestamp: Math.floor(Date.now() / 1000) - 600 })
  await base.db.query(
    `insert into portal.roleta_cases (contact_id, roleta_id, arrived_at, since, state) values ($1, $2, now(), now(), 'done')`,
    [id, rotation],
  )
  const day = async () =>
    (await rpc(asAna, `get_broker_day('${ana.instanceName}')`)) as {
      waiting: { id: number; counted: number; open: boolean }[]
    }
  const clock = async () =>
    ((await rpc(asAdmin, 'get_clocks()')) as { risk: { id: number; isOpen: boolean }[] }).risk
  // Three days from now, so neither in these ten minutes nor now.
  await atWork([((weekday + 2) % 7) + 1])
  expect((await day()).waiting).toEqual([{ id, counted: 0, open: false }])
  expect(await clock()).toMatchObject([{ id, isOpen: false }])
  await base.db.query('delete from public.roleta_corretores')
  await atWork([1, 2, 3, 4, 5, 6, 7])
  const [counted] = (await day()).waiting
  expect(counted).toMatchObject({ id, open: true })
  expect(counted?.counted).toBeGreaterThanOrEqual(599)
  expect(counted?.counted).toBeLessThan(700)
  expect(await clock()).toMatchObject([{ id, isOpen: true }])
})

test('the gerente of the broker’s team is notified at twice the target, another team’s is not', async () => {
  const team = await makeTeam(base.db, { brokers: [ana] })
  const other = await makeTeam(base.db, {})
  for (const [place, manager] of [
    await makeManager(base.db, team),
    await makeManager(base.db, other),
  ].entries()) {
    const claims = await signIn(base.db, manager)
    await base.db.query(
      `insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values ($1, $2, 'x', 'x', 'Notebook')`,
      [String(claims['session_id']), `https://push.example/gerente-${place}`],
    )
  }
  const id = await waiting()
  await warn(MONDAY + minutes(30))
  expect((await queued()).filter(({ role }) => role === 'gerente')).toEqual([
    { kind: 'risk', subject: id, role: 'gerente' },
  ])
  // Out of the team before the push left, it is nobody's of theirs.
  await base.db.query('delete from portal.team_members')
  const { rows } = await base.db.query(
    `select from portal.outdated_pushes(now() + interval '1 minute') as o (id) join portal.push_queue q using (id)
     join portal.push_devices d on d.id = q.device_id where d.name = 'Notebook'`,
  )
  expect(rows).toHaveLength(1)
  await base.db.query(`delete from portal.accounts where role = 'gerente'`)
})

test('the broker is notified at the target, the administrator at twice, each once', async () => {
  const id = await waiting()
  expect(await warn(MONDAY + minutes(15) - 1_000)).toBe(0)
  expect(await warn(MONDAY + minutes(15))).toBe(1)
  expect(await queued()).toEqual([{ kind: 'risk', subject: id, role: 'broker' }])
  expect(await warn(MONDAY + minutes(29))).toBe(0)
  expect(await warn(MONDAY + minutes(30))).toBe(1)
  expect(await queued()).toEqual([
    { kind: 'risk', subject: id, role: 'broker' },
    { kind: 'risk', subject: id, role: 'admin' },
  ])
  expect(await warn(MONDAY + minutes(40))).toBe(0)
})

test('simultaneous runs of portals notify once', async () => {
  await waiting()
  const reported = await Promise.all(
    [...databasesOf(base.db), ...databasesOf(base.db)].map((db) => warn(MONDAY + minutes(20), db)),
  )
  expect(reported.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(1)
})

test("by its rotation's target, before the agency’s", async () => {
  const id = await waiting()
  await base.db.query(`insert into public.roletas (empreendimento, target_minutes) values ('Ipê', 5)`)
  await base.db.query(
    `insert into portal.roleta_cases (contact_id, roleta_id, arrived_at, since, state)
     select $1, r.id, $2, $2, 'done' from public.roletas r`,
    [id, iso(MONDAY)],
  )
  expect(await warn(MONDAY + minutes(5))).toBe(1)
})

test("a waiting lead has its rotation's target, and a changed one reaches the board", async () => {
  const rotation = async (name: string, target: number | null) => {
    const { rows } = await base.db.query<{ id: number }>(
      `insert into public.roletas (empreendimento, target_minutes) values ($1, $2) returning id`,
      [name, target],
    )
    return rows[0]!.id
  }
  const through = (contact: number, roleta: number) =>
    base.db.query(
      `insert into portal.roleta_cases (contact_id, roleta_id, arrived_at, since, state) values ($1, $2, $3, $3, 'done')`,
      [contact, roleta, iso(MONDAY)],
    )
  type Board = { cursor: string; leads: { id: number; target: number | null }[] }
  const sync = async (cursor: string | null) =>
    (await rpc(asAna, `sync_board('${ana.instanceName}'${cursor === null ? '' : `, '${cursor}'`})`)) as Board
  const targets = (board: Board) => Object.fromEntries(board.leads.map(({ id, target }) => [id, target]))
  const [quick, usual] = [await rotation('Ipê', 5), await rotation('Jatobá', null)]
  const [own, agency, none] = [await waiting(), await waiting(), await waiting()]
  const { id: calm } = await makeContact(base.db, ana.instanceName)
  await through(own, usual)
  await through(own, quick)
  await through(agency, quick)
  await through(agency, usual)
  await through(calm, quick)
  const whole = await sync(null)
  expect(targets(whole)).toEqual({ [own]: 300, [agency]: null, [none]: null, [calm]: null })
  await base.db.query('update public.roletas set target_minutes = 30 where id = $1', [quick])
  const changed = await sync(whole.cursor)
  expect(targets(changed)).toEqual({ [own]: 1_800, [agency]: null })
  await base.db.query('update public.roletas set target_minutes = null where id = $1', [quick])
  expect(targets(await sync(changed.cursor))).toMatchObject({ [own]: null })
})

test('no warning for answered, closed, opted-out or test leads; nor long after the target', async () => {
  const answered = await waiting()
  await makeMessage(base.db, answered, { timestamp: MONDAY / 1000 + 60, type: 'outgoing' })
  await waiting(0, { status: 'arquivado' })
  await waiting(0, { source: 'teste' })
  const out = await waiting()
  await base.db.query(
    `update portal.people set opted_out_at = now()
     where id = (select person_id from public.whatsapp_contacts where id = $1)`,
    [out],
  )
  await base.db.query('delete from portal.push_queue')
  expect(await warn(MONDAY + minutes(60))).toBe(0)
  // A portal that was down for half a day sends no old warnings.
  await waiting(minutes(60))
  expect(await warn(MONDAY + minutes(240))).toBe(0)
  expect(await queued()).toEqual([])
})

test('a queued warning is dropped once a person answered', async () => {
  const id = await waiting()
  await warn(MONDAY + minutes(15))
  const outdated = async () =>
    (await base.db.query(`select portal.outdated_pushes(now() + interval '1 second')`)).rows.length
  const nowSeconds = Math.floor(Date.now() / 1000)
  await base.db.query(`update portal.push_queue set queued_at = now(), due_at = now()`)
  expect(await outdated()).toBe(0)
  await makeMessage(base.db, id, { timestamp: nowSeconds, type: 'outgoing' })
  expect(await outdated()).toBe(1)
})

describe('an administrator', () => {
  test('reminds the broker, at most once in ten minutes, and not about answered leads', async () => {
    const id = await waiting()
    expect(await rpc(asAdmin, `warn_of_lead(${id})`)).toMatchObject({ code: 'told' })
    expect(await queued()).toEqual([{ kind: 'risk', subject: id, role: 'broker' }])
    expect(await rpc(asAdmin, `warn_of_lead(${id})`)).toMatchObject({ code: 'just-told' })
    await base.db.query(`update portal.risk_warnings set warned_at = warned_at - interval '11 minutes'`)
    await rpc(asAdmin, `warn_of_lead(${id})`)
    await makeMessage(base.db, id, { timestamp: MONDAY / 1000 + 60, type: 'outgoing' })
    expect(await rpc(asAdmin, `warn_of_lead(${id})`)).toEqual({
      code: 'answered',
      message: 'Este lead já foi respondido.',
    })
    const lost = await waiting()
    await base.db.query(`update public.whatsapp_contacts set status = 'arquivado' where id = $1`, [lost])
    expect(await rpc(asAdmin, `warn_of_lead(${lost})`)).toEqual({
      code: 'answered',
      message: 'Este lead não espera resposta.',
    })
  })

  test('learns that a broker has no push device', async () => {
    const bia = await makeBroker(base.db)
    const { id } = await makeContact(base.db, bia.instanceName)
    await makeMessage(base.db, id, { timestamp: MONDAY / 1000 })
    expect(await rpc(asAdmin, `warn_of_lead(${id})`)).toMatchObject({ code: 'no-device' })
  })

  test('sets the target, within its limits', async () => {
    await rpc(asAdmin, 'set_answer_target(5)')
    expect(await rpc(asAdmin, 'get_clocks()')).toMatchObject({ target: 300 })
    await expect(rpc(asAdmin, 'set_answer_target(0)')).rejects.toMatchObject({ hint: 'target.invalid' })
    expect(await rpc(asAdmin, 'get_clocks()')).toMatchObject({ target: 300 })
  })

  test('sees the leads behind each figure of a broker', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const write = async (answeredAfter: number | null) => {
      const { id } = await makeContact(base.db, ana.instanceName)
      await makeMessage(base.db, id, { timestamp: nowSeconds })
      if (answeredAfter !== null)
        await makeMessage(base.db, id, { timestamp: nowSeconds + answeredAfter, type: 'outgoing' })
    }
    await write(null)
    await write(60)
    await write(900)
    const { brokers } = (await rpc(asAdmin, 'get_clocks()')) as { brokers: Record<string, number>[] }
    for (const figure of ['waiting', 'received', 'answered', 'withinFive', 'won']) {
      const listed = await rpc(asAdmin, `get_clock_leads('${ana.instanceName}', '${figure}')`)
      expect([figure, (listed as unknown[]).length]).toEqual([figure, brokers[0]?.[figure]])
    }
    const { answered, median } = brokers[0] ?? {}
    expect(await rpc(asAna, `get_broker_day('${ana.instanceName}')`)).toMatchObject({ answered, median })
    // Half of the three have an answer after a minute.
    expect([answered, median]).toEqual([2, 60])
    await expect(rpc(asAdmin, `get_clock_leads('x', 'other')`)).rejects.toMatchObject({
      hint: 'figure.unknown',
    })
  })

  test("sees today's booked and held visits, of a broker without a new lead, too", async () => {
    const bia = await makeBroker(base.db)
    const { rows } = await base.db.query<{ today: string }>(
      `select ((now() at time zone 'America/Sao_Paulo')::date)::text as today`,
    )
    const today = Date.parse(`${rows[0]!.today}T00:00:00-03:00`)
    const visit = async (atMs: number, outcome: string | null, kind = 'visit') => {
      const { id } = await makeContact(base.db, bia.instanceName, { created_at: '2026-01-05T12:00:00Z' })
      await base.db.query(
        `insert into portal.actions (contact_id, kind, due_at, seen_at, finished_at, outcome)
         values ($1, $2, $3, now(), case when $4::text is not null then now() end, $4)`,
        [id, kind, new Date(atMs).toISOString(), outcome],
      )
      return id
    }
    const day = minutes(24 * 60)
    const first = await visit(today, 'done')
    const open = await visit(today + minutes(15 * 60), null)
    const last = await visit(today + day - 1_000, 'missed')
    await visit(today + minutes(600), 'removed')
    await visit(today + minutes(600), 'not_needed')
    await visit(today + minutes(600), 'done', 'call')
    await visit(today - 1_000, 'done')
    await visit(today + day, null)
    const { brokers } = (await rpc(asAdmin, 'get_clocks()')) as { brokers: Record<string, unknown>[] }
    expect(brokers.find(({ broker }) => broker === bia.instanceName)).toMatchObject({
      waiting: 0,
      received: 0,
      median: null,
      booked: 3,
      held: 1,
    })
    const listed = async (figure: string) =>
      ((await rpc(asAdmin, `get_clock_leads('${bia.instanceName}', '${figure}')`)) as { id: number }[]).map(
        ({ id }) => id,
      )
    expect(await listed('booked')).toEqual([first, open, last])
    expect(await listed('held')).toEqual([first])
  })
})
