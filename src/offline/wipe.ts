// Deletes a user's data from the device.
import { writeDevice } from './database.ts'
import { changeOutbox } from './outbox.ts'
import { removeSharesOf } from './shares.ts'
import { keysOf, keysOfOthers } from './stores.ts'

const CACHES = ['leads', 'boards', 'answers'] as const

/** Deletes everything of a user at 'Sair', unsent entries included. Throws the browser's errors. */
export async function wipe(owner: string): Promise<void> {
  await changeOutbox((entries) => entries.filter(({ userId }) => userId !== owner))
  await removeSharesOf(owner)
  await removeFrom([...CACHES, 'drafts'], [keysOf(owner)])
}

/** Deletes the caches of previous users, because another user signed in. Their outbox and drafts stay. */
export function wipeCachesOfOthers(owner: string): Promise<void> {
  return removeFrom(CACHES, keysOfOthers(owner))
}

function removeFrom(stores: readonly ((typeof CACHES)[number] | 'drafts')[], ranges: readonly IDBKeyRange[]) {
  return writeDevice(async (db) => {
    const transaction = db.transaction(stores, 'readwrite')
    for (const store of stores) {
      for (const range of ranges) await transaction.objectStore(store).delete(range)
    }
    await transaction.done
  })
}
