// Asks the browser not to evict the stored data when the device runs out of space.
import { log } from '#api/log.ts'

let hasAsked = false

/** Asks once per visit. Some browsers ask the user, so call it only once there is data to lose. */
export async function askToPersist(): Promise<void> {
  if (hasAsked) return
  hasAsked = true
  try {
    // Some phones lack this interface, although the types say otherwise.
    const storage: StorageManager | undefined = navigator.storage
    if (await storage?.persisted()) return
    log.info('storage.persistence', (await storage?.persist()) ? 'granted' : 'refused')
  } catch (cause) {
    log.warn('storage.persistence-failed', cause)
  }
}

/** Asks at once in an installed app, because browsers then do not ask the user. */
export function persistWhenInstalled() {
  if (globalThis.matchMedia?.('(display-mode: standalone)').matches) void askToPersist()
}
