// The page's side of the service worker: registers it, checks for new versions, and updates when the user accepts
// (features/install/update-offer.tsx asks).
import { useSyncExternalStore } from 'react'
import { Workbox } from 'workbox-window'
import { log } from '#api/log.ts'

/**
 * `waiting`: a new version can take over. `elsewhere`: it took over in another window, but this one still runs the old
 * version.
 */
export type Update = 'none' | 'waiting' | 'elsewhere'

const CHECK_MS = 60 * 60_000
/** Browsers send no event when a weak signal improves, so a failed registration is retried after this time. */
const AGAIN_AFTER_MS = 10_000

let update: Update = 'none'
let workbox: Workbox | null = null
/** True once the worker is registered, and while it is being registered. */
let isRegistered = false
/** Only the window whose user asked for the new version reloads; others would lose what their user is doing. */
let hasAsked = false
const listeners = new Set<() => void>()

function become(next: Update) {
  update = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useUpdate(): Update {
  return useSyncExternalStore(subscribe, () => update)
}

/**
 * Registers the service worker, again if the network failed. Checks for a new version each hour and when the app
 * becomes visible. Does nothing where there are no service workers, as over plain http.
 */
export function keepFresh() {
  if (workbox || !('serviceWorker' in navigator)) return
  register()
  addEventListener('online', register)
  setInterval(check, CHECK_MS)
  document.addEventListener('visibilitychange', check)
}

function register() {
  if (isRegistered) return
  isRegistered = true
  workbox = createWorkbox()
  workbox.register().catch((cause: unknown) => {
    log.warn('service-worker.not-registered', cause)
    registerLater()
  })
}

function registerLater() {
  isRegistered = false
  setTimeout(register, AGAIN_AFTER_MS)
}

/** Makes a new instance for each attempt, because an instance can register only once. */
function createWorkbox(): Workbox {
  const made = import.meta.env.DEV
    ? new Workbox('/dev-sw.js?dev-sw', { scope: '/', type: 'module' })
    : new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
  // workbox-window computes isUpdate only at the registration, so after a first visit it would stay false.
  let isControlled = Boolean(navigator.serviceWorker.controller)
  made.addEventListener('waiting', () => become('waiting'))
  made.addEventListener('controlling', () => {
    if (hasAsked) location.reload()
    else if (isControlled) become('elsewhere')
    isControlled = true
  })
  // The first installation was interrupted. Its cached files stay, so the next attempt continues from there.
  made.addEventListener('redundant', () => {
    if (!isControlled) registerLater()
  })
  return made
}

function check() {
  if (document.hidden || !navigator.onLine) return
  register()
  workbox?.update().catch((cause: unknown) => log.info('service-worker.not-checked', cause))
}

/** Activates the new version and reloads the page. Components have stored drafts and scroll positions. */
export function takeUpdate() {
  if (update === 'elsewhere') return location.reload()
  hasAsked = true
  workbox?.messageSkipWaiting()
}
