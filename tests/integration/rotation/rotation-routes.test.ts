// /api/roleta through the whole portal: saved together, explained, simulated; a broker's offers; permissions.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { onPostgres } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeSeat, untilLockAwaited } from '#tests/support/make.ts'
import {
  routingCaseOf,
  makeLinkedBroker,
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  ownerOf,
  takeLead,
  type MadeRotation,
} from '#tests/support/rotation.ts'
import { openOffice } from '#tests/support/office.ts'

type Details = {
  name: string
  version: string
  settings: Record<string, unknown>
  seats: { instanceName: string; weight: number }[]
  leadsReceived: Record<string, number>
}

const {
  db,
  portal: line,
  ana,
  bia,
  asAna,
  asBia,
  asAdmin,
  close,
} = await openOffice({
  make: makeLinkedBroker,
  hasGateway: false,
})
afterAll(close)
const caio = await makeLinkedBroker(db)
await line.setPassword(caio.username)
const brokers = [ana, bia, caio]
const asBrokers = [asAna, asBia, await line.enter(`${caio.username}@corretor.local`)]
const portal = openDistributor(db, line.clock)
afterEach(() =>
  db.exec(
    'delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.people; update public.brokers set paused_until = null',
  ),
)

const named = (index: number) => brokers[index]?.instanceName ?? ''
const as = (index: number) => asBrokers[index] ?? asAdmin
const details = async ({ id }: { id: number }) =>
  (await asAdmin.call(`/api/roleta/${id}`)).body as unknown as Details
const save = (
  { id }: { id: number },
  version: string,
  rotation: object,
  { operationId = randomUUID(), calls = asAdmin } = {},
) => calls.call(`/api/roleta/${id}/save`, { operationId, version, roleta: rotation })
const wantedOf = ({ name, settings, seats }: Details) => ({ name, settings, seats })
const seat = (instanceName: string, more = {}) => ({
  instanceName,
  weight: 1,
  shifts: null,
  dailyCap: null,
  isActive: true,
  ...more,
})
async function handOut(rotation: MadeRotation, leads: number) {
  const taken = []
  for (let each = 0; each < leads; each++)
    taken.push(await takeLead(portal, { development: rotation.name, name: 'Marina Tavares' }))
  await portal.run()
  return taken
}

describe('saving', () => {
  test('renames, removes, adds, sorts and sets all at once; remaining seats keep their counts', async () => {
    const rotation = await makeSeatedRotation(db, brokers.slice(0, 2))
    await handOut(rotation, 3)
    const standing = await details(rotation)
    expect(standing.leadsReceived).toEqual({ [named(0)]: 2, [named(1)]: 1 })
    const wanted = {
      name: ' Reserva Ipê ',
      settings: {
        needsAcceptance: true,
        acceptMinutes: 7,
        answerMinutes: 30,
        targetMinutes: 20,
        maxHops: 2,
        textCode: 'ipe7',
      },
      seats: [
        seat(named(2), { weight: 3, shifts: [{ days: [1, 2], from: 540, to: 1080 }] }),
        seat(named(1), { dailyCap: 4, isActive: false }),
      ],
    }
    const operationId = randomUUID()
    const saved = await save(rotation, standing.version, wanted, { operationId })
    expect(saved).toMatchObject({
      status: 200,
      body: {
        ...wanted,
        name: 'Reserva Ipê',
        settings: { ...wanted.settings, textCode: 'IPE7' },
        leadsReceived: { [named(1)]: 1, [named(2)]: 0 },
      },
    })
    // A repeat after a lost response: nothing is refused, nothing changes.
    expect((await save(rotation, standing.version, wanted, { operationId })).body).toEqual(saved.body)
    const rows = await asAdmin.call('/rest/v1/rpc/get_brokers_by_roleta', { roleta_id: rotation.id })
    expect(rows.body).toMatchObject([
      { instance_id: named(2), ordem: 1, leads_recebidos: 0, ativo: true },
      { instance_id: named(1), ordem: 2, leads_recebidos: 1, ativo: false },
    ])
    const audit = await db.query(
      `select action, subject, details from portal.audit_log where action in ('roleta.changed', 'roleta.renamed') order by id`,
    )
    expect(audit.rows).toMatchObject([
      { action: 'roleta.renamed', subject: rotation.name },
      {
        action: 'roleta.changed',
        subject: 'Reserva Ipê',
        details: {
          settings: expect.arrayContaining(['textCode']),
          ruled: expect.arrayContaining([named(1)]),
        },
      },
    ])
  })

  test("over another person's change is refused with a message and changes nothing", async () => {
    const rotation = await makeSeatedRotation(db, brokers)
    const standing = await details(rotation)
    const mine = { ...wantedOf(standing), seats: standing.seats.slice(1) }
    const theirs = { ...wantedOf(standing), seats: standing.seats.toReversed() }
    expect((await save(rotation, standing.version, theirs)).status).toBe(200)
    expect(await save(rotation, standing.version, mine)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'roleta.changed',
          message: 'Esta roleta foi alterada por outra pessoa. Abra-a de novo para ver como ficou.',
        },
      },
    })
    expect((await details(rotation)).seats).toHaveLength(3)
  })

  test('is not disturbed by incoming leads, but by a seat changed elsewhere', async () => {
    const rotation = await makeSeatedRotation(db, brokers.slice(0, 2))
    const standing = await details(rotation)
    await handOut(rotation, 2)
    expect((await save(rotation, standing.version, wantedOf(standing))).status).toBe(200)
    await makeSeat(db, { roletaName: rotation.name, instanceName: named(2), ordem: 3 })
    expect((await save(rotation, standing.version, wantedOf(standing))).status).toBe(409)
  })

  test.each([
    ['no name', { name: '  ' }, 422, 'Nome do empreendimento é obrigatório'],
    ['another’s name', { name: 'Porto Aurora' }, 409, 'Já existe uma roleta com este nome.'],
    [
      'a broker who is gone',
      { seats: [seat('corretor_ninguem')] },
      422,
      'Um dos corretores não existe mais. Abra a roleta de novo.',
    ],
    [
      'a broker twice',
      { seats: [seat('corretor_x'), seat('corretor_x')] },
      422,
      'Confira os campos da roleta e tente de novo.',
    ],
    [
      'a weight of none',
      { seats: [seat('corretor_x', { weight: 0 })] },
      422,
      'Confira os campos da roleta e tente de novo.',
    ],
  ])('%s is refused', async (_, part, status, message) => {
    await makeSeatedRotation(db, [], { empreendimento: 'Porto Aurora' })
    const rotation = await makeSeatedRotation(db, brokers)
    const standing = await details(rotation)
    expect(await save(rotation, standing.version, { ...wantedOf(standing), ...part })).toMatchObject({
      status,
      body: { error: { message } },
    })
    expect(await details(rotation)).toEqual(standing)
  })

  test('a deleted rotation', async () => {
    const rotation = await makeSeatedRotation(db, brokers)
    const standing = await details(rotation)
    await db.query('delete from public.roletas where id = $1', [rotation.id])
    expect(await save(rotation, standing.version, wantedOf(standing))).toMatchObject({
      status: 404,
      body: { error: { message: 'Roleta não encontrada' } },
    })
  })

  onPostgres.test('two at once: one is saved, the other told', async () => {
    const rotation = await makeSeatedRotation(db, brokers)
    const standing = await details(rotation)
    let answers: Promise<{ status: number }[]> | undefined
    await db.transaction(async (query) => {
      await query('select portal.take_roleta_turn()')
      answers = Promise.all(
        [1, 2].map((count) =>
          save(rotation, standing.version, { ...wantedOf(standing), seats: standing.seats.slice(count) }),
        ),
      )
      await untilLockAwaited(db, 2)
    })
    expect(((await answers) ?? []).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

test("the reasons for a lead's assignment are plain text, one line per broker", async () => {
  const rotation = await makeSeatedRotation(db, brokers)
  expect((await as(0).call('/api/roleta/mine/pause', { until: null, isOpenEnded: true })).status).toBe(200)
  const [taken] = await handOut(rotation, 1)
  const { body } = await asAdmin.call(`/api/roleta/leads/${taken?.contactId}`)
  const title = (index: number) => {
    const username = brokers[index]?.username ?? ''
    return username.charAt(0).toUpperCase() + username.slice(1)
  }
  expect(body['courses']).toMatchObject([
    {
      roleta: rotation.name,
      state: 'done',
      holder: named(1),
      intakes: [{ source: 'form' }],
      events: [
        { kind: 'received', text: 'O lead chegou.', why: [] },
        {
          kind: 'given',
          text: `Era a vez de ${title(1)}, que recebeu o lead.`,
          why: [
            `${title(0)}: estava em pausa`,
            `${title(1)}: era a vez de ${title(1)}`,
            `${title(2)}: estava disponível, mas não era a vez de ${title(2)}`,
          ],
        },
      ],
    },
  ])
})

test("its own broker reads a lead's history without the reasons, nobody else’s", async () => {
  const rotation = await makeSeatedRotation(db, brokers)
  const [taken] = await handOut(rotation, 1)
  const address = `/api/roleta/mine/leads/${taken?.contactId}`
  const { body } = await as(0).call(address)
  expect(body['courses']).toMatchObject([
    { roleta: rotation.name, events: [{ kind: 'received' }, { kind: 'given', why: [], decision: null }] },
  ])
  expect(JSON.stringify(body)).not.toContain(named(1))
  expect((await as(1).call(address)).status).toBe(404)
  expect((await asAdmin.call(address)).status).toBe(403)
})

test('all shares for the administrator, the own one for a broker', async () => {
  const rotation = await makeSeatedRotation(db, brokers.slice(0, 2))
  await handOut(rotation, 4)
  line.clock.advance(1_000)
  const shares = await asAdmin.call(`/api/roleta/${rotation.id}/shares?days=7`)
  expect(shares.body['shares']).toMatchObject([
    { instanceName: named(0), weight: 1, kinds: { given: 2 }, reasons: { picked: 2, 'not-their-turn': 2 } },
    { instanceName: named(1), weight: 1, kinds: { given: 2 } },
  ])
  const own = await as(1).call('/api/roleta/mine/shares')
  expect(own.body['shares']).toMatchObject([
    {
      roleta: rotation.name,
      total: 4,
      totalWeight: 2,
      kinds: { given: 2 },
      leads: 4,
      why: ['2 vieram para você', '2 foram para outros, não era a sua vez'],
    },
  ])
  expect(JSON.stringify(own.body)).not.toContain(named(0))
  expect((await as(2).call('/api/roleta/mine/shares')).body).toEqual({ shares: [] })
})

test('last month is simulated under other rules, and nothing is stored', async () => {
  const rotation = await makeSeatedRotation(db, brokers.slice(0, 2))
  await handOut(rotation, 6)
  line.clock.advance(1_000)
  const standing = await details(rotation)
  const wanted = { ...wantedOf(standing), seats: [seat(named(0), { weight: 2 }), seat(named(2))] }
  expect((await asAdmin.call(`/api/roleta/${rotation.id}/simulate`, wanted)).body).toEqual({
    leads: 6,
    standing: { byBroker: { [named(0)]: 3, [named(1)]: 3 }, withoutBroker: 0 },
    wanted: { byBroker: { [named(0)]: 4, [named(2)]: 2 }, withoutBroker: 0 },
  })
  expect(await details(rotation)).toEqual(standing)
})

describe('offers', () => {
  test('a broker sees only first name and development, until it is accepted', async () => {
    const rotation = await makeSeatedRotation(db, brokers, { needs_acceptance: true })
    const [taken] = await handOut(rotation, 1)
    const { body } = await as(0).call('/api/roleta/mine')
    const { id } = await routingCaseOf(db, taken?.contactId ?? 0)
    expect(body).toMatchObject({
      offers: [{ id, firstName: 'Marina', development: rotation.name }],
      pool: [],
      pausedUntil: null,
    })
    expect(JSON.stringify(body)).not.toMatch(/Tavares|5511/)
    expect((await as(0).call('/rest/v1/whatsapp_contacts?select=id')).body).toEqual([])
    expect((await as(1).call('/api/roleta/mine')).body).toMatchObject({ offers: [], pool: [] })
    const open = await asAdmin.call('/api/roleta/open')
    expect(open.body['cases']).toMatchObject([{ id, state: 'offered', holder: named(0), owner: null }])

    const accepted = await as(0).call(`/api/roleta/mine/${id}/accept`, { operationId: randomUUID() })
    expect(accepted.body).toEqual({ success: true, contactId: taken?.contactId })
    expect((await as(0).call('/rest/v1/whatsapp_contacts?select=id')).body).toEqual([
      { id: taken?.contactId },
    ])
    expect((await asAdmin.call('/api/roleta/open')).body).toEqual({ cases: [] })
  })

  test('the bolsão belongs to the rotation’s brokers, who are notified', async () => {
    const rotation = await makeSeatedRotation(db, brokers.slice(0, 2), {
      needs_acceptance: true,
      max_hops: 1,
    })
    const heard = await as(1).events()
    await heard.until(({ kind }) => kind === 'gap')
    const [taken] = await handOut(rotation, 1)
    const { id } = await routingCaseOf(db, taken?.contactId ?? 0)
    const passed = await as(0).call(`/api/roleta/mine/${id}/pass`, { operationId: randomUUID() })
    expect(passed.status).toBe(200)
    await portal.run()
    await heard.until(({ kind }) => kind === 'offers')
    await heard.close()
    expect((await as(1).call('/api/roleta/mine')).body).toMatchObject({ pool: [{ id, firstName: 'Marina' }] })
    expect((await as(2).call('/api/roleta/mine')).body).toMatchObject({ pool: [] })
    const claim = (index: number) =>
      as(index).call(`/api/roleta/mine/${id}/claim`, { operationId: randomUUID() })
    expect((await claim(2)).status).toBe(404)
    expect((await claim(1)).status).toBe(200)
    expect(await claim(0)).toMatchObject({
      status: 409,
      body: { error: { code: 'offer.gone', message: 'Este lead já passou para outro corretor.' } },
    })
    expect(await ownerOf(db, taken?.contactId ?? 0)).toBe(named(1))
  })
})

test('the administrator sees leads waiting at a central instance without a rotation', async () => {
  const central = await makeBroker(db)
  await db.query('update public.brokers set central_since = now() where id = $1', [central.id])
  const number = nextNumber()
  const { id } = await makeContact(db, central.instanceName, { number })
  const taken = await takeLead(portal, { development: null, number })
  await portal.run()
  expect(taken.contactId).toBe(id)
  const open = await asAdmin.call('/api/roleta/open')
  expect(open.body['cases']).toMatchObject([{ contactId: id, state: 'inbox', owner: central.instanceName }])
})

test('permissions: no rotations for a broker, no offers for an administrator, neither for a stranger', async () => {
  const rotation = await makeSeatedRotation(db, [await makeBroker(db)])
  const standing = await details(rotation)
  const operationId = randomUUID()
  const forAdmins: [string, object?][] = [
    ['/api/roleta/open'],
    ['/api/roleta/inbox'],
    [`/api/roleta/${rotation.id}/inbox`, { operationId }],
    ['/api/roleta/leads/1'],
    [`/api/roleta/${rotation.id}`],
    [`/api/roleta/${rotation.id}/shares`],
    [
      `/api/roleta/${rotation.id}/save`,
      { operationId, version: standing.version, roleta: wantedOf(standing) },
    ],
    [`/api/roleta/${rotation.id}/simulate`, wantedOf(standing)],
  ]
  const forBrokers: [string, object?][] = [
    ['/api/roleta/mine'],
    ['/api/roleta/mine/shares'],
    ['/api/roleta/mine/leads/1'],
    ['/api/roleta/mine/pause', { until: null }],
    ['/api/roleta/mine/1/accept', { operationId }],
  ]
  for (const [address, body] of forAdmins) expect((await as(0).call(address, body)).status).toBe(403)
  for (const [address, body] of forBrokers) expect((await asAdmin.call(address, body)).status).toBe(403)
  for (const [address, body] of [...forAdmins, ...forBrokers]) {
    const answer = await line.request(address, {
      method: body ? 'POST' : 'GET',
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(401)
  }
})
