// The lock for sending: one tab or the service worker sends at a time. It only saves work, because the server applies
// each write once. So another sender may take the lock once the lease has expired.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'

const LOCK = 'outbox-drain'
/** The lease of the lock, because a phone may suspend the tab that holds it. */
const LEASE_MS = 60_000

type Work = (runner: string) => Promise<{ left: number }>

/** This tab's run that waits for the lock. Null: none is waiting. */
let waiting: Promise<{ left: number }> | null = null

/**
 * Runs `work` once the lock is free. A call while another one waits joins that one, and its own `work` does not run.
 * Browsers without locks, as on pages over plain http, run `work` at once.
 */
export function queueSendRun(work: Work): Promise<{ left: number }> {
  if (waiting) {
    void endStaleLock()
    return waiting
  }
  const runner = `${performance.timeOrigin}-${Math.random()}`
  const asked = ask(async () => {
    waiting = null
    await takeLease(runner)
    try {
      return await work(runner)
    } finally {
      await leaveLease(runner)
    }
  }).catch((cause: unknown) => {
    // Another tab stole the lock, or the browser is closing.
    log.info('outbox.turn-lost', cause)
    if (waiting === asked) waiting = null
    return { left: 0 }
  })
  waiting = asked
  return asked
}

async function ask<T>(begin: () => Promise<T>): Promise<T> {
  const locks = locksOfBrowser()
  return locks ? locks.request(LOCK, { steal: await isStale() }, begin) : begin()
}

/** Browsers lack locks on pages over plain http, although the types say otherwise. */
function locksOfBrowser(): LockManager | undefined {
  return navigator.locks
}

/** Steals the lock from a sender whose lease has expired. */
async function endStaleLock() {
  if (await isStale()) await locksOfBrowser()?.request(LOCK, { steal: true }, () => undefined)
}

async function isStale(): Promise<boolean> {
  const lease = await readDevice((db) => db.get('runner', 'outbox')).catch(() => undefined)
  return lease !== undefined && lease.untilMs < Date.now()
}

async function takeLease(id: string): Promise<void> {
  await writeDevice((db) => db.put('runner', { id, untilMs: Date.now() + LEASE_MS }, 'outbox')).catch(
    () => undefined,
  )
}

/**
 * Renews the lease. Resolves with false if another sender has the lock, and with true if the device cannot store
 * leases.
 */
export async function holdLease(id: string): Promise<boolean> {
  return writeDevice(async (db) => {
    const { store, done } = db.transaction('runner', 'readwrite')
    const isOurs = (await store.get('outbox'))?.id === id
    if (isOurs) await store.put({ id, untilMs: Date.now() + LEASE_MS }, 'outbox')
    await done
    return isOurs
  }).catch(() => true)
}

async function leaveLease(id: string): Promise<void> {
  await writeDevice(async (db) => {
    const { store, done } = db.transaction('runner', 'readwrite')
    if ((await store.get('outbox'))?.id === id) await store.delete('outbox')
    await done
  }).catch(() => undefined)
}
