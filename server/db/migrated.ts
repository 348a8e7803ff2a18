// Creates an embedded database with the newest schema and no data of an installation, from which each installation
// copies.
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite/pglite.ts'

/** The mark of an unused copy: it still lacks the keys that no two installations may share. */
const UNBEGUN = 'unbegun'

/** Creates the folder `dataDir`. */
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

/**
 * Turns a copy into this installation's database: it creates the key for the hashes of opt-outs. Any other database is
 * unchanged.
 */
export async function begin(db: Database): Promise<void> {
  const { rows } = await db.query(`select where to_regclass('portal.settings') is not null`)
  if (rows.length === 0) return
  await db.query(
    `with begun as (delete from portal.settings where key = '${UNBEGUN}' returning true)
     insert into portal.settings (key, value)
     select 'opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex')) from begun`,
  )
}
