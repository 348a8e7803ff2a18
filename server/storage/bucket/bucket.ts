// Media bytes as objects of an S3 bucket, each under its SHA-256.
import type { Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import {
  isMediaId,
  mediaId,
  readPrints,
  RESTING_MS,
  storeAway,
  type MediaStore,
  type Prints,
} from '../media-store.ts'
import type { PutNotes } from '../put-notes.ts'
import { BucketError } from './faults.ts'
import { listPages } from './listing.ts'
import { createObjects, type Content } from './objects.ts'
import { streamRange } from './reading.ts'
import type { BucketRequests } from './requests.ts'

/** A store may round the time of an object up. */
const GRACE_MS = 2_000

export type BucketStore = MediaStore & {
  /** Puts bytes whose hash is known without holding them in memory. */
  putKnown: (id: string, content: Content) => Promise<void>
  /** Puts once without a retry, for callers that can store the bytes elsewhere. */
  putOnce: (bytes: Uint8Array) => Promise<string>
  /** True if the object has these hashes. Reads the object back if the store reports no hash. */
  holds: (id: string, prints: Prints) => Promise<boolean>
  /** Null: bucket and keys work. Otherwise the reason why not. */
  prove: () => Promise<BucketError | null>
  isAway: () => boolean
}

type Parts = { notes: PutNotes; clock: Clock; log: Log }

export function createBucketStore(requests: BucketRequests, { notes, clock, log }: Parts): BucketStore {
  const objects = createObjects(requests)

  /** Users see one general sentence; the log says what to mend. */
  function toFault(error: unknown): Error {
    if (!(error instanceof BucketError)) return error instanceof Error ? error : new Error(String(error))
    log.warn('media.store-away', { ...errorFields(error), status: error.status, s3Code: error.code })
    return storeAway(error)
  }
  const orAway = <T>(asking: Promise<T>): Promise<T> =>
    asking.catch((error: unknown) => {
      throw toFault(error)
    })

  /** Puts the object even if it exists, because only a put renews its time, and removals spare recent objects. */
  async function put(id: string, content: Content, options?: { isTriedOnce: boolean }): Promise<string> {
    await notes.note(id)
    // Repeats the put if its record is gone afterwards, because a removal that began earlier has deleted both.
    do await objects.put(id, content, options)
    while (!(await notes.note(id)))
    return id
  }
  const contentOf = (bytes: Uint8Array) => ({ sizeBytes: bytes.length, open: () => bytes })

  const read = (id: string, range: { start: number; end: number }) =>
    streamRange({ requests, id, range, toFault })

  async function holds(id: string, { sizeBytes, md5 }: Prints): Promise<boolean> {
    const found = await objects.head(id)
    if (found?.sizeBytes !== sizeBytes) return false
    if (found.md5 !== null) return found.md5 === md5
    return (await readPrints(read(id, { start: 0, end: sizeBytes - 1 }))).sha256 === id
  }

  async function removeRested(id: string): Promise<boolean> {
    const found = await objects.head(id)
    if (found === null) return true
    const isRested = found.ageMs >= RESTING_MS + GRACE_MS
    if (isRested) await objects.remove(id)
    return isRested
  }

  async function* ids(leastMs: number) {
    const pages = listPages(requests)
    for (;;) {
      const { value: page, done } = await orAway(pages.next())
      if (done === true) return
      const old = page.filter(({ ageMs }) => ageMs >= leastMs).map(({ id }) => id)
      if (old.length > 0) yield old
    }
  }

  return {
    put: async (bytes) => orAway(put(mediaId(bytes), contentOf(bytes))),
    putOnce: async (bytes) => orAway(put(mediaId(bytes), contentOf(bytes), { isTriedOnce: true })),
    putKnown: async (id, content) => void (await orAway(put(id, content))),
    holds: (id, prints) => orAway(holds(id, prints)),
    find: async (id) => {
      const found = isMediaId(id) ? await orAway(objects.head(id)) : null
      if (found === null) return null
      const { sizeBytes } = found
      const whole = { start: 0, end: sizeBytes - 1 }
      return { sizeBytes, read: (range = whole) => read(id, range) }
    },
    remove: async (id) => (isMediaId(id) ? orAway(notes.whileRested(id, () => removeRested(id))) : true),
    list: () => ids(-Infinity),
    listOld: (beforeMs) => ids(clock.now() - beforeMs + GRACE_MS),
    prove: () =>
      objects.prove().then(
        () => null,
        (error: unknown) => {
          if (error instanceof BucketError) return error
          throw error
        },
      ),
    isAway: requests.isAway,
  }
}
