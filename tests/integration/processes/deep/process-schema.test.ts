// Repeated kill -9 while a portal upgrades a database of the previous release: each time the schema is the old or the
// new one, complete, and the next start continues.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { databaseFolder } from '#server/db/open.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { makeBackup } from '#server/ops/backup/archive.ts'
import { restoreBackup } from '#server/ops/backup/restore.ts'
import { makeBroker, makeContact } from '#tests/support/make.ts'
import { startNode } from '#tests/support/process.ts'
import { differences, readCatalogue, type Catalogue } from '#tests/support/schema/catalogue.ts'
import { launchPortal, startPortal } from '#tests/support/portal.ts'
import { dropUnnamed, makeReleased } from '#tests/support/released.ts'
import { startPostgres } from '#tests/support/runner/native-postgres.mjs'
import { byTier } from '#tests/support/runner/tier.ts'
import { postgresPrograms } from '#tests/support/supabase-like.ts'

const KILLS = byTier(3, 20)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function makeFolder(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-schema-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Starts portals and kills each a little later after its start than the previous one. */
async function killStarts(
  dataDir: string,
  options: { env?: Record<string, string>; withinMs: number; afterEach?: () => Promise<void> },
) {
  for (let kill = 1; kill <= KILLS; kill++) {
    const started = launchPortal(dataDir, options.env)
    await wait((options.withinMs * kill) / KILLS)
    await started.kill('SIGKILL')
    await options.afterEach?.()
  }
  const portal = await startPortal(dataDir, options.env)
  await portal.process.kill('SIGTERM')
}

/** The schema of the previous release, and after each transaction of its upgrade. */
async function statesOf(db: Database): Promise<Catalogue[]> {
  await makeReleased(db)
  const states = [await schemaOf(db)]
  const note = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work
    states.push(await schemaOf(db))
    return answer
  }
  const watched: Database = {
    ...db,
    exec: (sql) => note(db.exec(sql)),
    transaction: (run, options) => note(db.transaction(run, options)),
  }
  await migrate(watched, 'supabase')
  return states
}

const isAlike = (one: Catalogue, other: Catalogue) => differences(one, other).length === 0
/** Rows that a running portal writes are not part of the schema. */
const withoutRows = (catalogue: Catalogue): Catalogue =>
  new Map([...catalogue].filter(([name]) => !name.startsWith('row ') && !name.startsWith('sequence ')))
const schemaOf = async (db: Database) => withoutRows(await readCatalogue(db))

test(`on the embedded engine, ${KILLS} times`, async () => {
  const dataDir = await makeFolder()
  const made = await openPglite({ dataDir: databaseFolder(dataDir) })
  await makeReleased(made)
  await made.close()
  await killStarts(dataDir, { withinMs: 6_000 })
  const upgraded = await openPglite({ dataDir: databaseFolder(dataDir) })
  ends.push(() => upgraded.close())
  const fresh = await openPglite({})
  ends.push(() => fresh.close())
  await migrate(fresh, 'supabase')
  expect(await migrate(upgraded, 'supabase')).toEqual({ versions: [], objects: [], dropped: [] })
  await dropUnnamed(upgraded, 'supabase')
  expect(differences(await schemaOf(upgraded), await schemaOf(fresh))).toEqual([])
}, 600_000)

test('an older database ends the start with one line, unchanged; it can still be backed up', async () => {
  const dataDir = await makeFolder()
  const made = await openPglite({ dataDir: databaseFolder(dataDir) })
  await makeReleased(made, { versions: ['20261123160000', '20261128120001'] })
  const before = await readCatalogue(made)
  await made.close()
  const ended = await launchPortal(dataDir).ending
  expect(ended.code).toBe(1)
  expect(ended.errors.trim().split('\n')).toEqual([
    expect.stringContaining('inicie uma vez essa versão') as string,
  ])
  const backup = await startNode(['server/ops/cli/backup.mjs', 'backup'], {
    cwd: process.cwd(),
    env: { DATA_DIR: dataDir, DEMO: '0' },
  }).ending
  expect(backup.output).toContain('Backup feito: ')
  const after = await openPglite({ dataDir: databaseFolder(dataDir) })
  ends.push(() => after.close())
  expect(differences(before, await readCatalogue(after))).toEqual([])
}, 300_000)

test('a backup of the previous release is restored as a current database, with its leads', async () => {
  const dataDir = await makeFolder()
  const made = await openPglite({ dataDir: databaseFolder(dataDir) })
  await makeReleased(made)
  const broker = await makeBroker(made)
  await makeContact(made, broker.instanceName)
  const source = { dataDir, version: '0.1.0', copyTo: (target: string) => made.copyTo(target) }
  const backup = await makeBackup(source, systemClock.now(), 1)
  await made.close()
  const nowMs = systemClock.now()
  expect(await restoreBackup({ file: backup.file, dataDir, schemaFolder: 'supabase', nowMs })).toMatchObject({
    leads: 1,
  })
  const restored = await openPglite({ dataDir: databaseFolder(dataDir) })
  ends.push(() => restored.close())
  expect(await migrate(restored, 'supabase')).toEqual({ versions: [], objects: [], dropped: [] })
  await dropUnnamed(restored, 'supabase')
  const fresh = await openPglite({})
  ends.push(() => fresh.close())
  await migrate(fresh, 'supabase')
  expect(differences(await schemaOf(restored), await schemaOf(fresh))).toEqual([])
}, 300_000)

describe.runIf(postgresPrograms)('on Postgres', () => {
  test(`${KILLS} times`, async () => {
    const postgres = await startPostgres(postgresPrograms ?? '')
    ends.push(() => postgres.stop())
    const open = async (name: string) => {
      const admin = openPostgres({ url: postgres.url, maxConnections: 1, onError: () => undefined })
      await admin.query(`create database ${name}`)
      await admin.close()
      const address = new URL(postgres.url)
      address.pathname = `/${name}`
      const db = openPostgres({ url: address.href, maxConnections: 2, onError: () => undefined })
      ends.push(() => db.close())
      return { db, url: address.href }
    }
    const fresh = await open('fresh')
    await migrate(fresh.db, 'supabase')
    const after = await schemaOf(fresh.db)
    const old = await open('old')
    await makeReleased(old.db)
    const states = await statesOf((await open('reference')).db)
    const seen = { whole: 0, half: 0 }
    await killStarts(await makeFolder(), {
      env: { DATABASE_URL: old.url },
      withinMs: 3_000,
      afterEach: async () => {
        // The server ends the killed portal's open statements.
        await old.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        )
        const now = await schemaOf(old.db)
        if (states.some((state) => isAlike(now, state))) seen.whole++
        else seen.half++
      },
    })
    expect(seen).toEqual({ whole: KILLS, half: 0 })
    await dropUnnamed(old.db, 'supabase')
    expect(differences(await schemaOf(old.db), after)).toEqual([])
  }, 600_000)
})
