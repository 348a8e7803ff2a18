// What the root document describes, read as the caller: only tables and functions with a privilege are listed.
import { toArguments } from '../catalog/load.ts'
import type { Argument } from '../catalog/model.ts'
import { ROUTINES, type RoutineRow } from '../catalog/queries.ts'

export type DescribedColumn = {
  name: string
  description: string | null
  /** The type without its length; of a domain, its base type. */
  type: string
  defaultSql: string | null
  isNullable: boolean
  maxLength: number | null
  enum: string[] | null
}
export type DescribedTable = {
  name: string
  description: string | null
  isWritable: boolean
  columns: DescribedColumn[]
}
export type DescribedRoutine = {
  name: string
  description: string | null
  isVolatile: boolean
  args: Argument[]
}
export type Described = {
  description: string | null
  tables: DescribedTable[]
  routines: DescribedRoutine[]
}

const COLUMNS = `
  select json_agg(json_build_object(
    'name', a.attname, 'description', col_description(c.oid, a.attnum),
    'type', format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), null),
    'defaultSql', case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
    'isNullable', not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
    'maxLength', case when a.atttypid in ('varchar'::regtype, 'bpchar'::regtype) and a.atttypmod > 4 then a.atttypmod - 4 end,
    'enum', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e
      where e.enumtypid = coalesce(nullif(t.typbasetype, 0), a.atttypid))) order by a.attnum)
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const TABLES = `
  select coalesce(json_agg(json_build_object(
    'name', c.relname, 'description', obj_description(c.oid, 'pg_class'),
    'isWritable', pg_relation_is_updatable(c.oid, true) & 28 <> 0, 'columns', (${COLUMNS})) order by c.relname), '[]')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    and (has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE') or has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE'))`

const FUNCTIONS = `
  select coalesce(json_agg(json_build_object('row', to_json(r), 'description', obj_description(r.oid::oid, 'pg_proc'))), '[]')
  from (${ROUTINES}) r where has_function_privilege(r.oid::oid, 'EXECUTE')`

/** SQL that answers null unless `allowed` holds for the caller. $1 is a list with the schema. */
export const describedSql = (allowed: string) => `
  select case when (${allowed}) then json_build_object(
    'description', (select obj_description(n.oid, 'pg_namespace') from pg_namespace n where n.nspname = any($1)),
    'tables', (${TABLES}), 'routines', (${FUNCTIONS}))::text end as body, 1 as page_count`

type Read = Omit<Described, 'routines'> & { routines: { row: RoutineRow; description: string | null }[] }

export function toDescribed(text: string): Described {
  const { routines, ...read } = JSON.parse(text) as Read
  const named = new Map<string, DescribedRoutine>()
  // Overloads share an address; the first one describes it.
  for (const { row, description } of routines)
    if (!named.has(row.name))
      named.set(row.name, {
        name: row.name,
        description,
        isVolatile: row.is_volatile,
        args: toArguments(row),
      })
  return { ...read, routines: [...named.values()] }
}
