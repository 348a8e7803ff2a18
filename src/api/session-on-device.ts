// Stores the session in IndexedDB, where page and service worker share it.
import { openDB, type IDBPDatabase } from 'idb'
import { connectionTo, within } from './idb-connection.ts'
import { log } from './log.ts'

const DATABASE = 'portal-session'
const STORE = 'session'
const WITHIN_MS = 6_000

/** The key under which auth-js stores the session. */
export const STORAGE_KEY = 'session'

/**
 * What this tab last read or wrote. It is used if the browser refuses IndexedDB, as some private windows do; the
 * session then ends with the tab. It is also used if a read hangs, because the user would appear signed out.
 */
const memory = new Map<string, string>()

const onDevice = connectionTo((lost) =>
  openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE), terminated: lost }),
)

/** Runs work with a time limit, so that a hanging read or write does not block a sign-in. */
function attempt<T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  return within(WITHIN_MS, onDevice(work))
}

let ahead: { key: string; reading: Promise<string | null> } | null = null

/**
 * Starts to read the session before it is needed. The first caller gets this result, unless the session was written
 * since.
 */
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

/** The storage that auth-js uses. It never throws. */
export const sessionStore = { getItem, setItem, removeItem }
