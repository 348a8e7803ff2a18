// Lists the drafts that a user has on this device.
import { readDevice } from './database.ts'
import { keysOf } from './stores.ts'

/** Returns the keys of all drafts, such as 'conversation:7' and 'notes:7'. Throws the browser's errors. */
export async function listDraftKeys(owner: string): Promise<string[]> {
  const stored = await readDevice((db) => db.getAllKeys('drafts', keysOf(owner)))
  return stored.map(([, key]) => key)
}
