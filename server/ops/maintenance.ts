// What nobody asks for: counts of leads are added up, who waits too long is told of, answers of client writes are forgotten after 90 days,
// and the embedded engine gets the checkpoints and the vacuum that a Postgres server does by itself.
import type { Database } from '#server/db/database.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'

const CHECKPOINT_EVERY_MS = 5 * 60_000
const VACUUM_EVERY_MS = 15 * 60_000
const FORGET_EVERY_MS = 24 * 3_600_000
/** A dashboard adds what is not folded yet itself: so often, that even amid an import it is no more than a moment's notes. */
const FOLD_EVERY_MS = 2_000
/** What was written down while the clock ran ahead waits so long at most before its own length begins. */
const CAP_EVERY_MS = 60_000

/** A lead that waits is told of at its target, to the half minute. */
const WARN_EVERY_MS = 30_000
/** A call whose end was lost is a missed one two minutes later, to the half minute. */
const END_CALLS_EVERY_MS = 30_000

type Parts = { db: Database; clock: Clock; log: Log; longestGapMs: number }

/** Starts the timers; answers the stop. */
export function startMaintenance(parts: Parts): () => void {
  const { db, clock, log } = parts
  const quietly = (event: string, work: () => Promise<unknown>) => () =>
    void work().catch((error: unknown) => log.warn(event, errorFields(error)))
  const stops = [
    clock.every(
      FOLD_EVERY_MS,
      quietly('rollup.fold-failed', () => db.query('select portal.fold_lead_deltas()')),
    ),
    clock.every(
      WARN_EVERY_MS,
      quietly('risks.warn-failed', () =>
        db.query('select portal.warn_risks($1)', [new Date(clock.now()).toISOString()]),
      ),
    ),
    clock.every(
      END_CALLS_EVERY_MS,
      quietly('calls.end-failed', () =>
        db.query('select portal.end_calls($1)', [new Date(clock.now()).toISOString()]),
      ),
    ),
    clock.every(
      CAP_EVERY_MS,
      quietly('waits.cap-failed', () => capWaits(parts)),
    ),
    clock.every(
      FORGET_EVERY_MS,
      quietly('operations.forget-failed', () => db.query('select portal.forget_old_operations()')),
    ),
  ]
  const stop = () => stops.forEach((stopOne) => stopOne())
  if (db.engine !== 'pglite') return stop
  stops.push(
    clock.every(
      CHECKPOINT_EVERY_MS,
      quietly('checkpoint.failed', () => db.exec('checkpoint')),
    ),
    clock.every(
      VACUUM_EVERY_MS,
      quietly('vacuum.failed', () => vacuumChanged(db)),
    ),
  )
  return stop
}

/** No wait is longer than its own length, whatever the clock said when it began; `longestGapMs` lies between two texts of a campaign. */
export async function capWaits({ db, clock, log, longestGapMs }: Parts): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    `select portal.cap_waits($1, $2 * interval '1 millisecond') as count`,
    [new Date(clock.now()).toISOString(), longestGapMs],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0) log.warn('waits.capped', { count })
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
