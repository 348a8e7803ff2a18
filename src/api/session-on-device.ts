// Stores the session in IndexedDB, so that the page and the service worker share it.
import { openDB, type IDBPDatabase } from 'idb'
import { connectionTo, within } from './idb-connection.ts'
import { log } from './log.ts'

const DATABASE = 'portal-session'
const STORE = 'session'
const WITHIN_MS = 6_000

/** The key that auth-js uses. */
export const STORAGE_KEY = 'session'

/**
 * What this tab read or wrote last. It answers if the browser refuses IndexedDB (some private windows), so that the
 * session
 * ends with the tab, and if a read hangs, so that the user does not appear signed out.
 */
const memory = new Map<string, string>()

const onDevice = connectionTo((lost) =>
  openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE), terminated: lost }),
)

/** Limits the time, so that a hanging read or write does not block a sign-in. */
function attempt<T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  return within(WITHIN_MS, onDevice(work))
}

let ahead: { key: string; reading: Promise<string | null> } | null = null

/** Starts the read early. The first caller gets its result, unless the session was written since. */
export function readSessionAhead(): Promise<string | null> {
  ahead = { key: STORAGE_KEY, reading: read(STORAGE_KEY) }
  return ahead.reading
}

function getItem(key: string): Promise<string | null> {
  const taken = ahead
  ahead = null
  return taken?.key === key ? taken.reading : read(key)
}

async function read(key: string): Promise<string | null> {
  try {
    const value: unknown = await attempt((db) => db.get(STORE, key))
    if (typeof value === 'string') memory.set(key, value)
    else memory.delete(key)
  } catch (cause) {
    log.warn('session-store.read-failed', cause)
  }
  return memory.get(key) ?? null
}

async function setItem(key: string, value: string): Promise<void> {
  ahead = null
  memory.set(key, value)
  try {
    await attempt((db) => db.put(STORE, value, key))
  } catch (cause) {
    log.warn('session-store.write-failed', cause)
  }
}

async function removeItem(key: string): Promise<void> {
  ahead = null
  memory.delete(key)
  try {
    await attempt((db) => db.delete(STORE, key))
  } catch (cause) {
    log.warn('session-store.remove-failed', cause)
  }
}

/** The storage interface that auth-js expects; it never throws. */
export const sessionStore = { getItem, setItem, removeItem }
