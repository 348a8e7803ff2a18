// Sends the outbox while no tab is open: the browser fires a sync event once there is a network.
import { drain } from '#offline/flush.ts'
import { SYNC_TAG } from '#offline/outbox.ts'

declare const self: ServiceWorkerGlobalScope

/** The event of Background Sync, which the TypeScript types lack. */
type SyncEvent = ExtendableEvent & { tag: string }

export function sendInBackground() {
  self.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent
    if (tag === SYNC_TAG) (event as SyncEvent).waitUntil(sendAll())
  })
}

/** Sends all entries. Throws if some are left, so that the browser fires the event again later. */
async function sendAll(): Promise<void> {
  const { left } = await drain('sync')
  if (left > 0) throw new Error(`${left} still waiting`)
}
