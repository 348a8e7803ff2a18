// Whose turn it is to send: one tab or the service worker at a time. It only saves work, for a write that goes out twice is
// applied once; so a runner that shows no sign of life loses its turn.
import { log } from '#api/log.ts'
import { readDevice, writeDevice } from './database.ts'

const LOCK = 'outbox-drain'
/** A phone may put a tab to sleep in the middle of its turn. */
const LEASE_MS = 60_000

type Work = (runner: string) => Promise<{ left: number }>

/** What this context waits to do, once at most: whoever asks meanwhile waits for the same. */
let waiting: Promise<{ left: number }> | null = null

/** Runs `work` when no other runs; a browser without locks (a page over plain http) runs it at once. */
export function withSendLock(work: Work): Promise<{ left: number }> {
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
    // The turn was taken away, or the browser is closing.
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

/** Missing in a page over plain http from another machine, whatever the types say. */
function locksOfBrowser(): LockManager | undefined {
  return navigator.locks
}

/** Lets whoever waits have the turn of a runner that shows no sign of life. */
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

/** A sign of life; false where another has taken the turn over. A device that keeps nothing knows of no other. */
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
