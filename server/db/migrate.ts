// Brings a database to the newest schema: the bootstrap where it is not Supabase, then supabase/migrations in order,
// recorded in the very table of `supabase db push`, so that either may go on where the other stopped. A database that began
// with the files before the baseline goes through those first.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { PortalError } from '#domain/errors.ts'
import bootstrapSql from './bootstrap.sql?raw'
import { SqlError, type Database } from './database.ts'

type Migration = {
  version: string
  name: string
  sql: string
  /** The baseline of a database that began with earlier files: they made the same, and their rows give way to its own. */
  replaces?: readonly string[]
  /** Of an earlier file: the version that must not be there yet. */
  comesBefore?: string
}

/** Any constant does; it names the migration turn among advisory locks. */
const MIGRATION_LOCK = 7_130_2210
/** The table of `supabase db push`, which makes it at its own first run. */
const HISTORY = 'supabase_migrations.schema_migrations'
const HISTORY_SQL = `
  create schema if not exists supabase_migrations;
  create table if not exists ${HISTORY} (
    version text primary key, statements text[], name text
  );`
const FILE_NAME = /^(\d{14})_(\w+)\.sql$/
/** Beside the folder of migrations: the files that its first one, the baseline, stands for. */
const BEFORE_BASELINE = '../before-baseline'

/**
 * Applies what is missing and answers the versions applied now. Several portals may call it at once. Raises
 * `migrations.unknown` when the database holds a version that has no file here: it belongs to a newer portal; and
 * `migrations.unrecorded` when files were applied by something that wrote no history.
 */
export async function migrate(db: Database, directory: string): Promise<string[]> {
  const isSupabase = await hasRow(db, `select from pg_roles where rolname = 'supabase_admin'`)
  const isNew = await hasRow(db, `select where to_regclass('supabase_migrations.schema_migrations') is null`)
  if (await isUnrecorded(db)) {
    // The bootstrap would open again what the first file closes.
    await db.exec(HISTORY_SQL)
    throw unrecorded('nenhuma migração registrada')
  }
  if (isNew)
    await db.exec(
      `select pg_advisory_xact_lock(${MIGRATION_LOCK});\n${isSupabase ? '' : bootstrapSql}\n${HISTORY_SQL}`,
    )

  const appliedNow: string[] = []
  for (const migration of await pendingMigrations(db, directory))
    if (await apply(db, migration)) appliedNow.push(migration.version)
  if (!isSupabase) await letServiceRoleThrough(db)
  return appliedNow
}

/** SQLSTATEs of a schema, table, column, function or other thing that is there already. */
const EXISTS_ALREADY = ['42P06', '42P07', '42701', '42723', '42710']
/** Records every file as applied, in any shell. */
const RECORD = `for f in supabase/migrations/*.sql; do b=$(basename $f .sql); psql "$DATABASE_URL" -c "insert into supabase_migrations.schema_migrations (version, name) values ('\${b%%_*}', '\${b#*_}') on conflict do nothing"; done`

const unrecorded = (what: string, cause?: unknown) =>
  new PortalError(
    'migrations.unrecorded',
    `O banco de dados já tem tabelas do portal, com ${what}: os arquivos de supabase/migrations foram aplicados por fora, com psql por exemplo. Se foram todos os desta versão, registre-os com este comando e inicie de novo: ${RECORD} Se foram todos os de uma versão anterior, rode o mesmo comando na pasta daquela versão. Se foram só alguns, comece com um banco vazio: o portal os aplica sozinho.`,
    cause === undefined ? {} : { cause },
  )

/** In this order: where another portal is just at it, the history is written together with the first tables. */
async function isUnrecorded(db: Database): Promise<boolean> {
  if (!(await hasRow(db, `select where to_regclass('portal.settings') is not null`))) return false
  return (
    !(await hasRow(db, `select where to_regclass('supabase_migrations.schema_migrations') is not null`)) ||
    !(await hasRow(db, 'select from supabase_migrations.schema_migrations limit 1'))
  )
}

/** What a database that has a history still lacks, in order. Raises `migrations.unknown`. */
export async function pendingMigrations(db: Database, directory: string): Promise<Migration[]> {
  const [migrations, earlier] = await Promise.all([
    listMigrations(directory),
    listEarlier(path.join(directory, BEFORE_BASELINE)),
  ])
  const { rows } = await db.query<{ version: string }>(`select version from ${HISTORY}`)
  const applied = new Set(rows.map((row) => row.version))
  const known = new Set([...earlier, ...migrations].map(({ version }) => version))
  const unknown = [...applied].filter((version) => !known.has(version))
  if (unknown.length > 0)
    throw new PortalError(
      'migrations.unknown',
      `O banco de dados é de uma versão mais nova do portal (migrações ${unknown.join(', ')}). Atualize o portal.`,
    )
  const isMissing = ({ version }: MigrationFile) => !applied.has(version)
  const [baseline, ...later] = migrations
  if (baseline === undefined || !isMissing(baseline) || earlier.every(isMissing))
    return Promise.all(migrations.filter(isMissing).map(readMigration))
  return [
    ...(await Promise.all(earlier.filter(isMissing).map(readMigration))).map((migration) => ({
      ...migration,
      comesBefore: baseline.version,
    })),
    { ...(await readMigration(baseline)), replaces: earlier.map(({ version }) => version) },
    ...(await Promise.all(later.filter(isMissing).map(readMigration))),
  ]
}

/** One implicit transaction: the lock, the record, the file. False when another portal was first. */
async function apply(db: Database, migration: Migration): Promise<boolean> {
  const { version, name, comesBefore } = migration
  try {
    await db.exec(
      `select pg_advisory_xact_lock(${MIGRATION_LOCK});
       ${comesBefore === undefined ? '' : refuseAfter(comesBefore)}
       ${record(migration)}
       ${workOf(migration)}`,
    )
    return true
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'schema_migrations_pkey') return false
    if (error instanceof SqlError && EXISTS_ALREADY.includes(error.code))
      throw unrecorded(`a migração ${version}_${name} sem registro`, error)
    throw new Error(`migration ${version}_${name} failed: ${String(error)}`, { cause: error })
  }
}

const record = ({ version, name, sql }: Migration) =>
  `insert into ${HISTORY} (version, name, statements)
   values ('${version}', '${name}', array[$portal_migration$${sql}$portal_migration$]);`

/** Fails as a second record does: another portal has been through all earlier files, whose rows are gone since. */
const refuseAfter = (version: string) =>
  `insert into ${HISTORY} (version) values ('${version}'); delete from ${HISTORY} where version = '${version}';`

const workOf = ({ sql, replaces }: Migration) =>
  replaces === undefined
    ? sql
    : `delete from ${HISTORY} where version in (${replaces.map((version) => `'${version}'`).join()});`

type MigrationFile = { version: string; name: string; file: string }

async function listMigrations(directory: string): Promise<MigrationFile[]> {
  return (await readdir(directory))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const [, version, name] = FILE_NAME.exec(file) ?? []
      if (version === undefined || name === undefined) throw new Error(`${file} is no migration's name`)
      return { version, name, file: path.join(directory, file) }
    })
}

/** None where there is no such folder: then nothing stands for anything. */
const listEarlier = async (directory: string) => (existsSync(directory) ? listMigrations(directory) : [])

const readMigration = async ({ version, name, file }: MigrationFile): Promise<Migration> => ({
  version,
  name,
  sql: await readFile(file, 'utf8'),
})

/** Where service_role cannot bypass row security (a Postgres without superuser), it passes by a policy on each table. */
async function letServiceRoleThrough(db: Database) {
  await db.exec(`do $$
    declare
      missing record;
    begin
      if (select rolbypassrls or rolsuper from pg_roles where rolname = 'service_role') then return; end if;
      perform pg_advisory_xact_lock(${MIGRATION_LOCK});
      for missing in
        select c.relname from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
          and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service_role_all')
      loop
        execute format('create policy service_role_all on public.%I to service_role using (true) with check (true)', missing.relname);
      end loop;
    end $$`)
}

async function hasRow(db: Database, sql: string): Promise<boolean> {
  return (await db.query(sql)).rows.length > 0
}
