// Fills an empty portal with the demonstration's data once, and shifts its times at every later start.
import type { Database } from '#server/db/database.ts'
import { freshen } from '../freshen.ts'
import { makeScenario } from '../scenario.ts'
import { seedAccounts } from './accounts.ts'
import { seedBoards } from './boards.ts'
import { seedDevelopments } from './developments.ts'
import { seedDistributed } from './distributed.ts'
import { seedAgency } from './agency.ts'
import { type HashKeyOf, seedSources } from './sources.ts'

type Options = {
  now: Date
  hashPassword: (password: string) => Promise<string>
  /** Same hash as the portal's for a source's key of this account and operation. */
  hashKeyOf?: HashKeyOf
}

const ADMIN_PASSWORD = 'demo-admin'
const BROKER_PASSWORD = 'demo-corretor'

/** All or nothing: an interrupted seed leaves an empty portal; a seeded one is only shifted to `now`. */
export async function seedDemo(db: Database, { now, hashPassword, hashKeyOf }: Options): Promise<void> {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const { rows } = await db.query(`select from portal.settings where key = 'demo_seeded_at'`)
  if (rows.length > 0) {
    await freshen(db, nowSeconds)
    return
  }

  const hashes = { admin: await hashPassword(ADMIN_PASSWORD), broker: await hashPassword(BROKER_PASSWORD) }
  await db.transaction(async (query) => {
    const claimed = await query(
      `insert into portal.settings (key, value) values ('demo_seeded_at', to_jsonb($1::text)) on conflict do nothing`,
      [now.toISOString()],
    )
    // Another portal over the same database was first.
    if (claimed.rowCount === 0) return
    await query(
      `insert into portal.settings (key, value) values ('agency_name', '"RHS"') on conflict do nothing`,
    )
    const zone = await query<{ offset: number }>(
      `select extract(epoch from to_timestamp($1) at time zone portal.time_zone() - to_timestamp($1) at time zone 'UTC')::int
        as offset`,
      [nowSeconds],
    )
    const scenario = makeScenario(nowSeconds, zone.rows[0]?.offset ?? 0)
    await seedAccounts(query, scenario, hashes)
    const leads = await seedBoards(query, scenario)
    await seedDevelopments(query, scenario)
    await seedAgency(query, scenario)
    await seedDistributed(query, scenario, leads)
    await seedSources(query, scenario, { leads, hashKeyOf })
  })
}
