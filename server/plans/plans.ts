// Plans of next tries: a push to the broker before each step that a person takes.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'

const POLL_EVERY_MS = 5_000

type PlansParts = { db: Database; clock: Clock; log: Log }

/** `start` begins the polls; the function that it returns stops them. */
export function createPlans({ db, clock, log }: PlansParts) {
  return createWorker({
    name: 'plans',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const { rows } = await db.query<{ count: number }>('select portal.remind_tries($1) as count', [
        instant(clock.now()),
      ])
      const remindedCount = rows[0]?.count ?? 0
      if (remindedCount > 0) log.info('plans.reminded', { count: remindedCount })
      return false
    },
    onFailed: (error) => log.warn('plans.poll-failed', errorFields(error)),
  })
}
