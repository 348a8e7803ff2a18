// 'Sair': a part of its own, for it knows the device's stores, which the way in does without.
import { signOut } from '#api/auth.ts'
import { log } from '#api/log.ts'
import { forgetLeadMarks } from '#data/lead-marks.ts'
import { currentOwner } from '#offline/owner.ts'
import { wipe } from '#offline/wipe.ts'
import { forgetUser } from '#data/session.ts'

/** Clears the stored user, the connection status and all of that person on this device; on the server too when there is a network. */
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

/** This browser is told nothing more, and the worker takes what was told from the locked screen. */
async function quieten() {
  // Missing where the page came over plain http, whatever the types say.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration()
  registration?.active?.postMessage({ type: 'LEFT' })
}
