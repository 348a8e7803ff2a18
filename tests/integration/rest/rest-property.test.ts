// A random tree of filters selects the same rows in the database and in memory.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ANA, openRestScenario } from '#tests/support/schema/rest-scenario.ts'
import { byTier } from '#tests/support/runner/tier.ts'

type Row = { id: number; word: string | null; number: number | null; flag: boolean | null; list: string[] }
/** SQL's third truth value: unknown, for comparisons with null. */
type Truth = boolean | null
type Tree = { text: string; test: (row: Row) => Truth }

const scenario = await openRestScenario()
afterAll(scenario.close)
await scenario.database.db.exec(`
  create table shop.samples (id integer primary key, word text collate "C", number numeric, flag boolean, list text[]);
  grant select, insert on shop.samples to authenticated`)

/** Characters with a meaning in the URL, the query string's grammar, SQL or patterns. */
const letters = fc.constantFrom(...('abcAB01 ,.()"\'\\*%_{}[]:-+&=$;é😀'.match(/./gu) ?? []))
const word = fc.string({ unit: letters, maxLength: 6 })
const number = fc.integer({ min: -3, max: 3 }).map((value) => value / 2)

const rows = fc
  .array(
    fc.record({
      word: fc.option(word),
      number: fc.option(number),
      flag: fc.option(fc.boolean()),
      list: fc.array(word, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list): Row[] => list.map((row, id) => ({ id, ...row })))

const quote = (value: string) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
const literal = (items: readonly string[]) => `{${items.map(quote).join(',')}}`
const compare = <Value>(a: Value | null, test: (a: Value) => boolean): Truth => (a === null ? null : test(a))
const bytes = (value: string) => Buffer.from(value).toString('hex')

const comparison = fc.constantFrom<[string, (order: number) => boolean]>(
  ['eq', (order) => order === 0],
  ['neq', (order) => order !== 0],
  ['gt', (order) => order > 0],
  ['gte', (order) => order >= 0],
  ['lt', (order) => order < 0],
  ['lte', (order) => order <= 0],
)
const orderOf = <Value>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** What LIKE accepts, with `*` for `%` as in the query string; a backslash escapes the next letter. */
function isLike(value: string, pattern: string): boolean {
  const source = pattern
    .replaceAll('*', '%')
    .replaceAll(/\\(.)|[\s\S]/gu, (found, escaped: string | undefined) => {
      if (escaped !== undefined) return escapeForRegExp(escaped)
      return found === '%' ? '[\\s\\S]*' : found === '_' ? '[\\s\\S]' : escapeForRegExp(found)
    })
  return new RegExp(`^${source}$`, 'u').test(value)
}
const escapeForRegExp = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  fc.tuple(comparison, word).map(([[name, holds], value]) => ({
    text: `word.${name}.${quote(value)}`,
    test: (row: Row) => compare(row.word, (own) => holds(orderOf(bytes(own), bytes(value)))),
  })),
  fc.tuple(comparison, number).map(([[name, holds], value]) => ({
    text: `number.${name}.${value}`,
    test: (row: Row) => compare(row.number, (own) => holds(orderOf(own, value))),
  })),
  fc.constantFrom('null', 'true', 'false', 'unknown', 'not_null').map((value) => ({
    text: `flag.is.${value}`,
    test: (row: Row) =>
      ({
        null: row.flag === null,
        unknown: row.flag === null,
        not_null: row.flag !== null,
        true: row.flag === true,
        false: row.flag === false,
      })[value] ?? null,
  })),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((values) => ({
    text: `word.in.(${values.map(quote).join(',')})`,
    test: (row: Row) => compare(row.word, (own) => values.includes(own)),
  })),
  fc.array(word, { maxLength: 2 }).map((values) => ({
    text: `list.cs.${quote(literal(values))}`,
    test: (row: Row) => values.every((value) => row.list.includes(value)),
  })),
  fc.array(word, { maxLength: 2 }).map((values) => ({
    text: `list.ov.${quote(literal(values))}`,
    test: (row: Row) => values.some((value) => row.list.includes(value)),
  })),
  fc
    .option(
      word.filter((value) => !/\\(?!.)/u.test(value)),
      { nil: '*' },
    )
    .map((pattern) => ({
      text: `word.like.${quote(pattern)}`,
      test: (row: Row) => compare(row.word, (own) => isLike(own, pattern)),
    })),
  fc.tuple(word).map(([value]) => ({
    text: `word.isdistinct.${quote(value)}`,
    test: (row: Row) => row.word !== value,
  })),
)

const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const negated = (tree: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  tree.map(({ text, test }) => ({
    text: /^(and|or)\(/.test(text) ? `not.${text}` : text.replace('.', '.not.'),
    test: (row: Row) => not(test(row)),
  }))

const { tree } = fc.letrec<{ tree: Tree; group: Tree }>((tie) => ({
  group: fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
    .map(([operator, branches]): Tree => {
      const strong = operator === 'or'
      return {
        text: `${operator}(${branches.map(({ text }) => text).join(',')})`,
        test: (row) => {
          const truths = branches.map(({ test }) => test(row))
          if (truths.includes(strong)) return strong
          return truths.includes(null) ? null : !strong
        },
      }
    }),
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    leaf,
    negated(leaf),
    tie('group'),
    negated(tie('group')),
  ),
}))

test('a tree of filters means the same in the database and in memory', async () => {
  const { db } = scenario.database
  await fc.assert(
    fc.asyncProperty(rows, fc.array(tree, { minLength: 1, maxLength: 3 }), async (stored, trees) => {
      await db.query('delete from shop.samples')
      const inserted = await scenario.request('/samples', {
        method: 'POST',
        person: ANA,
        body: JSON.stringify(stored),
      })
      expect(inserted.status).toBe(201)
      const query = trees.map(({ text }) => `and=${encodeURIComponent(`(${text})`)}`).join('&')
      const answer = await scenario.request(`/samples?select=id&order=id&${query}`, {
        person: ANA,
        headers: { prefer: 'count=exact' },
      })
      const body = (await answer.json()) as { id: number }[]
      expect(answer.status, JSON.stringify(body)).toBe(200)
      const wanted = stored.filter((row) => trees.every(({ test }) => test(row) === true)).map(({ id }) => id)
      expect(body.map(({ id }) => id)).toEqual(wanted)
      expect(answer.headers.get('content-range')?.split('/')[1]).toBe(String(wanted.length))
    }),
    { numRuns: byTier(30, 200) },
  )
})
