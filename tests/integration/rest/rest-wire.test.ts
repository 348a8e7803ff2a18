// Rules of every answer: paths, methods, profiles, preferences, tokens, errors, and reloading the catalogue.
import { afterAll, describe, expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)

const read = async (path: string, init: RequestInit & { person?: string } = {}) => {
  const answer = await scenario.request(path, init)
  return [answer.status, (await answer.json()) as unknown]
}

describe('paths and methods', () => {
  test.each([
    ['/', 404, 'PGRST126'],
    ['', 404, 'PGRST126'],
    ['/offices/1', 404, 'PGRST125'],
    ['/offices/', 404, 'PGRST125'],
    ['/rpc/', 404, 'PGRST125'],
    ['/rpc/a/b', 404, 'PGRST125'],
    ['/%E0%A4%A', 404, 'PGRST125'],
    ['/nowhere', 404, 'PGRST205'],
    ['/rpc/nowhere', 404, 'PGRST202'],
  ])('%s is %i %s', async (path, status, code) => {
    expect(await read(path)).toMatchObject([status, { code }])
  })

  test('an unknown table is answered with the nearest name', async () => {
    expect(await read('/office')).toEqual([
      404,
      {
        code: 'PGRST205',
        message: "Could not find the table 'shop.office' in the schema cache",
        details: null,
        hint: "Perhaps you meant the table 'shop.offices'",
      },
    ])
  })

  test('PUT is not served', async () => {
    expect(await read('/offices', { method: 'PUT' })).toEqual([
      405,
      { code: 'PGRST117', message: 'Unsupported HTTP method: PUT', details: null, hint: null },
    ])
  })

  test.each([
    ['/offices', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/cards_of_cards', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/mixed', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/totals', 'OPTIONS,GET,HEAD'],
    ['/rpc/add', 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/hire', 'OPTIONS,POST'],
  ])('OPTIONS %s allows %s, without CORS for other origins', async (path, allow) => {
    const answer = await scenario.request(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://outra.example', 'access-control-request-method': 'POST' },
    })
    expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([200, allow, ''])
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('OPTIONS of a missing table is refused like any other method', async () => {
    expect(await read('/nowhere', { method: 'OPTIONS' })).toMatchObject([404, { code: 'PGRST205' }])
    expect(await read('/rpc/nowhere', { method: 'OPTIONS' })).toMatchObject([404, { code: 'PGRST202' }])
    expect(await read('/offices', { method: 'OPTIONS', person: 'expired' })).toMatchObject([
      401,
      { code: 'PGRST303' },
    ])
  })

  test('HEAD answers without a body, errors too', async () => {
    const head = await scenario.request('/offices?limit=2', {
      method: 'HEAD',
      headers: { prefer: 'count=exact' },
    })
    expect([
      head.status,
      head.headers.get('content-range'),
      head.headers.get('content-type'),
      await head.text(),
    ]).toEqual([206, '0-1/3', 'application/json; charset=utf-8', ''])
    const refused = await scenario.request('/nowhere', { method: 'HEAD' })
    expect([refused.status, await refused.text()]).toEqual([404, ''])
  })

  test('a URL beyond the limit is not parsed', async () => {
    expect(await read(`/offices?name=eq.${'x'.repeat(33_000)}`)).toMatchObject([414, { code: 'PGRST100' }])
  })
})

describe('schemas', () => {
  test('the profile chooses one, and the answer names it', async () => {
    const answer = await scenario.request('/things', { headers: { 'accept-profile': 'annex' } })
    expect([answer.headers.get('content-profile'), await answer.json()]).toEqual([
      'annex',
      [{ id: 1, label: 'annexed' }],
    ])
    const written = await scenario.request('/things', {
      method: 'POST',
      person: ANA,
      headers: { 'content-profile': 'annex', prefer: 'return=representation,tx=rollback' },
      body: '{"id":2}',
    })
    expect([written.status, written.headers.get('content-profile')]).toEqual([201, 'annex'])
    const { data } = await scenario.client().schema('annex').rpc('where_am_i')
    expect(data).toBe('annex')
    expect((await scenario.request('/offices')).headers.get('content-profile')).toBe('shop')
  })

  test('a schema that is not exposed counts as missing', async () => {
    expect(await read('/secrets', { headers: { 'accept-profile': 'hidden' } })).toEqual([
      406,
      {
        code: 'PGRST106',
        message: 'Invalid schema: hidden',
        details: null,
        hint: 'Only the following schemas are exposed: shop, annex',
      },
    ])
    expect(await read('/things')).toMatchObject([404, { code: 'PGRST205' }])
    expect(await read('/rpc/set_config', { method: 'POST', body: '{}' })).toMatchObject([
      404,
      { code: 'PGRST202' },
    ])
  })
})

describe('preferences', () => {
  test('unknown ones are refused when strict, ignored when lenient', async () => {
    expect(
      await read('/offices', { headers: { prefer: 'handling=strict, count=exact, foo=bar, baz' } }),
    ).toEqual([
      400,
      {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: foo=bar, baz',
        hint: null,
      },
    ])
    const lenient = await scenario.request('/offices', {
      headers: { prefer: 'handling=lenient, foo=bar, count=exact' },
    })
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([
      200,
      'count=exact, handling=lenient',
    ])
  })
})

describe('callers', () => {
  test('no token is anon, an invalid one is refused', async () => {
    expect(await read('/notes')).toEqual([
      401,
      { code: '42501', message: 'permission denied for table notes', details: null, hint: null },
    ])
    const expired = await scenario.request('/notes', { person: 'expired' })
    expect([expired.status, expired.headers.get('www-authenticate'), await expired.json()]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="JWT expired"',
      { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
    ])
    expect(await read('/notes', { person: 'broken' })).toMatchObject([401, { code: 'PGRST301' }])
    expect(await read('/agent_details?select=salary', { person: ANA })).toMatchObject([
      403,
      { code: '42501' },
    ])
  })
})

describe('server errors', () => {
  test('reveal nothing internal, and are logged', async () => {
    const broken = await openRestScenario({
      principalOf: () => Promise.reject(new Error('the key store burnt')),
    })
    try {
      const answer = await broken.request('/offices')
      expect([answer.status, await answer.json()]).toEqual([
        500,
        { code: 'PGRSTX00', message: 'Internal server error', details: null, hint: null },
      ])
      const [line = ''] = broken.logged
      expect(JSON.parse(line)).toMatchObject({
        event: 'rest.failed',
        method: 'GET',
        path: '/rest/v1/offices',
        answered: 'PGRSTX00',
        message: 'the key store burnt',
      })
    } finally {
      await broken.close()
    }
  })

  test('a database that is down gives 503 for the catalogue, which is read again later', async () => {
    let isDown = true
    const weak = await openRestScenario({
      wrap: (db) => ({
        ...db,
        transaction: (run, options) =>
          isDown
            ? Promise.reject(new SqlError({ code: '57P03', message: 'starting up' }))
            : db.transaction(run, options),
      }),
    })
    try {
      const answer = await weak.request('/offices?select=id')
      expect([answer.status, await answer.json()]).toEqual([
        503,
        {
          code: 'PGRST002',
          message: 'Could not query the database for the schema cache. Retrying.',
          details: null,
          hint: null,
        },
      ])
      expect(weak.logged.join()).toContain('rest.catalog-failed')
      isDown = false
      expect((await weak.request('/offices?select=id')).status).toBe(200)
    } finally {
      await weak.close()
    }
  })
})

describe('the catalogue', () => {
  test('is read again on request, and on a Postgres notification', async () => {
    let onHeard: (payload: string) => void = () => undefined
    const changing = await openRestScenario({
      wrap: (db) => ({
        ...db,
        listen: (channel, onPayload) =>
          db.listen(channel, (payload) => {
            onPayload(payload)
            onHeard(payload)
          }),
      }),
    })
    try {
      const { db } = changing.database
      const status = async (table: string) =>
        (await changing.request(table, { headers: { 'accept-profile': 'annex' } })).status
      expect(await status('/later')).toBe(404)
      await db.exec('create table annex.later (id integer); grant select on annex.later to anon')
      expect(await status('/later')).toBe(404)
      await changing.reloadCatalog()
      expect(await status('/later')).toBe(200)

      await db.exec('create table annex.latest (id integer); grant select on annex.latest to anon')
      expect(await status('/latest')).toBe(404)
      const heard = new Promise<string>((resolve) => {
        onHeard = resolve
      })
      await db.exec(`notify pgrst, 'reload schema'`)
      expect(await heard).toBe('reload schema')
      expect(await status('/latest')).toBe(200)
    } finally {
      await changing.close()
    }
  })
})
