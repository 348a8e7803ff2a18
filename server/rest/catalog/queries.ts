// Queries of Postgres' catalogs. Run with an empty search path, so that every name is qualified.

export type ColumnRow = {
  schema: string
  table: string
  oid: number
  is_view: boolean
  /** Bits of pg_relation_is_updatable. */
  changes: number
  column: string
  number: number
  type: string
  default_sql: string | null
  read_only_for: string[]
}

/** $1: the exposed schemas. A domain's default and an identity's sequence count as the column's default. */
export const COLUMNS = `
  select n.nspname as "schema", c.relname as "table", c.oid::bigint as oid, c.relkind in ('v', 'm') as is_view,
    pg_relation_is_updatable(c.oid, true) as changes,
    a.attname as "column", a.attnum as "number", format_type(a.atttypid, a.atttypmod) as "type",
    case
      when a.attgenerated <> '' then null
      when a.attidentity = 'd' then format('nextval(%L::regclass)',
        pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
      when d.adbin is not null then pg_get_expr(d.adbin, d.adrelid)
      when t.typbasetype <> 0 then t.typdefault
    end as default_sql,
    (select coalesce(json_agg(r.rolname), '[]') from pg_roles r
      where r.rolname in ('anon', 'authenticated', 'service_role')
        and has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')
        and (a.attgenerated <> '' or a.attidentity = 'a' or not has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE')))
      as read_only_for
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p')
  order by c.oid, a.attnum`

export type ConstraintRow = {
  name: string
  kind: 'p' | 'u' | 'f'
  table_oid: number
  columns: number[]
  target_oid: number
  target_columns: number[] | null
}

/** Keys of all tables, also hidden ones, because an exposed view may show their columns. */
export const CONSTRAINTS = `
  select x.conname as name, x.contype as kind, x.conrelid::bigint as table_oid, to_json(x.conkey) as "columns",
    x.confrelid::bigint as target_oid, to_json(x.confkey) as target_columns
  from pg_constraint x
  join pg_namespace n on n.oid = x.connamespace
  where x.contype in ('p', 'u', 'f') and x.conrelid <> 0 and x.conparentid = 0
    and n.nspname not in ('pg_catalog', 'information_schema')
  order by x.conname`

export type ViewRow = { oid: number; tree: string }

/** The parsed query behind each view, as Postgres prints its node tree. */
export const VIEWS = `
  select c.oid::bigint as oid, r.ev_action::text as tree
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
  order by c.oid`

export type RoutineRow = {
  oid: number
  schema: string
  name: string
  is_volatile: boolean
  is_set: boolean
  is_single: boolean
  return_type: string
  is_composite: boolean
  return_oid: number
  variadic: boolean
  default_count: number
  arg_names: string[] | null
  arg_modes: string[] | null
  arg_types: string[]
  /** The table whose row type the only argument has, else 0. */
  row_arg_oid: number
}

/** $1: the exposed schemas. Trigger functions cannot be called and are left out. */
export const ROUTINES = `
  select p.oid::bigint as oid, n.nspname as "schema", p.proname as name, p.provolatile = 'v' as is_volatile, p.proretset as is_set,
    not p.proretset or p.prorows = 1 as is_single, t.typname as return_type,
    t.typtype = 'c' or t.typname = 'record' or coalesce(p.proargmodes::text[] && '{t,b,o}', false) as is_composite,
    t.typrelid::bigint as return_oid, p.provariadic <> 0 as variadic, p.pronargdefaults::int as default_count,
    to_json(p.proargnames) as arg_names, to_json(p.proargmodes::text[]) as arg_modes,
    (select coalesce(json_agg(format_type(a.oid, null) order by a.place), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a(oid, place)) as arg_types,
    coalesce((select at.typrelid::bigint from pg_type at where p.pronargs = 1 and at.oid = p.proargtypes[0]), 0)
      as row_arg_oid
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  where n.nspname = any($1) and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger')
  order by n.nspname, p.proname, p.oid`
