// An IndexedDB connection that survives a database that hangs, refuses, or closes while the app sleeps.

/** A screen waits this long for the database, then works without stored data. */
const PATIENCE_MS = 4_000

export type Connection<Database> = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Returns a function that runs work on a database. The database is opened at the first use. After a failure it is
 * opened again and `work` repeated, so `work` must be repeatable. Throws the browser's error, or an error if the
 * database does not open in time. `open` gets a callback for when the connection closes.
 */
export function connectionTo<Database>(open: (lost: () => void) => Promise<Database>): Connection<Database> {
  let opened: Promise<Database> | null = null
  const lose = () => (opened = null)
  const get = () => {
    if (opened) return opened
    const opening = open(lose)
    const patient = within(PATIENCE_MS, opening)
    opened = patient
    // If the database opens late, later calls use it. Until then no call waits for it again.
    const settle = () => {
      if (opened === patient) opened = opening
    }
    opening.then(settle, settle)
    return patient
  }
  return async (work) => {
    try {
      return await work(await get())
    } catch (cause) {
      // A retry would not help after a timeout or on a full disk.
      if (isFull(cause) || !(cause instanceof DOMException)) throw cause
      lose()
      return work(await get())
    }
  }
}

/** Resolves with the result of `work`; throws if it takes longer than `limitMs`. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** True if the error means that the device's storage is full. */
export function isFull(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'QuotaExceededError'
}
