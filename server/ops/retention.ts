// Deletes old data after the configured times, in batches that block nobody.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import type { Database } from '#server/db/database.ts'

const POLL_EVERY_MS = 3_600_000
/** Events sent to other systems can be sent again for this long. */
const EVENT_DAYS = 30
/** Stored answers to writes of other systems; none of them repeats a write after this time. */
const MACHINE_WRITE_DAYS = 7
/** Ids of received mails are kept longer than a server that renumbers a folder still has those mails. */
const MAIL_DAYS = 1_095
/** Data stored before a contact was marked as private; within this time unmarking restores it. */
const PRIVATE_DAYS = 7
const DAY_MS = 24 * 3_600_000
/** Small enough that the embedded engine's only connection is soon free again. */
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
