// The conversations that a device stores, for a search among them.
import { readDevice } from './database.ts'
import { keysOf } from './stores.ts'

/** Of these shapes; the newest answer first. `key` is the query's key. */
export function readConversations(
  owner: string,
  { kind, version }: { kind: string; version: number },
): Promise<{ key: unknown; data: unknown }[]> {
  return readDevice(async (db) => {
    const stored = await db.getAllFromIndex('answers', 'by-age', keysOf(owner, kind))
    return stored
      .filter((one) => one.version === version)
      .toReversed()
      .map(({ name, data }) => ({ key: JSON.parse(name) as unknown, data }))
  })
}
