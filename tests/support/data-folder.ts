// A portal's data folder for tests of whole processes, with a migrated database, embedded or of a Postgres server of
// its own; deleted after the tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { BROKER } from './board.ts'
import { eventually } from './eventually.ts'
import { startPortal, type RunningPortal } from './portal.ts'
import { startPostgres } from './runner/native-postgres.mjs'
import { postgresPrograms } from './supabase-like.ts'

export type DataFolder = {
  dataDir: string
  /** Opens the database while no portal runs. */
  open: () => Promise<Database>
  start: (env?: Record<string, string>) => Promise<RunningPortal>
}
type Fill = (db: Database) => Promise<unknown>

/** The engines of this machine that a portal can be killed over. */
export const ENGINES = postgresPrograms ? (['embedded', 'Postgres'] as const) : (['embedded'] as const)

/** `fill` writes the first rows. The portal that was started last is killed before the folder goes. */
export async function openDataFolder(name: string, fill: Fill = () => Promise.resolve()) {
  const folder = await openFolderOn('embedded', name, fill)
  afterAll(folder.close)
  return folder
}

/** The same on either engine, for a test that closes it. */
export async function openFolderOn(
  engine: (typeof ENGINES)[number],
  name: string,
  fill: Fill = () => Promise.resolve(),
): Promise<DataFolder & { close: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), `portal-${name}-`))
  const database = engine === 'embedded' ? embeddedIn(dataDir) : await startServer()
  const db = await database.make()
  await fill(db)
  await db.close()
  let portal: RunningPortal | undefined
  return {
    dataDir,
    open: database.open,
    start: async (env = {}) => (portal = await startPortal(dataDir, { ...database.env, ...env })),
    close: async () => {
      await portal?.process.kill('SIGKILL')
      await database.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type OwnDatabase = {
  env: Record<string, string>
  /** Opens it migrated, the first time. */
  make: () => Promise<Database>
  open: () => Promise<Database>
  end: () => Promise<void>
}

function embeddedIn(dataDir: string): OwnDatabase {
  const folder = path.join(dataDir, 'database')
  return {
    env: {},
    make: () => openPglite({ dataDir: folder, template: inject('migratedTemplate') }),
    open: () => openPglite({ dataDir: folder }),
    end: () => Promise.resolve(),
  }
}

async function startServer(): Promise<OwnDatabase> {
  const postgres = await startPostgres(postgresPrograms ?? '')
  const openAs = (url: string) => openPostgres({ url, maxConnections: 2, onError: () => undefined })
  const url = new URL(postgres.url)
  const admin = openAs(url.href)
  await admin.query(`create role portal login createrole password '${url.password}'`)
  await admin.query('create database portal owner portal')
  await admin.close()
  url.username = 'portal'
  url.pathname = '/portal'
  const open = async () => {
    const db = openAs(url.href)
    // The server finishes the statements of a portal that was killed.
    await eventually(async () =>
      expect(
        (
          await db.query(
            `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
          )
        ).rowCount,
      ).toBe(0),
    )
    return db
  }
  return {
    env: { DATABASE_URL: url.href },
    make: async () => {
      const db = await open()
      await migrate(db, 'supabase')
      return db
    },
    open,
    end: postgres.stop,
  }
}

/** Adds the broker of the tests; answers the address for the gateway's deliveries. */
export async function addBrokerWithWebhook(db: Database): Promise<string> {
  await db.query('insert into public.brokers ("instanceName") values ($1)', [BROKER.instance])
  return `/webhook/${BROKER.instance}/${await mintWebhookSecret(db.query, BROKER.instance)}`
}
