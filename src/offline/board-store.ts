// Stores the last pulled board in IndexedDB: its head with counts, and its leads by stage and latest message.
import { unwrap, wrap } from 'idb'
import { type Lead, spokenAtMs } from '#domain/lead/lead.ts'
import { readDevice, writeDevice } from './database.ts'
import type { StoredBoard } from './first-screen.ts'
import { type BoardHead, type BoardKey, boardKey, keysOf, leadKey, type LeadRecord } from './stores.ts'

/** What a request for changes has brought. */
export type BoardChange = {
  head: BoardHead
  /** The position from which the request asked for changes; null if it asked for the whole board. */
  base: string | null
  changed: readonly Lead[]
  removed: readonly number[]
  /** The complete new board, for a device whose stored board is too old to be changed. */
  whole: ReadonlyMap<number, Lead>
}

/**
 * How many rows a step reads or writes. Between steps a slow phone can handle touches, because writing copies each lead
 * on the page's own thread.
 */
const PIECE = { read: 200, write: 40 }

/** Reads the whole board in one transaction. */
export function readBoard(key: BoardKey): Promise<StoredBoard | null> {
  return readDevice(async (db) => {
    const transaction = db.transaction(['boards', 'leads'])
    const head = await transaction.objectStore('boards').get(boardKey(key))
    if (!head) return null
    const leads: Lead[] = []
    const after = (id: number) => IDBKeyRange.bound(leadKey(key, id), leadKey(key, Infinity), true)
    const store = transaction.objectStore('leads')
    let piece = await store.getAll(after(-Infinity), PIECE.read)
    while (piece.length > 0) {
      for (const { lead } of piece) leads.push(lead)
      piece = await store.getAll(after(piece.at(-1)?.id ?? Infinity), PIECE.read)
    }
    return { head, leads }
  })
}

/**
 * Stores a pull in one transaction. Tabs pull independently: a stored board that is as new stays. A stored board older
 * than the pull's base is replaced as a whole.
 */
export function saveBoard(key: BoardKey, change: BoardChange): Promise<void> {
  return writeDevice(async (db) => {
    const { head, base, changed, removed, whole } = change
    const transaction = db.transaction(['boards', 'leads'], 'readwrite', { durability: 'relaxed' })
    const boards = transaction.objectStore('boards')
    const leads = transaction.objectStore('leads')
    const stored = await boards.get(boardKey(key))
    if (stored && reaches(stored.cursor, head.cursor)) {
      await boards.put({ ...stored, pulledAtMs: Math.max(stored.pulledAtMs, head.pulledAtMs) })
    } else {
      const continues = stored !== undefined && base !== null && reaches(stored.cursor, base)
      await boards.put({ ...key, ...head })
      if (!continues) await leads.delete(keysOf(...boardKey(key)))
      for (const id of continues ? removed : []) await leads.delete(leadKey(key, id))
      await putAll(unwrap(leads), key, [...(continues ? changed : whole.values())])
    }
    await transaction.done
  })
}

/** Waits only for the last row of each step, because a promise per row would take longer than writing it. */
async function putAll(store: IDBObjectStore, key: BoardKey, leads: readonly Lead[]) {
  for (let from = 0; from < leads.length; from += PIECE.write) {
    const requests = leads.slice(from, from + PIECE.write).map((lead) => store.put(toRecord(key, lead)))
    const last = requests.at(-1)
    if (last) await wrap(last)
  }
}

/** True if a position is at or after another one of the same epoch. */
function reaches(cursor: string, other: string): boolean {
  const [epoch, at] = cursor.split('.')
  const [otherEpoch, otherAt] = other.split('.')
  return epoch === otherEpoch && Number(at) >= Number(otherAt)
}

function toRecord(key: BoardKey, lead: Lead): LeadRecord {
  return {
    ...key,
    id: lead.id,
    stageSlug: lead.stageSlug,
    order: [-spokenAtMs(lead), -lead.id],
    lead,
  }
}
