// Changing and deleting through the official client.
import { afterAll, describe, expect, test } from 'vitest'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const ana = scenario.client(ANA)

const represented = { prefer: 'return=representation' }

describe('update', () => {
  test('changes the filtered rows and answers as preferred', async () => {
    const body = { city: 'Lapa' }
    expect(await scenario.write('PATCH', '/offices?id=lt.3', { body })).toMatchObject({
      status: 204,
      range: '0-1/*',
      body: null,
    })
    expect(
      await scenario.write('PATCH', '/offices?id=lt.3&order=id.desc', { body, ...represented }),
    ).toMatchObject({
      status: 200,
      body: [
        { id: 2, city: 'Lapa' },
        { id: 1, city: 'Lapa' },
      ],
    })
    expect(await scenario.write('PATCH', '/offices?id=eq.99', { body, ...represented })).toMatchObject({
      status: 200,
      range: '*/*',
      body: [],
    })
    expect(await scenario.write('PATCH', '/offices?id=eq.99', { body, prefer: 'count=exact' })).toMatchObject(
      {
        status: 204,
        range: '*/0',
      },
    )
    expect(
      await scenario.write(
        'PATCH',
        '/offices?or=(id.eq.1,name.eq.Praia)&select=id,agents(name)&agents.order=id',
        {
          body,
          ...represented,
        },
      ),
    ).toMatchObject({ body: [{ id: 1, agents: [{ name: 'Ana' }, { name: 'Bia' }] }, { id: 2 }] })
  })

  test('sets null, JSON, arrays and enums; keys are distinguished from values', async () => {
    const { data } = await ana
      .from('agents')
      .update({
        office_id: null,
        profile: { deep: ['"', "'", '\\', '$1'] },
        tags: ['a,b', '{}'],
        score: 1e-7,
      })
      .eq('id', 1)
      .select('office_id, profile, tags, score, label')
      .rollback()
      .single()
    expect(data).toEqual({
      office_id: null,
      profile: { deep: ['"', "'", '\\', '$1'] },
      tags: ['a,b', '{}'],
      score: 1e-7,
      label: 'Ana!',
    })
    const { data: sold } = await ana
      .from('listings')
      .update({ status: 'sold' })
      .eq('id', 1)
      .select('status')
      .rollback()
    expect(sold).toEqual([{ status: 'sold' }])
    const { error } = await ana.from('listings').update({ status: 'gone' }).eq('id', 1)
    expect(error).toMatchObject({
      code: '22P02',
      message: 'invalid input value for enum listing_status: "gone"',
    })
  })

  test('works with a trigger, and returns its values', async () => {
    const { data } = await ana
      .from('steps')
      .update({ name: 'Outro' })
      .eq('id', 1)
      .select('name, updated')
      .rollback()
    expect(data).toMatchObject([{ name: 'Outro', updated: expect.any(Number) as number }])
  })

  test('columns choose the keys; missing=default sets defaults', async () => {
    expect(
      await scenario.write('PATCH', '/notes?columns=body,created&body=eq.ana one&select=body,created', {
        body: { body: 'new', owner: 'x' },
        prefer: 'return=representation,missing=default',
      }),
    ).toMatchObject({ status: 200, body: [{ body: 'new', created: '2020-01-02T03:04:05+00:00' }] })
    expect(
      await scenario.write('PATCH', '/offices?columns=city&id=eq.1', { body: { name: 'x' }, ...represented }),
    ).toMatchObject({ body: [{ name: 'Centro', city: null }] })
  })

  test('an empty object changes nothing', async () => {
    for (const body of [{}, [], [{}]])
      expect(await scenario.write('PATCH', '/offices', { body, ...represented })).toMatchObject({
        status: 200,
        range: '*/*',
        body: [],
      })
  })

  test.each<{ name: string; path: string; body: unknown; status: number; code: string }>([
    { name: 'no filter', path: '/offices', body: { city: 'x' }, status: 400, code: '21000' },
    {
      name: 'several objects',
      path: '/offices?id=eq.1',
      body: [{ city: 'x' }, { city: 'y' }],
      status: 400,
      code: 'PGRST102',
    },
    {
      name: 'an unknown column',
      path: '/offices?id=eq.1',
      body: { town: 'x' },
      status: 400,
      code: 'PGRST204',
    },
    {
      name: 'an unknown filter column',
      path: '/offices?town=eq.1',
      body: { city: 'x' },
      status: 400,
      code: '42703',
    },
    {
      name: 'a column without the right to it',
      path: '/agents?id=eq.1',
      body: { id: 5 },
      status: 403,
      code: '42501',
    },
    { name: 'a limit', path: '/offices?id=gt.0&limit=1', body: { city: 'x' }, status: 400, code: 'PGRST127' },
    {
      name: 'a generated column',
      path: '/notes?id=eq.1',
      body: { shouted: 'X' },
      status: 403,
      code: '42501',
    },
  ])('$name is refused', async ({ path, body, status, code }) => {
    expect(await scenario.write('PATCH', path, { body })).toMatchObject({ status, body: { code } })
  })
})

describe('delete', () => {
  test('deletes the filtered rows and answers as preferred', async () => {
    expect(await scenario.write('DELETE', '/features?id=eq.3')).toMatchObject({
      status: 204,
      range: '*/*',
      body: null,
    })
    expect(
      await scenario.write('DELETE', '/features?id=eq.3', { prefer: 'return=representation,count=exact' }),
    ).toMatchObject({
      status: 200,
      range: '*/1',
      body: [{ id: 3, label: 'piscina' }],
    })
    const { data } = await ana.from('features').delete().eq('id', 3).select('label').rollback().single()
    expect(data).toEqual({ label: 'piscina' })
    expect(await scenario.write('DELETE', '/features')).toMatchObject({
      status: 400,
      body: { code: '21000', message: 'DELETE requires a WHERE clause' },
    })
    expect(await scenario.write('DELETE', '/offices?id=eq.1')).toMatchObject({
      status: 409,
      body: { code: '23503' },
    })
    expect(await scenario.write('DELETE', '/features?id=gt.0&limit=1')).toMatchObject({
      body: { code: 'PGRST127' },
    })
  })
})
