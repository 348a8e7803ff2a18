// Signs out. A chunk of its own, because it needs the device's stores, which the sign-in page does not load.
import { signOut } from '#api/auth.ts'
import { log } from '#api/log.ts'
import { forgetLeadMarks } from '#data/lead-marks.ts'
import { currentOwner } from '#offline/owner.ts'
import { wipe } from '#offline/wipe.ts'
import { forgetUser } from '#data/session.ts'

/**
 * Deletes the stored user, the connection status and all of that user's data on this device; online, it also ends the
 * session on the server.
 */
export async function exit(): Promise<void> {
  const owner = currentOwner()
  forgetUser()
  forgetLeadMarks()
  const wiping = owner === null ? null : wipe(owner)
  await Promise.all([
    wiping?.catch((cause: unknown) => log.warn('device.wipe-failed', cause)),
    quieten().catch((cause: unknown) => log.warn('push.not-quietened', cause)),
    signOut(),
  ])
}

/** Tells the service worker to unsubscribe this browser from pushes and to close its notifications. */
async function quieten() {
  // Pages over plain http have no service workers, although the types say otherwise.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration()
  registration?.active?.postMessage({ type: 'LEFT' })
}
