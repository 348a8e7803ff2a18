// The schema on an empty database: once, twice, from two portals at once, beside a newer one, as an owner without
// superuser rights; numbered migrations.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { BEGINNING, isUpToDate, migrate } from '#server/db/migrate.ts'
import { readSchemaFiles } from '#server/db/schema/files.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { openTestDatabase, onEmbedded, onPostgres, type TestDatabase } from '#tests/support/database.ts'
import { AS_SUPABASE } from '#tests/support/supabase-roles.ts'
import { makeBroker, makeContact } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../supabase')
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function openEmpty(): Promise<TestDatabase> {
  const base = await openTestDatabase('empty')
  ends.push(() => base.close())
  return base
}

const versionsHere = async () => [
  BEGINNING.version,
  ...(await readSchemaFiles(FOLDER)).steps.map(({ version }) => version),
]
const NOTHING = { versions: [], objects: [], dropped: [] }
const madeNew = async () => ({ ...NOTHING, versions: await versionsHere() })

const recorded = async (db: Database) =>
  (
    await db.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by version',
    )
  ).rows.map((row) => row.version)

/** Any right of anon in public, of which there must be none. */
const openToAnon = async (db: Database) =>
  (
    await db.query(
      `select relname from pg_class c
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
         and has_table_privilege('anon', c.oid, 'select, insert, update, delete')`,
    )
  ).rows

test.runIf(isDeepRun)(
  'schema files applied without a record are reported with instructions; no right is granted again',
  async () => {
    const { db } = await openEmpty()
    await migrate(db, FOLDER)
    await db.exec('drop schema supabase_migrations cascade')
    let command = ''
    for (let start = 0; start < 2; start++)
      await expect(
        migrate(db, FOLDER).catch((error: Error) => {
          command = /-c "(.+)"/.exec(error.message)?.[1] ?? ''
          throw error
        }),
      ).rejects.toMatchObject({
        code: 'migrations.unrecorded',
        message: expect.stringMatching(/supabase\/schemas.+psql.+banco vazio/) as string,
      })
    await db.exec('create table public.probe (id int8)')
    expect(await openToAnon(db)).toEqual([])

    await db.exec(command)
    const { versions, objects, dropped } = await migrate(db, FOLDER)
    expect([versions, dropped]).toEqual([[], []])
    expect(objects.length).toBeGreaterThan(1_000)
    expect(await migrate(db, FOLDER)).toEqual(NOTHING)
  },
)

describe('one portal on an empty database', () => {
  let base: TestDatabase
  let db: Database
  beforeAll(async () => {
    base = await openTestDatabase('empty')
    db = base.db
  })
  afterAll(() => base.close())

  test('all are applied in order; a second run changes nothing', async () => {
    const all = await versionsHere()
    expect(await migrate(db, FOLDER)).toEqual({ ...NOTHING, versions: all })
    expect(await recorded(db)).toEqual(all)
    expect(await openToAnon(db)).toEqual([])
    expect(await isUpToDate(db, FOLDER)).toBe(true)
    expect(await migrate(db, FOLDER)).toEqual(NOTHING)
    expect(await recorded(db)).toEqual(all)
    expect(await openToAnon(db)).toEqual([])
  })

  test('a late bootstrap does not give the default grants again', async () => {
    // Like a portal that looked before the first one was done, and waited for the lock.
    const late = { ...db, query: lookingTooEarly(db) } as Database
    await migrate(late, FOLDER)
    await db.exec('create table public.probe (id int8)')
    const { rows } = await db.query(
      `select r from unnest(array['anon', 'authenticated']) r where has_table_privilege(r, 'public.probe', 'select, insert, update, delete')`,
    )
    expect(rows).toEqual([])
  })

  test('the service role reads and writes past row rules, with or without a superuser', async () => {
    const broker = await makeBroker(db)
    await makeContact(db, broker.instanceName)
    await asUser(db, { role: 'service_role' }, async (query) => {
      expect((await query('select from public.whatsapp_contacts')).rowCount).toBe(1)
      expect((await query(`update public.whatsapp_contacts set status = 'conversa'`)).rowCount).toBe(1)
      expect(
        (
          await query('insert into public.whatsapp_contacts ("instanceName", number) values ($1, $2)', [
            broker.instanceName,
            '5511900001111',
          ])
        ).rowCount,
      ).toBe(1)
    })
    const { rows } = await db.query<{ passes: boolean; policies: number }>(
      `select rolbypassrls as passes, (select count(*) from pg_policy where polname = 'service_role_all') as policies
     from pg_roles where rolname = 'service_role'`,
    )
    expect((rows[0]?.policies ?? 0) > 0).toBe(rows[0]?.passes === false)
  })

  onPostgres.test('the owner of the migrations is no superuser', async () => {
    const { rows } = await db.query(
      'select rolsuper, rolbypassrls from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }])
  })

  test('a database of a newer portal is refused and unchanged', async () => {
    await db.query(
      `insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')`,
    )
    await expect(migrate(db, FOLDER)).rejects.toMatchObject({
      code: 'migrations.unknown',
      message: expect.stringContaining('29990101000000') as string,
    })
  })
})

/** The first query of the history finds none, as a moment before. */
function lookingTooEarly(db: Database): Database['query'] {
  return (sql, values) =>
    sql.includes('hasTables')
      ? db.query('select false as "hasTables", false as "hasHistory"')
      : db.query(sql, values)
}

test.runIf(isDeepRun)(
  'two portals that start at once share the work, and neither grants anything to anon',
  async () => {
    const { db, url } = await openEmpty()
    const second = url === null ? db : openPostgres({ url, maxConnections: 2, onError: () => undefined })
    if (url !== null) ends.push(() => second.close())
    const applied = await Promise.all([migrate(db, FOLDER), migrate(second, FOLDER)])
    expect(applied.flatMap(({ versions }) => versions).toSorted()).toEqual(await versionsHere())
    expect(await openToAnon(db)).toEqual([])
  },
)

test('a failed numbered migration leaves nothing and is named, and the next start continues there; a wrong file name stops it', async () => {
  const { db } = await openEmpty()
  await migrate(db, FOLDER)
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-migrations-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await cp(FOLDER, folder, { recursive: true })
  const steps = path.join(folder, 'migrations')
  await mkdir(steps, { recursive: true })
  await writeFile(path.join(steps, '29990101000000_first.sql'), 'create table public.first (id int8);')
  const second = path.join(steps, '29990101000001_second.sql')
  await writeFile(second, 'create table public.second (id int8); select 1 / 0;')
  await expect(migrate(db, folder)).rejects.toThrow('29990101000001_second')
  expect((await recorded(db)).slice(-1)).toEqual(['29990101000000'])
  expect((await db.query(`select to_regclass('public.second') as left`)).rows).toEqual([{ left: null }])
  await writeFile(second, `create table public.second (id int8); comment on table public.second is '$$';`)
  expect(await migrate(db, folder)).toEqual({ ...NOTHING, versions: ['29990101000001'] })
  await writeFile(path.join(steps, 'notes.sql'), 'select 1;')
  await expect(migrate(db, folder)).rejects.toThrow('notes.sql')
})

// Roles belong to a whole server, so only the embedded engine can have Supabase's own without disturbing others.
onEmbedded.test('on Supabase nothing of its own is touched', async () => {
  const { db } = await openEmpty()
  await db.exec(AS_SUPABASE)
  expect(await migrate(db, FOLDER)).toEqual(await madeNew())
  const { rows } = await db.query(
    `select prosrc like '%Supabase''s own%' as untouched,
       (select count(*) from pg_proc where pronamespace = 'auth'::regnamespace) as functions_of_auth,
       (select count(*) from pg_policy where polname = 'service_role_all') as policies
     from pg_proc where oid = 'auth.jwt()'::regprocedure`,
  )
  expect(rows).toEqual([{ untouched: true, functions_of_auth: 1, policies: 0 }])
  expect(await openToAnon(db)).toEqual([])
  expect(await migrate(db, FOLDER)).toEqual(NOTHING)
})

// Test servers may be older; the embedded engine is newer.
onEmbedded.test('a plain owner may take the roles that it made on Postgres 16 and newer too', async () => {
  const { db } = await openEmpty()
  await db.exec(`
      create role owner createrole;
      alter schema public owner to owner;
      do $$ begin execute format('grant create on database %I to owner', current_database()); end $$;`)
  await db.exec('set session authorization owner')
  // Closing needs more rights than an owner has.
  ends.push(() => db.exec('set session authorization postgres'))
  expect(await migrate(db, FOLDER)).toEqual(await madeNew())
  const broker = await makeBroker(db)
  const seenBy = (role: 'authenticated' | 'service_role') =>
    asUser(db, { role }, async (query) => (await query('select "instanceName" from public.brokers')).rows)
  expect(await seenBy('authenticated')).toEqual([])
  expect(await seenBy('service_role')).toEqual([{ instanceName: broker.instanceName }])
})
