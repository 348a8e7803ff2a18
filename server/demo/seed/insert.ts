// Inserts many rows in one statement, bound as one JSON text that Postgres converts to the columns' types.
import type { Query } from '#server/db/database.ts'

type Target<Column extends string> = {
  table: string
  columns: Record<Column, string>
  /** Further columns, computed from those of the row. */
  derived?: Record<string, string>
  /** For rows with ids that the table would otherwise generate. */
  withIds?: boolean
}

/** Inserts `rows` in order. Names and types are constants of the program, never input. */
export async function insertRows<Column extends string>(
  query: Query,
  { table, columns, derived = {}, withIds = false }: Target<Column>,
  rows: readonly Record<Column, string | number | boolean | object | null>[],
) {
  const quoted = (names: string[]) => names.map((name) => `"${name}"`)
  const given = quoted(Object.keys(columns))
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${String(type)}`)
  await query(
    `insert into ${table} (${[...given, ...quoted(Object.keys(derived))].join(', ')})
     ${withIds ? 'overriding system value' : ''}
     select ${[...given, ...Object.values(derived)].join(', ')}
     from json_to_recordset($1::json) as rows (${typed.join(', ')})`,
    [JSON.stringify(rows)],
  )
}

/** Reserves consecutive ids of a table and returns the first. Nobody else writes during the seed. */
export async function reserveIds(query: Query, table: string, count: number): Promise<number> {
  const { rows } = await query<{ last: number }>(
    `select setval(sequence, nextval(sequence) + $2::bigint - 1) as last from pg_get_serial_sequence($1, 'id') as sequence`,
    [table, count],
  )
  return Number(rows[0]?.last) - count + 1
}
