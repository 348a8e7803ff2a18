// Reading tables through the official client: filters, order, pages, counts, formats.
import { afterAll, describe, expect, test } from 'vitest'
import { openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)
const anon = scenario.client()

const ids = (data: { id: number }[] | null) => data?.map(({ id }) => id)
const agents = () => anon.from('agents').select('id').order('id')

describe('filters', () => {
  test.each<
    [name: string, apply: (query: ReturnType<typeof agents>) => PromiseLike<unknown>, expected: number[]]
  >([
    ['eq', (query) => query.eq('name', 'Ana'), [1]],
    ['eq with quotes and commas', (query) => query.eq('name', 'Décio, o "Bom"'), [4]],
    ['neq', (query) => query.neq('id', 1), [2, 3, 4]],
    ['gt', (query) => query.gt('score', 9), [1, 4]],
    ['gte', (query) => query.gte('score', 9.5), [1, 4]],
    ['lt', (query) => query.lt('score', 9.5), [2]],
    ['lte', (query) => query.lte('id', 2), [1, 2]],
    ['like', (query) => query.like('name', '%i%'), [2, 3, 4]],
    ['ilike', (query) => query.ilike('name', 'a%'), [1]],
    ['likeAnyOf', (query) => query.likeAnyOf('name', ['A%', 'B%']), [1, 2]],
    ['ilikeAllOf', (query) => query.ilikeAllOf('name', ['%a%', 'c%']), [3]],
    ['match', (query) => query.filter('name', 'match', '^[AB]'), [1, 2]],
    ['imatch', (query) => query.filter('name', 'imatch', '^[ab]'), [1, 2]],
    ['is null', (query) => query.is('score', null), [3]],
    ['is true', (query) => query.is('active', true), [1, 4]],
    ['is not null', (query) => query.not('active', 'is', null), [1, 2, 4]],
    ['is not_null', (query) => query.filter('active', 'is', 'not_null'), [1, 2, 4]],
    ['is unknown', (query) => query.filter('active', 'is', 'unknown'), [3]],
    ['in', (query) => query.in('name', ['Ana', 'Caio', 'nobody, (really)']), [1, 3]],
    ['in nothing', (query) => query.in('id', []), []],
    ['not in', (query) => query.not('id', 'in', '(1,2)'), [3, 4]],
    ['isdistinct', (query) => query.filter('office_id', 'isdistinct', '1'), [3, 4]],
    ['contains an array', (query) => query.contains('tags', ['b']), [1, 2]],
    ['contains a JSON value', (query) => query.contains('profile', { age: 31 }), [1]],
    ['contained by', (query) => query.containedBy('tags', ['a', 'b']), [1, 2, 3]],
    ['overlaps', (query) => query.overlaps('tags', ['a', 'd e']), [1, 4]],
    ['eq(any)', (query) => query.filter('id', 'eq(any)', '{1,3}'), [1, 3]],
    ['gt(all)', (query) => query.filter('id', 'gt(all)', '{1,3}'), [4]],
    ['match object', (query) => query.match({ name: 'Ana', id: 1 }), [1]],
    ['a domain', (query) => query.gte('rate', 50), [3, 4]],
    ['a timestamp', (query) => query.gte('joined', '2024-01-15'), [2]],
    ['JSON text', (query) => query.eq('profile->>age', '25'), [2]],
    ['JSON path', (query) => query.eq('profile->langs->>1', 'en'), [1]],
    ['JSON path as JSON', (query) => query.eq('profile->deep', '{"er":"x"}'), [1]],
    ['JSON of type json', (query) => query.eq('raw->>z', '1'), [1]],
    ['a path into an array column', (query) => query.eq('tags->>0', 'c'), [4]],
    ['a computed column', (query) => query.eq('label', 'Bia!'), [2]],
    ['or', (query) => query.or('id.eq.1,name.eq."Décio, o \\"Bom\\""'), [1, 4]],
    [
      'or with nesting',
      (query) => query.or('and(id.gt.1,id.lt.3),not.and(id.lt.4,active.is.null)'),
      [1, 2, 4],
    ],
    ['or with an array', (query) => query.or('tags.cs.{a,b},id.in.(3,4)'), [1, 3, 4]],
  ])('%s', async (_name, apply, expected) => {
    const { data, error } = (await apply(agents())) as { data: { id: number }[]; error: unknown }
    expect(error).toBeNull()
    expect(ids(data)).toEqual(expected)
  })

  test('a whole tree may be negated, and a listed value may contain quotes', async () => {
    const rest = async (query: string) =>
      ids(await (await scenario.request(`/agents?select=id&order=id&${query}`)).json())
    expect(await rest('not.and=(id.gte.2,id.lte.3)')).toEqual([1, 4])
    expect(await rest('not.or=(id.eq.1,id.eq.2)')).toEqual([3, 4])
    expect(await rest(`name=in.${encodeURIComponent('(Ana,"Décio, o \\"Bom\\"")')}`)).toEqual([1, 4])
  })

  test('a column with special characters is reached by quoting it', async () => {
    const { data } = await anon
      .from('agents')
      .select('id, wild:"odd name.with,(all)"')
      .eq('"odd name.with,(all)"', 'a "quoted" \\ one')
    expect(data).toEqual([{ id: 3, wild: 'a "quoted" \\ one' }])
    const { data: starred } = await anon.from('agents').select('id').or('"odd name.with,(all)".eq."*%_"')
    expect(starred).toEqual([{ id: 4 }])
  })

  test('ranges', async () => {
    const listings = () => anon.from('listings').select('id').order('id')
    expect((await listings().rangeGt('sizes', '[10,21)')).data).toEqual([{ id: 1 }])
    expect((await listings().rangeLt('sizes', '[60,90)')).data).toEqual([{ id: 2 }])
    expect((await listings().rangeGte('sizes', '[40,50)')).data).toEqual([{ id: 1 }])
    expect((await listings().rangeLte('sizes', '[40,50)')).data).toEqual([{ id: 2 }])
    expect((await listings().rangeAdjacent('sizes', '[80,90)')).data).toEqual([{ id: 1 }])
    expect((await listings().overlaps('sizes', '[75,90)')).data).toEqual([{ id: 1 }])
  })

  test('full-text search on a vector and on a text', async () => {
    const listings = () => anon.from('listings').select('id').order('id')
    expect((await listings().textSearch('body', 'mar', { config: 'simple' })).data).toEqual([{ id: 1 }])
    const web = await listings().textSearch('body', 'casa or centro', { type: 'websearch', config: 'simple' })
    expect(web.data).toEqual([{ id: 1 }, { id: 2 }])
    expect((await listings().textSearch('title', 'azul', { type: 'plain' })).data).toEqual([{ id: 1 }])
    const phrase = await listings().textSearch('title', 'casa azul', { type: 'phrase', config: 'portuguese' })
    expect(phrase.data).toEqual([{ id: 1 }])
  })
})

describe('columns', () => {
  test('aliases, casts and JSON paths name themselves', async () => {
    const { data } = await anon
      .from('agents')
      .select('key:id::text, profile->langs->0, profile->deep->>er, years:profile->>age')
      .eq('id', 1)
    expect(data).toEqual([{ key: '1', langs: 'pt', er: 'x', years: '31' }])
  })

  test('a bigint and a numeric keep every digit', async () => {
    const response = await scenario.request('/listings?select=id,price&price=not.is.null&order=id')
    expect(await response.text()).toBe(
      '[{"id":1,"price":500000.10}, \n {"id":2,"price":200000.00}, \n {"id":9007199254740993,"price":1.50}]',
    )
  })

  test('aggregates group by the other columns', async () => {
    const { data } = await anon
      .from('agents')
      .select('office_id, count(), best:score.max()::int')
      .order('office_id')
    expect(data).toEqual([
      { office_id: 1, count: 2, best: 10 },
      { office_id: 2, count: 1, best: null },
      { office_id: null, count: 1, best: 100 },
    ])
    const { data: whole } = await anon.from('agents').select('score.sum(), score.avg()::int, score.min()')
    expect(whole).toEqual([{ sum: 116.75, avg: 39, min: 7 }])
    const { data: byPath } = await anon
      .from('agents')
      .select('profile->>age::int.sum()')
      .not('profile', 'is', null)
    expect(byPath).toEqual([{ sum: 96 }])
  })

  test('a cast or an aggregate outside the list is refused', async () => {
    const cast = await anon.from('agents').select('id::regclass')
    expect(cast).toMatchObject({
      status: 400,
      error: { code: '42704', message: 'type "regclass" does not exist' },
    })
    const aggregate = await scenario.request('/agents?select=id.string_agg()')
    expect([aggregate.status, await aggregate.json()]).toMatchObject([400, { code: 'PGRST100' }])
  })
})

describe('order', () => {
  test('direction, nulls and several columns', async () => {
    const by = (order: string) =>
      scenario.request(`/agents?select=id&order=${order}`).then((answer) => answer.json())
    expect(ids(await by('score'))).toEqual([2, 1, 4, 3])
    expect(ids(await by('score.desc'))).toEqual([3, 4, 1, 2])
    expect(ids(await by('score.desc.nullslast'))).toEqual([4, 1, 2, 3])
    expect(ids(await by('office_id.nullsfirst,id.desc'))).toEqual([4, 2, 1, 3])
    expect(ids(await by('profile->age.desc.nullslast,id'))).toEqual([4, 1, 2, 3])
    expect(ids(await by('label.desc'))).toEqual([4, 3, 2, 1])
  })

  test('an error names its position', async () => {
    const answer = await scenario.request('/agents?order=id.descc')
    expect(await answer.json()).toEqual({
      code: 'PGRST100',
      message: '"failed to parse order (id.descc)" (line 1, column 8)',
      details: 'unexpected "c" expecting delimiter (.), "," or end of input',
      hint: null,
    })
  })
})

describe('pages and counts', () => {
  const page = async (path: string, init: RequestInit = {}) => {
    const answer = await scenario.request(path, init)
    return [answer.status, answer.headers.get('content-range'), ids(await answer.json())]
  }

  test('limit, offset and the Range header combine', async () => {
    expect(await page('/agents?select=id&order=id&limit=2&offset=1')).toEqual([200, '1-2/*', [2, 3]])
    expect(await page('/agents?select=id&order=id', { headers: { range: '1-2' } })).toEqual([
      200,
      '1-2/*',
      [2, 3],
    ])
    expect(await page('/agents?select=id&order=id&limit=3', { headers: { range: '0-1' } })).toEqual([
      200,
      '0-1/*',
      [1, 2],
    ])
    expect(await page('/agents?select=id&order=id&limit=0')).toEqual([200, '*/*', []])
    expect(await page('/agents?select=id&order=id&offset=-4&limit=1')).toEqual([200, '0-0/*', [1]])
  })

  test('a counted page is 206 while there is more', async () => {
    const exact = { headers: { prefer: 'count=exact' } }
    expect(await page('/agents?select=id&order=id&limit=2', exact)).toEqual([206, '0-1/4', [1, 2]])
    expect(await page('/agents?select=id&order=id&offset=2&limit=2', exact)).toEqual([206, '2-3/4', [3, 4]])
    expect(await page('/agents?select=id&order=id', exact)).toEqual([200, '0-3/4', [1, 2, 3, 4]])
    expect(await page('/agents?select=id&id=eq.99', exact)).toEqual([200, '*/0', []])
    expect(await page('/agents?select=id&offset=4', exact)).toEqual([206, '*/4', []])
    expect(await page('/agents?select=count()', exact)).toEqual([206, '0-0/4', [undefined]])
  })

  test('the client counts without reading rows', async () => {
    const head = await anon.from('agents').select('*', { count: 'exact', head: true }).gt('id', 1)
    expect(head).toMatchObject({ status: 200, count: 3, data: null, error: null })
    const planned = await anon.from('agents').select('id', { count: 'planned' }).limit(1)
    expect(planned.count).toBe(4)
    const ranged = await anon.from('agents').select('id', { count: 'estimated' }).order('id').range(1, 2)
    expect(ranged).toMatchObject({ status: 206, count: 4, data: [{ id: 2 }, { id: 3 }] })
  })

  test('a page beyond the last row is refused with the count', async () => {
    const answer = await scenario.request('/agents?offset=5', { headers: { prefer: 'count=exact' } })
    expect([answer.status, answer.headers.get('content-range'), await answer.json()]).toEqual([
      416,
      '*/4',
      {
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: 'An offset of 5 was requested, but there are only 4 rows.',
        hint: null,
      },
    ])
  })

  test.each([
    ['/agents?limit=-1', 416, 'PGRST103'],
    ['/agents?limit=abc', 400, 'PGRST100'],
    ['/agents?offset=1e3', 400, 'PGRST100'],
    ['/agents?offset=99999999999999999999', 400, '22003'],
  ])('%s answers %i %s', async (path, status, code) => {
    const answer = await scenario.request(path)
    expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
  })

  test("no answer has more rows than the portal's limit, nor does any embed", async () => {
    const small = await openRestScenario({ maxRows: 2 })
    try {
      const answer = await small.request('/agents?select=id,agents(id)&order=id&limit=3', {
        headers: { prefer: 'count=exact' },
      })
      expect([answer.headers.get('content-range'), await answer.json()]).toEqual([
        '0-1/4',
        [
          { id: 1, agents: [{ id: 2 }, { id: 3 }] },
          { id: 2, agents: [{ id: 4 }] },
        ],
      ])
    } finally {
      await small.close()
    }
  })
})

describe('formats', () => {
  test('one object, or 406 for none and for many', async () => {
    expect((await anon.from('offices').select('name').eq('id', 1).single()).data).toEqual({ name: 'Centro' })
    expect((await anon.from('offices').select('name').eq('id', 9).maybeSingle()).data).toBeNull()
    expect(await anon.from('offices').select('name').single()).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 3 rows',
        hint: null,
      },
    })
    expect((await anon.from('offices').select().eq('id', 9).single()).error?.details).toBe(
      'The result contains 0 rows',
    )
  })

  test('without nulls', async () => {
    const { data } = await anon.from('offices').select('id, city').eq('id', 3).stripNulls()
    expect(data).toEqual([{ id: 3 }])
    const one = await anon.from('offices').select('id, city').eq('id', 3).single().stripNulls()
    expect(one.data).toEqual({ id: 3 })
  })

  test('comma-separated values protected from formulas, on request', async () => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await scenario.request('/agents?select=id,name&id=eq.1', {
        headers: { accept: 'text/csv', ...headers },
      })
      return [answer.headers.get('x-csv-formulas'), await answer.text()]
    }
    await scenario.database.db.exec(`update shop.agents set name = '=1+1,"a"' where id = 1`)
    expect(await ask({})).toEqual([null, 'id,name\n1,"=1+1,""a"""'])
    expect(await ask({ 'x-csv-formulas': 'escape' })).toEqual(['escape', `id,name\n1,"'=1+1,""a"""`])
    await scenario.database.db.exec(`update shop.agents set name = 'Ana' where id = 1`)
  })

  test('comma-separated values', async () => {
    const { data } = await anon.from('agents').select('id, name, score, tags').order('id').csv()
    expect(data).toBe(
      [
        'id,name,score,tags',
        '1,Ana,9.5,"[""a"",""b""]"',
        '2,Bia,7,"[""b""]"',
        '3,Caio,,[]',
        '4,"Décio, o ""Bom""",100.25,"[""c"",""d e""]"',
      ].join('\n'),
    )
  })

  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['text/csv;q=0.2, application/json;q=0.9', 'application/json; charset=utf-8'],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    ],
  ])('%s is answered as %s', async (accept, type) => {
    const answer = await scenario.request('/offices', { headers: { accept } })
    expect(answer.headers.get('content-type')).toBe(type)
  })

  test('a format that cannot be produced is refused', async () => {
    const answer = await scenario.request('/offices', {
      headers: { accept: 'application/geo+json, image/png' },
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      406,
      {
        code: 'PGRST107',
        message: 'None of these media types are available: application/geo+json, image/png',
      },
    ])
  })
})
