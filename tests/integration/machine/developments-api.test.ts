// Developments and interests of leads as another system reads and writes them by /api/v1.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MACHINE_GRANTS } from '#domain/machine.ts'
import { createMachines, expectContract } from '#tests/support/machine.ts'
import { makeContact, makeDevelopment } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, asAdmin, close } = await openOffice({ isStill: true })
afterAll(close)

const { machine } = createMachines(db, portal)
let all: Awaited<ReturnType<typeof machine>>
beforeEach(async () => {
  await db.exec(
    'delete from public.whatsapp_contacts; delete from public.developments; delete from portal.event_out',
  )
  all = await machine(...MACHINE_GRANTS)
})

const PLAN = {
  name: '2 quartos',
  bedrooms: 2,
  areaFrom: 62.5,
  priceFromCents: 41_200_000,
  validUntil: '2026-12-31',
  unitsLeft: 18,
}
const WHOLE = {
  name: 'Mirante do Lago',
  builder: 'Vértice',
  state: 'em_obras',
  deliversOn: '2028-03-01',
  district: 'Jardim Botânico',
  latitude: -23.5,
  longitude: -46.6,
  plans: [PLAN, { name: 'Cobertura' }],
  units: [
    { code: '101', area: 62.5, priceCents: 41_200_000 },
    { code: '102', tower: 'B', state: 'vendido' },
  ],
}
type Saved = { id: number; version: number; isArchived: boolean; isChanged: boolean }
type Read = {
  version: number
  plans: (typeof PLAN & { id: number; pricedOn: string | null })[]
  units: object[]
  prices: { plan: string; priceCents: number | null }[]
}
const add = async (body: object = WHOLE) => (await all.ask('/developments', body)).body as unknown as Saved
const change = (id: number, body: object, key?: string) =>
  all.ask(`/developments/${id}`, body, { method: 'PATCH', ...(key !== undefined && { key }) })
const read = async (id: number) => (await all.ask(`/developments/${id}`)).body as unknown as Read

describe('developments', () => {
  test('one is added once with plans and units, as its administrator sees it', async () => {
    const key = randomUUID()
    const answers = [
      await all.ask('/developments', WHOLE, { key }),
      await all.ask('/developments', WHOLE, { key }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expectContract('createDevelopment', answers[0]?.body)
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const { id } = answers[0]!.body as unknown as Saved
    const { body } = await all.ask(`/developments/${id}`)
    expectContract('getDevelopment', body)
    expect(body).toMatchObject({
      name: 'Mirante do Lago',
      builder: 'Vértice',
      address: null,
      plans: [PLAN, { name: 'Cobertura', bedrooms: null, priceFromCents: null }],
      units: [
        { code: '101', tower: '', state: 'disponivel' },
        { code: '102', tower: 'B', state: 'vendido' },
      ],
      prices: [{ plan: '2 quartos', priceCents: 41_200_000 }],
    })
    const seen = await asAdmin.call(`/api/developments/${id}`)
    expect(seen.body).toMatchObject({ name: 'Mirante do Lago', prices: [{ changedBy: 'n8n' }] })
    const { rows } = await db.query(
      `select action, actor, actor_role, subject from portal.audit_log where action like 'development%' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      { action: 'development.made', actor: 'n8n', actor_role: 'service', subject: 'Mirante do Lago' },
    ])
  })

  test('a change keeps what it leaves out: photos, drawings, units, and fields of plans', async () => {
    const { id } = await makeDevelopment(db, { name: 'Reserva Ipê', builder: 'Norte' })
    await db.query('update public.development_plans set bedrooms = 2, drawing_id = (select m.id from public.development_media m where m.development_id = $1) where development_id = $1', [id]) // prettier-ignore
    const [plan] = (await read(id)).plans
    const { status, body } = await change(id, {
      plans: [{ id: plan?.id, priceFromCents: 50_000_000, validUntil: '2026-12-31' }],
    })
    expectContract('changeDevelopment', body)
    expect([status, body]).toEqual([200, { id, version: 2, isArchived: false, isChanged: true }])
    const { body: record } = await asAdmin.call(`/api/developments/${id}`)
    expect(record).toMatchObject({
      builder: 'Norte',
      plans: [{ name: '2 quartos', bedrooms: 2, priceFromCents: 50_000_000, drawingId: expect.any(Number) }],
      units: [{ code: '101' }],
      media: [{ kind: 'foto' }],
    })
  })

  test('prices keep their history, and one that is taken away takes its last day along', async () => {
    const { id } = await add()
    const [two] = (await read(id)).plans
    await change(id, { plans: [{ id: two?.id, priceFromCents: 43_000_000, priceToCents: 50_000_000 }] })
    await change(id, { plans: [{ id: two?.id, priceFromCents: null }] })
    const { plans, prices } = await read(id)
    expect(plans).toMatchObject([
      { name: '2 quartos', priceFromCents: null, validUntil: null, pricedOn: null },
    ])
    expect(prices.map(({ plan, priceCents }) => [plan, priceCents])).toEqual([
      ['2 quartos', null],
      ['2 quartos', 43_000_000],
      ['2 quartos', 41_200_000],
    ])
  })

  test('a change to the same writes and announces nothing; other changes announce development.changed', async () => {
    await db.query(
      `insert into portal.hooks (name, url, events, secret, secret_tail)
       values ('ERP', 'https://erp.example.com', '{development.changed}', 'x', 'abcd')`,
    )
    const { id, version } = await add()
    const { plans, units } = await read(id)
    const told = async () =>
      (await db.query<{ data: object }>('select data from portal.event_out order by id')).rows.map(
        ({ data }) => data,
      )
    await db.exec('delete from portal.event_out')
    const { pricedOn: _, ...plan } = plans[0]!
    const same = { name: WHOLE.name, plans: [plan, { id: plans[1]?.id }], units }
    for (const body of [same, { isArchived: false }])
      expect((await change(id, body)).body).toEqual({ id, version, isArchived: false, isChanged: false })
    expect(await told()).toEqual([])
    expect((await change(id, { isArchived: true })).body).toMatchObject({ isArchived: true, isChanged: true })
    expect((await change(id, { city: 'Vitória', isArchived: false })).body).toMatchObject({
      isArchived: false,
    })
    expect((await change(id, { units: [] })).body).toMatchObject({ isChanged: true })
    expect(await told()).toEqual([
      { developmentId: id, isArchived: true },
      { developmentId: id, isArchived: true },
      { developmentId: id, isArchived: false },
      { developmentId: id, isArchived: false },
    ])
    expect((await read(id)).units).toEqual([])
    await db.exec('delete from portal.hooks')
  })

  test('of two changes that expect the same version, the second is refused', async () => {
    const { id, version } = await add()
    expect((await change(id, { city: 'Serra', expectedVersion: version })).status).toBe(200)
    expect((await change(id, { city: 'Vitória', expectedVersion: version })).body).toMatchObject({
      status: 409,
      code: 'development.changed',
    })
    expect(await read(id)).toMatchObject({ city: 'Serra' })
  })

  test.each<[object, number, string, RegExp]>([
    [{ name: 'MIRANTE DO LAGO' }, 409, 'development.taken', /Já existe/],
    [{ name: '…' }, 422, 'development.name', /letra/],
    [{}, 422, 'request.invalid', /campo name/],
    [{ name: 'A', state: 'pronta' }, 422, 'request.invalid', /campo state/],
    [{ name: 'A', deliversOn: '2028-03-15' }, 422, 'development.invalid', /campo deliversOn/],
    [{ name: 'A', latitude: 91, longitude: 0 }, 422, 'development.invalid', /campo latitude/],
    [{ name: 'A', latitude: 1 }, 422, 'development.invalid', /latitude e longitude/],
    [{ name: 'A', priceFromCents: 1_000 }, 422, 'development.invalid', /validade/],
    [
      { name: 'A', plans: [{ name: 'B', priceFromCents: 0 }] },
      422,
      'request.invalid',
      /plans\.0\.priceFromCents/,
    ],
    [{ name: 'A', plans: [{ name: 'B', priceFromCents: 5 }] }, 422, 'development.invalid', /validade/],
    [{ name: 'A', plans: [{ name: 'B', areaFrom: 9, areaTo: 8 }] }, 422, 'development.invalid', /área/],
    [{ name: 'A', plans: [{ bedrooms: 1 }] }, 422, 'development.invalid', /nome da planta/],
    [{ name: 'A', plans: [{ id: 1 }] }, 422, 'development.invalid', /planta 1 não é/],
    [{ name: 'A', units: [{ code: '1', planId: 1 }] }, 422, 'development.invalid', /planta 1 não é/],
    [{ name: 'A', units: [{ code: '1' }, { code: '1' }] }, 422, 'development.units', /mesmo código/],
    [{ name: 'A', photos: [] }, 422, 'request.invalid', /campo photos/],
  ])('%j is refused and adds nothing', async (body, status, code, words) => {
    await add()
    const refused = await all.ask('/developments', body)
    expect(refused.body).toMatchObject({ status, code, detail: expect.stringMatching(words) })
    expect((await db.query('select from public.developments')).rows).toHaveLength(1)
  })

  test('an unknown one is 404, and an empty change is none', async () => {
    expect((await change(999_999, { city: 'Serra' })).body).toMatchObject({ code: 'development.unknown' })
    const { id } = await add()
    for (const body of [{}, { expectedVersion: 1 }])
      expect((await change(id, body)).body).toMatchObject({ status: 422, code: 'request.invalid' })
  })

  test('beyond 2,000 none is added', async () => {
    await db.query(
      `insert into public.developments (name) select 'Torre ' || n from generate_series(1, 2000) as n`,
    )
    expect((await all.ask('/developments', { name: 'Mais um' })).body).toMatchObject({
      status: 409,
      code: 'development.too-many',
    })
  })
})

describe('interests of a lead', () => {
  const interests = async (lead: number) => (await all.ask(`/leads/${lead}/interests`)).body['data']
  const put = (lead: number, developmentId: number) => all.ask(`/leads/${lead}/interests`, { developmentId })
  const take = (lead: number, developmentId: number) =>
    all.ask(`/leads/${lead}/interests/${developmentId}`, {}, { method: 'DELETE' })

  test('they are added, listed in order and removed; the first is the one that figures count', async () => {
    const { id: lead } = await makeContact(db, ana.instanceName)
    const { id: ipe } = await add({ name: 'Reserva Ipê' })
    const { id: lago } = await add({ name: 'Mirante do Lago' })
    expect(await interests(lead)).toEqual([])
    const first = await put(lead, ipe)
    expectContract('addInterest', first.body)
    expect(first.body).toEqual({ leadId: lead, developmentId: ipe, isChanged: true })
    expect((await put(lead, ipe)).body).toMatchObject({ isChanged: false })
    await put(lead, lago)
    const listed = await all.ask(`/leads/${lead}/interests`)
    expectContract('listInterests', listed.body)
    expect(listed.body['data']).toEqual([
      { developmentId: ipe, name: 'Reserva Ipê', origin: 'hand' },
      { developmentId: lago, name: 'Mirante do Lago', origin: 'hand' },
    ])
    const removed = await take(lead, ipe)
    expectContract('removeInterest', removed.body)
    expect(removed.body).toEqual({ leadId: lead, developmentId: ipe, isChanged: true })
    expect((await take(lead, ipe)).body).toMatchObject({ isChanged: false })
    expect((await all.ask(`/leads/${lead}`)).body).toMatchObject({
      development: 'Mirante do Lago',
      interests: ['Mirante do Lago'],
    })
  })

  test('unknown leads and developments are 404, and a lead has 20', async () => {
    const { id: lead } = await makeContact(db, ana.instanceName)
    const { id: one } = await add({ name: 'Reserva Ipê' })
    expect((await all.ask('/leads/999999/interests')).body).toMatchObject({ code: 'lead.unknown' })
    expect((await put(999_999, one)).body).toMatchObject({ status: 404, code: 'lead.unknown' })
    expect((await put(lead, 999_999)).body).toMatchObject({ status: 404, code: 'development.unknown' })
    expect((await take(lead, 999_999)).body).toMatchObject({ status: 404, code: 'development.unknown' })
    for (let n = 1; n <= 20; n++) await put(lead, (await add({ name: `Torre ${n}` })).id)
    expect((await put(lead, one)).body).toMatchObject({ status: 409, code: 'interest.full' })
  })
})
