// A bucket in front of the stores of before: what was not moved yet is read from there. What comes in while the bucket does not
// answer waits in the database.
import type { BucketStore } from './bucket/bucket.ts'
import { isStoreAway, type MediaStore } from './media-store.ts'

type Stores = {
  bucket: BucketStore
  /** Takes what may not come again while the bucket is away. */
  waiting: MediaStore
  /** Where media may lie that are not in the bucket. */
  others: readonly MediaStore[]
}

/** People put into the bucket alone, and try again while it is away. */
export function createLayeredStore({ bucket, waiting, others }: Stores): MediaStore {
  async function findElsewhere(id: string) {
    for (const store of others) {
      const found = await store.find(id)
      if (found) return found
    }
    return null
  }

  return {
    put: (bytes) => bucket.put(bytes),
    keep: (bytes) =>
      bucket.putOnce(bytes).catch((error: unknown) => {
        if (isStoreAway(error)) return waiting.put(bytes)
        throw error
      }),
    find: async (id) => {
      try {
        // The last question is for what was moved in between.
        return (await bucket.find(id)) ?? (await findElsewhere(id)) ?? (await bucket.find(id))
      } catch (error) {
        const spared = isStoreAway(error) ? await findElsewhere(id) : null
        if (spared) return spared
        throw error
      }
    },
    // An erasure reaches them all.
    remove: async (id) => {
      let isGone = true
      for (const store of [...others, bucket]) if (!(await store.remove(id))) isGone = false
      return isGone
    },
    list: async function* () {
      for (const store of [...others, bucket]) yield* store.list()
    },
    listOld: async function* (beforeMs) {
      for (const store of [...others, bucket]) yield* store.listOld(beforeMs)
    },
    isAway: bucket.isAway,
  }
}
