// Where the signed-in session is kept: IndexedDB, so that page and service worker share it. PRODUCT.md 3.
import { openDB, type IDBPDatabase } from 'idb'
import { log } from './log.ts'
import { within } from './within.ts'

const DATABASE = 'portal-session'
const STORE = 'session'
/** A screen rather asks for a new sign-in than waits for good. */
const PATIENCE_MS = 3_000

let opened: Promise<IDBPDatabase> | null = null
/** Answers where the browser refuses IndexedDB (some private windows): the session then ends with the tab. */
const memory = new Map<string, string>()

function open(): Promise<IDBPDatabase> {
  opened ??= openDB(DATABASE, 1, {
    upgrade: (db) => void db.createObjectStore(STORE),
    terminated: () => (opened = null),
  })
  return opened
}

/** A phone may cut the connection while the app sleeps: the first failure opens it again, once. */
async function attempt<T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  const tryOnce = async () => work(await open())
  try {
    return await within(PATIENCE_MS, tryOnce())
  } catch {
    opened = null
    return within(PATIENCE_MS, tryOnce())
  }
}

async function getItem(key: string): Promise<string | null> {
  try {
    const value: unknown = await attempt((db) => db.get(STORE, key))
    return typeof value === 'string' ? value : null
  } catch (cause) {
    log.warn('session-store.read-failed', cause)
    return memory.get(key) ?? null
  }
}

async function setItem(key: string, value: string): Promise<void> {
  memory.set(key, value)
  try {
    await attempt((db) => db.put(STORE, value, key))
  } catch (cause) {
    log.warn('session-store.write-failed', cause)
  }
}

async function removeItem(key: string): Promise<void> {
  memory.delete(key)
  try {
    await attempt((db) => db.delete(STORE, key))
  } catch (cause) {
    log.warn('session-store.remove-failed', cause)
  }
}

/** The shape that auth-js keeps its session in; it never raises. */
export const sessionStore = { getItem, setItem, removeItem }
