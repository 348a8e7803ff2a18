// A database of the embedded engine at the newest schema, with nothing of any installation: every one may begin from a copy.
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite/pglite.ts'

/** Makes the folder `dataDir`, without what each installation makes for itself (makeOwnKey). */
export async function makeMigrated(dataDir: string, migrations: string): Promise<void> {
  const db = await openPglite({ dataDir })
  try {
    await migrate(db, migrations)
    await db.query(`delete from portal.settings where key = 'opt_out_key'`)
  } finally {
    await db.close()
  }
}

/**
 * The key for the hashes of who opted out, which no two installations may share: made where a copy has none yet. A database that
 * knows people and has lost its key stays without, and fails at the next opt-out: under a new key nobody would be found again.
 */
export async function makeOwnKey(db: Database): Promise<void> {
  // A database that is half-way through the earlier files is given its key by one of them.
  const { rows } = await db.query(
    `select where to_regclass('portal.people') is not null and to_regclass('portal.opt_outs') is not null`,
  )
  if (rows.length === 0) return
  await db.query(
    `insert into portal.settings (key, value)
     select 'opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex'))
     where not exists (select from portal.people) and not exists (select from portal.opt_outs)
     on conflict (key) do nothing`,
  )
}
