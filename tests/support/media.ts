// The portal's media storage for either engine: in its own folder, in rows if the database is a server, or in a bucket.
import { systemClock, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { createBucketStore, type BucketStore } from '#server/storage/bucket/bucket.ts'
import { createBucketRequests } from '#server/storage/bucket/requests.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { createLayeredStore } from '#server/storage/layered.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { openHome, placeOf } from '#server/storage/open.ts'
import { createMemoryNotes, createSharedNotes } from '#server/storage/put-notes.ts'
import { silentLog } from './gateway.ts'
import type { ScriptedBucket } from './scripted-bucket.ts'

export const openStorage = (db: Database, folder: string): Promise<MediaStore> => openHome({ db, folder })

/** Fails at once, and is asked again at once. */
const LIMITS = { silenceMs: 2_000, deadlineMs: 20_000, awayMs: 0 }

/** `now`: the clock by which bytes rest; the bucket has its own. */
export function openBucketStore(
  db: Database,
  { settings }: Pick<ScriptedBucket, 'settings'>,
  now: () => number = Date.now,
): BucketStore {
  const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() }
  const resting = { ...clock, now }
  const notes =
    db.engine === 'postgres' ? createSharedNotes(db, placeOf(settings)) : createMemoryNotes(resting)
  return createBucketStore(createBucketRequests(settings, clock, LIMITS), { notes, clock, log: silentLog })
}

export function openLayeredStore(db: Database, bucket: BucketStore): MediaStore {
  const waiting = createDatabaseStore(db, { isWaiting: true })
  return createLayeredStore({ bucket, waiting, others: [createDatabaseStore(db)] })
}
