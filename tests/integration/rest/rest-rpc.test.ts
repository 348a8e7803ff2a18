// Calling functions of every kind, by POST and by GET, through the official client.
import { afterAll, describe, expect, test } from 'vitest'
import { testEngine } from '#tests/support/database.ts'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const anon = scenario.client()
const ana = scenario.client(ANA)

const post = async (path: string, body: unknown, init: RequestInit = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return scenario.request(`/rpc/${path}`, { method: 'POST', body: text, ...init })
}

describe('results of functions', () => {
  test.each<[name: string, args: Record<string, unknown>, data: unknown]>([
    ['add', { a: 1 }, 11],
    ['add', { a: 1, b: 2 }, 3],
    ['nil', {}, null],
    ['words', { n: 2 }, ['w1', 'w2']],
    ['words', { n: 0 }, []],
    ['pairs', { low: 4 }, [4, 5, 6, 7, 8].map((x) => ({ x, y: `p${x}` }))],
    ['two_out', { given: 7 }, { half: 3, twice: 14 }],
    ['one_out', {}, { answer: 42 }],
    ['listed', { items: ['a', 'b'] }, 2],
    ['overloaded', { a: 1 }, 'one'],
    ['overloaded', { a: 1, b: 2 }, 'two'],
  ])('%s(%o)', async (name, args, data) => {
    expect(await anon.rpc(name, args)).toMatchObject({ status: 200, error: null, data })
    expect(await anon.rpc(name, args, { get: true })).toMatchObject({ status: 200, error: null, data })
  })

  test('a list keeps its items complete', async () => {
    expect((await anon.rpc('joined', { parts: ['a', 'b,c', '"d"'] })).data).toBe('a+b,c+"d"')
    expect((await anon.rpc('listed', { items: ['a', '{b}'] })).data).toBe(2)
  })

  test('no result is 204', async () => {
    const answer = await post('nothing', {})
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([204, null, ''])
    expect(await anon.rpc('nothing')).toMatchObject({ status: 204, data: null, error: null })
  })

  test('rows of a table can be filtered, ordered, limited, counted and embedded', async () => {
    const { data, count } = await anon
      .rpc('agents_of', { office: 1 }, { count: 'exact' })
      .select('name, label, offices(name), agents(name)')
      .gt('id', 0)
      .order('id', { ascending: false })
      .limit(1)
    expect([count, data]).toEqual([
      2,
      [{ name: 'Bia', label: 'Bia!', offices: { name: 'Centro' }, agents: [{ name: 'Décio, o "Bom"' }] }],
    ])
    const { data: one } = await anon.rpc('agent_named', { who: 'Caio' }).select('id, offices(city)')
    expect(one).toEqual({ id: 3, offices: { city: 'Santos' } })
    expect((await anon.rpc('agents_of', { office: 2 }).single()).data).toMatchObject({ name: 'Caio' })
    expect(await anon.rpc('agents_of', { office: 1 }).single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116' },
    })
    const filtered = await scenario.request('/rpc/pairs?low=1&x=gt.2&x=lt.5&select=y,x::text&order=x.desc')
    expect(await filtered.json()).toEqual([
      { y: 'p4', x: '4' },
      { y: 'p3', x: '3' },
    ])
  })

  test('pages, counts and heads', async () => {
    const answer = await scenario.request('/rpc/words?n=5&limit=2&offset=1', {
      headers: { prefer: 'count=exact' },
    })
    expect([answer.status, answer.headers.get('content-range'), await answer.json()]).toEqual([
      206,
      '1-2/5',
      ['w2', 'w3'],
    ])
    const ranged = await scenario.request('/rpc/words?n=5', { headers: { range: '3-9' } })
    expect([ranged.headers.get('content-range'), await ranged.json()]).toEqual(['3-4/*', ['w4', 'w5']])
    const head = await anon.rpc('words', { n: 3 }, { head: true, count: 'exact' })
    expect(head).toMatchObject({ status: 200, count: 3, data: null })
    const scalar = await scenario.request('/rpc/add?a=1', { headers: { prefer: 'count=exact' } })
    expect(scalar.headers.get('content-range')).toBe('0-0/1')
  })

  test('comma-separated values and stripped nulls', async () => {
    expect((await anon.rpc('pairs', { low: 1 }).limit(2).csv()).data).toBe('x,y\n1,p1\n2,p2')
    const answer = await scenario.request('/rpc/agents_of?office=2&select=id,score', {
      headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    })
    expect(await answer.json()).toEqual([{ id: 3 }])
  })

  test('columns missing in the result are refused', async () => {
    expect(await anon.rpc('words', { n: 1 }).select('x')).toMatchObject({
      status: 400,
      error: { code: '42703' },
    })
    expect(await anon.rpc('pairs', { low: 1 }).select('x, offices(id)')).toMatchObject({
      status: 400,
      error: { code: 'PGRST200' },
    })
  })
})

describe('calls', () => {
  test('the whole body is the one unnamed argument', async () => {
    const json = await post('whole', '{"b": 2,   "a": [1.10]}')
    expect(await json.text()).toBe('{"b": 2,   "a": [1.10]}')
    const text = await post('whole_text', 'olá "mundo"', { headers: { 'content-type': 'text/plain' } })
    expect(await text.json()).toBe('olá "mundo"!')
  })

  test('one with a default may be omitted with the body, and a body of another type is passed unchanged', async () => {
    expect(await (await post('whole_or', {})).json()).toEqual({ none: true })
    expect(await (await post('whole_or', '')).json()).toEqual({ none: true })
    expect(await (await post('whole_or', { a: 1 })).json()).toEqual({ a: 1 })
    expect(await (await post('whole', '')).json()).toEqual({})
    expect(await (await post('whole', '5')).json()).toEqual([])
    const type = (name: string) => ({ headers: { 'content-type': name } })
    const bytes = await scenario.request('/rpc/whole_bytes', {
      method: 'POST',
      body: new Uint8Array([0, 255, 92, 120]),
      ...type('application/octet-stream'),
    })
    expect([bytes.status, await bytes.json()]).toEqual([200, 4])
    expect(await (await post('maybe', 'nove', type('text/plain'))).json()).toBe(7)
    const lost = await post('nil', 'nove', type('text/plain'))
    expect([lost.status, await lost.json()]).toMatchObject([404, { code: 'PGRST202' }])
    const form = await post('maybe', 'n=1', type('application/x-www-form-urlencoded'))
    expect([form.status, await form.json()]).toMatchObject([400, { code: 'PGRST102' }])
  })

  test('an array of calls uses its first, the columns parameter names the arguments', async () => {
    expect(await (await post('add', [{ a: 5 }, { a: 6 }])).json()).toBe(15)
    expect(await (await post('add?columns=a', { a: 5, c: 6 })).json()).toBe(15)
  })

  test('GET takes a repeated argument as a list, and no filter as an argument', async () => {
    expect(await (await scenario.request('/rpc/joined?parts=a&parts=b')).json()).toBe('a+b')
    expect(await (await scenario.request('/rpc/joined?parts=in.progress')).json()).toBe('in.progress')
  })

  test('GET and stable functions cannot write', async () => {
    const got = await scenario.request('/rpc/hire?who=x', { person: ANA })
    expect([got.status, await got.json()]).toMatchObject([405, { code: '25006' }])
    const peeked = await ana.rpc('peek', { who: 'x' })
    expect(peeked).toMatchObject({ status: 400, error: { code: '0A000' } })
    const hired = await ana.rpc('hire', { who: 'New' }).select('name').rollback()
    expect(hired.data).toEqual([{ name: 'New' }, { name: 'New' }])
  })

  test('one row requested and two written: rolled back', async () => {
    const answer = await ana.rpc('hire', { who: 'Twice' }).single()
    expect(answer).toMatchObject({ status: 406, error: { code: 'PGRST116' } })
    expect((await anon.from('agents').select('id').eq('name', 'Twice')).data).toEqual([])
  })

  test('max-affected applies to sets, and requires one', async () => {
    const prefer = { headers: { prefer: 'handling=strict,max-affected=1' } }
    const many = await post('words', { n: 2 }, prefer)
    expect([many.status, await many.json()]).toMatchObject([400, { code: 'PGRST124' }])
    const single = await post('add', { a: 1 }, prefer)
    expect([single.status, await single.json()]).toMatchObject([400, { code: 'PGRST128' }])
  })

  test('a function sees the caller and the request', async () => {
    const { data } = await ana.rpc('who')
    expect(data).toEqual({
      role: 'authenticated',
      sub: ANA,
      claimed: 'authenticated',
      method: 'POST',
      path: '/rpc/who',
      search_path: '"shop", "public", "extensions"',
      timeout: testEngine === 'postgres' ? '8s' : '0',
      read_only: 'on',
    })
  })

  test('a function sees a few headers, and none with credentials', async () => {
    const answer = await scenario.request('/rpc/told', {
      person: ANA,
      headers: {
        apikey: 'chave',
        cookie: 'a=b',
        'x-forwarded-for': '203.0.113.9',
        'x-own': '1',
        'user-agent': 'teste "1"',
        prefer: 'count=exact',
      },
    })
    const reported = (await answer.json()) as Record<string, string>
    expect(reported).toMatchObject({ 'user-agent': 'teste "1"', prefer: 'count=exact' })
    for (const name of ['authorization', 'apikey', 'cookie', 'x-forwarded-for', 'x-own'])
      expect(reported).not.toHaveProperty(name)
  })

  test('times are in the preferred zone, in reads and writes', async () => {
    const ask = async (prefer: string) => {
      const answer = await scenario.request('/rpc/instant', { headers: { prefer } })
      return [answer.status, answer.headers.get('preference-applied'), await answer.json()]
    }
    expect(await ask('timezone=America/Sao_Paulo')).toEqual([
      200,
      'timezone=America/Sao_Paulo',
      '2026-07-01T09:00:00-03:00',
    ])
    expect(await ask('handling=strict, timezone=Asia/Tokyo, timezone=UTC')).toEqual([
      200,
      'handling=strict, timezone=Asia/Tokyo',
      '2026-07-01T21:00:00+09:00',
    ])
    expect(await ask('timezone=Jupiter/Red_Spot')).toEqual([200, null, '2026-07-01T12:00:00+00:00'])
    expect(await ask('handling=strict, timezone=Jupiter/Red_Spot')).toMatchObject([
      400,
      null,
      { code: 'PGRST122', details: 'Invalid preferences: timezone=Jupiter/Red_Spot' },
    ])
    const written = await scenario.write('PATCH', '/offices?id=eq.1', {
      body: { city: 'Santos' },
      prefer: 'timezone=UTC',
    })
    expect(written).toMatchObject({ status: 204, applied: 'timezone=UTC' })
  })
})

describe('choice of the function', () => {
  test.each<{ path: string; body: unknown; status: number; error: Record<string, unknown> }>([
    {
      path: 'ad',
      body: { a: 1 },
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function shop.ad(a) in the schema cache',
        details:
          'Searched for the function shop.ad with parameter a or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function shop.add',
      },
    },
    {
      path: 'add',
      body: { a: 1, c: 2 },
      status: 404,
      error: {
        message: 'Could not find the function shop.add(a, c) in the schema cache',
        hint: 'Perhaps you meant to call the function shop.add(a, b)',
      },
    },
    {
      path: 'add',
      body: {},
      status: 404,
      error: { message: 'Could not find the function shop.add without parameters in the schema cache' },
    },
    {
      path: 'unclear',
      body: { a: 1 },
      status: 300,
      error: {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: shop.unclear(a => integer), shop.unclear(a => text)',
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    },
    {
      path: 'either',
      body: { a: 1 },
      status: 300,
      error: {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: shop.either( => json), shop.either( => jsonb)',
      },
    },
    { path: 'fill_step', body: {}, status: 404, error: { code: 'PGRST202' } },
    {
      path: 'add',
      body: '{"a":',
      status: 400,
      error: { code: 'PGRST102', message: 'Empty or invalid json' },
    },
    { path: 'add', body: { a: 'x' }, status: 400, error: { code: '22P02' } },
    { path: 'add', body: { a: 99999999999 }, status: 400, error: { code: '22003' } },
  ])('$path $body is refused', async ({ path, body, status, error }) => {
    const answer = await post(path, body)
    expect([answer.status, await answer.json()]).toMatchObject([status, error])
  })

  test('other methods are refused', async () => {
    const answer = await scenario.request('/rpc/add', { method: 'DELETE' })
    expect([answer.status, await answer.json()]).toMatchObject([
      405,
      { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
    ])
  })
})

describe("a function's control of its answer", () => {
  test('its errors carry their status', async () => {
    const refuse = async (how: string) => {
      const answer = await post('refuse', { how })
      return [answer.status, await answer.json()]
    }
    expect(await refuse('P0001')).toEqual([
      400,
      { code: 'P0001', message: 'refused', details: 'because', hint: 'try less' },
    ])
    expect(await refuse('PT402')).toMatchObject([
      402,
      { code: 'PT402', message: 'refused', details: 'because' },
    ])
    expect(await refuse('40001')).toEqual([
      503,
      { code: '40001', message: 'refused', details: null, hint: null },
    ])
    expect(await refuse('42501')).toMatchObject([401, { code: '42501' }])
    expect(await refuse('XX000')).toEqual([
      500,
      { code: 'XX000', message: 'Internal server error', details: null, hint: null },
    ])
    const whole = await post('refuse_whole', {})
    expect([whole.status, whole.headers.get('x-own'), await whole.json()]).toEqual([
      418,
      '1',
      { code: 'X1', message: 'no', details: 'd', hint: 'h' },
    ])
  })

  test('its status and headers are used if valid', async () => {
    const answer = await post('shape', {
      status: '202',
      headers: '[{"X-Own": "1"}, {"Cache-Control": "no-store"}]',
    })
    expect([answer.status, answer.headers.get('x-own'), answer.headers.get('cache-control')]).toEqual([
      202,
      '1',
      'no-store',
    ])
    expect(await answer.json()).toBe('shaped')
    const wild = await post('shape', { status: 'abc', headers: '[]' })
    expect([wild.status, await wild.json()]).toMatchObject([500, { code: 'PGRST112' }])
    for (const headers of ['{"a":"b"}', '[{"a":"b","c":"d"}]', 'x', '[{"a\\n":"b"}]']) {
      const bad = await post('shape', { status: '200', headers })
      expect([bad.status, await bad.json()]).toMatchObject([500, { code: 'PGRST111' }])
    }
  })
})
