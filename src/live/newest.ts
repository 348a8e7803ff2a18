// Reloads this page as the portal serves it now, although an older page is stored on the device.

import { log } from '#api/log.ts'

/** If it fails, the page is as it was, and the next start shows the newest. */
export const reloadNewest = () => reload().catch((cause: unknown) => log.info('newest.not-shown', cause))

/** A waiting or new service worker takes over first. Without one, or without a change, the page only reloads. */
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

/** Null: there is none, or its installation failed. */
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
    // As workbox-window asks for it.
    worker.postMessage({ type: 'SKIP_WAITING' })
  })
}
