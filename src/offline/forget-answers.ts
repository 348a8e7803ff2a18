// Kept answers that may not stay: what they tell of is not this person's to see any more. PRODUCT.md 4.2, 4.8.
import { writeDevice } from './database.ts'

export function forgetAnswers(owner: string, names: readonly string[]): Promise<void> {
  return writeDevice(async (db) => {
    const transaction = db.transaction('answers', 'readwrite')
    for (const name of names) await transaction.store.delete([owner, name])
    await transaction.done
  })
}
