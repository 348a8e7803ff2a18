// supabase/schemas is authoritative: an upgraded database equals one made from the files.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { BEGINNING, migrate, prepareEmpty } from '#server/db/migrate.ts'
import { printSchema } from '#server/ops/cli/print-schema.mjs'
import { differences, readCatalogue } from '#tests/support/schema/catalogue.ts'
import { openTestDatabase, onEmbedded, type TestDatabase } from '#tests/support/database.ts'
import { dropUnnamed, makeReleased, recordVersion } from '#tests/support/released.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { AS_SUPABASE } from '#tests/support/supabase-roles.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../supabase')
const SCHEMAS = path.join(FOLDER, 'schemas')
const MAX_FUNCTION = 80
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function open(kind: 'empty' | 'migrated'): Promise<TestDatabase> {
  const base = await openTestDatabase(kind)
  ends.push(() => base.close())
  return base
}

async function readSchemas(): Promise<{ file: string; sql: string }[]> {
  const files = (await readdir(SCHEMAS)).toSorted()
  return Promise.all(
    files.map(async (file) => ({ file, sql: await readFile(path.join(SCHEMAS, file), 'utf8') })),
  )
}

test('an upgraded database equals a new one (else: a schema file changed a table, and a numbered migration is missing)', async () => {
  const [old, fresh] = [await open('empty'), await open('migrated')]
  await makeReleased(old.db)
  const { versions } = await migrate(old.db, FOLDER)
  expect(versions[0]).toBe(BEGINNING.version)
  await dropUnnamed(old.db, FOLDER)
  const catalogue = await readCatalogue(old.db)
  expect(differences(catalogue, await readCatalogue(fresh.db))).toEqual([])
  for (const kind of ['function', 'trigger', 'policy', 'column', 'constraint', 'index', 'sequence', 'row'])
    expect(
      [...catalogue.keys()].some((name) => name.startsWith(`${kind} `)),
      kind,
    ).toBe(true)
})

test.runIf(isDeepRun)('replacing all objects changes nothing', async () => {
  const { db } = await open('migrated')
  const before = await readCatalogue(db)
  await db.exec(`update supabase_migrations.portal_objects set hash = '';
    delete from supabase_migrations.portal_releases`)
  const { objects } = await migrate(db, FOLDER)
  expect(objects.length).toBeGreaterThan(1_000)
  expect(differences(before, await readCatalogue(db))).toEqual([])
})

test.runIf(isDeepRun)(
  'a database of an older release is unchanged, and the error names the release to install first',
  async () => {
    const { db } = await open('empty')
    await makeReleased(db, { versions: ['20261123160000', '20261128120001'] })
    const before = await readCatalogue(db)
    await expect(migrate(db, FOLDER)).rejects.toMatchObject({
      code: 'migrations.older',
      message: expect.stringContaining('79b5ecb4') as string,
    })
    expect(differences(before, await readCatalogue(db))).toEqual([])
    const { rows } = await db.query(`select to_regclass('supabase_migrations.portal_objects') as recorded`)
    expect(rows).toEqual([{ recorded: null }])
    await recordVersion(db, '20261128160001')
    expect((await migrate(db, FOLDER)).versions[0]).toBe(BEGINNING.version)
  },
)

test('a difference of any kind is reported', async () => {
  const { db } = await open('migrated')
  const before = await readCatalogue(db)
  const changes: [string, string][] = [
    ['function portal.time_zone()', 'grant execute on function portal.time_zone() to public'],
    ['relation portal.leads', `comment on view portal.leads is 'Other words.'`],
    ['column kanban_stages.name', 'alter table public.kanban_stages alter name set default $$Nova$$'],
    ['column kanban_stages.kind', 'grant update (kind) on public.kanban_stages to service_role'],
    ['row kanban_stages 1', `update public.kanban_stages set name = 'Outro nome' where slug = 'new'`],
    [
      'trigger carry_new_messages on whatsapp_messages',
      'alter table public.whatsapp_messages disable trigger carry_new_messages',
    ],
    ['policy brokers_read on brokers', 'alter policy brokers_read on public.brokers using (true)'],
    ['index contacts_created', 'drop index public.contacts_created'],
    ['sequence portal.people_id_seq', 'alter sequence portal.people_id_seq increment by 2'],
    ['default portal S', 'alter default privileges in schema portal grant all on sequences to anon'],
  ]
  for (const [, sql] of changes) await db.exec(sql)
  const reported = differences(before, await readCatalogue(db)).map((difference) => difference.split('\n')[0])
  expect(reported).toEqual(expect.arrayContaining(changes.map(([name]) => name)))
})

// Only the embedded engine can have Supabase's own roles without disturbing others.
onEmbedded.test('on Supabase, too, where every new object is granted to all', async () => {
  const [old, fresh] = [await open('empty'), await open('empty')]
  for (const { db } of [old, fresh]) await db.exec(AS_SUPABASE)
  await makeReleased(old.db, { isSupabase: true })
  await migrate(old.db, FOLDER)
  await dropUnnamed(old.db, FOLDER)
  await migrate(fresh.db, FOLDER)
  // As `supabase db push` does with the printed file.
  const pushed = await open('empty')
  await pushed.db.exec(AS_SUPABASE)
  await prepareEmpty(pushed.db, true)
  await pushed.db.exec(await printSchema())
  await recordVersion(pushed.db, BEGINNING.version, BEGINNING.name)
  expect((await migrate(pushed.db, FOLDER)).versions).toEqual([])
  expect(differences(await readCatalogue(pushed.db), await readCatalogue(fresh.db))).toEqual([])
  expect(differences(await readCatalogue(old.db), await readCatalogue(fresh.db))).toEqual([])
})

test('every object is created once, in one place, and a long function explains its length', async () => {
  const schemas = await readSchemas()
  // The numbers give the order, without a gap.
  const numbers = schemas.map(({ file }) => Number(file.slice(0, 2)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  const made = schemas.flatMap(({ sql }) => [
    ...sql.matchAll(/^create (?:function|table|view|type|sequence) ([\w."]+)/gm),
  ])
  const names = made.map((match) => match[1])
  expect(names.length).toBeGreaterThan(400)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  const long = schemas.flatMap(({ sql }) =>
    [...sql.matchAll(/((?:^--.*\n)*)^create function ([\w.]+)[^]*?\$\$;$/gm)]
      .filter(([whole, why = '']) => whole.slice(why.length).split('\n').length > MAX_FUNCTION)
      .filter(([, why = '']) => !why.includes('Over 80 lines'))
      .map(([, , name]) => name),
  )
  expect(long).toEqual([])
})
