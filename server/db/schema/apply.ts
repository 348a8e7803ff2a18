// Applies changed objects of the schema files to an existing database, all of them or none, while portals work with it.
import { systemClock } from '#server/clock.ts'
import { SqlError, type Database, type Query } from '../database.ts'
import { resetGrants, restate, tableOf, targetOf, type SchemaObject } from './objects.ts'

/** The number of the advisory lock for schema changes; any constant would do. */
export const SCHEMA_LOCK = 7_130_2210
/** The wait for a table's lock. While it waits, the portals' own writes wait behind it. */
const LOCK_TIMEOUT_MS = 200
const MAX_TRIES = 40
const PAUSE_MS = { min: 50, max: 150 }
/** Building an index over all messages of a large agency takes minutes. */
const LIMIT = { limitMs: 3_600_000 }
/**
 * lock_not_available, deadlock_detected, "tuple concurrently updated", and an object that another portal made
 * meanwhile.
 */
const PASSING = ['55P03', '40P01', 'XX000', '23505']
/** Statements of one round trip on a server; the embedded engine takes one at a time. */
const AT_ONCE = 50

/**
 * Runs `work` in one transaction that holds the schema lock, and again if other transactions were in its way. The
 * record of applied objects may be read only inside. Rejects with the error of the last attempt.
 */
export async function changeSchema<T>(db: Database, work: (query: Query) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await db.transaction(async (query) => {
        await query(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`)
        await query(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`)
        // A portal that is killed now frees its locks at once instead of at its next word.
        if (db.engine === 'postgres') await query(`set local client_connection_check_interval = '100ms'`)
        await query('set local check_function_bodies = off')
        return work(query)
      }, LIMIT)
    } catch (error) {
      if (!(error instanceof SqlError) || !PASSING.includes(error.code) || tries === MAX_TRIES) throw error
      await systemClock.sleep(systemClock.randomBetween(PAUSE_MS.min, PAUSE_MS.max))
    }
}

type Applying = { query: Query; engine: Database['engine'] }

/** In the order in which a new message locks them: in another order the two transactions would wait for each other. */
const LOCKED_FIRST = 'public.whatsapp_messages'

/**
 * Brings these objects to the text of their files. Functions, views, grants and comments come first, because they block
 * no table. Triggers then block writers of their tables, which are locked together. Policies come last, because they
 * block readers.
 */
export async function applyObjects(to: Applying, objects: readonly SchemaObject[]): Promise<void> {
  const ofKind = (kind: SchemaObject['kind']) => objects.filter((object) => object.kind === kind)
  const isOnTable = ({ kind }: SchemaObject) => kind === 'trigger' || kind === 'policy'
  await run(to, objects.filter((object) => !isOnTable(object)).flatMap(restate))
  // Dropping a trigger would drop its deferred checks that still wait.
  if (objects.some(isOnTable)) await to.query('set constraints all immediate')
  await runLocked(to, ofKind('trigger'), 'share row exclusive')
  await runLocked(to, ofKind('policy'), 'access exclusive')
  await checkFunctions(to, objects)
}

async function runLocked(to: Applying, objects: readonly SchemaObject[], mode: string) {
  if (objects.length === 0) return
  const tables = [...new Set(objects.map(tableOf))]
  const inOrder = tables.toSorted(
    (one, other) => Number(other === LOCKED_FIRST) - Number(one === LOCKED_FIRST),
  )
  await to.query(`lock table ${(mode === 'access exclusive' ? tables : inOrder).join(', ')} in ${mode} mode`)
  await run(to, objects.flatMap(restate))
}

async function run({ query, engine }: Applying, statements: readonly string[]) {
  const size = engine === 'postgres' ? AT_ONCE : 1
  for (let at = 0; at < statements.length; at += size) {
    const some = statements.slice(at, at + size)
    await query('savepoint chunk')
    await query(some.join(';\n')).catch(async (error: unknown) => {
      if (!(error instanceof SqlError) || PASSING.includes(error.code)) throw error
      await query('rollback to savepoint chunk')
      for (const statement of some)
        await query(statement).catch((fault: unknown) => throwNamed(fault, statement))
      throw error
    })
    await query('release savepoint chunk')
  }
}

const AMBIGUOUS = '42725'

/** Adds to the error which statement was refused, and what to do about a function that now has two forms. */
function throwNamed(fault: unknown, statement: string): never {
  if (!(fault instanceof SqlError) || PASSING.includes(fault.code)) throw fault
  const hint =
    fault.code === AMBIGUOUS ? '; a numbered migration must drop the form with the earlier arguments' : ''
  throw new Error(`${fault.message} (${fault.code})${hint}: ${statement.slice(0, 200)}`, { cause: fault })
}

/** Checks the bodies of functions, which `check_function_bodies = off` did not check. */
async function checkFunctions({ query }: Applying, objects: readonly SchemaObject[]) {
  const names = objects.filter(({ kind }) => kind === 'function').map((object) => targetOf(object))
  if (names.length === 0) return
  await query('set local check_function_bodies = on')
  await query(
    `select case l.lanname when 'plpgsql' then plpgsql_validator(p.oid)::text
       when 'sql' then fmgr_sql_validator(p.oid)::text end as checked
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
     where n.nspname || '.' || p.proname = any ($1::text[])`,
    [names],
  )
}

/** The objects of a database and their hashes, as recorded when they were applied. */
type Recorded = { name: string; hash: string; unnamedBy: string | null }

/** The names of the objects that applying changed. */
export type Said = { objects: string[]; dropped: string[] }

/**
 * Applies objects that differ from the record, and drops those that are no longer in any file. A trigger, a policy or a
 * grant is dropped at once. A function or a view stays until the next release, because a portal of the release before
 * may still call it.
 */
export async function applyChanges(
  to: Applying,
  files: { objects: readonly SchemaObject[]; fingerprint: string },
): Promise<Said> {
  const { rows } = await to.query<Recorded>(
    `select name, hash, unnamed_by as "unnamedBy" from supabase_migrations.portal_objects`,
  )
  const recorded = new Map(rows.map((row) => [row.name, row]))
  const changed = files.objects.filter(({ name, hash }) => recorded.get(name)?.hash !== hash)
  const named = new Set(files.objects.map(({ name }) => name))
  const unnamed = rows
    .filter(({ name }) => !named.has(name))
    .map((row) => ({ ...row, kind: kindOf(row.name) }))
  const isDue = ({ kind, unnamedBy }: (typeof unnamed)[number]) =>
    (kind !== 'function' && kind !== 'view') || (unnamedBy !== null && unnamedBy !== files.fingerprint)

  await applyObjects(to, changed)
  const dropped = await dropObjects(to, unnamed.filter(isDue))
  await record(to.query, changed)
  await to.query(
    `update supabase_migrations.portal_objects set unnamed_by = $1 where name = any ($2::text[]) and unnamed_by is null`,
    [files.fingerprint, unnamed.map(({ name }) => name)],
  )
  await to.query('delete from supabase_migrations.portal_objects where name = any ($1::text[])', [dropped])
  return { objects: changed.map(({ name }) => name), dropped }
}

const kindOf = (name: string) => name.split(' ')[0] as SchemaObject['kind']

/**
 * Drops the objects and returns the names of those that are gone. One that the operator's own views or functions depend
 * on stays, and the next release tries again.
 */
async function dropObjects({ query }: Applying, objects: readonly Pick<SchemaObject, 'name' | 'kind'>[]) {
  const gone: string[] = []
  for (const object of objects) {
    const { kind, name } = object
    await query('savepoint dropping')
    try {
      if (kind === 'grants') for (const statement of resetGrants(kind, name)) await query(statement)
      else if (kind !== 'comment') await query(`drop ${kind} if exists ${targetOf(object)}`)
    } catch (error) {
      const isGone = error instanceof SqlError && ['42P01', '42883', '3F000'].includes(error.code)
      const isNeeded = error instanceof SqlError && error.code === '2BP01'
      if (!isGone && !isNeeded) throw error
      await query('rollback to savepoint dropping')
      if (isNeeded) continue
    }
    gone.push(name)
  }
  return gone
}

/** Records that the database has these objects with the text of their files. */
export async function record(query: Query, objects: readonly SchemaObject[]): Promise<void> {
  await query(
    `insert into supabase_migrations.portal_objects (name, hash)
     select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set hash = excluded.hash, unnamed_by = null`,
    [objects.map(({ name }) => name), objects.map(({ hash }) => hash)],
  )
}
