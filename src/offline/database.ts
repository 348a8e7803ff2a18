// The app's IndexedDB, shared by page and service worker: its stores, versions, and a connection that may be lost.
import { type IDBPDatabase, openDB } from 'idb'
import { connectionTo, isFull, within } from '#api/idb-connection.ts'
import { noteStorage, storageState } from './storage-state.ts'
import type { Stores } from './stores.ts'

const NAME = 'portal'
/** A higher number deletes the caches, which the server fills again, but never the outbox or a draft. */
const VERSION = 3
/** Time limit of a read, because reads hang on some phones. */
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

/** A tab of an older build keeps working with the stores it knows: a new version only adds to lasting stores. */
async function openNewest(lost: () => void): Promise<PortalDatabase> {
  const events = {
    terminated: lost,
    // A newer build waits until this connection closes.
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
    // A device that can be read may still be full.
    if (storageState() === 'broken') noteStorage('ok')
    return result
  } catch (cause) {
    noteStorage('broken')
    throw cause
  }
}

/** Writes in one transaction, which `work` may start twice. Throws the browser's errors. */
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

/** Deleting succeeds on a full device, so a small write tests for space. */
const hasRoom = () =>
  onDevice((db) => db.put('runner', { id: '', untilMs: 0 }, 'room')).then(
    () => true,
    () => false,
  )
