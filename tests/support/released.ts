// A database of the release of 2026-11-28, the oldest from which upgrades must work.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Database } from '#server/db/database.ts'
import { migrate, prepareEmpty } from '#server/db/migrate.ts'

const RELEASED = path.resolve(import.meta.dirname, 'schema/released-2026-11-28.sql.gz')
/** The first, second last and last of the release's 94 migrations. */
const VERSIONS = ['20261123160000', '20261128120001', '20261128160001']

/** Creates the state after that release's migrations in one step, including its migration records. */
export async function makeReleased(
  db: Database,
  { isSupabase = false, versions = VERSIONS } = {},
): Promise<void> {
  await prepareEmpty(db, isSupabase)
  await db.exec(gunzipSync(await readFile(RELEASED)).toString())
  // Tables that this release did not have yet.
  await db.exec(`drop table supabase_migrations.portal_objects, supabase_migrations.portal_releases`)
  for (const version of versions) await recordVersion(db, version)
}

export const recordVersion = (db: Database, version: string, name = 'earlier') =>
  db.query('insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)', [
    version,
    name,
  ])

/** Drops objects that no schema file names any more. The release after the one in `folder` does the same. */
export async function dropUnnamed(db: Database, folder: string): Promise<void> {
  await db.exec(`update supabase_migrations.portal_objects set unnamed_by = 'the release before' where unnamed_by is not null;
    delete from supabase_migrations.portal_releases`)
  await migrate(db, folder)
}
