// A database's tables with their columns, and a fingerprint of each for comparing two databases.
import type { Query } from '#server/db/database.ts'

export type Table = {
  /** The quoted name with its schema. */
  name: string
  /** The columns that are stored; generated ones are left out. */
  columns: { name: string; type: string }[]
}

export type TablePrint = { rows: number; sum: string }

export async function listTables(query: Query): Promise<Table[]> {
  const { rows } = await query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
      json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
        order by a.attname) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'portal')
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r'
    group by 1 order by 1`,
  )
  return rows
}

/** The row count and a checksum of all values, independent of row order and equal on every engine. */
export async function printTable(query: Query, { name, columns }: Table): Promise<TablePrint> {
  const values = columns.map((column) => column.name).join()
  const { rows } = await query<TablePrint>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row(${values})::text, 0)), 0)::text as sum from ${name}`,
  )
  return rows[0] ?? { rows: 0, sum: '0' }
}

const ROWS_AT_ONCE = 200

/** Copies all rows of `source` into the empty table of `target`, each value in its type's text form. */
export async function copyTable({ name, columns }: Table, source: Query, target: Query): Promise<void> {
  const texts = columns.map((column) => `${column.name}::text`).join()
  await source(`declare moved no scroll cursor for select json_build_array(${texts}) as values from ${name}`)
  const values = columns.map(({ type }, index) => `(row_values ->> ${index})::${type}`).join()
  const into = `insert into ${name} (${columns.map((column) => column.name).join()}) overriding system value
    select ${values} from jsonb_array_elements($1::jsonb) as row_values`
  for (;;) {
    const { rows } = await source<{ values: unknown }>(`fetch ${ROWS_AT_ONCE} from moved`)
    if (rows.length === 0) break
    await target(into, [JSON.stringify(rows.map((row) => row.values))])
  }
  await source('close moved')
}

export type ForeignKey = { table: string; name: string; definition: string }

export async function foreignKeys(query: Query): Promise<ForeignKey[]> {
  const { rows } = await query<ForeignKey>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'portal')
    where k.contype = 'f' order by 1, 2`,
  )
  return rows
}

export type Sequence = { name: string; last: number; isCalled: boolean }

export async function sequences(query: Query): Promise<Sequence[]> {
  const { rows: found } = await query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname in ('public', 'portal') order by 1`,
  )
  const all: Sequence[] = []
  for (const { name } of found) {
    const { rows } = await query<Omit<Sequence, 'name'>>(
      `select last_value as last, is_called as "isCalled" from ${name}`,
    )
    if (rows[0]) all.push({ name, ...rows[0] })
  }
  return all
}
