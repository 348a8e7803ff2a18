// Moves files that came in while the bucket was away from the database into the bucket. Also asks the bucket now and
// then whether it answers again.
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import type { BucketStore } from './bucket/bucket.ts'
import { carryOut } from './carry.ts'
import type { MediaStore } from './media-store.ts'

const POLL_EVERY_MS = 30_000
const GROUP = 20

type Parts = { db: Database; clock: Clock; log: Log; bucket: BucketStore; rows: MediaStore }

export function createWaiting({ db, clock, log, bucket, rows }: Parts): Worker {
  const carry = carryOut(rows, bucket)

  /**
   * Moves one file; returns whether its row is finished. A file that was put a moment ago stays until the next look.
   */
  async function bring(id: string): Promise<boolean> {
    const end = await carry(id)
    if (end === 'damaged') {
      log.error('media.damaged', { mediaId: id })
      await db.query('update portal.media set is_waiting = false where id = $1', [id])
      return true
    }
    if (end !== 'gone') return rows.remove(id)
    // The file was erased while it was copied.
    await db.query('select portal.note_orphaned_media(array[$1::text])', [id])
    return true
  }

  async function poll(stopping: AbortSignal): Promise<boolean> {
    if ((await bucket.prove()) !== null) return false
    const { rows: found } = await db.query<{ id: string }>(
      'select id from portal.media where is_waiting order by put_at limit $1',
      [GROUP],
    )
    let done = 0
    for (const { id } of found) {
      if (stopping.aborted) return false
      if (await bring(id)) done += 1
    }
    if (done > 0) log.info('media.brought', { count: done })
    return done > 0 && found.length === GROUP
  }

  return createWorker({
    name: 'media-waiting',
    clock,
    everyMs: POLL_EVERY_MS,
    poll,
    onFailed: (error) => log.warn('media.not-brought', errorFields(error)),
  })
}
