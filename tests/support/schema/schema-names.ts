// The schema's public names and types, on which clients and stored rows rely.
import type { Database } from '#server/db/database.ts'

/** `schema.table.column` → its type, `schema.function()` → its parameters and result. */
export type SchemaNames = Record<string, string>

/**
 * Tables of public and portal, and functions of public. Functions of portal, indexes and constraints may change freely.
 */
export async function readSchemaNames(db: Database): Promise<SchemaNames> {
  const { rows } = await db.query<{ name: string; what: string }>(
    `select n.nspname || '.' || c.relname || '.' || a.attname as name,
       format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as what
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname in ('public', 'portal') and c.relkind in ('r', 'p', 'v')
     union all
     select n.nspname || '.' || p.proname || '()',
       '(' || pg_get_function_arguments(p.oid) || ') -> ' || pg_get_function_result(p.oid)
     from pg_proc p
     join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'public' and p.prorettype <> 'trigger'::regtype
     order by name`,
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.what]))
}
