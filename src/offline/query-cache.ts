// The server's last answers but the board's (conversations, the link, lists), to be shown before it is asked again.
import { readDevice, writeDevice } from './database.ts'
import { type AnswerRecord, keysOf } from './stores.ts'

/** Where an answer is kept; of one kind only the `most` newest are. */
export type Slot = Pick<AnswerRecord, 'owner' | 'name' | 'kind' | 'version'> & { most: number }

/** Null where nothing is kept. */
export function readAnswer({ owner, name, version }: Slot): Promise<AnswerRecord | null> {
  return readDevice(async (db) => {
    const stored = await db.get('answers', [owner, name])
    return stored?.version === version ? stored : null
  })
}

/** Keeps an answer in place of the one before, and lets the oldest go. */
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
