// Reloads the page in the portal's present version, although the device has an older one stored.

import { log } from '#api/log.ts'

/** If this fails, the page stays, and the next start brings the new version. */
export const reloadNewest = () => reload().catch((cause: unknown) => log.info('newest.not-shown', cause))

/** Lets a new service worker take over first. If there is none, the page only reloads. */
async function reload() {
  const registration =
    'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  if (registration?.active) {
    await registration.update()
    const worker = registration.waiting ?? (await installed(registration.installing))
    if (worker) await takenOver(worker)
  }
  location.reload()
}

/** Resolves once the worker is installed; with null if there is none or its installation failed. */
function installed(worker: ServiceWorker | null): Promise<ServiceWorker | null> {
  if (!worker) return Promise.resolve(null)
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'installing') return
      worker.removeEventListener('statechange', look)
      resolve(worker.state === 'redundant' ? null : worker)
    }
    worker.addEventListener('statechange', look)
    look()
  })
}

function takenOver(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    // The message that workbox-window sends for the same purpose.
    worker.postMessage({ type: 'SKIP_WAITING' })
  })
}
