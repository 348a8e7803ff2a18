// The app's IndexedDB, which page and service worker share: its stores and versions, and a connection that may break.
import { type IDBPDatabase, openDB } from 'idb'
import { connectionTo, isFull, within } from '#api/idb-connection.ts'
import { noteStorage, storageState } from './storage-state.ts'
import type { Stores } from './stores.ts'

const NAME = 'portal'
/** A higher number makes devices delete their caches, which the server fills again. Outbox and drafts stay. */
const VERSION = 3
/** A read that takes longer fails, because reads hang on some phones. */
const READ_WITHIN_MS = 8_000

export type PortalDatabase = IDBPDatabase<Stores>

const CACHES = ['boards', 'leads', 'answers'] as const

function upgrade(db: PortalDatabase) {
  for (const store of CACHES) if (db.objectStoreNames.contains(store)) db.deleteObjectStore(store)
  if (!db.objectStoreNames.contains('outbox')) {
    db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
    db.createObjectStore('runner')
    db.createObjectStore('drafts', { keyPath: ['owner', 'place'] })
  }
  db.createObjectStore('boards', { keyPath: ['owner', 'instanceName'] })
  const leads = db.createObjectStore('leads', { keyPath: ['owner', 'instanceName', 'id'] })
  leads.createIndex('by-stage', ['owner', 'instanceName', 'stageSlug', 'order'])
  const answers = db.createObjectStore('answers', { keyPath: ['owner', 'name'] })
  answers.createIndex('by-age', ['owner', 'kind', 'answeredAtMs'])
}

/**
 * Opens the newest version. A tab of an older build keeps working, because new versions only add to the lasting stores.
 */
async function openNewest(lost: () => void): Promise<PortalDatabase> {
  const events = {
    terminated: lost,
    // Closes this connection, because a newer build waits for that.
    blocking: (_: number, __: number | null, event: IDBVersionChangeEvent) => {
      lost()
      if (event.target instanceof IDBDatabase) event.target.close()
    },
  }
  try {
    return await openDB<Stores>(NAME, VERSION, { upgrade, ...events })
  } catch (cause) {
    if (!(cause instanceof DOMException) || cause.name !== 'VersionError') throw cause
    return openDB<Stores>(NAME, undefined, events)
  }
}

const onDevice = connectionTo(openNewest)

/** Reads from the device; `work` may run twice. Throws the browser's errors, and an error after the time limit. */
export async function readDevice<T>(work: (db: PortalDatabase) => Promise<T>): Promise<T> {
  try {
    const result = await within(READ_WITHIN_MS, onDevice(work))
    // 'full' stays, because a device that can be read may still be full.
    if (storageState() === 'broken') noteStorage('ok')
    return result
  } catch (cause) {
    noteStorage('broken')
    throw cause
  }
}

/** Writes in one transaction; `work` may run twice. Throws the browser's errors. */
export async function writeDevice<T = void>(work: (db: PortalDatabase) => Promise<T>): Promise<T> {
  try {
    const result = await onDevice(work)
    if (storageState() !== 'full' || (await hasRoom())) noteStorage('ok')
    return result
  } catch (cause) {
    noteStorage(isFull(cause) ? 'full' : 'broken')
    throw cause
  }
}

/** True if a small test write succeeds. Deleting proves nothing, because it works on a full device too. */
const hasRoom = () =>
  onDevice((db) => db.put('runner', { id: '', untilMs: 0 }, 'room')).then(
    () => true,
    () => false,
  )
