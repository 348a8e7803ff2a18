// Lists the drafts that a user has on this device.
import { readDevice } from './database.ts'
import { keysOf } from './stores.ts'

/** Their keys: 'conversation:7', 'notes:7'. Throws the browser's errors. */
export async function listDraftKeys(owner: string): Promise<string[]> {
  const stored = await readDevice((db) => db.getAllKeys('drafts', keysOf(owner)))
  return stored.map(([, key]) => key)
}
