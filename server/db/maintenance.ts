// What a Postgres server does by itself and the embedded one does not: checkpoints and vacuum (BACKEND.md 2).
import type { Database } from './database.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'

const CHECKPOINT_EVERY_MS = 5 * 60_000
const VACUUM_EVERY_MS = 15 * 60_000

/** Starts both timers for the embedded engine; answers the stop. A server looks after itself. */
export function startMaintenance(db: Database, clock: Clock, log: Log): () => void {
  if (db.engine !== 'pglite') return () => undefined
  const quietly = (event: string, work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn(event, errorFields(error)))
  const stops = [
    clock.every(
      CHECKPOINT_EVERY_MS,
      quietly('checkpoint.failed', () => db.exec('checkpoint')),
    ),
    clock.every(
      VACUUM_EVERY_MS,
      quietly('vacuum.failed', () => vacuumChanged(db)),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}

/** One table at a time, so that requests get their turn in between. */
export async function vacuumChanged(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name
     from pg_stat_user_tables
     where n_dead_tup > 50 + n_live_tup / 5 or n_mod_since_analyze > 50 + n_live_tup / 10
     order by n_dead_tup desc`,
  )
  for (const { name } of rows) await db.exec(`vacuum (analyze) ${name}`)
}
