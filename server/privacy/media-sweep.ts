// Once a day, marks files for deletion that no row refers to, as after aborted uploads. It skips files younger than a
// day, which may still get a row.
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createWorker, type Worker } from '#server/worker.ts'

const POLL_EVERY_MS = 10 * 60_000
/** The first sweep waits, so that it does not slow the start down. */
const FIRST_AFTER_MS = 3_600_000
const DAY_MS = 24 * 3_600_000

type Parts = { db: Database; clock: Clock; log: Log; storage: MediaStore; onNoted: () => void }

export function createMediaSweep({ db, clock, log, storage, onNoted }: Parts): Worker {
  let last = { atMs: clock.now(), restMs: FIRST_AFTER_MS }

  async function sweep(stopping: AbortSignal) {
    let count = 0
    for await (const ids of storage.listOld(clock.now() - DAY_MS)) {
      if (stopping.aborted) return
      const { rows } = await db.query<{ noted: number }>(
        'select portal.note_orphaned_media($1::text[]) as noted',
        [ids],
      )
      count += rows[0]?.noted ?? 0
    }
    if (count === 0) return
    log.info('media.orphaned', { count })
    onNoted()
  }

  return createWorker({
    name: 'media-sweep',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async (stopping) => {
      if (!hasPassed(clock, last.atMs, last.restMs)) return false
      await sweep(stopping)
      last = { atMs: clock.now(), restMs: DAY_MS }
      return false
    },
    onFailed: (error) => log.warn('media.sweep-failed', errorFields(error)),
  })
}
