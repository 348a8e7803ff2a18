// Periodic jobs: adds up lead counts, sends warnings about leads that wait too long, deletes stored answers of client
// writes after 90 days, and runs the checkpoints and the vacuum that the embedded engine does not run by itself.
import type { Database } from '#server/db/database.ts'
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'

const CHECKPOINT_EVERY_MS = 5 * 60_000
const VACUUM_EVERY_MS = 15 * 60_000
const FORGET_EVERY_MS = 24 * 3_600_000
/** A dashboard adds rows that are not folded yet itself; with this interval they stay few, even during an import. */
const FOLD_EVERY_MS = 2_000
/** Interval at which waits are capped that were stored while the clock ran ahead. */
const CAP_EVERY_MS = 60_000

/** A waiting lead's warning comes within half a minute of its target. */
const WARN_EVERY_MS = 30_000
/** A call without an end counts as missed after two minutes, with half a minute of tolerance. */
const END_CALLS_EVERY_MS = 30_000

type Parts = { db: Database; clock: Clock; log: Log; longestGapMs: number }

/**
 * Maximum rows per run, so that the embedded engine's only connection is soon free again; SQL functions use the same
 * number.
 */
const MAX_AT_ONCE = 1_000
const MAX_CALLS_AT_ONCE = 100

type Job = {
  everyMs: number
  /** The event that is logged when a run fails. */
  failed: string
  /** Does a limited part of the work; returns whether there is more. */
  run: () => Promise<boolean>
}

/**
 * Starts the timers; returns the stop function. A job never runs twice at once; a database lock ensures it over several
 * portals.
 */
export function startMaintenance(parts: Parts): () => Promise<void> {
  const stops = jobsOf(parts).map((job) => startJob(parts, job))
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

function startJob({ clock, log }: Parts, { everyMs, failed, run }: Job): () => Promise<void> {
  const poll = async (stopping: AbortSignal) => {
    const startedMs = clock.now()
    const hasMore = await run()
    // Pauses for as long as the run took, so that requests are served in between.
    if (hasMore) await clock.sleep(clock.now() - startedMs, stopping)
    return hasMore
  }
  const onFailed = (error: unknown) => log.warn(failed, errorFields(error))
  return createWorker({
    name: failed.replace(/\.?-?failed$/, ''),
    clock,
    everyMs,
    poll,
    onFailed,
    startsIdle: true,
  }).start()
}

function jobsOf(parts: Parts): Job[] {
  const { db, clock } = parts
  const now = () => new Date(clock.now()).toISOString()
  const counted = async (sql: string, values: string[] = []) =>
    (await db.query<{ count: number }>(`select ${sql} as count`, values)).rows[0]?.count ?? 0
  const always: Job[] = [
    {
      everyMs: FOLD_EVERY_MS,
      failed: 'rollup.fold-failed',
      run: async () => (await counted('portal.fold_lead_deltas()')) === MAX_AT_ONCE,
    },
    { everyMs: WARN_EVERY_MS, failed: 'risks.warn-failed', run: () => warnRisks(db, now()) },
    {
      everyMs: END_CALLS_EVERY_MS,
      failed: 'calls.end-failed',
      run: async () => (await counted('portal.end_calls($1)', [now()])) === MAX_CALLS_AT_ONCE,
    },
    { everyMs: CAP_EVERY_MS, failed: 'waits.cap-failed', run: () => capWaits(parts).then(() => false) },
    {
      everyMs: FORGET_EVERY_MS,
      failed: 'operations.forget-failed',
      run: async () => (await counted('portal.forget_old_operations()')) === MAX_AT_ONCE,
    },
  ]
  if (db.engine !== 'pglite') return always
  return [
    ...always,
    {
      everyMs: CHECKPOINT_EVERY_MS,
      failed: 'checkpoint.failed',
      run: () => db.exec('checkpoint').then(() => false),
    },
    { everyMs: VACUUM_EVERY_MS, failed: 'vacuum.failed', run: () => vacuumChanged(db).then(() => false) },
  ]
}

async function warnRisks(db: Database, now: string): Promise<boolean> {
  const { rows } = await db.query<{ told: number | null }>('select portal.warn_risks($1) as told', [now])
  // Null: another portal is running it.
  if (rows[0]?.told === null) return false
  const left = await db.query<{ is: boolean }>('select portal.has_risks($1) as is', [now])
  return left.rows[0]?.is ?? false
}

/**
 * Limits every wait to its own length from now, in case the clock was wrong when it began; `longestGapMs` is the
 * longest gap between two messages of a campaign.
 */
export async function capWaits({ db, clock, log, longestGapMs }: Parts): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    `select portal.cap_waits($1, $2 * interval '1 millisecond') as count`,
    [new Date(clock.now()).toISOString(), longestGapMs],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0) log.warn('waits.capped', { count })
}

/** Vacuums one table at a time, so that the database serves requests in between. */
export async function vacuumChanged(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name
     from pg_stat_user_tables
     where n_dead_tup > 50 + n_live_tup / 5 or n_mod_since_analyze > 50 + n_live_tup / 10
     order by n_dead_tup desc`,
  )
  for (const { name } of rows) await db.exec(`vacuum (analyze) ${name}`)
}
