// Upserts through the official client: by key, by columns, with triggers.
import { afterAll, describe, expect, test } from 'vitest'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const ana = scenario.client(ANA)

const merge = 'resolution=merge-duplicates,return=representation'

describe('upsert', () => {
  test('inserts and updates; 201 while any row is new', async () => {
    const body = [
      { id: 1, name: 'Centro novo' },
      { id: 9, name: 'Nova' },
    ]
    expect(await scenario.write('POST', '/offices', { body, prefer: merge })).toMatchObject({
      status: 201,
      applied: 'resolution=merge-duplicates, return=representation',
      body: [
        { id: 1, name: 'Centro novo', city: 'Curitiba' },
        { id: 9, name: 'Nova', city: null },
      ],
    })
    expect(await scenario.write('POST', '/offices', { body: [body[0]], prefer: merge })).toMatchObject({
      status: 200,
    })
    expect(await scenario.write('POST', '/offices', { body: [], prefer: merge })).toMatchObject({
      status: 200,
      body: [],
    })
    expect(
      await scenario.write('POST', '/offices', { body: [body[0]], prefer: 'resolution=merge-duplicates' }),
    ).toMatchObject({
      status: 200,
      body: null,
    })
  })

  test('keeps existing rows on request', async () => {
    const body = [
      { id: 1, name: 'x' },
      { id: 9, name: 'y' },
    ]
    expect(
      await scenario.write('POST', '/offices?select=id', {
        body,
        prefer: 'resolution=ignore-duplicates,return=representation',
      }),
    ).toMatchObject({ status: 201, body: [{ id: 9 }] })
    expect(
      await scenario.write('POST', '/offices', { body: [body[0]], prefer: 'resolution=ignore-duplicates' }),
    ).toMatchObject({ status: 201 })
  })

  test('conflicts on a key of two columns, on named columns, on a partitioned table and through a view', async () => {
    expect(
      await scenario.write('POST', '/units', { body: { building: 'A', number: 1, floor: 7 }, prefer: merge }),
    ).toMatchObject({
      status: 200,
      body: [{ building: 'A', number: 1, floor: 7 }],
    })
    const { data, status } = await ana
      .from('agent_details')
      .upsert({ agent_id: 1, phone: '999' }, { onConflict: 'agent_id' })
      .select('phone')
      .rollback()
    expect([status, data]).toEqual([200, [{ phone: '999' }]])
    expect(
      await scenario.write('POST', '/parts', {
        body: [
          { id: 1, kind: 'a', note: 'new' },
          { id: 3, kind: 'b', note: 'new' },
        ],
        prefer: merge,
      }),
    ).toMatchObject({ status: 201, body: [{ id: 1, note: 'new' }, { id: 3 }] })
    const unmatched = await scenario.write('POST', '/offices?on_conflict=city', {
      body: { id: 9, name: 'x' },
      prefer: merge,
    })
    expect(unmatched).toMatchObject({ status: 400, body: { code: '42P10' } })
    const keyless = await scenario.write('POST', '/keyless', { body: { a: 'q', b: 1 }, prefer: merge })
    expect(keyless).toMatchObject({ status: 201, applied: 'return=representation' })
  })

  test('a row without required columns is accepted if a trigger fills them; positions change at once', async () => {
    const { data, status, error } = await ana
      .from('steps')
      .upsert([
        { id: 1, place: 2 },
        { id: 2, place: 1 },
      ])
      .select('id, name, place, updated')
      .order('id')
    expect(error).toBeNull()
    expect([status, data]).toEqual([
      200,
      [
        { id: 1, name: 'Novos', place: 2, updated: 1 },
        { id: 2, name: 'Conversa', place: 1, updated: 1 },
      ],
    ])
    const clash = await ana.from('steps').upsert([{ id: 1, place: 3 }])
    expect(clash).toMatchObject({ status: 409, error: { code: '23505' } })
    await ana.from('steps').upsert([
      { id: 1, place: 1 },
      { id: 2, place: 2 },
    ])
  })

  test('missing=default inserts the default and sets it on existing rows', async () => {
    expect(
      await scenario.write('POST', '/steps?columns=id,name,place,updated&select=id,updated', {
        body: [
          { id: 3, name: 'x', place: 3 },
          { id: 4, name: 'y', place: 4 },
        ],
        prefer: `${merge},missing=default`,
      }),
    ).toMatchObject({
      status: 201,
      body: [
        { id: 3, updated: 1 },
        { id: 4, updated: 0 },
      ],
    })
  })

  test('requires the right to update every changed column; the key is only compared', async () => {
    const body = { id: 1, name: 'Ana' }
    const taken = await scenario.write('POST', '/agents', { body, prefer: merge })
    expect(taken).toMatchObject({ status: 200 })
  })
})
