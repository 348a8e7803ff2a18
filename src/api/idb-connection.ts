// An IndexedDB connection that survives a database that hangs, is refused, or is closed while the app sleeps.

/** After this wait a screen works without the stored data. */
const PATIENCE_MS = 4_000

export type Connection<Database> = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Runs work on a database that is opened at first use. After a first failure it reopens the database and repeats
 * `work`,
 * which must therefore be repeatable. Throws the browser's error, or an error if the database does not open in time.
 * `open` gets a callback to call when the connection was closed.
 */
export function connectionTo<Database>(open: (lost: () => void) => Promise<Database>): Connection<Database> {
  let opened: Promise<Database> | null = null
  const lose = () => (opened = null)
  const get = () => {
    if (opened) return opened
    const opening = open(lose)
    const patient = within(PATIENCE_MS, opening)
    opened = patient
    // A database that opens late is used from then on; until then no call waits for it again.
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
      // A timeout or a full disk would only happen again.
      if (isFull(cause) || !(cause instanceof DOMException)) throw cause
      lose()
      return work(await get())
    }
  }
}

/** The result of `work`; throws if it takes longer than `limitMs`. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether the error means that the device's storage is full. */
export function isFull(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'QuotaExceededError'
}
