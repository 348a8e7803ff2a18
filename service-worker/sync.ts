// Sends what waits when no tab is open: the browser itself comes back to it once there is a signal.
import { drain } from '#offline/flush.ts'
import { SYNC_TAG } from '#offline/outbox.ts'

declare const self: ServiceWorkerGlobalScope

/** Background Sync, which the types do not know yet. */
type SyncEvent = ExtendableEvent & { tag: string }

export function sendInBackground() {
  self.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent
    if (tag === SYNC_TAG) (event as SyncEvent).waitUntil(sendAll())
  })
}

/** Raises while something is left, so that the browser comes back later. */
async function sendAll(): Promise<void> {
  const { left } = await drain('sync')
  if (left > 0) throw new Error(`${left} still waiting`)
}
