// How the exposed tables relate: foreign keys both ways, through views, through junction tables.
import type { Column, Relationship, Table } from './model.ts'
import type { ConstraintRow } from './queries.ts'
import type { Origins } from './view-origins.ts'

/** A table with data for loading only. */
export type LoadedTable = { oid: number; isView: boolean; table: Table; numbers: Map<number, Column> }

type ForeignKey = {
  constraint: string
  from: LoadedTable
  to: LoadedTable
  fromColumns: string[]
  toColumns: string[]
  /** True: at most one row of `from` points to the same row of `to`. */
  isUnique: boolean
}

export function toRelationships(
  tables: readonly LoadedTable[],
  constraints: readonly ConstraintRow[],
  origins: Map<number, Origins>,
): Relationship[] {
  const keys = toForeignKeys(constraints, { tables, origins })
  return [...keys.flatMap(toBothWays), ...toManyToMany(keys)]
}

type CatalogTables = { tables: readonly LoadedTable[]; origins: Map<number, Origins> }

/** Sets the primary key of each table, and of each view that shows all its columns. */
export function setPrimaryKeys(constraints: readonly ConstraintRow[], tables: CatalogTables): void {
  for (const constraint of constraints.filter(({ kind }) => kind === 'p'))
    for (const shown of showing(constraint.table_oid, constraint.columns, tables))
      if (shown.loaded.table.primaryKey.length === 0) shown.loaded.table.primaryKey = shown.columns
}

type Shown = { loaded: LoadedTable; columns: string[] }

/** The table itself and the views that show all columns `numbers` of it, with their names there. */
function showing(oid: number, numbers: readonly number[], { tables, origins }: CatalogTables): Shown[] {
  return tables.flatMap((loaded) => {
    const columns = numbers.map((number) =>
      loaded.oid === oid
        ? loaded.numbers.get(number)
        : shownColumn(loaded, origins.get(loaded.oid), { oid, number }),
    )
    return columns.every((column) => column !== undefined)
      ? [{ loaded, columns: columns.map(({ name }) => name) }]
      : []
  })
}

function shownColumn(
  view: LoadedTable,
  origins: Origins | undefined,
  base: { oid: number; number: number },
): Column | undefined {
  for (const [number, origin] of origins ?? [])
    if (origin.oid === base.oid && origin.number === base.number) return view.numbers.get(number)
  return undefined
}

function toForeignKeys(constraints: readonly ConstraintRow[], tables: CatalogTables): ForeignKey[] {
  const uniques = constraints.filter(({ kind }) => kind !== 'f')
  return constraints
    .filter(({ kind }) => kind === 'f')
    .flatMap((row) => {
      const isUnique = uniques.some(
        (unique) =>
          unique.table_oid === row.table_oid &&
          unique.columns.every((number) => row.columns.includes(number)),
      )
      return showing(row.table_oid, row.columns, tables).flatMap((from) =>
        showing(row.target_oid, row.target_columns ?? [], tables)
          .filter((to) => to.loaded.table.schema === from.loaded.table.schema)
          .map((to) => ({
            constraint: row.name,
            from: from.loaded,
            to: to.loaded,
            fromColumns: from.columns,
            toColumns: to.columns,
            isUnique,
          })),
      )
    })
}

function toBothWays(key: ForeignKey): Relationship[] {
  const shared = { kind: 'key', constraint: key.constraint, isSelf: key.from === key.to } as const
  return [
    {
      ...shared,
      origin: key.from.table,
      target: key.to.table,
      targetIsView: key.to.isView,
      cardinality: key.isUnique ? 'one-to-one' : 'many-to-one',
      columns: pair(key.fromColumns, key.toColumns),
    },
    {
      ...shared,
      origin: key.to.table,
      target: key.from.table,
      targetIsView: key.from.isView,
      cardinality: key.isUnique ? 'one-to-one' : 'one-to-many',
      columns: pair(key.toColumns, key.fromColumns),
    },
  ]
}

/** A table whose primary key contains two foreign keys joins their tables. */
function toManyToMany(keys: readonly ForeignKey[]): Relationship[] {
  const fromTables = keys.filter((key) => !key.from.isView)
  return fromTables.flatMap((first) =>
    fromTables
      .filter((second) => second.constraint !== first.constraint && second.from === first.from)
      .filter((second) => holdsAll(first.from.table, [...first.fromColumns, ...second.fromColumns]))
      .map((second): Relationship => ({
        kind: 'junction',
        origin: first.to.table,
        target: second.to.table,
        cardinality: 'many-to-many',
        isSelf: first.to === second.to,
        junction: first.from.table,
        toOrigin: { constraint: first.constraint, columns: pair(first.fromColumns, first.toColumns) },
        toTarget: { constraint: second.constraint, columns: pair(second.fromColumns, second.toColumns) },
      })),
  )
}

const holdsAll = ({ primaryKey }: Table, columns: readonly string[]) =>
  columns.every((column) => primaryKey.includes(column))

const pair = (here: readonly string[], there: readonly string[]): [string, string][] =>
  here.map((column, at) => [column, there[at] ?? ''])
