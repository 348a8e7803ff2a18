// Scheduled texts: each enters the queue of its instance when it is due, after all conditions were checked
// again.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'

const POLL_EVERY_MS = 1_000

export type ScheduledParts = {
  db: Database
  clock: Clock
  log: Log
  /** Gap between two texts of an instance, so that those delayed by an outage do not go out at once. */
  gapMs: { min: number; max: number }
  /** True: the gateway is down. Texts that are due stay, so that they are sent one by one later. */
  isAway: () => boolean
  /** Called when a message was queued for the instance. */
  onQueued: (instanceName: string) => void
}

export function createScheduledTexts({ db, clock, log, gapMs, isAway, onQueued }: ScheduledParts) {
  return createWorker({
    name: 'scheduled',
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
