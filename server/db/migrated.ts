// A database of the embedded engine at the newest schema, with nothing of any installation: every one may begin from a copy.
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite/pglite.ts'

/** Says of a copy that it has not begun yet: until then it lacks what no two installations may share. */
const UNBEGUN = 'unbegun'

/** Makes the folder `dataDir`. */
export async function makeMigrated(dataDir: string, schemaFolder: string): Promise<void> {
  const db = await openPglite({ dataDir })
  try {
    await migrate(db, schemaFolder)
    await db.batch([
      { sql: `delete from portal.settings where key = 'opt_out_key'` },
      { sql: `insert into portal.settings (key, value) values ('${UNBEGUN}', 'true')` },
    ])
  } finally {
    await db.close()
  }
}

/** A copy becomes this installation's: it makes its key for the hashes of who opted out. Any other database stays as it is. */
export async function begin(db: Database): Promise<void> {
  const { rows } = await db.query(`select where to_regclass('portal.settings') is not null`)
  if (rows.length === 0) return
  await db.query(
    `with begun as (delete from portal.settings where key = '${UNBEGUN}' returning true)
     insert into portal.settings (key, value)
     select 'opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex')) from begun`,
  )
}
