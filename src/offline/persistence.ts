// Asks the browser to spare what is kept here when the device runs short of room.
import { log } from '#api/log.ts'

let hasAsked = false

/** Some browsers ask the person in turn, so not before something would be lost. Asks once a visit. */
export async function askToPersist(): Promise<void> {
  if (hasAsked) return
  hasAsked = true
  try {
    // Missing on some phones, whatever the types say.
    const storage: StorageManager | undefined = navigator.storage
    if (await storage?.persisted()) return
    log.info('storage.persistence', (await storage?.persist()) ? 'granted' : 'refused')
  } catch (cause) {
    log.warn('storage.persistence-failed', cause)
  }
}

/** On the home screen the browser does not ask, and what is kept is meant to stay. */
export function persistWhenInstalled() {
  if (globalThis.matchMedia?.('(display-mode: standalone)').matches) void askToPersist()
}
