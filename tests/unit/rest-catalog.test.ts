// Finding tables, relationships and functions in the catalog, and the origin of a view's columns.
import { describe, expect, test } from 'vitest'
import { findRoutine } from '#server/rest/catalog/find-routine.ts'
import { findRelationship, findTable } from '#server/rest/catalog/find-table.ts'
import { keyOf, type Catalog, type Routine, type Table } from '#server/rest/catalog/model.ts'
import { nearestName } from '#server/rest/catalog/near-names.ts'
import { setPrimaryKeys, toRelationships, type LoadedTable } from '#server/rest/catalog/relationships.ts'
import { toViewOrigins } from '#server/rest/catalog/view-origins.ts'
import { toLevel, type SelectRelation } from '#server/rest/parse/select.ts'

let nextOid = 1
function table(name: string, columns: string[], isView = false): LoadedTable {
  const entries = columns.map((column) => ({
    name: column,
    type: 'integer',
    defaultSql: null,
    readOnlyFor: [],
  }))
  const made: Table = {
    schema: 's',
    writes: [],
    name,
    columns: new Map(entries.map((column) => [column.name, column])),
    primaryKey: [],
  }
  return {
    oid: nextOid++,
    isView,
    table: made,
    numbers: new Map(entries.map((column, at) => [at + 1, column])),
  }
}
const key = (owner: LoadedTable, kind: 'p' | 'u', columns: number[]) => ({
  name: `${owner.table.name}_${kind}`,
  kind,
  table_oid: owner.oid,
  columns,
  target_oid: 0,
  target_columns: null,
})
const foreign = (from: [LoadedTable, number[]], to: [LoadedTable, number[]], name: string) => ({
  name,
  kind: 'f' as const,
  table_oid: from[0].oid,
  columns: from[1],
  target_oid: to[0].oid,
  target_columns: to[1],
})

function toCatalog(tables: LoadedTable[], constraints: ReturnType<typeof foreign | typeof key>[]): Catalog {
  setPrimaryKeys(constraints, { tables, origins: new Map() })
  const relationships = new Map<string, ReturnType<typeof toRelationships>>()
  for (const it of toRelationships(tables, constraints, new Map())) {
    const origin = keyOf(it.origin.schema, it.origin.name)
    relationships.set(origin, [...(relationships.get(origin) ?? []), it])
  }
  return {
    tables: new Map(tables.map((it) => [keyOf('s', it.table.name), it.table])),
    relationships,
    routines: new Map(),
  }
}

const embed = (name: string, hint: string | null = null): SelectRelation => ({
  kind: 'relation',
  name,
  hint,
  alias: null,
  isInner: false,
  isSpread: false,
  level: toLevel([]),
})

describe('relationships', () => {
  const users = table('users', ['id', 'boss'])
  const tasks = table('tasks', ['id', 'owner', 'helper'])
  const cards = table('cards', ['user'])
  const joins = table('joins', ['user', 'task', 'extra'])
  const loose = table('loose', ['id', 'user', 'task'])
  const catalog = toCatalog(
    [users, tasks, cards, joins, loose],
    [
      key(users, 'p', [1]),
      key(tasks, 'p', [1]),
      key(cards, 'u', [1]),
      key(joins, 'p', [1, 2]),
      key(loose, 'p', [1]),
      foreign([users, [2]], [users, [1]], 'users_boss'),
      foreign([tasks, [2]], [users, [1]], 'tasks_owner'),
      foreign([tasks, [3]], [users, [1]], 'tasks_helper'),
      foreign([cards, [1]], [users, [1]], 'cards_user'),
      foreign([joins, [1]], [users, [1]], 'joins_user'),
      foreign([joins, [2]], [tasks, [1]], 'joins_task'),
      foreign([loose, [2]], [users, [1]], 'loose_user'),
      foreign([loose, [3]], [tasks, [1]], 'loose_task'),
    ],
  )
  const find = (origin: string, name: string, hint: string | null = null) =>
    findRelationship(catalog, { schema: 's', name: origin }, embed(name, hint))

  test.each<[origin: string, embed: [name: string, hint?: string], cardinality: string]>([
    ['tasks', ['users', 'tasks_owner'], 'many-to-one'],
    ['tasks', ['users', 'helper'], 'many-to-one'],
    ['tasks', ['owner'], 'many-to-one'],
    ['tasks', ['tasks_helper'], 'many-to-one'],
    ['users', ['tasks', 'tasks_owner'], 'one-to-many'],
    ['users', ['tasks', 'owner'], 'one-to-many'],
    ['users', ['tasks', 'joins'], 'many-to-many'],
    ['users', ['cards'], 'one-to-one'],
    ['cards', ['users'], 'one-to-one'],
    ['users', ['boss'], 'many-to-one'],
    ['users', ['users'], 'one-to-many'],
    ['users', ['users', 'boss'], 'one-to-many'],
    ['users', ['joins'], 'one-to-many'],
  ])('%s with %j is %s', (origin, [name, hint], cardinality) => {
    expect(find(origin, name, hint ?? null).cardinality).toBe(cardinality)
  })

  test('a table joins two others only if its primary key contains both', () => {
    const junctions = catalog.relationships
      .get(keyOf('s', 'users'))
      ?.flatMap((it) => (it.kind === 'junction' ? [it] : []))
    expect(junctions?.map(({ junction, target }) => [junction.name, target.name])).toEqual([
      ['joins', 'tasks'],
    ])
  })

  test('several paths, no path, no table', () => {
    expect(() => find('users', 'tasks')).toThrow('more than one relationship')
    expect(() => find('users', 'tasks', 'id')).toThrow('more than one relationship')
    expect(() => find('users', 'nothing')).toThrow('Could not find a relationship')
    expect(() => find('nothing', 'users')).toThrow('Could not find a relationship')
    expect(() => findTable(catalog, 's', 'user')).toThrow("Could not find the table 's.user'")
    expect(() => findTable(catalog, 'other', 'users')).toThrow("Could not find the table 'other.users'")
  })
})

describe('functions', () => {
  const routine = (
    args: [name: string, type?: string, isOptional?: boolean][],
    isVariadic = false,
  ): Routine => ({
    schema: 's',
    name: 'f',
    args: args.map(([name, type = 'text', isOptional = false]) => ({ name, type, isOptional, isVariadic })),
    isVolatile: true,
    returns: { kind: 'scalar', isSet: false, table: null, columns: [] },
  })
  const find = (overloads: Routine[], argNames: string[], bodyType: string | null = 'application/json') =>
    findRoutine(
      { tables: new Map(), relationships: new Map(), routines: new Map([[keyOf('s', 'f'), overloads]]) },
      { schema: 's', name: 'f', argNames, bodyType },
    )

  test('the argument names choose the overload', () => {
    const one = routine([['a']])
    const two = routine([['a'], ['b', 'text', true], ['c']])
    expect(find([one, two], ['a']).routine).toBe(one)
    expect(find([one, two], ['c', 'a']).routine).toBe(two)
    expect(find([one, two], ['a', 'b', 'c']).routine).toBe(two)
    expect(() => find([one, two], ['a', 'b'])).toThrow('Could not find the function s.f(a, b)')
    expect(() => find([one, routine([['a', 'integer']])], ['a'])).toThrow(
      'Could not choose the best candidate',
    )
    expect(find([routine([])], []).takesBody).toBe(false)
  })

  test('one unnamed argument gets the whole body of its type', () => {
    const whole = routine([['', 'jsonb']])
    const text = routine([['', 'text']])
    expect(find([whole, text], ['x'])).toEqual({ routine: whole, takesBody: true })
    expect(find([whole, text], [], 'text/plain')).toEqual({ routine: text, takesBody: true })
    expect(() => find([whole], ['x'], null)).toThrow('Could not find the function')
    expect(find([routine([['a']]), whole], ['a']).takesBody).toBe(false)
  })
})

describe("the origin of a view's columns", () => {
  const entry = (number: number, oid: number, column: number, name = 'x') =>
    `{TARGETENTRY :expr {VAR :varno 1} :resno ${number} :resname ${name} :ressortgroupref 0 :resorigtbl ${oid} :resorigcol ${column} :resjunk false}`
  const tree = (...entries: string[]) =>
    `({QUERY :commandType 1 :targetList (${entries.join(' ')}) :rtable ({RTE})})`

  test('only the outermost list counts, and names may contain anything', () => {
    const inner = tree(entry(1, 99, 1)).slice(1, -1)
    const origins = toViewOrigins([
      {
        oid: 7,
        tree: tree(
          entry(1, 5, 2),
          `{TARGETENTRY :expr {SUBLINK ${inner}} :resno 2 :resname y :ressortgroupref 0 :resorigtbl 0 :resorigcol 0 :resjunk false}`,
          entry(3, 5, 4, 'a\\ \\}\\{\\:resno'),
        ),
      },
    ])
    expect([...(origins.get(7) ?? [])]).toEqual([
      [1, { oid: 5, number: 2 }],
      [3, { oid: 5, number: 4 }],
    ])
  })

  test('a view over a view leads to the table', () => {
    const origins = toViewOrigins([
      { oid: 7, tree: tree(entry(1, 5, 2), entry(2, 0, 0)) },
      { oid: 8, tree: tree(entry(1, 7, 2), entry(2, 7, 1)) },
    ])
    expect([...(origins.get(8) ?? [])]).toEqual([[2, { oid: 5, number: 2 }]])
  })
})

test('the nearest name, if one is near', () => {
  expect(nearestName('lead', ['leads', 'brokers'])).toBe('leads')
  expect(nearestName('leads', ['leads'])).toBeNull()
  expect(nearestName('xyz', ['leads', 'brokers'])).toBeNull()
  expect(nearestName('', ['leads'])).toBeNull()
  expect(nearestName('é😀', ['é😀x'])).toBe('é😀x')
})
