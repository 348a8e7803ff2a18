// Sends the outbox when no tab is open: the browser fires a sync event once the network is back.
import { drain } from '#offline/flush.ts'
import { SYNC_TAG } from '#offline/outbox.ts'

declare const self: ServiceWorkerGlobalScope

/** Background Sync event, which the TypeScript types lack. */
type SyncEvent = ExtendableEvent & { tag: string }

export function sendInBackground() {
  self.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent
    if (tag === SYNC_TAG) (event as SyncEvent).waitUntil(sendAll())
  })
}

/** Throws while entries are left, so that the browser fires the sync event again later. */
async function sendAll(): Promise<void> {
  const { left } = await drain('sync')
  if (left > 0) throw new Error(`${left} still waiting`)
}
