// The service worker as the page sees it: registered, asked for a new version, let in when the person says so.
import { useSyncExternalStore } from 'react'
import { Workbox } from 'workbox-window'
import { log } from '#api/log.ts'

/** `waiting`: a new version may take over; `elsewhere`: it has, by another window's wish, and this one still runs the old. */
export type Update = 'none' | 'waiting' | 'elsewhere'

const CHECK_MS = 60 * 60_000
/** A signal that is weak says nothing when it is better. */
const AGAIN_AFTER_MS = 10_000

let update: Update = 'none'
let workbox: Workbox | null = null
/** Or about to be. */
let isRegistered = false
/** Only the window that asked for the new version loads it; no other is reloaded under its person's hands. */
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
 * Registers the worker, again where the signal was lost over it or over what it keeps, and looks for a new version each hour
 * and whenever the app comes to the front. A browser without workers, or a page over plain http, does without.
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

/** One for each try: it knows one registration. */
function createWorkbox(): Workbox {
  const made = import.meta.env.DEV
    ? new Workbox('/dev-sw.js?dev-sw', { scope: '/', type: 'module' })
    : new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
  // workbox-window's own isUpdate is fixed when it registers: false for ever where the first visit goes on.
  let isControlled = Boolean(navigator.serviceWorker.controller)
  made.addEventListener('waiting', () => become('waiting'))
  made.addEventListener('controlling', () => {
    if (hasAsked) location.reload()
    else if (isControlled) become('elsewhere')
    isControlled = true
  })
  // The first install was cut off. What it had kept by then stays: the next one goes on from there.
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

/** Has the new version take over and loads it here; what was typed and where lists stood are kept by their owners. */
export function takeUpdate() {
  if (update === 'elsewhere') return location.reload()
  hasAsked = true
  workbox?.messageSkipWaiting()
}
