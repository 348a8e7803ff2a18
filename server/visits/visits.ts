// Visits: reminders for their broker, and each broker's calendar under a secret address.
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import { createCalendarRoutes } from './calendar-routes.ts'

const POLL_EVERY_MS = 500

type VisitsParts = { db: Database; clock: Clock; log: Log; address: () => string }

export type Visits = {
  /** Routes for /api/calendar. */
  routes: Hono
  /** Starts the reminders; the returned function stops them. */
  start: () => () => Promise<void>
}

export function createVisits(parts: VisitsParts): Visits {
  const { db, clock, log } = parts
  const reminders = createWorker({
    name: 'visits',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const { rows } = await db.query<{ count: number }>('select portal.remind_visits($1) as count', [
        new Date(clock.now()).toISOString(),
      ])
      const notifiedCount = rows[0]?.count ?? 0
      if (notifiedCount > 0) log.info('visits.reminded', { count: notifiedCount })
      return false
    },
    onFailed: (error) => log.warn('visits.remind-failed', errorFields(error)),
  })
  return { routes: createCalendarRoutes(parts), start: reminders.start }
}
