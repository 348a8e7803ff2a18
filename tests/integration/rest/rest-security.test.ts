// Row rules, no trace of one request in the next, and hostile input everywhere.
import { afterAll, describe, expect, test } from 'vitest'
import { byTier } from '#tests/support/runner/tier.ts'
import { ANA, BIA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'

const scenario = await openRestScenario()
afterAll(scenario.close)

const bodies = (data: { body: string }[] | null) => data?.map(({ body }) => body)

describe('row rules, on made-up tables', () => {
  test('each caller sees and changes only own rows', async () => {
    const [ana, bia] = [scenario.client(ANA), scenario.client(BIA)]
    expect(bodies((await ana.from('notes').select('body').order('id')).data)).toEqual(['ana one', 'ana two'])
    expect(bodies((await bia.from('notes').select('body')).data)).toEqual(['bia one'])
    expect(
      (await bia.from('notes').update({ body: 'stolen' }).gt('id', 0).select('body').rollback()).data,
    ).toEqual([{ body: 'stolen' }])
    expect((await bia.from('notes').delete().like('body', 'ana%').select('id')).data).toEqual([])
    expect(await bia.from('notes').insert({ owner: ANA, body: 'forged' })).toMatchObject({
      status: 403,
      error: { code: '42501', message: 'new row violates row-level security policy for table "notes"' },
    })
    expect(await scenario.client().from('notes').select()).toMatchObject({
      status: 401,
      error: { code: '42501' },
    })
  })

  test('no state of a request stays for the next, refused or not', async () => {
    const who = async (person?: string) => {
      const answer = await scenario.request('/rpc/who', person === undefined ? {} : { person })
      return ((await answer.json()) as { role: string; sub: string | null }).sub
    }
    for (let round = 0; round < 8; round++) {
      expect(await who(ANA)).toBe(ANA)
      expect((await scenario.request('/notes?id=eq.x', { person: ANA })).status).toBe(400)
      expect(await who()).toBeNull()
      expect((await scenario.request('/notes')).status).toBe(401)
    }
    const { rows } = await scenario.database.db.query<{
      role: string
      claims: string | null
      read_only: string
    }>(
      `select current_user = session_user as role, nullif(current_setting('request.jwt.claims', true), '') as claims,
        current_setting('transaction_read_only') as read_only`,
    )
    expect(rows).toEqual([{ role: true, claims: null, read_only: 'off' }])
  })

  test('simultaneous requests never mix', async () => {
    const people = Array.from(
      { length: 40 },
      (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    )
    const answers = await Promise.all(
      people.map(async (person, at) => {
        const path = at % 3 === 0 ? '/rpc/who' : '/notes?select=body&id=eq.oops'
        const answer = await scenario.request(path, { person })
        return at % 3 === 0 ? ((await answer.json()) as { sub: string }).sub : person
      }),
    )
    expect(answers).toEqual(people)
  })
})

const HOSTILE = [
  `'`,
  `"`,
  `\\`,
  `'; drop table shop.offices; --`,
  `"; drop table shop.offices; --`,
  `1) or (1=1`,
  `1 union select current_user`,
  `$1`,
  `$$; select 1; $$`,
  `\0`,
  `a\0b`,
  `\u0001\u001f\u007f`,
  `\u202e\u200d😀é́`,
  `x`.repeat(200),
  `é`.repeat(63),
  `)`,
  `(`,
  `((((((((`,
  `()`,
  `*`,
  `%`,
  `,`,
  `.`,
  `..`,
  `...`,
  `:`,
  `::`,
  `::int`,
  `!`,
  `!inner`,
  `->`,
  `->>'x'`,
  `-1`,
  `99999999999999999999999`,
  `1e999999`,
  `-0`,
  `NaN`,
  `Infinity`,
  `null`,
  `true`,
  `{`,
  `{}`,
  `{{{{{{{`,
  `[`,
  `["`,
  `"\\`,
  `"unfinished`,
  `a"b`,
  `__proto__`,
  `constructor`,
  `toString`,
  `pg_sleep`,
  `ctid`,
  `eq.1`,
  `not.not.eq.1`,
  `and(`,
  `in.(`,
  `%2e%2e/`,
  `\n\r\t`,
  ` `,
  ``,
]

/** In the quick tier each place gets every fourth word, the next place the following ones: all words, all places. */
const STRIDE = byTier(8, 1)
const wordsFor = (place: number) => HOSTILE.filter((_, at) => (at + place) % STRIDE === 0)

/** Every part of a request with a name or a value; `word` is the hostile text, percent-encoded. */
const PLACES: Record<string, (word: string) => string> = {
  table: (word) => `/${word}`,
  function: (word) => `/rpc/${word}`,
  'a column': (word) => `/agents?select=${word}`,
  'a quoted column': (word) => `/agents?select="${word}"`,
  'an alias': (word) => `/agents?select=${word}:id`,
  'a quoted alias': (word) => `/agents?select="${word}":id`,
  'a cast': (word) => `/agents?select=id::${word}`,
  'an aggregate': (word) => `/agents?select=id.${word}()`,
  'a JSON key': (word) => `/agents?select=profile->${word}`,
  'a quoted JSON key': (word) => `/agents?select=profile->>"${word}"`,
  'a JSON key to order by': (word) => `/agents?order=profile->"${word}"`,
  'an embed': (word) => `/agents?select=${word}(id)`,
  'a hint': (word) => `/agents?select=offices!${word}(id)`,
  'an embedded column': (word) => `/agents?select=offices("${word}")`,
  'a spread column': (word) => `/agents?select=...offices(x:"${word}")`,
  'a filter column': (word) => `/agents?${word}=eq.1`,
  'a quoted filter column': (word) => `/agents?"${word}"=eq.1`,
  'an operator': (word) => `/agents?id=${word}`,
  'a value': (word) => `/agents?name=eq.${word}`,
  'a number': (word) => `/agents?id=eq.${word}`,
  'a numeric': (word) => `/agents?score=gt.${word}`,
  'a time': (word) => `/agents?joined=lt.${word}`,
  'a JSON value': (word) => `/agents?profile=cs.${word}`,
  'a JSON value at a path': (word) => `/agents?profile->age=eq.${word}`,
  'an array': (word) => `/agents?tags=ov.${word}`,
  'a listed value': (word) => `/agents?name=in.(${word})`,
  'a listed number': (word) => `/agents?id=in.(1,"${word}")`,
  'a quantified value': (word) => `/agents?name=like(any).${word}`,
  'a pattern': (word) => `/agents?name=like.${word}`,
  'a regular expression': (word) => `/agents?name=imatch.${word}`,
  'a range': (word) => `/listings?sizes=ov.${word}`,
  'a search': (word) => `/listings?body=fts.${word}`,
  'a search language': (word) => `/listings?title=plfts(${word}).x`,
  'a truth': (word) => `/agents?active=is.${word}`,
  'a tree': (word) => `/agents?or=${word}`,
  'a branch': (word) => `/agents?or=(id.eq.1,${word})`,
  'a branch value': (word) => `/agents?or=(name.eq."${word}",id.eq.1)`,
  'an order': (word) => `/agents?order=${word}`,
  'a quoted order': (word) => `/agents?order="${word}".desc`,
  'a related order': (word) => `/agents?select=offices(id)&order=offices("${word}")`,
  'a limit': (word) => `/agents?limit=${word}`,
  'an offset': (word) => `/agents?offset=${word}`,
  'an embed path': (word) => `/agents?select=offices(id)&offices.${word}=eq.1`,
  'an argument': (word) => `/rpc/add?a=${word}`,
  'a text argument': (word) => `/rpc/agent_named?who=${word}`,
  'an argument name': (word) => `/rpc/add?${word}=1`,
}

/**
 * The fault of an answer to hostile input, or null. A syntax error means that text became SQL; 5xx, that
 * the layer failed.
 */
async function harmOf(answer: Response): Promise<string | null> {
  const text = await answer.text()
  const isExplained = answer.status < 400 || text.startsWith('{"code":"')
  const isSyntax = /"code":"42601".* at (or near|end of input)/.test(text)
  return answer.status < 500 && isExplained && !isSyntax ? null : `${answer.status} ${text}`
}

/** Traces that no hostile request may leave: changed rows, another role, an error in the log. */
async function traces(): Promise<unknown> {
  const { rows } = await scenario.database.db.query(
    'select count(*) as offices, current_user = session_user as is_owner from shop.offices',
  )
  return [...rows, ...scenario.logged.splice(0)]
}
const CLEAN = [{ offices: 3, is_owner: true }]

describe('hostile input', () => {
  test.each(Object.entries(PLACES))('as %s', async (place, toPath) => {
    for (const word of wordsFor(Object.keys(PLACES).indexOf(place)))
      expect(
        await harmOf(await scenario.request(toPath(encodeURIComponent(word)), { person: ANA })),
      ).toBeNull()
    expect(await traces()).toEqual(CLEAN)
  })

  test('as names and values of a body', async () => {
    const headers = { prefer: 'return=representation,tx=rollback,missing=default' }
    const write = (method: string, path: string, body: unknown) =>
      scenario.request(path, { method, person: ANA, headers, body: JSON.stringify(body) })
    const places: ((word: string, name: string) => Promise<Response>)[] = [
      (word) => write('POST', '/agents', { [word]: 1 }),
      (word) => write('POST', '/offices?select=name', { id: 77, name: word, city: word }),
      (word) => write('POST', '/agents?select=tags,profile', { name: 'x', tags: [word], profile: word }),
      (word) => write('POST', '/offices', { id: word, name: 'x' }),
      (_, name) => write('POST', `/offices?columns="${name}"`, { id: 77 }),
      (_, name) => write('POST', `/offices?on_conflict="${name}"`, { id: 77, name: 'x' }),
      (word, name) => write('PATCH', `/offices?name=eq.${name}`, { city: word }),
      (word, name) => write('PATCH', `/offices?"${name}"=eq.1`, { city: word }),
      (_, name) => write('DELETE', `/offices?name=eq.${name}`, undefined),
      (word) => write('POST', '/rpc/add', { [word]: 1, a: word }),
      (word) => write('POST', '/rpc/joined', { parts: [word, word] }),
      (word) => scenario.request('/offices', { method: 'POST', person: ANA, body: word }),
    ]
    for (const [place, ask] of places.entries())
      for (const word of wordsFor(place))
        expect(await harmOf(await ask(word, encodeURIComponent(word)))).toBeNull()
    expect(await traces()).toEqual(CLEAN)
  })

  test('text is stored unchanged', async () => {
    const texts = HOSTILE.filter((word) => !word.includes('\0'))
    const stored = await scenario.request('/keyless?select=a', {
      method: 'POST',
      person: ANA,
      headers: { prefer: 'return=representation,tx=rollback' },
      body: JSON.stringify(texts.map((a) => ({ a }))),
    })
    expect(((await stored.json()) as { a: string }[]).map(({ a }) => a)).toEqual(texts)
    for (const word of texts) {
      const sent = await scenario.request('/rpc/whole_text', {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: word,
      })
      expect(await sent.json()).toBe(`${word}!`)
    }
  })

  test('NUL is refused with 400 everywhere', async () => {
    for (const path of [
      '/agents?name=eq.a%00',
      '/agents?%00=eq.1',
      '/agents?select=a%00',
      '/agents?or=(name.eq.%00)',
    ])
      expect((await scenario.request(path)).status).toBe(400)
    const inBody = await scenario.request('/keyless', {
      method: 'POST',
      person: ANA,
      body: '{"a":"\\u0000"}',
    })
    expect([inBody.status, await inBody.json()]).toMatchObject([400, { code: '22P05' }])
    const raw = await scenario.request('/keyless', { method: 'POST', person: ANA, body: '{"a":"\0"}' })
    expect([raw.status, await raw.json()]).toMatchObject([400, { code: 'PGRST102' }])
  })

  test('invalid UTF-8 is refused or replaced, never half read', async () => {
    expect(await harmOf(await scenario.request('/agents?name=eq.%ED%A0%80%FF'))).toBeNull()
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const answer = await scenario.request('/keyless', { method: 'POST', person: ANA, body })
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PGRST102' }])
  })

  test('in headers', async () => {
    const names = ['prefer', 'accept', 'accept-profile', 'range', 'authorization', 'content-type']
    for (const [place, name] of names.entries())
      for (const word of wordsFor(place).filter((text) => !/[^\x20-\x7e]/.test(text)))
        expect(await harmOf(await scenario.request('/offices', { headers: { [name]: word } }))).toBeNull()
  })

  test('requests that would exhaust the engine are refused before they reach it', async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
    const refused = [
      `/agents?name=match.${deep('(', ')', 300)}`,
      `/agents?name=match.((a{1,200}){1,200}){1,2}`,
      `/agents?name=match.(((a?){0,10}){0,10}){0,10}`,
      `/agents?name=match.^(.%2B)(.%2B)\\2\\1$`,
      `/agents?or=(id.eq.1,name.imatch.(a|aa)%2B(b|a{1,150})*\\1$)`,
      `/agents?select=id,offices(id)&offices.city=match.(.%2B)\\1`,
      `/rpc/agents_of?office=1&name=match.(.%2B)\\1`,
      `/agents?name=match.a(?=.*b)`,
      `/agents?name=like.${'a'.repeat(1_001)}`,
      `/agents?name=match.(?b)\\(a\\{0,200\\}\\)\\{0,200\\}`,
      `/agents?profile=cs.${deep('[', ']', 12_000)}`,
      `/agents?tags=ov.${deep('{', '}', 12_000)}`,
      `/rpc/named_json?x=${deep('[', ']', 12_000)}`,
      `/listings?body=fts.${deep('(', ')', 8_000)}`,
      `/agents?or=${deep('and(', ')', 4_000)}`,
      `/agents?or=${'('.repeat(100)}id.eq.1${')'.repeat(100)}`,
      `/agents?select=${'agents('.repeat(12)}id${')'.repeat(12)}`,
      `/agents?select=${Array.from({ length: 30 }, (_, at) => `a${at}:offices(id)`).join()}`,
      `/agents?select=${Array.from({ length: 600 }, () => 'id').join()}`,
      `/agents?order=${Array.from({ length: 60 }, () => 'id').join()}`,
      `/agents?select=profile${'->a'.repeat(40)}`,
      `/agents?${Array.from({ length: 400 }, () => 'id=gt.0').join('&')}`,
      `/agents?or=(${Array.from({ length: 900 }, () => 'id.gt.0').join()})`,
      `/agents?or=(${Array.from({ length: 41 }, (_, at) => `name.ilike.*${at}*`).join()})`,
      `/agents?and=(${Array.from({ length: 41 }, (_, at) => `name.not.wfts.${at}`).join()})`,
      `/agents?name=like(any).{${Array.from({ length: 41 }, (_, at) => `%${at}%`).join()}}`,
      `/agents?select=id,offices(id)&offices.city=ilike(all).{${'a,'.repeat(30)}a}&name=like(any).{${'a,'.repeat(10)}a}`,
    ]
    for (const path of refused) {
      const answer = await scenario.request(path)
      expect([path.slice(0, 40), answer.status]).toEqual([path.slice(0, 40), 400])
    }
    const nested = `{"profile":${deep('[', ']', 20_000)}}`
    const body = await scenario.request('/agents?id=eq.1', { method: 'PATCH', person: ANA, body: nested })
    expect([body.status, await body.json()]).toMatchObject([400, { code: 'PGRST102' }])
    const spelt = JSON.stringify({ a: '['.repeat(5_000) })
    const text = await scenario.request('/keyless', {
      method: 'POST',
      person: ANA,
      headers: { prefer: 'tx=rollback' },
      body: spelt,
    })
    expect(text.status).toBe(201)
    expect(await traces()).toEqual(CLEAN)
  })

  test('a too large answer is aborted while it is built', async () => {
    const { db } = scenario.database
    await db.exec(`insert into shop.agents (id, name, office_id)
      select n, repeat('x', 10000), 1 from generate_series(1001, 1030) n`)
    const columns = Array.from({ length: 190 }, (_, at) => `c${at}:name`).join()
    const ask = (path: string, accept: string) => scenario.request(path, { headers: { accept } })
    const requests = [
      [`/agents?select=${columns}`, 'application/json'],
      [`/agents?select=${columns}`, 'application/vnd.pgrst.array+json;nulls=stripped'],
      [`/agents?select=${columns}`, 'application/vnd.pgrst.object+json'],
      [`/agents?select=${columns}`, 'text/csv'],
      [`/offices?select=id,agents(${columns})&id=eq.1`, 'application/json'],
      [`/offices?select=id,...agents(${columns})&id=eq.1`, 'application/json'],
      [`/rpc/agents_of?office=1&select=${columns}`, 'application/json'],
    ] as const
    for (const [path, accept] of requests.filter((_, at) => at % byTier(2, 1) === 0)) {
      const answer = await ask(path, accept)
      expect([path.slice(0, 20), accept, answer.status, await answer.json()]).toMatchObject([
        path.slice(0, 20),
        accept,
        413,
        { code: 'PGRSTX04' },
      ])
    }
    await db.exec('delete from shop.agents where id > 1000')
    expect(await traces()).toEqual(CLEAN)
  }, 60_000)

  test('the maximum allowed is answered, and the engine survives', async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
    const allowed = [
      `/agents?name=match.${'('.repeat(120)}a${')'.repeat(120)}`,
      `/agents?name=match.${'('.repeat(110)}a{1,10}${'){1,2}'.repeat(4)}${')'.repeat(106)}`,
      `/agents?name=match.((a?){0,14}){0,14}`,
      `/agents?name=match.((a|b)?){0,100}`,
      `/agents?name=match.(a|aa)%2B(b|a{1,150})*$`,
      `/agents?name=ilike.${'*a'.repeat(500)}`,
      `/agents?name=match.${'a?'.repeat(128)}`,
      `/agents?profile=cs.${deep('[', ']', 100)}`,
      `/listings?body=fts(simple).${'('.repeat(480)}a${')'.repeat(480)}`,
      `/listings?body=fts(simple).${Array.from({ length: 250 }, () => 'a').join('%26')}`,
      `/listings?body=wfts(simple).${Array.from({ length: 250 }, () => 'a').join('%20or')}`,
      `/agents?or=${'(not.and'.repeat(19)}(id.eq.1)${')'.repeat(19)}`,
      `/agents?or=(${Array.from({ length: 490 }, (_, at) => `id.eq.${at}`).join()})`,
      `/agents?id=in.(${Array.from({ length: 5_000 }, (_, at) => at).join()})`,
      `/agents?select=${'agents('.repeat(5)}id${')'.repeat(5)}`,
      `/agents?select=${'agents!inner('.repeat(5)}id${')'.repeat(5)}`,
      `/agents?select=${Array.from({ length: 16 }, (_, at) => `a${at}:offices!inner(id)`).join()}`,
      `/agents?select=${Array.from({ length: 8 }, (_, at) => `a${at}:offices(...agents(o${at}:id))`).join()}`,
      `/agents?select=${Array.from({ length: 200 }, (_, at) => `c${at}:profile->a->b`).join()}`,
      `/agents?select=profile${'->a'.repeat(16)}&order=${Array.from({ length: 32 }, () => 'profile->b->c').join()}`,
    ]
    for (const path of allowed) {
      const answer = await scenario.request(path, { headers: { prefer: 'count=exact' } })
      expect([path.slice(0, 60), answer.status, await answer.text()]).toEqual([
        path.slice(0, 60),
        200,
        expect.any(String) as string,
      ])
    }
    const nested = `{"profile":${deep('[', ']', 99)}}`
    expect((await scenario.write('PATCH', '/agents?id=eq.1', { body: nested })).status).toBe(204)
    expect(await traces()).toEqual(CLEAN)
  })
})
