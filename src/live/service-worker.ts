// The page's side of the service worker: registration, checks for a new version, and the update when the user accepts.
import { useSyncExternalStore } from 'react'
import { Workbox } from 'workbox-window'
import { log } from '#api/log.ts'

/**
 * `waiting`: a new version can take over; `elsewhere`: another window let it take over, and this one still runs the old
 * one.
 */
export type Update = 'none' | 'waiting' | 'elsewhere'

const CHECK_MS = 60 * 60_000
/** Retry delay after a failed registration: no event says when a weak signal gets better. */
const AGAIN_AFTER_MS = 10_000

let update: Update = 'none'
let workbox: Workbox | null = null
/** True also while the registration runs. */
let isRegistered = false
/** Only the window that asked for the new version reloads; others would lose what the user is doing. */
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
 * Registers the worker, and again if the network failed meanwhile. Checks for a new version each hour
 * and whenever the app becomes visible. Without service workers, or over plain http, it does nothing.
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

/** A new instance for each attempt, because one instance handles one registration. */
function createWorkbox(): Workbox {
  const made = import.meta.env.DEV
    ? new Workbox('/dev-sw.js?dev-sw', { scope: '/', type: 'module' })
    : new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
  // workbox-window sets its isUpdate once at registration; after a first visit it would stay false.
  let isControlled = Boolean(navigator.serviceWorker.controller)
  made.addEventListener('waiting', () => become('waiting'))
  made.addEventListener('controlling', () => {
    if (hasAsked) location.reload()
    else if (isControlled) become('elsewhere')
    isControlled = true
  })
  // The first install was interrupted. Its cached files stay, so the next one continues from there.
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

/** Activates the new version and reloads this page; drafts and scroll positions are stored by their components. */
export function takeUpdate() {
  if (update === 'elsewhere') return location.reload()
  hasAsked = true
  workbox?.messageSkipWaiting()
}
