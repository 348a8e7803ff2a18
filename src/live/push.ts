// Pushes in this browser: their state, switching them on and off, registering at each start, and opening a tapped one.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { log } from '#api/log.ts'
import { subscribe } from '#api/push.ts'
import { saveDevice, reportSeen } from '#data/push.ts'
import { sessionNow } from '#data/session.ts'
import { currentOwner } from '#offline/owner.ts'
import { isStandalone } from './install.ts'

/** Whether this browser gets pushes. `elsewhere`: brokers get pushes only in the installed app. */
export type PushState = 'unknown' | 'unsupported' | 'elsewhere' | 'off' | 'denied' | 'on'

let state: PushState = 'unknown'
let keeping: Promise<void> | null = null
const listeners = new Set<() => void>()

function become(next: PushState) {
  state = next
  for (const listener of listeners) listener()
}

export function pushNow(): PushState {
  return state
}

export function usePush(): PushState {
  return useSyncExternalStore(subscribeTo, pushNow)
}

function subscribeTo(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Returns the browser's push interface. Some browsers, and pages over plain http, lack it, although the types say
 * otherwise.
 */
async function pushManager(): Promise<PushManager | null> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (!workers || !('PushManager' in globalThis) || !('Notification' in globalThis)) return null
  return (await workers.ready).pushManager
}

/** The key under which the device stores which user last had pushes. */
const OWNER_KEY = 'push-owner'

/** Finds out the state, and registers this device with the portal again. Concurrent calls share one run. */
export function keepPushes(): Promise<void> {
  keeping ??= keep()
    .catch((cause: unknown) => log.warn('push.not-kept', cause))
    .finally(() => (keeping = null))
  return keeping
}

async function keep() {
  const owner = currentOwner()
  if (owner === null) return
  const pushes = await pushManager()
  const before = localStorage.getItem(OWNER_KEY)
  localStorage.setItem(OWNER_KEY, owner)
  if (!pushes) return become('unsupported')
  // A new user must not get pushes by the previous user's subscription.
  if (before !== null && before !== owner) await forgetPerson(pushes)
  if (Notification.permission === 'denied') return become('denied')
  const standing = Notification.permission === 'granted' ? await pushes.getSubscription() : null
  if (!standing) return become(withoutThem())
  become('on')
  const subscription = await subscribe(pushes)
  if (await saveDevice(subscription, true)) return
  // The portal does not know this device any more, because another device removed it from the list.
  await subscription.unsubscribe()
  become(withoutThem())
}

/**
 * Returns the state without a subscription. Administrators and gerentes work on computers, so they need no installed
 * app.
 */
function withoutThem(): PushState {
  const session = sessionNow()
  const isAtDesk = session.status === 'in' && session.user.role !== 'broker'
  return isAtDesk || isStandalone() ? 'off' : 'elsewhere'
}

/**
 * Switches pushes on; resolves with the new state. Call it from a tap, because the system may ask the user. Throws
 * PortalError, or the browser's error if its push service cannot be reached.
 */
export async function switchOn(): Promise<PushState> {
  // The permission comes first, because some browsers ask only directly after the tap.
  const permission = await Notification.requestPermission()
  const pushes = permission === 'granted' ? await pushManager() : null
  if (!pushes) {
    become(permission === 'denied' ? 'denied' : 'off')
    return state
  }
  const subscription = await subscribe(pushes)
  try {
    await saveDevice(subscription, false)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
  become('on')
  return state
}

/** Unsubscribes this browser and makes the service worker close its notifications. */
async function forgetPerson(pushes: PushManager) {
  const registration = await navigator.serviceWorker.ready
  registration.active?.postMessage({ type: 'LEFT' })
  await (await pushes.getSubscription())?.unsubscribe()
}

/** Unsubscribes this browser. The caller must remove the device from the portal's list. */
export async function switchOff(): Promise<void> {
  const standing = await (await pushManager())?.getSubscription()
  await standing?.unsubscribe()
  become(withoutThem())
}

/** The portal forgets after a minute which conversation is open, so the app repeats it this often. */
const SAY_EVERY_MS = 45_000

/** The portal hears that the conversation was closed only after this time, so that the read mark arrives first. */
const CLOSED_AFTER_MS = 3_000

let closing: ReturnType<typeof setTimeout> | undefined

/**
 * Tells the portal that the conversation is open, until the returned function is called. Meanwhile no device of this
 * user gets pushes for it.
 */
export function watchConversation(contactId: number): () => void {
  clearTimeout(closing)
  saySeen(contactId)
  const timer = setInterval(() => saySeen(contactId), SAY_EVERY_MS)
  return () => {
    clearInterval(timer)
    closing = setTimeout(() => saySeen(null), CLOSED_AFTER_MS)
  }
}

function saySeen(contactId: number | null) {
  if (!navigator.onLine || currentOwner() === null) return
  reportSeen(contactId).catch((cause: unknown) => log.info('push.seen-untold', cause))
}

/** Closes a lead's notifications, because its conversation was opened. */
export async function clearNotifications(contactId: number): Promise<void> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration()
  const shown = (await registration?.getNotifications({ tag: `lead-${contactId}` })) ?? []
  for (const notification of shown) notification.close()
}

/**
 * Sets the number on the app's icon. Does nothing if the browser has no badge, or after a sign-out, when the service
 * worker has cleared it.
 */
export function showBadge(count: number) {
  if (currentOwner() === null) return
  const badge: Partial<Navigator> = navigator
  badge.setAppBadge?.(count).catch((cause: unknown) => log.info('badge.refused', cause))
}

const Open = v.object({ type: v.literal('OPEN'), path: v.pipe(v.string(), v.startsWith('/')) })

/**
 * Calls `open` when the user taps a notification while this page is open. The answer tells the service worker not to
 * reload the page.
 */
export function followTouches(open: (path: string) => void): () => void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const hear = ({ data, ports }: MessageEvent<unknown>) => {
    const intent = v.safeParse(Open, data)
    if (!intent.success) return
    ports[0]?.postMessage(null)
    open(intent.output.path)
  }
  workers?.addEventListener('message', hear)
  return () => workers?.removeEventListener('message', hear)
}
