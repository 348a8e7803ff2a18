// Decides when to send the outbox: at the start, when the network or the user returns, and when a delay ends.
import { MAX_WAIT_AHEAD_MS, nextAtMs } from '#domain/outbox/queue.ts'
import type * as Flush from './flush.ts'
import { SYNC_TAG, watchOutbox } from './outbox.ts'
import { currentOwner } from './owner.ts'
import { askToPersist } from './persistence.ts'

/** Looks again after this time. An entry that is due but still there is being sent by another tab, or was missed. */
const LOOK_AGAIN_MS = 60_000

let sending: Promise<typeof Flush.drain> | undefined

/** Loads the code that sends, which the first screen does not need. Throws if it cannot be loaded now. */
export function loadSending(): Promise<typeof Flush.drain> {
  // Importing a missing chunk rejects (src/app/load-part.ts).
  sending ??= import('./flush.ts')
    .then(({ drain: send }) => send)
    .catch((cause: unknown) => {
      sending = undefined
      throw cause
    })
  return sending
}

/** Loads the code that sends, and sends due entries. Never throws; unsent entries wait for the next reason. */
export async function drain(reason: Flush.DrainReason): Promise<void> {
  await loadSending().then(
    (send) => send(reason),
    () => undefined,
  )
}

/** Keeps sending while the app is open. Returns the function that stops it. */
export function keepSending(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isFirstPoll = true
  const stopWatching = watchOutbox(({ entries }) => {
    clearTimeout(timer)
    const owner = currentOwner()
    const nextMs = owner === null ? null : nextAtMs(entries, owner)
    const isStart = isFirstPoll
    isFirstPoll = false
    if (nextMs === null) return
    if (isStart) void drain('start')
    const waitMs = nextMs - Date.now()
    const isToCome = waitMs > 0 && waitMs <= MAX_WAIT_AHEAD_MS
    timer = setTimeout(() => void drain('timer'), isToCome ? waitMs : LOOK_AGAIN_MS)
  })
  const online = () => void drain('online')
  const visible = () => {
    if (document.visibilityState === 'visible') void drain('visible')
  }
  addEventListener('online', online)
  document.addEventListener('visibilitychange', visible)
  return () => {
    clearTimeout(timer)
    stopWatching()
    removeEventListener('online', online)
    document.removeEventListener('visibilitychange', visible)
  }
}

/** Sends a new entry now; if that fails, the browser's Background Sync may send it later. */
export function sendSoon() {
  // There is data to lose now, so the browser is asked to keep it.
  void askToPersist()
  void askForSync()
  void drain('added')
}

type Syncing = { sync: { register: (tag: string) => Promise<void> } }

/** Registers Background Sync in browsers that have it. */
async function askForSync() {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    if (registration && 'sync' in registration) await (registration as Syncing).sync.register(SYNC_TAG)
  } catch {
    // Some private windows refuse Background Sync; the app then sends only while it is open.
  }
}
