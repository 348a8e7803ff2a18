// The catalogue of the portal's schemas and their initial rows as text: two databases are equal if all lines are.
import type { Database } from '#server/db/database.ts'

/** `kind name` → everything the database stores about it. */
export type Catalogue = ReadonlyMap<string, string>

const OURS = `n.nspname in ('public', 'portal')`
/** Grants in a fixed order, the same whether they are explicit or default. */
const acl = (column: string, kind: string, owner: string) => `(
  select string_agg(grantee || '=' || privilege, ' ' order by grantee, privilege) from (
    select coalesce(nullif(grantee::regrole::text, '-'), 'public') as grantee,
      privilege_type || case when is_grantable then '*' else '' end as privilege
    from aclexplode(coalesce(${column}, acldefault('${kind}', ${owner})))) as granted)`

const QUERIES = [
  `select 'schema ' || nspname as name, concat_ws(E'\\n', ${acl('nspacl', 'n', 'nspowner')}, obj_description(n.oid, 'pg_namespace')) as what
   from pg_namespace n where nspname = 'portal'`,
  `select concat_ws(' ', 'default', coalesce(n.nspname, 'everywhere'), d.defaclobjtype), ${acl('d.defaclacl', 'r', 'd.defaclrole')}
   from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace`,
  `select 'relation ' || c.oid::regclass, concat_ws(E'\\n', c.relkind, 'rules ' || c.relrowsecurity || c.relforcerowsecurity,
     c.relpersistence, c.relreplident, c.reloptions::text,
     case when c.relkind in ('r', 'p', 'v') then ${acl('c.relacl', 'r', 'c.relowner')}
       when c.relkind = 'S' then ${acl('c.relacl', 's', 'c.relowner')} end,
     case when c.relkind = 'v' then pg_get_viewdef(c.oid) end, obj_description(c.oid, 'pg_class'))
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind <> 'i'`,
  `select 'column ' || c.oid::regclass || '.' || a.attname, concat_ws(E'\\n',
     rank() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod),
     case when a.attnotnull then 'not null' end, 'identity ' || a.attidentity::text, 'generated ' || a.attgenerated::text,
     pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation, a.attstorage, a.attcompression, a.attoptions::text,
     case when a.attacl is not null then ${acl('a.attacl', 'c', 'c.relowner')} end, col_description(c.oid, a.attnum))
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${OURS} and c.relkind in ('r', 'p', 'v', 'c')`,
  `select 'constraint ' || k.conrelid::regclass || '.' || k.conname,
     concat_ws(E'\\n', pg_get_constraintdef(k.oid), k.convalidated, obj_description(k.oid, 'pg_constraint'))
   from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OURS} and k.contype <> 'n'`,
  `select 'index ' || i.indexrelid::regclass, concat_ws(E'\\n', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered,
     i.indisreplident, obj_description(i.indexrelid, 'pg_class'))
   from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass,
     concat_ws(E'\\n', pg_get_triggerdef(t.oid), t.tgenabled, obj_description(t.oid, 'pg_trigger'))
   from pg_trigger t where not t.tgisinternal`,
  `select 'policy ' || p.polname || ' on ' || p.polrelid::regclass, concat_ws(E'\\n', p.polcmd, p.polpermissive, p.polroles::regrole[],
     'using ' || pg_get_expr(p.polqual, p.polrelid), 'check ' || pg_get_expr(p.polwithcheck, p.polrelid),
     obj_description(p.oid, 'pg_policy'))
   from pg_policy p`,
  `select 'function ' || p.oid::regprocedure, concat_ws(E'\\n', pg_get_functiondef(p.oid), ${acl('p.proacl', 'f', 'p.proowner')},
     obj_description(p.oid, 'pg_proc'))
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS}`,
  `select 'type ' || t.oid::regtype, concat_ws(E'\\n', t.typtype, t.typdefault, pg_get_expr(t.typdefaultbin, 0), ${acl('t.typacl', 'T', 't.typowner')},
     obj_description(t.oid, 'pg_type'), (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
   from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${OURS} and t.typelem = 0`,
  `select 'sequence ' || s.schemaname || '.' || s.sequencename, concat_ws(E'\\n', s.data_type, s.start_value, s.min_value, s.max_value,
     s.increment_by, s.cycle, s.cache_size, s.last_value, (
       select string_agg(d.refobjid::regclass || '.' || a.attname || d.deptype::text, ' ') from pg_depend d
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
       where d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass and d.deptype in ('a', 'i')))
   from pg_sequences s where s.schemaname in ('public', 'portal')`,
  `select 'other ' || kind || ' ' || name, what from (
     select 'statistics' as kind, stxname::text as name, pg_get_statisticsobjdef(oid) as what from pg_statistic_ext
     union all select 'rule', rulename, definition from pg_rules where schemaname in ('public', 'portal')
     union all select 'event trigger', evtname, evtevent from pg_event_trigger
     union all select 'publication', pubname, puballtables::text from pg_publication) as others`,
]

export async function readCatalogue(db: Database): Promise<Catalogue> {
  const found = new Map<string, string>()
  for (const query of QUERIES) {
    const { rows } = await db.query<{ name: string; what: string }>(
      `select * from (${query}) as found (name, what) order by 1`,
    )
    for (const { name, what } of rows) found.set(name, what)
  }
  for (const [name, what] of await readRows(db)) found.set(name, what)
  return found
}

/** Values from a clock or random generator are replaced by their kind. */
async function readRows(db: Database): Promise<[string, string][]> {
  const { rows: tables } = await db.query<{ table: string; chance: string[] }>(
    `select c.oid::regclass::text as table,
       coalesce(array_agg(a.attname::text) filter (where pg_get_expr(d.adbin, d.adrelid) ~ 'now\\(\\)|random|clock_timestamp'), '{}') as chance
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where ${OURS} and c.relkind = 'r' group by c.oid`,
  )
  const lines: [string, string][] = []
  for (const { table, chance } of tables) {
    const { rows } = await db.query<{ row: string }>(
      `select (to_jsonb(t) - $1::text[])::text as row from ${table} t order by 1`,
      [chance],
    )
    rows.forEach(({ row }, index) =>
      lines.push([
        `row ${table} ${index + 1}`,
        row.replace(/("key": "opt_out_key", "value": )"\w+"/, '$1"chance"'),
      ]),
    )
  }
  return lines
}

/** The differences of two databases; each says what is in one and in the other. */
export function differences(one: Catalogue, other: Catalogue): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => `${name}\n--- ${one.get(name) ?? 'not there'}\n+++ ${other.get(name) ?? 'not there'}`)
}
