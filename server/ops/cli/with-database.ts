// Opens the portal's database for an operator's command, migrates it, and closes it afterwards.
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { readSettings, type Settings } from '#server/settings.ts'
import { createLog } from '#server/log.ts'

export type CommandOptions = {
  /** The folder supabase. */
  schemaFolder: string
}

type Opened = {
  db: Database
  dataDir: string
  settings: Settings
  /** Names the opened database, because a missing variable would select another one than the portal's. */
  place: string
}

/** Raises PortalError for problems the operator can solve: a running portal holds an embedded database exclusively. */
export async function withDatabase(
  { schemaFolder }: CommandOptions,
  run: (opened: Opened) => Promise<string>,
): Promise<string> {
  const settings = readSettings(process.env)
  const { db, dataDir, close } = await openDatabase(settings, createLog(settings.logLevel))
  try {
    await migrate(db, schemaFolder)
    return await run({
      db,
      dataDir,
      settings,
      place: settings.databaseUrl === undefined ? dataDir : 'DATABASE_URL',
    })
  } finally {
    await close()
  }
}
