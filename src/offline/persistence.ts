// Asks the browser not to evict the stored data when the device runs out of space.
import { log } from '#api/log.ts'

let hasAsked = false

/** Some browsers ask the user, so call it only once there is something to lose. Asks once per visit. */
export async function askToPersist(): Promise<void> {
  if (hasAsked) return
  hasAsked = true
  try {
    // Some phones lack it, contrary to the types.
    const storage: StorageManager | undefined = navigator.storage
    if (await storage?.persisted()) return
    log.info('storage.persistence', (await storage?.persist()) ? 'granted' : 'refused')
  } catch (cause) {
    log.warn('storage.persistence-failed', cause)
  }
}

/** An installed app is not asked by the browser, and its data is meant to stay. */
export function persistWhenInstalled() {
  if (globalThis.matchMedia?.('(display-mode: standalone)').matches) void askToPersist()
}
