// A database of its own for each test file, on the engine of the running vitest project, and what each portal over it has for itself.
import { randomUUID } from 'node:crypto'
import { describe, inject, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { ownerUrl } from './runner/global-setup.ts'
import { checkRows } from './schema/sql-rows.ts'

export type TestDatabase = {
  db: Database
  /** Address of the database on native Postgres, for a second portal; null on PGlite. */
  url: string | null
  close: () => Promise<void>
}

export const testEngine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'pglite'

const here = { describe, test }
/** Nothing is registered, so that nothing counts as skipped. */
const elsewhere = { describe: () => undefined, test: () => undefined } as unknown as typeof here

/** Tests that mean something on one engine only: several connections at once, or the embedded one's own ways. */
export const onPostgres = testEngine === 'postgres' ? here : elsewhere
export const onEmbedded = testEngine === 'pglite' ? here : elsewhere

/** By the database as a test has it. */
const portalsOver = new WeakMap<Database, readonly Database[]>()

/**
 * What each portal over a test's database has for itself. On Postgres they are two, with connections of their own, as behind
 * a balancer: nothing but rows passes from the one to the other. Where only one process can open the database, and over one
 * that a test stands before itself, there is one.
 */
export const databasesOf = (db: Database): readonly Database[] => portalsOver.get(db) ?? [db]

/** A fresh database: `empty` as the engine makes it, `migrated` with the portal's schema and no rows but its own. */
export function openTestDatabase(kind: 'empty' | 'migrated' = 'empty'): Promise<TestDatabase> {
  const template = inject(kind === 'empty' ? 'emptyTemplate' : 'migratedTemplate')
  return testEngine === 'postgres' ? createFrom(template) : openFrom(template)
}

async function openFrom(template: string): Promise<TestDatabase> {
  const { db, expectTyped } = checkRows(await openPglite({ template }), inject('sqlShapes'))
  return { db, url: null, close: () => db.close().then(expectTyped) }
}

async function createFrom(template: string): Promise<TestDatabase> {
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `${/^t\d+/.exec(inject('migratedTemplate'))?.[0]}_${randomUUID().replaceAll('-', '')}`
  const admin = openPostgres({ url: adminUrl, maxConnections: 1, onError: () => undefined })
  await admin.query(`create database ${name} template ${template} strategy file_copy owner portal_owner`)
  await admin.close()
  const url = ownerUrl(adminUrl, name)
  // A connection cut by the end of the run is no finding; a query on it rejects by itself.
  const open = () =>
    checkRows(openPostgres({ url, maxConnections: 5, onError: () => undefined }), inject('sqlShapes'))
  const opened = [open(), open()] as const
  const [{ db }] = opened
  portalsOver.set(
    db,
    opened.map((one) => one.db),
  )
  const close = async () => {
    for (const one of opened) await one.db.close()
    for (const one of opened) one.expectTyped()
  }
  return { db, url, close }
}

/** Rounds of the event loop after which whoever had an answer has asked the database again. */
const QUIET_ROUNDS = 20

/** Until nobody asks the database anything, however long a busy machine takes: what is left waits for the clock or the test. */
export async function untilQuiet(db: Database): Promise<void> {
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds++) {
    await new Promise((resolve) => setImmediate(resolve))
    const { busy, waiting } = db.load()
    if (busy + waiting > 0) rounds = 0
  }
}

/** Until the database's second is past its half: what is rounded instead of cut is dated with the next one. */
export async function untilLateInSecond(db: Database): Promise<void> {
  const late = `select where extract(microseconds from clock_timestamp()) % 1000000 >= 500000`
  while ((await db.query(late)).rows.length === 0);
}
