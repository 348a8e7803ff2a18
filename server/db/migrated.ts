// A database of the embedded engine at the newest schema, with nothing of any installation: every one may begin from a copy.
import { migrate } from './migrate.ts'
import { openPglite } from './pglite/pglite.ts'

/** Makes the folder `dataDir`, without what each installation makes for itself at its first start (makeOwnKey of migrate.ts). */
export async function makeMigrated(dataDir: string, migrations: string): Promise<void> {
  const db = await openPglite({ dataDir })
  try {
    await migrate(db, migrations)
    await db.query(`delete from portal.settings where key = 'opt_out_key'`)
  } finally {
    await db.close()
  }
}
