// Every table, caller and verb, and every column for updates, by tests/support/schema/row-rules.ts. Tables and columns
// come from the catalogue, so a new one without an entry fails.
import { describe, expect, test } from 'vitest'
import { SqlError, type Query } from '#server/db/database.ts'
import { openBase } from '#tests/support/database.ts'
import { tryAs } from '#tests/support/make.ts'
import { ASKERS, makeScenario, type Asker } from '#tests/support/schema/rules-scenario.ts'
import { TABLE_RULES, type Reach, type TableRule } from '#tests/support/schema/row-rules.ts'

const base = await openBase()
const scenario = await makeScenario(base.db)

const REFUSED = '42501'
/** A generated or identity column: no one can set it. */
const NOT_SETTABLE = '428C9'

/** Number of rows that a statement reaches, 0 if Postgres refuses it; any other error fails the test. */
async function countOrNone(
  claims: Parameters<typeof tryAs>[1],
  run: (query: Query) => Promise<{ rowCount: number }>,
) {
  try {
    return (await tryAs(base.db, claims, run)).rowCount
  } catch (error) {
    if (error instanceof SqlError && [REFUSED, NOT_SETTABLE].includes(error.code)) return 0
    throw error
  }
}

/** The reach of a statement, run once on the own row and once on the other's. */
async function reachOf(
  asker: Asker,
  rule: TableRule,
  statement: (condition: string) => string,
): Promise<Reach> {
  const touches = async (side: 'own' | 'other') =>
    (await countOrNone(scenario.claims[asker], (query) =>
      query(statement(rule.rowOf(scenario[side], scenario))),
    )) > 0
  const own = await touches('own')
  const other = rule.isOwned ? await touches('other') : own
  if (own && other) return 'all'
  if (own) return 'own'
  expect(other, `${asker} reaches the row of another but not the own one`).toBe(false)
  return 'none'
}

function expected(reaches: { broker?: Reach; admin?: Reach; gerente?: Reach }, asker: Asker): Reach {
  if (asker === 'service') return 'all'
  if (asker === 'gerente' || asker === 'leader') return reaches.gerente ?? 'none'
  // Of rows that belong to brokers, the gerente of another team reaches none.
  if (asker === 'rival') return reaches.gerente === 'all' ? 'all' : 'none'
  return asker === 'broker' || asker === 'admin' ? (reaches[asker] ?? 'none') : 'none'
}

async function columnsOf(table: string) {
  const { rows } = await base.db.query<{ name: string; is_settable: boolean }>(
    `select attname as name, attgenerated = '' and attidentity <> 'a' as is_settable from pg_attribute
     where attrelid = ('public.' || quote_ident($1))::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )
  return rows
}

test('every table and view of public has an entry', async () => {
  const { rows } = await base.db.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p', 'm', 'f')`,
  )
  expect(rows.map((row) => row.relname).toSorted()).toEqual(Object.keys(TABLE_RULES).toSorted())
})

describe.each(Object.entries(TABLE_RULES))('%s', (table, rule) => {
  test.each(ASKERS)('%s reads, deletes and inserts only what the rule says', async (asker) => {
    const target = `public."${table}"`
    const read = await reachOf(asker, rule, (row) => `select from ${target} where ${row}`)
    const remove = await reachOf(asker, rule, (row) => `delete from ${target} where ${row}`)
    const fresh = rule.insert.row(scenario)
    const names = Object.keys(fresh)
    const inserted = await countOrNone(scenario.claims[asker], (query) =>
      query(
        `insert into ${target} (${names.map((name) => `"${name}"`).join(', ')})
         values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(fresh),
      ),
    )
    expect({ read, remove, insert: inserted > 0 }).toEqual({
      read: expected(rule.read, asker),
      remove: expected(rule.remove, asker),
      insert: expected(rule.insert.by, asker) !== 'none',
    })
  })

  test.each(ASKERS)('%s updates only the columns that the rule names', async (asker) => {
    const reaches: Record<string, Reach> = {}
    const wanted: Record<string, Reach> = {}
    for (const column of await columnsOf(table)) {
      const value = rule.changed?.[column.name] ?? `"${column.name}"`
      const update = (row: string) => `update public."${table}" set "${column.name}" = ${value} where ${row}`
      reaches[column.name] = await reachOf(asker, rule, update)
      wanted[column.name] =
        asker === 'service' && !column.is_settable ? 'none' : expected(rule.update[column.name] ?? {}, asker)
    }
    expect(reaches).toEqual(wanted)
  })

  // Without a condition or returned columns, only the update policy applies, not the one for reading.
  test('an unconditional update by a broker reaches no row that the broker may not read', async () => {
    const { broker } = scenario.claims
    const seen = await countOrNone(broker, (query) => query(`select from public."${table}"`))
    for (const column of Object.keys(rule.update)) {
      const changed = await countOrNone(broker, (query) =>
        query(`update public."${table}" set "${column}" = '1'`),
      )
      expect(changed, column).toBeLessThanOrEqual(seen)
    }
  })

  test('inserts may set only the named columns', async () => {
    const { rows } = await base.db.query<{ column: string }>(
      `select attname as column from pg_attribute
       where attrelid = ('public.' || quote_ident($1))::regclass and attnum > 0 and not attisdropped
         and has_column_privilege('authenticated', attrelid, attnum, 'insert') order by attnum`,
      [table],
    )
    const all = (await columnsOf(table)).map((column) => column.name)
    const insertable = rows.map((row) => row.column)
    expect(insertable.toSorted()).toEqual((rule.insertable ?? all).toSorted())
  })
})

test('outside public only the view of leads is accessible, and anon has nothing at all', async () => {
  const { rows } = await base.db.query<{ relation: string; grantee: string; privilege: string }>(
    `select n.nspname || '.' || c.relname as relation, r.role as grantee, v.verb as privilege
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     cross join unnest(array['anon', 'authenticated', 'service_role']) r (role)
     cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) v (verb)
     where c.relkind in ('r', 'v', 'p', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
       and has_schema_privilege(r.role, n.oid, 'usage') and has_table_privilege(r.role, c.oid, v.verb)
       and (n.nspname <> 'public' or r.role = 'anon' or (r.role = 'authenticated' and v.verb in ('truncate', 'references', 'trigger')))
     order by 1, 2, 3`,
  )
  expect(rows).toEqual([
    { relation: 'portal.leads', grantee: 'authenticated', privilege: 'select' },
    { relation: 'portal.leads', grantee: 'service_role', privilege: 'select' },
  ])
})

test('no sequence is accessible except for the service role', async () => {
  const { rows } = await base.db.query(
    `select c.oid::regclass::text as sequence, r.role from pg_class c, unnest(array['anon', 'authenticated']) r (role)
     where c.relkind = 'S' and has_sequence_privilege(r.role, c.oid, 'usage, select, update')`,
  )
  expect(rows).toEqual([])
})

test('the view of leads shows a broker only the own ones', async () => {
  const seen = (asker: Asker) =>
    tryAs(base.db, scenario.claims[asker], async (query) =>
      (
        await query<{ name: string }>('select distinct nome_lead as name from portal.leads order by 1')
      ).rows.map((row) => row.name),
    )
  expect(await seen('broker')).toEqual(['zzproprio'])
  expect(await seen('admin')).toEqual(['zzalheio', 'zzproprio'])
  for (const asker of ['ended', 'removed', 'forged', 'borrowed'] as const)
    expect(await seen(asker)).toEqual([])
})
