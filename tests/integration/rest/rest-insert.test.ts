// Inserting through the official client: answers, and rollbacks.
import { afterAll, describe, expect, test } from 'vitest'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const ana = scenario.client(ANA)

const represented = { prefer: 'return=representation' }
const officeCount = async () =>
  (await scenario.database.db.query<{ n: number }>('select count(*) as n from shop.offices')).rows[0]?.n

describe('insert', () => {
  test('answers as the client prefers', async () => {
    const body = { id: 7, name: 'Norte' }
    expect(await scenario.write('POST', '/offices', { body })).toMatchObject({
      status: 201,
      range: '*/*',
      body: null,
      type: null,
    })
    expect(
      await scenario.write('POST', '/offices', { body, prefer: 'return=minimal,count=exact' }),
    ).toMatchObject({
      status: 201,
      range: '*/1',
      applied: 'return=minimal, count=exact',
      body: null,
    })
    expect(await scenario.write('POST', '/offices', { body, ...represented })).toMatchObject({
      status: 201,
      applied: 'return=representation',
      body: [{ id: 7, name: 'Norte', city: null }],
    })
    expect(
      await scenario.write('POST', '/offices?select=n:name,agents(id)', { body, ...represented }),
    ).toMatchObject({
      body: [{ n: 'Norte', agents: [] }],
    })
    expect(
      await scenario.write('POST', '/offices', {
        body: [body],
        ...represented,
        accept: 'application/vnd.pgrst.object+json',
      }),
    ).toMatchObject({ status: 201, body: { id: 7, name: 'Norte', city: null } })
  })

  test("headers-only returns the row's location", async () => {
    expect(
      await scenario.write('POST', '/offices', { body: { id: 7, name: 'x' }, prefer: 'return=headers-only' }),
    ).toMatchObject({
      status: 201,
      location: '/offices?id=eq.7',
      applied: 'return=headers-only',
      body: null,
    })
    const unit = { building: 'Á & b', number: 3 }
    expect(
      (await scenario.write('POST', '/units', { body: unit, prefer: 'return=headers-only' })).location,
    ).toBe('/units?building=eq.%C3%81%20%26%20b&number=eq.3')
    expect(
      (
        await scenario.write('POST', '/offices', {
          body: [
            { id: 7, name: 'x' },
            { id: 8, name: 'y' },
          ],
          prefer: 'return=headers-only',
        })
      ).location,
    ).toBeNull()
    expect(
      (await scenario.write('POST', '/keyless', { body: { a: 'q' }, prefer: 'return=headers-only' }))
        .location,
    ).toBeNull()
  })

  test('many rows, through the client, which names the columns', async () => {
    const { data, error } = await ana
      .from('agents')
      .insert([
        { name: 'Eva', tags: ['x', 'y "z"'] },
        { name: 'Fábio', profile: { a: [1, { b: null }] } },
      ])
      .select('id, name, tags, profile')
      .rollback()
    expect(error?.code).toBe('23502')
    const whole = await ana
      .from('agents')
      .insert(
        [
          { name: 'Eva', tags: ['x', 'y "z"'] },
          { name: 'Fábio', profile: { a: [1, { b: null }] } },
        ],
        {
          defaultToNull: false,
        },
      )
      .select('name, tags, profile, active')
      .rollback()
    expect(data).toBeNull()
    expect(whole.data).toEqual([
      { name: 'Eva', tags: ['x', 'y "z"'], profile: null, active: true },
      { name: 'Fábio', tags: [], profile: { a: [1, { b: null }] }, active: true },
    ])
  })

  test('digits are stored as sent', async () => {
    const answer = await scenario.request('/listings?select=id,price', {
      method: 'POST',
      person: ANA,
      headers: { prefer: 'tx=rollback,return=representation' },
      body: '{"id": 9007199254740995, "price": 1234567890.12}',
    })
    expect(await answer.text()).toBe('[{"id":9007199254740995,"price":1234567890.12}]')
  })

  test('rows without keys take every default', async () => {
    const one = await scenario.write('POST', '/steps', { body: {} })
    expect(one).toMatchObject({ status: 400, body: { code: '23502' } })
    expect(await scenario.write('POST', '/keyless', { body: [{}, {}], ...represented })).toMatchObject({
      status: 201,
      body: [
        { a: null, b: null },
        { a: null, b: null },
      ],
    })
    expect(await scenario.write('POST', '/keyless', { body: [], ...represented })).toMatchObject({
      status: 201,
      body: [],
    })
  })

  test('columns choose the keys; missing=default fills missing values', async () => {
    const notes = (body: unknown, columns: string, missing: string) =>
      scenario.write('POST', `/notes?select=body,shouted,created&columns=${columns}`, {
        body,
        prefer: `return=representation,missing=${missing}`,
      })
    const created = '2020-01-02T03:04:05+00:00'
    const rows = [
      { owner: ANA, body: 'one', ignored: 1 },
      { owner: ANA, created: '2021-01-01' },
    ]
    expect(await notes(rows, 'owner,body,created', 'default')).toMatchObject({
      status: 201,
      applied: 'missing=default, return=representation',
      body: [
        { body: 'one', shouted: 'ONE', created },
        { body: null, shouted: null, created: '2021-01-01T00:00:00+00:00' },
      ],
    })
    expect(await notes(rows, 'owner,body,created', 'null')).toMatchObject({
      status: 400,
      body: { code: '23502' },
    })
    const all = await notes([{ owner: ANA }], 'id,owner,shouted,created', 'default')
    expect(all).toMatchObject({ status: 201, body: [{ body: null, shouted: null, created }] })
    const always = await notes([{ owner: ANA, id: 5 }, { owner: ANA }], 'id,owner', 'default')
    expect(always).toMatchObject({ status: 400, body: { code: '428C9' } })
    const generated = await notes([{ owner: ANA, shouted: 'X' }], 'owner,shouted', 'default')
    expect(generated).toMatchObject({ status: 400, body: { code: '428C9' } })
  })

  test('a chosen identity uses its sequence for rows without one', async () => {
    const answer = await scenario.write('POST', '/agents?columns=id,name&select=id,name', {
      body: [{ id: 50, name: 'x' }, { name: 'y' }],
      prefer: 'return=representation,missing=default',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual([
      { id: 50, name: 'x' },
      { id: expect.any(Number) as number, name: 'y' },
    ])
  })

  test.each<{ name: string; path: string; body: unknown; status: number; error: Record<string, string> }>([
    {
      name: 'broken JSON',
      path: '/offices',
      body: '{"id":',
      status: 400,
      error: { code: 'PGRST102', message: 'Empty or invalid json' },
    },
    {
      name: 'an empty body',
      path: '/offices',
      body: '',
      status: 400,
      error: { code: 'PGRST102', message: 'Empty or invalid json' },
    },
    {
      name: 'rows of different keys',
      path: '/offices',
      body: [{ id: 1 }, { name: 'x' }],
      status: 400,
      error: { code: 'PGRST102', message: 'All object keys must match' },
    },
    {
      name: 'rows that are none',
      path: '/offices',
      body: [{ id: 1 }, 3],
      status: 400,
      error: { code: 'PGRST102', message: 'All object keys must match' },
    },
    {
      name: 'an unknown column',
      path: '/offices',
      body: { nome: 'x' },
      status: 400,
      error: {
        code: 'PGRST204',
        message: "Could not find the 'nome' column of 'offices' in the schema cache",
      },
    },
    {
      name: 'an unknown one among columns',
      path: '/offices?columns=id,nome',
      body: { id: 1 },
      status: 400,
      error: {
        code: 'PGRST204',
        message: "Could not find the 'nome' column of 'offices' in the schema cache",
      },
    },
    {
      name: 'an unknown table',
      path: '/office',
      body: { id: 1 },
      status: 404,
      error: { code: 'PGRST205', message: "Could not find the table 'shop.office' in the schema cache" },
    },
    {
      name: 'a key that exists',
      path: '/offices',
      body: { id: 1, name: 'x' },
      status: 409,
      error: { code: '23505', message: 'duplicate key value violates unique constraint "offices_pkey"' },
    },
    {
      name: 'a key that leads nowhere',
      path: '/agent_details?select=agent_id',
      body: { agent_id: 999 },
      status: 409,
      error: {
        code: '23503',
        message:
          'insert or update on table "agent_details" violates foreign key constraint "agent_details_agent_id_fkey"',
      },
    },
    {
      name: 'a value of the wrong type',
      path: '/offices',
      body: { id: 'x', name: 'x' },
      status: 400,
      error: { code: '22P02', message: 'invalid input syntax for type integer: "x"' },
    },
    {
      name: 'a value out of its domain',
      path: '/agents',
      body: { name: 'x', rate: 101 },
      status: 400,
      error: { code: '23514', message: 'value for domain percent violates check constraint "percent_check"' },
    },
    {
      name: 'a limit',
      path: '/offices?limit=1',
      body: { id: 1, name: 'x' },
      status: 400,
      error: { code: 'PGRST127', message: 'Feature not implemented' },
    },
  ])('$name is refused', async ({ path, body, status, error }) => {
    expect(await scenario.write('POST', path, { body, ...represented })).toMatchObject({
      status,
      body: error,
    })
    expect(await officeCount()).toBe(3)
  })

  test('a body of another kind is refused', async () => {
    const answer = await scenario.request('/offices', {
      method: 'POST',
      person: ANA,
      headers: { 'content-type': 'text/csv' },
      body: 'id,name\n7,x',
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'PGRST102', message: 'Content-Type not acceptable: text/csv' },
    ])
  })

  test('a body over the limit is refused with 413, declared or not', async () => {
    const big = JSON.stringify({ id: 7, name: 'x'.repeat(100_000) })
    expect(await scenario.write('POST', '/offices', { body: big })).toMatchObject({
      status: 413,
      body: { code: 'PGRST102' },
    })
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(32)),
    })
    const endless = await scenario.request('/offices', {
      method: 'POST',
      person: ANA,
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(endless.status).toBe(413)
  })
})

describe('rollbacks', () => {
  test('one object requested and several written', async () => {
    const answer = await scenario.request('/offices', {
      method: 'POST',
      person: ANA,
      headers: { accept: 'application/vnd.pgrst.object+json' },
      body: '[{"id":7,"name":"x"},{"id":8,"name":"y"}]',
    })
    expect([answer.status, await answer.json()]).toMatchObject([406, { code: 'PGRST116' }])
    expect(await officeCount()).toBe(3)
  })

  test('more rows than max-affected, if strict', async () => {
    const remove = (prefer: string) =>
      scenario.request('/features?id=gt.2', { method: 'DELETE', person: ANA, headers: { prefer } })
    const strict = await remove('handling=strict,max-affected=0')
    expect([strict.status, await strict.json()]).toMatchObject([
      400,
      { code: 'PGRST124', details: 'The query affects 1 rows' },
    ])
    const allowed = await remove('handling=strict,max-affected=1,tx=rollback')
    expect([allowed.status, allowed.headers.get('preference-applied')]).toEqual([
      204,
      'tx=rollback, handling=strict, max-affected=1',
    ])
    expect((await remove('max-affected=0,tx=rollback')).status).toBe(204)
  })

  test('tx=rollback, if the portal allows it', async () => {
    expect((await scenario.write('POST', '/offices', { body: { id: 7, name: 'x' } })).status).toBe(201)
    expect(await officeCount()).toBe(3)
    const strict = await openRestScenario({ allowRollback: false })
    try {
      const answer = await strict.request('/offices', {
        method: 'POST',
        person: ANA,
        headers: { prefer: 'tx=rollback' },
        body: '{"id":7,"name":"x"}',
      })
      expect(answer.headers.get('preference-applied')).toBeNull()
      expect(await (await strict.request('/offices?id=eq.7&select=id')).json()).toEqual([{ id: 7 }])
    } finally {
      await strict.close()
    }
  })
})
