// Brings a database to the schema of this portal. An empty one is made from supabase/schemas; one that exists gets the
// numbered migrations it lacks and the objects whose text changed. Versions are recorded in the very table of `supabase
// db push`.
import { PortalError } from '#domain/errors.ts'
import bootstrapSql from './bootstrap.sql?raw'
import { SqlError, type Database, type Query } from './database.ts'
import { applyChanges, applyObjects, changeSchema, record, SCHEMA_LOCK, type Said } from './schema/apply.ts'
import { readSchemaFiles, type SchemaFiles, type Step } from './schema/files.ts'

/** The version of a database made from the schema files; the numbered migrations come after it. */
export const BEGINNING = { version: '20261128200000', name: 'schemas' }
/** The last migration of the release before. A database that has it continues from `BEGINNING`. */
const LAST_BEFORE = '20261128160001'
const RELEASE_BEFORE = '0.1.0 de 28/11/2026 (commit 79b5ecb4)'

/** The table in which `supabase db push` records migrations. The two tables after it are the portal's own. */
const HISTORY = 'supabase_migrations.schema_migrations'
const OBJECTS = 'supabase_migrations.portal_objects'
const RELEASES = 'supabase_migrations.portal_releases'
const HISTORY_SQL = `
  create schema if not exists supabase_migrations;
  create table if not exists ${HISTORY} (version text primary key, statements text[], name text);
  create table if not exists ${OBJECTS} (name text primary key, hash text not null, unnamed_by text);
  create table if not exists ${RELEASES} (
    fingerprint text primary key, number bigint generated always as identity, applied_at timestamptz not null default now()
  );`

export type Migrated = Said & {
  /** Versions recorded now: `BEGINNING` for a new database, and numbered migrations. */
  versions: string[]
}

type Options = {
  /**
   * Whether a release that was here before the present one may put its own objects back. Always so on the embedded
   * engine, which no other portal uses meanwhile.
   */
  allowsEarlier?: boolean
}

/**
 * `folder` is supabase. Several portals may call it at once. Raises `migrations.unknown` for the database of a newer
 * portal,
 * `migrations.older` for one of before 2026-11-28, and `migrations.unrecorded` when something else made tables of the
 * portal and recorded nothing; the database is unchanged then.
 */
export async function migrate(db: Database, folder: string, options: Options = {}): Promise<Migrated> {
  const files = await readSchemaFiles(folder)
  const isSupabase = await hasRow(db.query, `select from pg_roles where rolname = 'supabase_admin'`)
  const found = await readHistory(db.query)
  refuseForeign(found, files)
  const versions: string[] = []
  if (found.versions.length === 0) {
    await prepareEmpty(db, isSupabase)
    if (await makeFromFiles(db, files)) versions.push(...versionsOf(files))
  } else if (!found.isRecording)
    await db.exec(`select pg_advisory_xact_lock(${SCHEMA_LOCK});\n${HISTORY_SQL}`)
  if (found.versions.includes(LAST_BEFORE) && (await adopt(db))) versions.push(BEGINNING.version)
  for (const step of files.steps) if (await takeStep(db, step)) versions.push(step.version)
  const said = await sayAgain(db, files, options.allowsEarlier === true || db.engine === 'pglite')
  if (!isSupabase) await letServiceRoleThrough(db)
  return { versions, ...said }
}

/** Whether `migrate` would change nothing. Raises the errors of `migrate`. */
export async function isUpToDate(db: Database, folder: string): Promise<boolean> {
  const files = await readSchemaFiles(folder)
  const found = await readHistory(db.query)
  refuseForeign(found, files)
  const isComplete = versionsOf(files).every((version) => found.versions.includes(version))
  return isComplete && found.isRecording && (await newestRelease(db.query)) === files.fingerprint
}

/** What comes before the schema files: all that Supabase has by itself, and an empty history. */
export const prepareEmpty = (db: Database, isSupabase = false): Promise<void> =>
  db.exec(`select pg_advisory_xact_lock(${SCHEMA_LOCK});\n${isSupabase ? '' : bootstrapSql}\n${HISTORY_SQL}`)

const versionsOf = ({ steps }: SchemaFiles) => [BEGINNING.version, ...steps.map(({ version }) => version)]

type Found = { hasTables: boolean; isRecording: boolean; versions: string[] }

/**
 * In this order, because another portal may be creating the database: it writes the history together with the first
 * tables.
 */
async function readHistory(query: Query): Promise<Found> {
  const { rows } = await query<Omit<Found, 'versions'> & { hasHistory: boolean }>(
    `select to_regclass('portal.settings') is not null as "hasTables", to_regclass('${HISTORY}') is not null as "hasHistory",
       to_regclass('${RELEASES}') is not null as "isRecording"`,
  )
  const { hasTables = false, isRecording = false, hasHistory = false } = rows[0] ?? {}
  const history = hasHistory ? (await query<{ version: string }>(`select version from ${HISTORY}`)).rows : []
  return { hasTables, isRecording, versions: history.map(({ version }) => version) }
}

function refuseForeign({ hasTables, versions }: Found, files: SchemaFiles) {
  if (versions.length === 0) {
    if (hasTables) throw unrecorded(files)
    return
  }
  const known = versionsOf(files)
  const unknown = versions.filter((version) => version > LAST_BEFORE && !known.includes(version))
  if (unknown.length > 0) throw newer(`migrações ${unknown.join(', ')}`)
  if (!versions.includes(BEGINNING.version) && !versions.includes(LAST_BEFORE))
    throw new PortalError(
      'migrations.older',
      `O banco de dados é de uma versão anterior à ${RELEASE_BEFORE}. Faça um backup, inicie uma vez essa versão sobre ele e depois esta. Nada foi mudado.`,
    )
}

const newer = (what: string) =>
  new PortalError(
    'migrations.unknown',
    `O banco de dados é de uma versão mais nova do portal (${what}). Atualize o portal.`,
  )

/** SQLSTATEs of a schema, table, column, function or other thing that is there already. */
const EXISTS_ALREADY = ['42P06', '42P07', '42701', '42723', '42710']

const unrecorded = (files: SchemaFiles, cause?: unknown) =>
  new PortalError(
    'migrations.unrecorded',
    `O banco de dados já tem tabelas do portal, mas nenhuma versão registrada: os arquivos de supabase/schemas foram aplicados por fora, com psql por exemplo. Se foram todos os desta versão, registre-a e inicie de novo: psql "$DATABASE_URL" -c "create schema if not exists supabase_migrations; create table if not exists ${HISTORY} (version text primary key, statements text[], name text); insert into ${HISTORY} (version, name) values ${valuesOf(files)}". Se foram só alguns, comece com um banco vazio: o portal os aplica sozinho.`,
    cause === undefined ? {} : { cause },
  )

/**
 * The versions to record for a database made from the schema files, which already contain all numbered migrations.
 */
const valuesOf = ({ steps }: SchemaFiles): string =>
  [BEGINNING, ...steps].map(({ version, name }) => `('${version}', '${name}')`).join(', ')

/** Runs the lock, the records and all schema files as one implicit transaction. False: another portal was first. */
async function makeFromFiles(db: Database, files: SchemaFiles): Promise<boolean> {
  const objects = JSON.stringify(files.objects.map(({ name, hash }) => ({ name, hash })))
  try {
    await db.exec(
      `select pg_advisory_xact_lock(${SCHEMA_LOCK});
       insert into ${HISTORY} (version, name) values ${valuesOf(files)};
       insert into ${OBJECTS} (name, hash) select name, hash from jsonb_to_recordset($portal_objects$${objects}$portal_objects$) as made (name text, hash text);
       insert into ${RELEASES} (fingerprint) values ('${files.fingerprint}');
       ${files.sql}`,
    )
    return true
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'schema_migrations_pkey') return false
    if (error instanceof SqlError && EXISTS_ALREADY.includes(error.code)) throw unrecorded(files, error)
    throw error
  }
}

/**
 * Adopts a database of the previous release: one row replaces its versions. Records its objects, so that those that no
 * schema file names are found. In `public` these are only policies and triggers, because anything else may be the
 * owner's own.
 */
const adopt = (db: Database): Promise<boolean> =>
  changeSchema(db, async (query) => {
    const { rows } = await query(`delete from ${HISTORY} where version <= '${LAST_BEFORE}' returning version`)
    if (rows.length === 0) return false
    await query(`insert into ${HISTORY} (version, name) values ($1, $2)`, [BEGINNING.version, BEGINNING.name])
    await query(`insert into ${OBJECTS} (name, hash)
      select 'function portal.' || p.proname, '' from pg_proc p where p.pronamespace = 'portal'::regnamespace
      union select 'view portal.' || c.relname, '' from pg_class c where c.relnamespace = 'portal'::regnamespace and c.relkind = 'v'
      union select format('trigger %I on %s.%I', t.tgname, n.nspname, c.relname), ''
        from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_proc p on p.oid = t.tgfoid
        where not t.tgisinternal and p.pronamespace = 'portal'::regnamespace
      union select format('policy %I on %s.%I', o.polname, n.nspname, c.relname), ''
        from pg_policy o join pg_class c on c.oid = o.polrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'portal') and o.polname <> 'service_role_all'`)
    return true
  })

/** False when another portal was first. */
const takeStep = async (db: Database, step: Step): Promise<boolean> => {
  const { version, name, statements, objects } = step
  if (await hasRow(db.query, `select from ${HISTORY} where version = '${version}'`)) return false
  try {
    return await changeSchema(db, async (query) => {
      if (await hasRow(query, `select from ${HISTORY} where version = '${version}'`)) return false
      for (const statement of statements) await query(statement)
      await applyObjects({ query, engine: db.engine }, objects)
      await record(query, objects)
      await query(`insert into ${HISTORY} (version, name) values ($1, $2)`, [version, name])
      return true
    })
  } catch (error) {
    throw new Error(`migration ${version}_${name} failed: ${String(error)}`, { cause: error })
  }
}

const newestRelease = async (query: Query): Promise<string | undefined> =>
  (await query<{ fingerprint: string }>(`select fingerprint from ${RELEASES} order by number desc limit 1`))
    .rows[0]?.fingerprint

/**
 * Applies changed objects, unless this very release has done so already. Raises `migrations.unknown` if a newer
 * release has been here since.
 */
async function sayAgain(db: Database, files: SchemaFiles, allowsEarlier: boolean): Promise<Said> {
  const nothing = { objects: [], dropped: [] }
  if ((await newestRelease(db.query)) === files.fingerprint) return nothing
  return changeSchema(db, async (query) => {
    if ((await newestRelease(query)) === files.fingerprint) return nothing
    const { rows } = await query(`select from ${RELEASES} where fingerprint = $1`, [files.fingerprint])
    if (rows.length > 0 && !allowsEarlier)
      throw newer(
        'uma versão que veio depois desta; para voltar a esta de propósito, com todos os portais parados: npm run db:migrate -- --earlier',
      )
    const said = await applyChanges({ query, engine: db.engine }, files)
    await query(`delete from ${RELEASES} where fingerprint = $1`, [files.fingerprint])
    await query(`insert into ${RELEASES} (fingerprint) values ($1)`, [files.fingerprint])
    return said
  })
}

/** If service_role cannot bypass row security (a Postgres without superuser), gives it a policy on each table. */
async function letServiceRoleThrough(db: Database) {
  await db.exec(`do $$
    declare
      missing record;
    begin
      if (select rolbypassrls or rolsuper from pg_roles where rolname = 'service_role') then return; end if;
      perform pg_advisory_xact_lock(${SCHEMA_LOCK});
      for missing in
        select c.relname from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
          and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service_role_all')
      loop
        execute format('create policy service_role_all on public.%I to service_role using (true) with check (true)', missing.relname);
      end loop;
    end $$`)
}

async function hasRow(query: Query, sql: string): Promise<boolean> {
  return (await query(sql)).rows.length > 0
}
