// A bucket in front of the stores that an installation used before; what was not moved yet is read from there. Files
// that come in while the bucket does not answer wait in the database.
import type { BucketStore } from './bucket/bucket.ts'
import { isStoreAway, type MediaStore } from './media-store.ts'

type Stores = {
  bucket: BucketStore
  /** Takes files that may not come again, while the bucket is away. */
  waiting: MediaStore
  /** Older stores, which may still have files that are not in the bucket. */
  others: readonly MediaStore[]
}

/** What people send goes into the bucket only. While it is away, they must try again. */
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
        // Asks the bucket again at the end, because the file may have been moved in between.
        return (await bucket.find(id)) ?? (await findElsewhere(id)) ?? (await bucket.find(id))
      } catch (error) {
        const spared = isStoreAway(error) ? await findElsewhere(id) : null
        if (spared) return spared
        throw error
      }
    },
    // An erasure deletes the file in all stores.
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
