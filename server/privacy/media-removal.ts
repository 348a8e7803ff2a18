// Deletes files from storage once no row refers to them, also after a crash.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { createWorker, type Worker } from '#server/worker.ts'

const POLL_EVERY_MS = 60_000
const GROUP = 50

type Parts = { db: Database; clock: Clock; log: Log; storage: MediaStore }

/** The row is deleted after the bytes; after a crash the bytes are deleted again, which does no harm. */
export function createMediaRemoval({ db, clock, log, storage }: Parts): Worker {
  async function poll(stopping: AbortSignal): Promise<boolean> {
    const { rows } = await db.query<{ media_id: string; is_used: boolean }>(
      `select media_id, portal.media_is_used(media_id) as is_used
      from portal.media_removals order by noted_at, media_id limit $1`,
      [GROUP],
    )
    let settled = 0
    for (const { media_id: mediaId, is_used: isUsed } of rows) {
      if (stopping.aborted) return false
      if (!isUsed && !(await storage.remove(mediaId))) continue
      await db.query('delete from portal.media_removals where media_id = $1', [mediaId])
      settled += 1
    }
    if (settled > 0) log.info('media.removed', { count: settled })
    return settled > 0 && rows.length === GROUP
  }
  return createWorker({
    name: 'media-removal',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: poll,
    onFailed: (error) => log.warn('media.removal-failed', errorFields(error)),
  })
}
