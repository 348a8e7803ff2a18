// The two database engines of the benchmarks, each new and empty, outside the checkout.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { findPostgres, startPostgres } from '#tests/support/runner/native-postgres.mjs'

export type Engine = {
  name: string
  dataDir: string
  /** The settings that make the portal use it. */
  env: Record<string, string>
  /** Opens it while no portal is running. */
  withDatabase: (work: (db: Database) => Promise<void>) => Promise<void>
  remove: () => Promise<void>
}

const makeDataDir = () => mkdtemp(path.join(tmpdir(), 'portal-bench-'))

export async function embeddedEngine(): Promise<Engine> {
  const dataDir = await makeDataDir()
  return {
    name: 'PGlite',
    dataDir,
    env: {},
    withDatabase: async (work) =>
      workAndClose(await openPglite({ dataDir: path.join(dataDir, 'database') }), work),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** A durable server, with the portal as owner without superuser rights; null if none is installed. */
export async function serverEngine(): Promise<Engine | null> {
  const folder = await findPostgres()
  if (folder === null) return null
  const postgres = await startPostgres(folder, { isDurable: true })
  const dataDir = await makeDataDir()
  const owned = new URL(postgres.url)
  owned.username = 'portal'
  owned.pathname = '/portal'
  await workAndClose(openServer(postgres.url), async (db) => {
    await db.query(`create role portal login createrole password '${owned.password}'`)
    await db.query('create database portal owner portal')
    // Lets a benchmark simulate a slow disk.
    await db.query('grant set on parameter commit_delay, commit_siblings to portal')
  })
  return {
    name: 'Postgres',
    dataDir,
    env: { DATABASE_URL: owned.href },
    withDatabase: (work) => workAndClose(openServer(owned.href), work),
    remove: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const openServer = (url: string) =>
  openPostgres({
    url,
    maxConnections: 1,
    onError: (error) => {
      throw error
    },
  })

/** Uses as many connections as a portal; the embedded engine has one. */
export function withPool(
  { env, withDatabase }: Engine,
  connections: number,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const url = env['DATABASE_URL']
  if (url === undefined) return withDatabase(work)
  return workAndClose(openPostgres({ url, maxConnections: connections, onError: () => undefined }), work)
}

async function workAndClose(db: Database, work: (db: Database) => Promise<void>): Promise<void> {
  try {
    await work(db)
  } finally {
    await db.close()
  }
}
