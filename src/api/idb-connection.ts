// A connection to an IndexedDB that may hang, be refused, or be cut while the app sleeps.

/** A screen rather works without what is kept than waits longer. */
const PATIENCE_MS = 4_000

export type Connection<Database> = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Runs work on a database that is opened when first needed. The first failure opens it again, once: `work` must be safe
 * to begin again. Raises what the browser raises, and when it does not open. `open` is given what to call when the
 * connection was cut.
 */
export function connectionTo<Database>(open: (lost: () => void) => Promise<Database>): Connection<Database> {
  let opened: Promise<Database> | null = null
  const lose = () => (opened = null)
  const get = () => {
    if (opened) return opened
    const opening = open(lose)
    const patient = within(PATIENCE_MS, opening)
    opened = patient
    // What opens late is used from then on; until then nothing waits for it again.
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
      // What hangs would hang again, and a full disk stays full.
      if (isFull(cause) || !(cause instanceof DOMException)) throw cause
      lose()
      return work(await get())
    }
  }
}

/** What `work` comes to; raises when that takes longer than `limitMs`. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether the device has no room left. */
export function isFull(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'QuotaExceededError'
}
