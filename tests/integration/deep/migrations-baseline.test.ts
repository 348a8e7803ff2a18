// Databases that began before the baseline: from any of the earlier files on they become what a new one is, under its one row.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate, pendingMigrations } from '#server/db/migrate.ts'
import { databaseFolder } from '#server/db/open.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { makeBackup } from '#server/ops/backup/archive.ts'
import { restoreBackup } from '#server/ops/backup/restore.ts'
import { differences, readCatalogue } from '#tests/support/schema/catalogue.ts'
import { onEmbedded, openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { AS_SUPABASE, prepareEmpty, recordMigration } from '#tests/support/migrations.ts'
import { makeBroker, makeContact } from '#tests/support/make.ts'

const SUPABASE = path.resolve(import.meta.dirname, '../../../supabase')
const NOW = path.join(SUPABASE, 'migrations')
const BEFORE = path.join(SUPABASE, 'before-baseline')
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function open(kind: 'empty' | 'migrated' = 'empty'): Promise<TestDatabase> {
  const base = await openTestDatabase(kind)
  ends.push(() => base.close())
  return base
}

const filesOf = async (folder: string) => (await readdir(folder)).toSorted()
const versionOf = (file: string) => file.slice(0, 14)
const versionsNow = async () => (await filesOf(NOW)).map(versionOf)
const versionsBefore = async () => (await filesOf(BEFORE)).map(versionOf)

const recorded = async (db: Database) =>
  (
    await db.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by version',
    )
  ).rows.map((row) => row.version)

const record = (db: Database, file: string) => recordMigration(db, versionOf(file), file.slice(15, -4))

/** A database as an earlier portal left it, after so many of the earlier files. */
async function makeEarlier(db: Database, count: number) {
  await prepareEmpty(db)
  const files = (await filesOf(BEFORE)).slice(0, count)
  const texts = await Promise.all(files.map((file) => readFile(path.join(BEFORE, file), 'utf8')))
  await db.exec(texts.join('\n'))
  for (const file of files) await record(db, file)
}

/** What `supabase db push` compares before it does anything: it stops at rows without a file, and applies files without a row. */
async function asPushSees(db: Database) {
  const [rows, files] = [await recorded(db), await versionsNow()]
  return {
    rowsWithoutFile: rows.filter((version) => !files.includes(version)),
    filesToApply: files.filter((version) => !rows.includes(version)),
  }
}

const NOTHING_TO_PUSH = { rowsWithoutFile: [], filesToApply: [] }

async function expectAsNew(db: Database, prepare = '') {
  const fresh = await open(prepare === '' ? 'migrated' : 'empty')
  await fresh.db.exec(prepare)
  await migrate(fresh.db, NOW)
  expect(differences(await readCatalogue(db), await readCatalogue(fresh.db))).toEqual([])
}

test('a database of the version before goes through what it lacks, and its history becomes the baseline', async () => {
  const { db } = await open()
  const before = await versionsBefore()
  await makeEarlier(db, before.length - 1)
  const broker = await makeBroker(db)
  const lead = await makeContact(db, broker.instanceName)
  expect(await asPushSees(db)).toMatchObject({ rowsWithoutFile: before.slice(0, -1) })

  expect(await migrate(db, NOW)).toEqual([before.at(-1), ...(await versionsNow())])
  expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
  const { rows } = await db.query('select id from public.whatsapp_contacts')
  expect(rows).toEqual([{ id: lead.id }])
  expect(await migrate(db, NOW)).toEqual([])
})

test('a database half-way through the earlier files ends as a new one', async () => {
  const { db } = await open()
  const before = await versionsBefore()
  const half = Math.floor(before.length / 2)
  await makeEarlier(db, half)
  expect(await migrate(db, NOW)).toEqual([...before.slice(half), ...(await versionsNow())])
  expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
  await expectAsNew(db)
})

test('a complete history of earlier files gives way to the baseline, and no file runs again', async () => {
  const { db } = await open()
  const before = await filesOf(BEFORE)
  await makeEarlier(db, before.length)
  const [baseline] = await pendingMigrations(db, NOW)
  expect(await migrate(db, NOW)).toEqual(await versionsNow())
  expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
  const { rows } = await db.query(
    `select version, name, statements = array[$1::text] as "isWhole" from supabase_migrations.schema_migrations where name = 'baseline'`,
    [baseline?.sql ?? ''],
  )
  expect(rows).toEqual([{ version: (await versionsNow())[0], name: 'baseline', isWhole: true }])
  await expectAsNew(db)
})

// Only the embedded engine can have Supabase's own roles without disturbing others.
onEmbedded.test('an earlier database on Supabase, too, ends as a new one there', async () => {
  const { db } = await open()
  await db.exec(AS_SUPABASE)
  await makeEarlier(db, (await versionsBefore()).length - 1)
  await migrate(db, NOW)
  await expectAsNew(db, AS_SUPABASE)
})

test('two portals that start at once over an earlier database do each step once', async () => {
  const { db, url } = await open()
  const before = await versionsBefore()
  await makeEarlier(db, before.length - 3)
  const second = url === null ? db : openPostgres({ url, maxConnections: 2, onError: () => undefined })
  if (url !== null) ends.push(() => second.close())
  const applied = await Promise.all([migrate(db, NOW), migrate(second, NOW)])
  expect(applied.flat().toSorted()).toEqual([...before.slice(-3), ...(await versionsNow())].toSorted())
  expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
})

test('whoever comes late with an earlier file changes nothing: its row is gone, and the baseline stands there', async () => {
  const { db } = await open()
  const before = await versionsBefore()
  await makeEarlier(db, before.length - 1)
  let isSeen = false
  // As a portal does that looked before another one was done, and waited for its turn.
  const late: Database = {
    ...db,
    exec: async (sql) => {
      if (!isSeen) {
        isSeen = true
        await migrate(db, NOW)
      }
      return db.exec(sql)
    },
  }
  expect(await migrate(late, NOW)).toEqual([])
  expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
})

test('files of an earlier version applied by psql alone, and recorded as the refusal says, are gone on from', async () => {
  const { db } = await open()
  const before = await filesOf(BEFORE)
  await makeEarlier(db, before.length - 1)
  await db.exec('drop schema supabase_migrations cascade')
  const refusal = (message: string) => ({
    code: 'migrations.unrecorded',
    message: expect.stringContaining(message) as string,
  })
  await expect(migrate(db, NOW)).rejects.toMatchObject(refusal('pasta daquela versão'))

  // As the command does it in the folder of the version before, but for one that makes a table.
  const made = before.find((file) => file.endsWith('_push_tables.sql')) ?? ''
  for (const file of before.slice(0, -1)) if (file !== made) await record(db, file)
  await expect(migrate(db, NOW)).rejects.toMatchObject(refusal(made.slice(0, -4)))
  await record(db, made)
  expect(await migrate(db, NOW)).toEqual([versionOf(before.at(-1) ?? ''), ...(await versionsNow())])
  await expectAsNew(db)
})

onEmbedded.test('a data folder of the version before, and a backup of it that is restored', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-earlier-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const folder = databaseFolder(dataDir)
  const earlier = await openPglite({ dataDir: folder, template: inject('emptyTemplate') })
  await makeEarlier(earlier, (await versionsBefore()).length - 1)
  const broker = await makeBroker(earlier)
  await makeContact(earlier, broker.instanceName)
  const source = { dataDir, version: '0', copyTo: (target: string) => earlier.copyTo(target) }
  const backup = await makeBackup(source, systemClock.now(), 1)
  await earlier.close()

  const expectWhole = async () => {
    const db = await openPglite({ dataDir: folder })
    await migrate(db, NOW)
    expect(await asPushSees(db)).toEqual(NOTHING_TO_PUSH)
    expect((await db.query('select from public.whatsapp_contacts')).rowCount).toBe(1)
    await db.close()
  }
  await expectWhole()
  const restored = await restoreBackup({
    file: backup.file,
    dataDir,
    migrations: NOW,
    nowMs: systemClock.now(),
  })
  expect(restored).toMatchObject({ leads: 1 })
  await expectWhole()
})

test('an earlier database of a newer portal is refused and left alone', async () => {
  const { db } = await open()
  await makeEarlier(db, 2)
  await record(db, '29990101000000_later.sql')
  const rows = await recorded(db)
  await expect(migrate(db, NOW)).rejects.toMatchObject({ code: 'migrations.unknown' })
  expect(await recorded(db)).toEqual(rows)
})
