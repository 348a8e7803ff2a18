// supabase/schemas is the truth: its files in order make the very database that the migrations make.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { differences, readCatalogue } from '#tests/support/schema/catalogue.ts'
import { openTestDatabase, onEmbedded, type TestDatabase } from '#tests/support/database.ts'
import { AS_SUPABASE, prepareEmpty, recordMigration } from '#tests/support/migrations.ts'

const SUPABASE = path.resolve(import.meta.dirname, '../../supabase')
const SCHEMAS = path.join(SUPABASE, 'schemas')
const MIGRATIONS = path.join(SUPABASE, 'migrations')
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

/** As a database of the migrations is prepared and finished, with the schema files in between. */
async function applySchemas(db: Database) {
  await prepareEmpty(db)
  await db.exec((await readSchemas()).map(({ sql }) => sql).join('\n'))
  for (const file of await readdir(MIGRATIONS))
    await recordMigration(db, file.slice(0, 14), file.slice(15, -4))
  await migrate(db, MIGRATIONS)
}

test('the schema files in order make what the migrations make (else: change the schema file and add a migration)', async () => {
  const [one, other] = [await open('empty'), await open('migrated')]
  await applySchemas(one.db)
  const catalogue = await readCatalogue(one.db)
  expect(differences(catalogue, await readCatalogue(other.db))).toEqual([])
  for (const kind of ['function', 'trigger', 'policy', 'column', 'constraint', 'index', 'sequence', 'row'])
    expect(
      [...catalogue.keys()].some((name) => name.startsWith(`${kind} `)),
      kind,
    ).toBe(true)
})

test('a difference of any kind is told', async () => {
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
  const [one, other] = [await open('empty'), await open('empty')]
  for (const { db } of [one, other]) await db.exec(AS_SUPABASE)
  await applySchemas(one.db)
  await migrate(other.db, MIGRATIONS)
  expect(differences(await readCatalogue(one.db), await readCatalogue(other.db))).toEqual([])
})

test('the baseline is the first migration, and the earlier files end before it', async () => {
  const [first, ...later] = (await readdir(MIGRATIONS)).toSorted()
  expect(first).toMatch(/^\d{14}_baseline\.sql$/)
  expect(later.filter((file) => file.endsWith('_baseline.sql'))).toEqual([])
  const earlier = (await readdir(path.join(SUPABASE, 'before-baseline'))).toSorted()
  expect((earlier.at(-1) ?? '') < (first ?? '')).toBe(true)
  // A second file of a version would count as applied with the first.
  const versions = [...earlier, first ?? '', ...later].map((file) => file.slice(0, 14))
  expect(new Set(versions).size).toBe(versions.length)
})

test('everything is made once, in one place, and a long function says why it is', async () => {
  const schemas = await readSchemas()
  // The numbers are the order, without a gap.
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
