// Reads that may be some seconds old go to a read replica while its lag is small, else to the primary.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import { SqlError, type Database } from './database.ts'

const MEASURE_EVERY_MS = 2_000
const MAX_LAG_MS = 10_000
/** A statement that was too slow on the replica would be too slow on the primary. */
const TOO_SLOW = '57014'

/** Runs a read on the replica, or on the primary. It may run twice, so it only reads. */
export type Reading = <T>(read: (db: Database) => Promise<T>) => Promise<T>

type Options = { primary: Database; replica: Database | undefined; clock: Clock; log: Log }

export function createReplicaReads({ primary, replica, clock, log }: Options) {
  if (replica === undefined) {
    const reading: Reading = (read) => read(primary)
    return { reading, start: () => () => Promise.resolve() }
  }
  /** The replica's last known state is less than `MAX_LAG_MS` old until then. */
  let freshUntilMs = 0
  let isUsed = false

  function note(isFresh: boolean, fields: object) {
    if (isFresh !== isUsed) log.info(isFresh ? 'replica.used' : 'replica.left', { ...fields })
    isUsed = isFresh
  }

  /** Compares one row on both. The replica usually shows the row of the measurement before. */
  const measure = async (): Promise<boolean> => {
    const askedMs = clock.now()
    const { rows: written } = await primary.query<{ beat: number }>(
      `insert into portal.heartbeat (id, beat_at) values (1, clock_timestamp())
      on conflict (id) do update set beat_at = excluded.beat_at
      returning (extract(epoch from beat_at) * 1000)::bigint as beat`,
    )
    const { rows: seen } = await replica.query<{ beat: number }>(
      'select (extract(epoch from beat_at) * 1000)::bigint as beat from portal.heartbeat',
    )
    const lagMs = (written[0]?.beat ?? Infinity) - (seen[0]?.beat ?? 0)
    freshUntilMs = askedMs + MAX_LAG_MS - lagMs
    note(clock.now() < freshUntilMs, { lagMs })
    return false
  }

  const leave = (error: unknown) => {
    freshUntilMs = 0
    note(false, errorFields(error))
  }

  const reading: Reading = async (read) => {
    if (clock.now() >= freshUntilMs) return read(primary)
    try {
      return await read(replica)
    } catch (error) {
      if (error instanceof SqlError && error.code === TOO_SLOW) throw error
      if (error instanceof SqlError && error.code.startsWith('08')) leave(error)
      // A session, a lead or a function may be too new for the replica.
      return read(primary)
    }
  }

  return {
    reading,
    start: () =>
      createWorker({
        name: 'replica',
        clock,
        everyMs: MEASURE_EVERY_MS,
        poll: measure,
        onFailed: leave,
      }).start(),
  }
}
