// The migrated database that every test file starts from: for PGlite a tar, cached by a hash of its sources; for
// Postgres a template database.
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import { keptSqlShapes } from '../schema/kept-shapes.mjs'
import { findPostgres, PROGRAMS, startPostgres } from './native-postgres.mjs'
import { installPostgres } from './npm-postgres.mjs'
import { templateFolder } from './template-cache.mjs'

declare module 'vitest' {
  // Vitest types provided values by declaration merging, which needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  export interface ProvidedContext {
    emptyTemplate: string
    migratedTemplate: string
    /** The file with the row types of the server's SQL statements. */
    sqlShapes: string
  }
}

const SCHEMA_FOLDER = path.resolve(import.meta.dirname, '../../../supabase')

export default async function prepare(project: TestProject) {
  project.provide('sqlShapes', await keptSqlShapes())
  return project.config.env['TEST_ENGINE'] === 'postgres' ? preparePostgres(project) : preparePglite(project)
}

async function preparePglite(project: TestProject) {
  const folder = await pgliteTemplates()
  project.provide('emptyTemplate', path.join(folder, 'empty.tar'))
  project.provide('migratedTemplate', path.join(folder, 'migrated.tar'))
}

/** Migrating takes seconds, so the tars are cached until a migration, the engine or the migrator changes. */
async function pgliteTemplates(): Promise<string> {
  const folder = await templateFolder('pglite', ['node_modules/@electric-sql/pglite/package.json'])
  if (!existsSync(folder)) await makePgliteTemplates(folder)
  return folder
}

/** Copies a migrated database of the embedded engine to `target`, in the state after a portal was stopped. */
export async function copyMigrated(target: string): Promise<void> {
  const mode = constants.COPYFILE_FICLONE
  await cp(path.join(await pgliteTemplates(), 'migrated'), target, { recursive: true, mode })
}

/** Made under another name and renamed, so that an interrupted or parallel run leaves no incomplete template. */
async function makePgliteTemplates(folder: string) {
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  const db = await openPglite({})
  await writeFile(path.join(aside, 'empty.tar'), await db.dump())
  await migrate(db, SCHEMA_FOLDER)
  await writeFile(path.join(aside, 'migrated.tar'), await db.dump())
  await db.close()
  const kept = await openPglite({
    dataDir: path.join(aside, 'migrated'),
    template: path.join(aside, 'migrated.tar'),
  })
  await kept.close()
  await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }))
}

/** The owner is no superuser, as on Supabase, so that a missing grant in a migration is noticed. */
async function preparePostgres(project: TestProject) {
  const major = project.config.env['TEST_POSTGRES_MAJOR']
  // The workers start later and inherit what is set here.
  if (major) process.env[PROGRAMS] = await installPostgres(major)
  const folder = await findPostgres()
  if (folder === null) throw new Error('these tests need a Postgres on this machine')
  const { url, stop } = await startPostgres(folder)
  process.env['TEST_DATABASE_URL'] = url
  const onError = (error: Error) => {
    throw error
  }
  const admin = openPostgres({ url, maxConnections: 1, onError })
  await admin.query(`create role portal_owner login createrole createdb password 'portal_owner'`)
  await admin.query('create database migrated owner portal_owner')
  const db = openPostgres({ url: ownerUrl(url, 'migrated'), maxConnections: 1, onError })
  await migrate(db, SCHEMA_FOLDER)
  await db.close()
  project.provide('emptyTemplate', 'template1')
  project.provide('migratedTemplate', 'migrated')
  return async () => {
    await admin.close()
    await stop()
  }
}

/** The address of `database` on the same server, for the portal's own role without superuser. */
export const ownerUrl = (url: string, database: string): string =>
  `postgres://portal_owner:portal_owner@${new URL(url).host}/${database}`
