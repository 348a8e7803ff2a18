// When the outbox is sent: at the start, when the network or the person comes back, when a wait is over.
import { MAX_WAIT_AHEAD_MS, nextAtMs } from '#domain/outbox/queue.ts'
import type * as Flush from './flush.ts'
import { SYNC_TAG, watchOutbox } from './outbox.ts'
import { currentOwner } from './owner.ts'
import { askToPersist } from './persistence.ts'

/** What is due and still here is in another's hands, or slipped through them. */
const LOOK_AGAIN_MS = 60_000

let sending: Promise<typeof Flush> | undefined

/** What sends comes apart: what is seen first needs nothing sent. Raises where it cannot be had now. */
export function loadSending(): Promise<typeof Flush> {
  sending ??= import('./flush.ts').catch((cause: unknown) => {
    sending = undefined
    throw cause
  })
  return sending
}

/** Sends what is due once that is here. Never raises; what could not be sent waits for the next reason. */
export async function drain(reason: Flush.DrainReason): Promise<void> {
  await loadSending().then(
    (flush) => flush.drain(reason),
    () => undefined,
  )
}

/** Keeps sending while the app is open; answers the stop. */
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

/** Something was written down: it goes out now, and where it cannot, the browser itself may come back to it later. */
export function sendSoon() {
  // From now on something would be lost.
  void askToPersist()
  void askForSync()
  void drain('added')
}

type Syncing = { sync: { register: (tag: string) => Promise<void> } }

/** Background Sync, where it exists. */
async function askForSync() {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    if (registration && 'sync' in registration) await (registration as Syncing).sync.register(SYNC_TAG)
  } catch {
    // Refused in some private windows; the app sends while it is open.
  }
}
