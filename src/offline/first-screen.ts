// Reads only the leads that a screen shows first. The page's first script starts it, before the app is loaded.
import type { Lead } from '#domain/lead/lead.ts'
import { readDevice } from './database.ts'
import { forgetOnExit } from './owner.ts'
import { type BoardHead, type BoardKey, boardKey, keysOf, leadKey } from './stores.ts'

export type StoredBoard = { head: BoardHead; leads: Lead[] }

/** No screen shows more leads of one stage at once. */
const FIRST_SCREEN = 16

let ahead: { key: BoardKey; reading: Promise<StoredBoard | null> } | null = null
forgetOnExit(() => (ahead = null))

/** Starts the read early. Its result is used once, and only for this owner. */
export function readFirstScreenAhead(key: BoardKey): Promise<StoredBoard | null> {
  ahead = { key, reading: read(key) }
  return ahead.reading
}

/**
 * Reads the counts, each stage's first leads, and leads with outbox entries. Those are needed because an entry may move
 * a lead to another stage, which changes both counts. Null if no board is stored.
 */
export function readFirstScreen(key: BoardKey): Promise<StoredBoard | null> {
  const taken = ahead
  ahead = null
  const isSame = taken?.key.owner === key.owner && taken.key.instanceName === key.instanceName
  return isSame ? taken.reading : read(key)
}

function read(key: BoardKey): Promise<StoredBoard | null> {
  return readDevice(async (db) => {
    const transaction = db.transaction(['boards', 'leads', 'outbox'])
    const [head, waiting] = await Promise.all([
      transaction.objectStore('boards').get(boardKey(key)),
      transaction.objectStore('outbox').getAll(),
    ])
    if (!head) return null
    const store = transaction.objectStore('leads')
    const byStage = store.index('by-stage')
    const ids = new Set(waiting.map(({ command }) => command.lead.id))
    const records = await Promise.all([
      ...Array.from(head.counts.keys(), (slug) =>
        byStage.getAll(keysOf(...boardKey(key), slug), FIRST_SCREEN),
      ),
      ...Array.from(ids, (id) => store.getAll(leadKey(key, id))),
    ])
    const leads = new Map(records.flat().map(({ id, lead }) => [id, lead]))
    return { head, leads: [...leads.values()] }
  })
}
