// What only grows is let go after the time that the settings give, in batches that hold nobody up.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import type { Database } from '#server/db/database.ts'

const POLL_EVERY_MS = 3_600_000
/** Events that went out to other systems: as long as a person may want to send one again. */
const EVENT_DAYS = 30
/** Answers to writes of other systems: longer than any of them repeats one. */
const MACHINE_WRITE_DAYS = 7
/** Which mails came in: longer than a server that makes a folder anew still has them. */
const MAIL_DAYS = 1_095
/** What was stored of a contact before it was marked as particular: as long as taking it back brings it again. */
const PRIVATE_DAYS = 7
const DAY_MS = 24 * 3_600_000
/** So few that the one connection of the embedded engine is free again soon. */
const MAX_AT_ONCE = 1_000

type Parts = { db: Database; clock: Clock; log: Log; keeps: { rawDays: number; auditDays: number } }

export function createRetention({ db, clock, log, keeps }: Parts): Worker {
  async function forget(
    kind: 'raw' | 'audit' | 'events' | 'imports' | 'machine_writes' | 'mails' | 'private',
    days: number,
  ): Promise<number> {
    const { rows } = await db.query<{ count: number }>(
      `select portal.forget_${kind}(to_timestamp($1::numeric / 1000), $2) as count`,
      [clock.now() - days * DAY_MS, MAX_AT_ONCE],
    )
    const count = rows[0]?.count ?? 0
    if (count > 0) log.info('retention.forgotten', { kind, count })
    return count
  }

  return createWorker({
    name: 'retention',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const counts = [
        await forget('raw', keeps.rawDays),
        await forget('audit', keeps.auditDays),
        await forget('events', EVENT_DAYS),
        await forget('imports', keeps.rawDays),
        await forget('machine_writes', MACHINE_WRITE_DAYS),
        await forget('mails', MAIL_DAYS),
        await forget('private', PRIVATE_DAYS),
      ]
      return counts.some((count) => count === MAX_AT_ONCE)
    },
    onFailed: (error) => log.warn('retention.failed', errorFields(error)),
  })
}
