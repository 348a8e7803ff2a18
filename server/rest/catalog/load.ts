// Reads the catalog from the database in one transaction.
import type { Database, Query } from '#server/db/database.ts'
import { keyOf, type Argument, type Catalog, type Relationship, type Routine, type Table } from './model.ts'
import {
  COLUMNS,
  CONSTRAINTS,
  ROUTINES,
  VIEWS,
  type ColumnRow,
  type ConstraintRow,
  type RoutineRow,
  type ViewRow,
} from './queries.ts'
import { setPrimaryKeys, toRelationships, type LoadedTable } from './relationships.ts'
import { toViewOrigins } from './view-origins.ts'

export async function loadCatalog(db: Database, schemas: readonly string[]): Promise<Catalog> {
  const rows = await db.transaction((query) => readRows(query, schemas))
  const loaded = toTables(rows.columns)
  const origins = toViewOrigins(rows.views)
  setPrimaryKeys(rows.constraints, { tables: loaded, origins })
  const tableByOid = new Map(loaded.map(({ oid, table }) => [oid, table]))
  const routines = rows.routines.map((row) => ({ row, routine: toRoutine(row, tableByOid) }))
  const computed = routines.flatMap(({ row, routine }) => toComputed(row, routine, tableByOid))
  const overridden = new Set(computed.map((it) => keyOf(it.origin.name, it.routine.name)))
  const keyed = toRelationships(loaded, rows.constraints, origins).filter(
    (it) => !overridden.has(keyOf(it.origin.name, it.target.name)),
  )
  return {
    tables: new Map(loaded.map(({ table }) => [keyOf(table.schema, table.name), table])),
    relationships: groupBy([...computed, ...keyed], ({ origin }) => keyOf(origin.schema, origin.name)),
    routines: groupBy(
      routines.map(({ routine }) => routine),
      ({ schema, name }) => keyOf(schema, name),
    ),
  }
}

export async function loadTimeZones(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ name: string }>('select name from pg_catalog.pg_timezone_names')
  return new Set(rows.map(({ name }) => name))
}

function groupBy<Item>(items: readonly Item[], keyOfItem: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOfItem(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

async function readRows(query: Query, schemas: readonly string[]) {
  await query(`select set_config('search_path', '', true)`)
  const { rows: columns } = await query<ColumnRow>(COLUMNS, [schemas])
  const { rows: constraints } = await query<ConstraintRow>(CONSTRAINTS)
  const { rows: views } = await query<ViewRow>(VIEWS)
  const { rows: routines } = await query<RoutineRow>(ROUTINES, [schemas])
  return { columns, constraints, views, routines }
}

const CHANGES = [
  [8, 'POST'],
  [4, 'PATCH'],
  [16, 'DELETE'],
] as const

function toTables(rows: readonly ColumnRow[]): LoadedTable[] {
  const tables = new Map<number, LoadedTable>()
  for (const row of rows) {
    const known = tables.get(row.oid) ?? {
      oid: row.oid,
      isView: row.is_view,
      numbers: new Map(),
      table: {
        schema: row.schema,
        name: row.table,
        columns: new Map(),
        primaryKey: [],
        writes: CHANGES.flatMap(([bit, method]) => (row.changes & bit ? [method] : [])),
      } satisfies Table,
    }
    const column = {
      name: row.column,
      type: row.type,
      defaultSql: row.default_sql,
      readOnlyFor: row.read_only_for,
    }
    known.numbers.set(row.number, column)
    known.table.columns.set(column.name, column)
    tables.set(row.oid, known)
  }
  return [...tables.values()]
}

/** Modes of arguments that a caller passes: IN, INOUT and VARIADIC. */
const INPUT_MODES = 'ibv'

const parametersOf = ({ arg_types, arg_names, arg_modes }: RoutineRow) =>
  arg_types.map((type, at) => ({ name: arg_names?.[at] ?? '', type, mode: arg_modes?.[at] ?? 'i' }))

export function toArguments(row: RoutineRow): Argument[] {
  const inputs = parametersOf(row).filter(({ mode }) => INPUT_MODES.includes(mode))
  return inputs.map(({ name, type, mode }, at): Argument => ({
    name,
    type,
    isVariadic: mode === 'v',
    isOptional: mode === 'v' || at >= inputs.length - row.default_count,
  }))
}

function toRoutine(row: RoutineRow, tableByOid: Map<number, Table>): Routine {
  const shown = parametersOf(row).filter(({ mode }) => 'tbo'.includes(mode))
  return {
    schema: row.schema,
    name: row.name,
    isVolatile: row.is_volatile,
    args: toArguments(row),
    returns: {
      kind: row.return_type === 'void' ? 'void' : row.is_composite ? 'row' : 'scalar',
      isSet: row.is_set,
      table: tableByOid.get(row.return_oid) ?? null,
      columns: shown.map(({ name }) => name),
    },
  }
}

type Computed = Relationship & { kind: 'computed' }

/** A function from a table's row to rows of a table is a relationship of that name. */
function toComputed(row: RoutineRow, routine: Routine, tableByOid: Map<number, Table>): Computed[] {
  const origin = tableByOid.get(row.row_arg_oid)
  const target = routine.returns.table
  if (!origin || !target || origin.schema !== target.schema) return []
  const cardinality = row.is_single ? 'many-to-one' : 'one-to-many'
  return [{ kind: 'computed', origin, target, cardinality, isSelf: origin === target, routine }]
}
