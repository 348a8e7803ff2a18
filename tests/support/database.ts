// A database for each test file, on the engine of the running vitest project, with separate connections for each portal
// over it.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, inject, test } from 'vitest'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { ownerUrl } from './runner/global-setup.ts'
import { checkRows } from './schema/sql-rows.ts'

export type TestDatabase = {
  db: Database
  /** The database's address on native Postgres, for a second portal; null on PGlite. */
  url: string | null
  close: () => Promise<void>
}

export const testEngine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'pglite'

const here = { describe, test }
/** Registers nothing, so that no test counts as skipped. */
const nothing = () => undefined
const elsewhere = {
  describe: nothing,
  test: Object.assign(nothing, { each: () => nothing, runIf: () => nothing }),
} as unknown as typeof here

/** Tests for one engine only: for several connections at once, or for the embedded engine's own behaviour. */
export const onPostgres = testEngine === 'postgres' ? here : elsewhere
export const onEmbedded = testEngine === 'pglite' ? here : elsewhere

/** The portals' database handles, by the handle that the test got. */
const portalsOver = new WeakMap<Database, readonly Database[]>()

/**
 * The database handles of the portals over a test's database. On Postgres there are two portals with separate
 * connections, as behind a load balancer, so that they share only rows. There is one portal if only one process can
 * open the database, or if the test wraps the database itself.
 */
export const databasesOf = (db: Database): readonly Database[] => portalsOver.get(db) ?? [db]

/** A fresh database: `empty` without a schema, `migrated` with the portal's schema and only its initial rows. */
export function openTestDatabase(kind: 'empty' | 'migrated' = 'empty'): Promise<TestDatabase> {
  const template = inject(kind === 'empty' ? 'emptyTemplate' : 'migratedTemplate')
  return testEngine === 'postgres' ? createFrom(template) : openFrom(template)
}

/** The database of a test file, closed after its tests. */
export async function openBase(kind: 'empty' | 'migrated' = 'migrated'): Promise<TestDatabase> {
  const base = await openTestDatabase(kind)
  afterAll(base.close)
  return base
}

async function openFrom(template: string): Promise<TestDatabase> {
  const { db, expectTyped } = checkRows(await openPglite({ template }), inject('sqlShapes'))
  return { db, url: null, close: () => db.close().then(expectTyped) }
}

async function createFrom(template: string): Promise<TestDatabase> {
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const admin = openPostgres({ url: adminUrl, maxConnections: 1, onError: () => undefined })
  await admin.query(`create database ${name} template ${template} strategy file_copy owner portal_owner`)
  await admin.close()
  const url = ownerUrl(adminUrl, name)
  // A connection cut at the end of the run is no error; its queries reject by themselves.
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

/** The notifications on 'news' that a database hears, and how often it may have missed some. */
export async function hearNews(db: Database): Promise<{ heard: string[]; gaps: number }> {
  const news = { heard: [] as string[], gaps: 0 }
  await db.listen(
    'news',
    (said) => news.heard.push(said),
    () => news.gaps++,
  )
  return news
}

/** Rounds of the event loop after which code that got an answer has sent its next query. */
const QUIET_ROUNDS = 20

/** Waits until nobody queries the database, on any machine: remaining work waits for the clock or the test. */
export async function untilQuiet(db: Database): Promise<void> {
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds++) {
    await new Promise((resolve) => setImmediate(resolve))
    const { busy, waiting } = db.load()
    if (busy + waiting > 0) rounds = 0
  }
}

/** Waits until the database's second is past its half, where rounding instead of truncating gives the next second. */
export async function untilLateInSecond(db: Database): Promise<void> {
  const late = `select where extract(microseconds from clock_timestamp()) % 1000000 >= 500000`
  while ((await db.query(late)).rows.length === 0);
}
