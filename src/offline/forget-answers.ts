// Deletes stored responses that this user may no longer see.
import { writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'

/** `names` are query keys as JSON. Longer keys that begin with one of them are deleted too. */
export async function forgetAnswers(names: readonly string[]): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  await writeDevice(async (db) => {
    const transaction = db.transaction('answers', 'readwrite')
    for (const name of names) {
      const longer = `${name.slice(0, -1)},`
      await transaction.store.delete([owner, name])
      await transaction.store.delete(IDBKeyRange.bound([owner, longer], [owner, `${longer}\uffff`]))
    }
    await transaction.done
  })
}
