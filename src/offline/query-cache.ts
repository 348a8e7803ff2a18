// Stores server responses other than boards, such as conversations, the link and lists. Screens show them before a
// refetch.
import { readDevice, writeDevice } from './database.ts'
import { type AnswerRecord, keysOf } from './stores.ts'

/** Where a response is stored. Of each kind, the device keeps the newest `most` responses. */
export type Slot = Pick<AnswerRecord, 'owner' | 'name' | 'kind' | 'version'> & { most: number }

/** Returns the stored response; null if there is none. */
export function readAnswer({ owner, name, version }: Slot): Promise<AnswerRecord | null> {
  return readDevice(async (db) => {
    const stored = await db.get('answers', [owner, name])
    return stored?.version === version ? stored : null
  })
}

/** Replaces a stored response, and deletes the oldest ones beyond the limit. */
export function saveAnswer({ most, ...slot }: Slot, data: unknown, answeredAtMs: number): Promise<void> {
  return writeDevice(async (db) => {
    const transaction = db.transaction('answers', 'readwrite', { durability: 'relaxed' })
    const { store } = transaction
    await store.put({ ...slot, data, answeredAtMs })
    const stored = await store.index('by-age').getAllKeys(keysOf(slot.owner, slot.kind))
    await Promise.all(stored.slice(0, Math.max(0, stored.length - most)).map((key) => store.delete(key)))
    await transaction.done
  })
}
