// Kept answers that may not stay: what they tell of is not this person's to see any more.
import { writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'

/** `names`: keys of queries as JSON; what is kept under a key that goes on from one of them goes as well. */
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
