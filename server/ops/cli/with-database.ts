// What the operator's commands over the portal's database share: it is opened as the settings say, brought up to date, and closed.
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
  /** Which database it is: whoever forgot a variable looks at another one than the portal's. */
  place: string
}

/** Raises PortalError for what the operator must mend: an embedded database is its running portal's alone. */
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
