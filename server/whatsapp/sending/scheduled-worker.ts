// Texts for later: each goes into the queue of its instance when its time has come, after everything was asked again.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'

const POLL_EVERY_MS = 1_000

export type ScheduledParts = {
  db: Database
  clock: Clock
  log: Log
  /** Between two texts of an instance: what an outage held up does not go at once. */
  gapMs: { min: number; max: number }
  /** The gateway is away: what is due stays where it is, so that it goes one by one afterwards. */
  isAway: () => boolean
  /** There is a message in the queue of the instance. */
  onQueued: (instanceName: string) => void
}

export function createScheduledTexts({ db, clock, log, gapMs, isAway, onQueued }: ScheduledParts) {
  return createWorker({
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      if (isAway()) return false
      const { rows } = await db.query<{ name: string }>('select portal.queue_due_texts($1, $2) as name', [
        new Date(clock.now()).toISOString(),
        clock.randomBetween(gapMs.min, gapMs.max),
      ])
      for (const { name } of rows) {
        log.info('text.queued', { instance: name })
        onQueued(name)
      }
      return false
    },
    onFailed: (error) => log.warn('text.queue-failed', errorFields(error)),
  })
}
