// Kept answers that may not stay: what they tell of is not this person's to see any more.
import { writeDevice } from './database.ts'
import { currentOwner } from './owner.ts'

export async function forgetAnswers(names: readonly string[]): Promise<void> {
  const owner = currentOwner()
  if (owner === null) return
  await writeDevice(async (db) => {
    const transaction = db.transaction('answers', 'readwrite')
    for (const name of names) await transaction.store.delete([owner, name])
    await transaction.done
  })
}
