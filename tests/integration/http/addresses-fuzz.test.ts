// Random requests to every address by every caller: never an internal error, no change after a refusal, no data of
// another broker in answers, and no change of others' data. `FUZZ_RUNS=5000` sets the number, `FUZZ_SEED` the seed.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databasesOf, untilQuiet } from '#tests/support/database.ts'
import { ADDRESSES, type AddressEntry } from '#tests/support/addresses.ts'
import { openAddresses, type AddressesScenario, type Knock } from '#tests/support/addresses-scenario.ts'
import { TABLE_RULES, type TableRule } from '#tests/support/schema/row-rules.ts'
import { OTHER_MARK, type Side } from '#tests/support/schema/rules-scenario.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? byTier(30, 250))
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)

/** A wrong password is written to the audit log. */
const NOTED = ['POST /auth/v1/token', 'PUT /auth/v1/user']

let portal: AddressesScenario
let secret: string
beforeAll(async () => {
  portal = await openAddresses()
  secret = await mintWebhookSecret(portal.db.query, portal.scenario.own.instanceName)
})
afterAll(() => portal.close())

const ODD = [
  '\0',
  '\ud800',
  "'; drop table portal.accounts; --",
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '-1',
  '1e999',
]
const odd = fc.oneof(
  fc.constantFrom(...ODD, '', '0', 'null', '9'.repeat(40), '😀'.repeat(50)),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const value = fc.oneof(
  odd,
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    1.5,
    1e300,
    3e9,
    Number.MAX_SAFE_INTEGER,
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
  ),
)
/** Columns and fields that nobody may set. */
const forbidden = fc.constantFrom(
  'role',
  'id',
  'account_id',
  'accountId',
  'instanceName',
  'password_hash',
  'broker_id',
)

type Word = {
  entry: [string, AddressEntry]
  who: 'nobody' | 'broker' | 'admin'
  side: 'own' | 'other'
  at: (string | undefined)[]
  body: unknown
}

const word: fc.Arbitrary<Word> = fc.record({
  entry: fc.constantFrom(...Object.entries(ADDRESSES)),
  who: fc.constantFrom('nobody', 'broker', 'admin'),
  side: fc.constantFrom('own', 'other'),
  at: fc.array(fc.option(odd, { nil: undefined, freq: 2 }), { minLength: 3, maxLength: 3 }),
  body: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        fields: fc.dictionary(forbidden, value, { maxKeys: 2 }),
        spoilt: fc.nat(8),
        by: value,
      }),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  ),
})

/** The entry's own request with some parts broken, or something else altogether. */
function toKnock({ entry: [name, entry], who, side, at, body }: Word): Knock {
  const { scenario, tokens } = portal
  const values: Record<string, string | number> = {
    ...entry.at?.(scenario[side], scenario),
    ...(name.includes('/webhook/') ? { secret } : {}),
  }
  let place = 0
  const path = (name.split(' ')[1] ?? '').replace(/:([a-zA-Z]+\??)/g, (_, key: string) =>
    encode(String(at[place++] ?? values[key] ?? '')),
  )
  const method = name.split(' ')[0] ?? ''
  return {
    method,
    address: path + (entry.query?.(scenario[side]) ?? ''),
    token: who === 'nobody' ? undefined : tokens[who],
    body: method === 'GET' ? null : toBody(entry.body?.(scenario[side], scenario), body),
  }
}

function toBody(own: unknown, body: unknown): BodyInit {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body)
  const { fields, spoilt, by } = body as { fields: object; spoilt: number; by: unknown }
  const entries = Object.entries({ ...(own as object), ...fields })
  return JSON.stringify(
    Object.fromEntries(entries.map(([key, given], index) => [key, index === spoilt ? by : given])),
  )
}

/** Replaces unpaired surrogates, which an address cannot contain. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** Tables that the broker may not change at all, and other brokers' rows of the rest. */
async function foreign(): Promise<unknown> {
  const { other } = portal.scenario
  const { rows } = await portal.db.query(
    `select (select jsonb_agg(a order by a.id) from portal.accounts a) as accounts,
      -- Whoever takes a pause says so there.
      (select jsonb_agg(to_jsonb(b) - 'paused_until' - 'updated_at' order by b.id) from public.brokers b) as brokers,
      (select jsonb_agg(c order by c.id) from public.whatsapp_contacts c where "instanceName" = $1) as contacts,
      (select jsonb_agg(m order by m.id) from public.whatsapp_messages m where "instanceName" = $1) as messages,
      (select jsonb_agg(c order by c.id) from public.remarketing_campaigns c where broker_id = $2) as campaigns,
      (select jsonb_agg(r order by r.id) from public.roletas r) as roletas,
      (select jsonb_agg(p order by p.id) from public.prompts_agents p) as agents,
      (select jsonb_agg(k order by k.id) from public.kanban_stages k) as stages,
      (select jsonb_agg(q order by q.id) from public.quick_replies q where broker_id = $2) as replies`,
    [other.instanceName, other.id],
  )
  return rows
}

/** Excludes addresses that end the caller's session, as they should. */
const isStaying = ({ entry: [name] }: Word) => !/logout|PUT .auth/.test(name)

/** The session was valid throughout; the caller was no stranger. */
async function expectAsking(who: 'broker' | 'admin' = 'broker') {
  const answer = await portal.knock({ method: 'GET', address: '/auth/v1/user', token: portal.tokens[who] })
  expect(answer.status).toBe(200)
}

test('a broker changes nothing of others and learns nothing about them, with any request', async () => {
  const before = await foreign()
  await fc.assert(
    fc.asyncProperty(word.filter(isStaying), async (said) => {
      const answer = await portal.knock(toKnock({ ...said, who: 'broker' }))
      if (answer.headers.get('content-type')?.includes('event-stream')) return answer.body?.cancel()
      expect(await answer.text()).not.toContain(OTHER_MARK)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(await foreign()).toEqual(before)
  await expectAsking()
})

/** Tables that reference each other, and columns that could match another's row. */
const TABLES = Object.keys(TABLE_RULES)
const table = fc.constantFrom(...TABLES)
const column = fc.constantFrom(
  'id',
  'instanceName',
  'broker_id',
  'contact_id',
  'name',
  'body',
  'status',
  'message',
)
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'lt',
  'like',
  'ilike',
  'match',
  'in',
  'is',
  'not.eq',
  'fts',
  'cs',
)
const asked = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'PATCH', 'DELETE', 'POST'),
  table,
  select: fc.oneof(
    fc.constant('*'),
    fc.tuple(table, fc.constantFrom('', '!inner', '!left')).map(([other, join]) => `*,${other}${join}(*)`),
    fc
      .tuple(column, fc.constantFrom('int', 'jsonb', 'uuid', 'text'))
      .map(([name, type]) => `${name}::${type}`),
    column.map((name) => `${name}.count(),${name}.max()`),
    odd,
  ),
  filters: fc.array(
    fc.tuple(column, operator, fc.oneof(fc.nat(9).map(String), fc.constantFrom('*', '(1,2,3)', 'null'), odd)),
    { maxLength: 3 },
  ),
  isEither: fc.boolean(),
  prefer: fc.constantFrom(
    'count=exact',
    'count=planned,return=representation',
    'return=representation',
    'missing=default',
  ),
  fields: fc.dictionary(fc.oneof(column, forbidden), value, { maxKeys: 3 }),
})

test("no request to /rest/v1 returns, counts or changes others' rows for a broker", async () => {
  const before = await foreign()
  await fc.assert(
    fc.asyncProperty(asked, async ({ method, table: of, select, filters, isEither, prefer, fields }) => {
      const each = filters.map(([name, how, what]) => [`"${name}"`, how, encode(what)] as const)
      const narrowed = isEither
        ? `or=(${each.map((parts) => parts.join('.')).join(',')})`
        : each.map(([name, how, what]) => `${name}=${how}.${what}`).join('&')
      const answer = await portal.knock(
        {
          method,
          address: `/rest/v1/${of}?select=${encode(select)}&${narrowed}`,
          token: portal.tokens.broker,
          body: method === 'POST' || method === 'PATCH' ? JSON.stringify(fields) : null,
        },
        { prefer },
      )
      expect(answer.status).toBeLessThan(500)
      expect(await answer.text()).not.toContain(OTHER_MARK)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(await foreign()).toEqual(before)
  await expectAsking()
  for (const [name, rule] of Object.entries(TABLE_RULES)) {
    const { own, other } = portal.scenario
    if (!rule.isOwned || !rule.read.broker) continue
    const totals = await Promise.all(
      [`or=(${byKey(rule, other)})`, byKey(rule, own).replace('.', '=')].map(async (filter) => {
        const headers = { prefer: 'count=exact' }
        const address = `/rest/v1/${name}?${filter}`
        const answer = await portal.knock({ method: 'HEAD', address, token: portal.tokens.broker }, headers)
        return answer.headers.get('content-range')
      }),
    )
    expect([name, totals]).toEqual([name, ['*/0', '0-0/1']])
  }
})

/** A rule's `id = 7` in PostgREST's form. */
const byKey = (rule: TableRule, side: Side) =>
  rule.rowOf(side, portal.scenario).replace(/^id = '?([^']+)'?$/, 'id.eq.$1')

test('no request to any address ends in an internal error; a refused one changes nothing', async () => {
  let stored = await portal.sum()
  await fc.assert(
    fc.asyncProperty(word.filter(isStaying), async (said) => {
      await portal.db.query('delete from portal.throttle')
      const answer = await portal.knock(toKnock(said))
      expect(answer.status).toBeLessThan(500)
      await answer.body?.cancel()
      // Accepted requests start other work: a distribution, a broker's name being released.
      await Promise.all(databasesOf(portal.db).map(untilQuiet))
      const before = stored
      stored = await portal.sum()
      if (answer.status >= 400 && !NOTED.includes(said.entry[0])) expect(stored).toEqual(before)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  // The broker may have been removed by then.
  await expectAsking('admin')
})
