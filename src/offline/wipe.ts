// Takes a person's data off the device.
import { writeDevice } from './database.ts'
import { changeOutbox } from './outbox.ts'
import { keysOf, keysOfOthers } from './stores.ts'

const CACHES = ['leads', 'boards', 'answers'] as const

/** 'Sair': everything, also what was not sent yet. Raises what the browser raises. */
export async function wipe(owner: string): Promise<void> {
  await changeOutbox((entries) => entries.filter(({ userId }) => userId !== owner))
  await removeFrom([...CACHES, 'drafts'], [keysOf(owner)])
}

/** Another person signed in: what the ones before could see goes, what they did and typed stays theirs. */
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
