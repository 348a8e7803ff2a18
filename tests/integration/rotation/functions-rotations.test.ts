// Rotations: their list, their seats in order, switching them, and reordering seat by seat.
import { expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Query, SqlValue } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import {
  makeBroker,
  makeRotation,
  makeSeat,
  signIn,
  signInAdmin,
  tryAs,
  type MadeBroker,
} from '#tests/support/make.ts'

const base = await openBase()
const brokers: MadeBroker[] = []
for (let n = 0; n < 4; n++) brokers.push(await makeBroker(base.db))
const asAdmin = await signInAdmin(base.db)
const asBroker = await signIn(base.db, brokers[0] ?? { id: '' })

async function call(claims: Claims, sql: string, values: SqlValue[] = []) {
  return (await asUser(base.db, claims, (query) => query(`select * from public.${sql}`, values))).rows
}

const instances = () => brokers.map((broker) => broker.instanceName)

async function makeFullRotation() {
  const rotation = await makeRotation(base.db)
  for (const [index, instanceName] of instances().entries())
    await makeSeat(base.db, { roletaName: rotation.empreendimento, instanceName, ordem: index + 1 })
  return rotation
}

test('rotations are listed with their number of brokers; a broker sees none', async () => {
  const full = await makeFullRotation()
  const empty = await makeRotation(base.db, { ativa: false })
  const rows = await call(asAdmin, 'listar_roletas_com_corretores()')
  expect(rows.find((row) => row['id'] === full.id)).toEqual({
    id: full.id,
    empreendimento: full.empreendimento,
    ativa: true,
    total_corretores: 4,
    created_at: expect.any(String) as string,
  })
  expect(rows.find((row) => row['id'] === empty.id)).toMatchObject({ ativa: false, total_corretores: 0 })
  expect(await call(asBroker, 'listar_roletas_com_corretores()')).toEqual([])
})

test('seats come in order, each with its instance name', async () => {
  const rotation = await makeFullRotation()
  const rows = await call(asAdmin, 'get_brokers_by_roleta(roleta_id => $1)', [rotation.id])
  expect(rows.map((row) => row['instance_id'])).toEqual(instances())
  expect(rows[0]).toEqual({
    instance_id: brokers[0]?.instanceName,
    broker_name: brokers[0]?.instanceName,
    ordem: 1,
    leads_recebidos: 0,
    ativo: true,
  })
  expect(await call(asAdmin, 'get_brokers_by_roleta(0)')).toEqual([])
  expect(await call(asBroker, 'get_brokers_by_roleta($1)', [rotation.id])).toEqual([])
})

test('a rotation is switched off and on', async () => {
  const rotation = await makeRotation(base.db)
  for (const ativa of [false, false, true])
    expect(
      await call(asAdmin, 'set_roleta_ativa(roleta_id => $1, nova_ativa => $2)', [rotation.id, ativa]),
    ).toEqual([{ id: rotation.id, empreendimento: rotation.empreendimento, ativa }])
  await expect(call(asAdmin, 'set_roleta_ativa(0, true)')).rejects.toMatchObject({
    code: 'PT404',
    message: 'Roleta não encontrada.',
  })
  await expect(call(asAdmin, 'set_roleta_ativa($1, null)', [rotation.id])).rejects.toMatchObject({
    code: '22023',
  })
  await expect(call(asBroker, 'set_roleta_ativa($1, false)', [rotation.id])).rejects.toMatchObject({
    code: '42501',
  })
})

async function orderOf(query: Query, rotationName: string) {
  const { rows } = await query<{ instanceName: string }>(
    'select "instanceName" from public.roleta_corretores where "roletaName" = $1 order by ordem',
    [rotationName],
  )
  return rows.map((row) => row.instanceName)
}

const permutations = (items: number[]): number[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )

test('any new order may be written seat by seat, each in its own transaction', async () => {
  const rotation = await makeFullRotation()
  const other = await makeFullRotation()
  for (const order of permutations([0, 1, 2, 3])) {
    for (const [index, n] of order.entries())
      await asUser(base.db, asAdmin, (query) =>
        query(
          'update public.roleta_corretores set ordem = $1 where "instanceName" = $2 and "roletaName" = $3',
          [index + 1, brokers[n]?.instanceName ?? '', rotation.empreendimento],
        ),
      )
    expect(await orderOf(base.db.query, rotation.empreendimento)).toEqual(
      order.map((n) => brokers[n]?.instanceName),
    )
  }
  expect(await orderOf(base.db.query, other.empreendimento)).toEqual(instances())
})

test('a whole order may be written in one statement', async () => {
  const rotation = await makeFullRotation()
  await tryAs(base.db, asAdmin, async (query) => {
    await query('update public.roleta_corretores set ordem = 5 - ordem where "roletaName" = $1', [
      rotation.empreendimento,
    ])
    await query('set constraints all immediate')
    expect(await orderOf(query, rotation.empreendimento)).toEqual(instances().toReversed())
  })
})

test('two seats with one position are refused', async () => {
  const rotation = await makeFullRotation()
  await expect(
    asUser(base.db, asAdmin, (query) =>
      query('update public.roleta_corretores set ordem = 1 where "roletaName" = $1', [
        rotation.empreendimento,
      ]),
    ),
  ).rejects.toMatchObject({ code: '23505' })
  const fifth = await makeBroker(base.db)
  await expect(
    makeSeat(base.db, { roletaName: rotation.empreendimento, instanceName: fifth.instanceName, ordem: 4 }),
  ).rejects.toMatchObject({ code: '23505' })
})

test('a renamed rotation keeps its seats, a deleted one deletes them', async () => {
  const rotation = await makeFullRotation()
  await tryAs(base.db, asAdmin, async (query) => {
    await query(`update public.roletas set empreendimento = 'Novo nome' where id = $1`, [rotation.id])
    expect(await orderOf(query, 'Novo nome')).toEqual(instances())
    await query('delete from public.roletas where id = $1', [rotation.id])
    expect(await orderOf(query, 'Novo nome')).toEqual([])
  })
})

test('a changed rotation is notified live; a lead counted for a seat is no change', async () => {
  const rotation = await makeFullRotation()
  const heard: unknown[] = []
  const stop = await base.db.listen(
    'portal',
    (payload) => heard.push(JSON.parse(payload)),
    () => undefined,
  )
  const change = (sql: string) => base.db.query(sql, [rotation.empreendimento])
  const reported = async (sql: string) => {
    heard.length = 0
    await change(sql)
    // Earlier notifications come before this one.
    await base.db.query(`select portal.publish('{"kind": "gap"}')`)
    await expect.poll(() => heard).toContainEqual({ kind: 'gap' })
    return heard.filter((event) => !isGap(event))
  }
  const isGap = (event: unknown) => JSON.stringify(event) === '{"kind":"gap"}'
  const rotations = [{ kind: 'rotations' }]
  const seats = 'update public.roleta_corretores set'
  const ofThis = 'where "roletaName" = $1'
  expect(await reported(`${seats} leads_recebidos = leads_recebidos + 1, credit = 3 ${ofThis}`)).toEqual([])
  expect(await reported(`${seats} weight = 2 ${ofThis}`)).toEqual(rotations)
  expect(await reported(`delete from public.roleta_corretores ${ofThis} and ordem = 1`)).toEqual(rotations)
  expect(await reported(`update public.roletas set max_hops = 4 where empreendimento = $1`)).toEqual(
    rotations,
  )
  await stop()
})
