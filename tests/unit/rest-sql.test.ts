// The generated SQL: every value is bound, every name quoted, no text of the request inside.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import {
  keyOf,
  type Catalog,
  type ColumnPairs,
  type Relationship,
  type Table,
} from '#server/rest/catalog/model.ts'
import { RestError } from '#server/rest/errors.ts'
import { parseQuery } from '#server/rest/parse/query.ts'
import { negotiateMedia } from '#server/rest/request/accept.ts'
import { castSql } from '#server/rest/sql/fields.ts'
import { readSql } from '#server/rest/sql/read.ts'
import { arrayLiteral, quoteName, Statement } from '#server/rest/sql/statement.ts'
import { weighed } from '#server/rest/sql/weight.ts'
import { fromSqlError } from '#server/rest/sql-errors.ts'
import { table } from '#tests/support/table.ts'

const people: Table = {
  schema: 's',
  writes: [],
  name: 'people',
  primaryKey: ['id'],
  columns: new Map(
    ['id', 'name'].map((name) => [
      name,
      { name, type: name === 'id' ? 'integer' : 'text', defaultSql: null, readOnlyFor: [] },
    ]),
  ),
}
const catalog: Catalog = {
  tables: new Map([[keyOf('s', 'people'), people]]),
  relationships: new Map(),
  routines: new Map(),
}

const relative = (name: string): Table => ({ ...people, name })
const ways: Relationship[] = (
  [
    ['child', 'one-to-many', 'id', 'parent'],
    ['parent', 'many-to-one', 'parent', 'id'],
  ] as const
).map(([name, cardinality, here, there]) => ({
  origin: people,
  target: relative(name),
  isSelf: false,
  targetIsView: false,
  kind: 'key',
  cardinality,
  constraint: name,
  columns: [[here, there]],
}))
const side = { constraint: 'friends', columns: [['id', 'id']] as ColumnPairs }
const friends: Relationship = {
  origin: people,
  target: relative('friend'),
  isSelf: false,
  kind: 'junction',
  cardinality: 'many-to-many',
  junction: relative('friends'),
  toOrigin: side,
  toTarget: side,
}
/** Parents with children, and friends through a join table. */
const family: Catalog = {
  ...catalog,
  relationships: new Map(
    ['people', 'child', 'parent', 'friend'].map((name) => [keyOf('s', name), [...ways, friends]]),
  ),
}

function read(query: string, isCounted = false, known = catalog) {
  const statement = new Statement()
  const maxRows = known === family ? 1_000 : 100
  const sql = readSql({ catalog: known, schema: 's', statement, maxRows }, people, {
    level: parseQuery(new URLSearchParams(query)).root,
    isCounted,
    body: { media: negotiateMedia(null), routine: null },
    known: null,
  })
  return statement.finish(sql)
}

describe('statements', () => {
  test('one statement reads a page as one text', () => {
    expect(read('select=id,n:name&name=eq.x&order=id.desc')).toEqual({
      sql:
        `select coalesce('[' || string_agg(${weighed(`coalesce(to_json("pgrst_page"), 'null')`)}::text, E', \\n ') || ']', '[]') as body, ` +
        `count(*) as page_count from ` +
        `(select "people"."id" as "id", "people"."name" as "n" from "s"."people" as "people" ` +
        `where ("people"."name" = $1) order by "people"."id" desc limit '100'::bigint) as "pgrst_page"`,
      values: ['x'],
    })
  })

  test('a full page is counted separately, a partial one counts itself', () => {
    expect(read('select=id&limit=10&offset=5', true).sql).toContain(
      'case when count(*) < 10 and count(*) > 0 then 5 + count(*) else (select count(*) from "s"."people" as "people") end',
    )
  })

  test.each([
    ['children of one parent each, however deep', 'child(id,child(id,child(id,child(id,child(id)))))'],
    ['parents, however many', 'parent(id,parent(id,parent(id))),p2:parent(id)'],
    ['the children of a parent, once', 'parent(id,child(id))'],
    ['the same below children', 'child(id,parent(id))'],
    ['a friend of each', 'friend(id,parent(id))'],
    ['back and forth with limits', 'child(id,parent(id,child(id)))&limit=20&child.limit=50'],
    ['back and forth of one', 'child(id,parent(id,child(id)))&id=eq.1'],
  ])('allowed: %s', (_, select) => {
    expect(read(`select=id,${select}`, false, family).sql).toContain('pgrst_row')
  })

  test.each([
    ['back and forth', 'child(id,parent(id,child(id)))'],
    ['as a filter', 'child!inner(parent!inner(child!inner()))'],
    ['spread', 'parent(...child(id,...parent(...child(id))))'],
    ['friends of friends', 'friend(id,friend(id))'],
    ['of one, but often', 'child(id,parent(id,child(id,parent(id,child(id)))))&id=eq.1'],
    ['a limit too high', 'child(id,parent(id,child(id)))&limit=20&child.limit=51'],
    ['one of several', 'child(id,parent(id,child(id)))&or=(id.eq.1,id.eq.2)'],
    ['all but one', 'child(id,parent(id,child(id)))&id=not.eq.1'],
  ])('refused: what multiplies %s', (_, select) => {
    expect(() => read(`select=id,${select}`, false, family)).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRSTX05' }) as Error,
    )
  })

  test('marks become placeholders in the order of the text, unused ones vanish', () => {
    const statement = new Statement()
    const [a, unused, b] = [statement.bind('a'), statement.bind('u'), statement.bind('b')]
    expect(unused).not.toBe(a)
    expect(statement.finish(`${b} ${a} ${b}`)).toEqual({ sql: '$1 $2 $1', values: ['b', 'a'] })
    expect(statement.bindKey('k')).toBe(statement.bindKey('k'))
    expect(statement.alias('x')).not.toBe(statement.alias('x'))
  })

  test('text of a request is in the SQL only as a quoted name', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !/[\0\ud800-\udfff]/.test(text)),
        (text) => {
          const secret = `<<${text}>>`
          const word = encodeURIComponent(`"${secret.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
          const value = encodeURIComponent(secret)
          const bound = read(
            `select=a:name->${word}&name=eq.${value}&order=name->>${word}&or=(name.eq.${word})`,
          )
          expect(bound.sql).not.toContain('<<')
          expect(bound.values).toContain(secret)
          const named = read(`select=${word}&${word}=is.null&order=${word}`)
          expect(named.sql.replaceAll(quoteName(secret), '')).not.toContain('<<')
          expect(named.values).toEqual([])
        },
      ),
    )
  })
})

describe('names, lists and casts', () => {
  test('are quoted', () => {
    expect(quoteName('a"b')).toBe('"a""b"')
    expect(() => quoteName('a\0')).toThrow(RestError)
    expect(arrayLiteral(['a', 'b"c\\', '', 'null'])).toBe('{"a","b\\"c\\\\","","null"}')
  })

  test('only listed types are cast to', () => {
    expect(castSql('x', 'Double  Precision')).toBe('cast(x as double precision)')
    expect(castSql('x', null)).toBe('x')
    for (const type of ['regclass', 'text[]', 'int; drop', 'pg_catalog.int4', '', '__proto__'])
      expect(() => castSql('x', type)).toThrow(`type ${JSON.stringify(type)} does not exist`)
  })
})

describe('errors of Postgres', () => {
  const answer = (code: string, isAnonymous = false, message = 'm') => {
    const {
      status,
      message: text,
      details,
    } = fromSqlError(new SqlError({ code, message, detail: 'd', hint: 'h' }), isAnonymous)
    return [status, text, details]
  }
  table('%s is %i', (code) => answer(code)[0], [
    ['23505', 409],
    ['23503', 409],
    ['23502', 400],
    ['22P02', 400],
    ['42501', 403],
    ['42883', 404],
    ['42P01', 404],
    ['42703', 400],
    ['42P17', 500],
    ['25006', 503],
    ['21000', 500],
    ['08006', 503],
    ['53300', 503],
    ['53400', 500],
    ['54000', 400],
    ['54001', 500],
    ['57014', 503],
    ['57P01', 503],
    ['40001', 503],
    ['40P01', 503],
    ['53100', 503],
    ['55P03', 503],
    ['55000', 500],
    ['57P02', 503],
    ['57P03', 503],
    ['P0001', 400],
    ['P0002', 500],
    ['PT404', 404],
    ['PT099', 500],
    ['28000', 403],
  ])

  test('anon is asked to sign in; internal texts are hidden', () => {
    expect(answer('42501', true)).toEqual([401, 'm', 'd'])
    expect(answer('XX000')).toEqual([500, 'Internal server error', null])
    expect(answer('58030')).toEqual([503, 'Internal server error', null])
    expect(answer('57014')).toEqual([503, 'm', null])
    expect(answer('PT500')).toEqual([500, 'm', 'd'])
    expect(answer('XX000', false, 'tsquery stack too small')[0]).toBe(400)
  })

  test('a function may define its whole error, or fails plainly', () => {
    const raise = (message: string, detail: string | null) =>
      fromSqlError(new SqlError({ code: 'PGRST', message, detail }), false)
    expect(raise('{"code":"a","message":"b"}', '{"status":409,"headers":{"X-A":"1"}}')).toMatchObject({
      status: 409,
      code: 'a',
      message: 'b',
      details: null,
      headers: { 'X-A': '1' },
    })
    for (const [message, detail] of [
      ['no JSON', '{"status":409,"headers":{}}'],
      ['{"code":"a"}', '{"status":409,"headers":{}}'],
      ['{"code":"a","message":"b"}', null],
      ['{"code":"a","message":"b"}', '{"status":42,"headers":{}}'],
    ] as const)
      expect(raise(message, detail)).toMatchObject({ status: 500, code: 'PGRST121' })
  })
})
