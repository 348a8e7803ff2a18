// Pushes as this browser has them: whether it may and does, switched on by a tap, said again at each start; and what a touched
// one asks of the page.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { log } from '#api/log.ts'
import { subscribe } from '#api/push.ts'
import { saveDevice, reportSeen } from '#data/push.ts'
import { sessionNow } from '#data/session.ts'
import { currentOwner } from '#offline/owner.ts'
import { isStandalone } from './install.ts'

/** The browser's own truth; `elsewhere`: only the installed app asks a broker for them. */
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

/** Missing in some browsers, and where the page came over plain http, whatever the types say. */
async function pushManager(): Promise<PushManager | null> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (!workers || !('PushManager' in globalThis) || !('Notification' in globalThis)) return null
  return (await workers.ready).pushManager
}

/** Who was told on this device last. */
const OWNER_KEY = 'push-owner'

/** Finds out how it stands, and says again to the portal that this device is there. Once at a time. */
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
  // Whoever signs in is asked again: the one before may be told elsewhere yet.
  if (before !== null && before !== owner) await forgetPerson(pushes)
  if (Notification.permission === 'denied') return become('denied')
  const standing = Notification.permission === 'granted' ? await pushes.getSubscription() : null
  if (!standing) return become(withoutThem())
  become('on')
  const subscription = await subscribe(pushes)
  if (await saveDevice(subscription, true)) return
  // Taken off the list from another device.
  await subscription.unsubscribe()
  become(withoutThem())
}

/** An administrator sits at a desk, where nothing is installed. */
function withoutThem(): PushState {
  const session = sessionNow()
  const isAdmin = session.status === 'in' && session.user.role === 'admin'
  return isAdmin || isStandalone() ? 'off' : 'elsewhere'
}

/**
 * From a tap: the system asks, unless it was answered before. Resolves to how it stands then. Raises PortalError, and what
 * the browser raises where its push service cannot be reached.
 */
export async function switchOn(): Promise<PushState> {
  // First of all: some browsers ask only while the tap is fresh.
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

/** This browser is told nothing more, and the worker takes what was told from the locked screen. */
async function forgetPerson(pushes: PushManager) {
  const registration = await navigator.serviceWorker.ready
  registration.active?.postMessage({ type: 'LEFT' })
  await (await pushes.getSubscription())?.unsubscribe()
}

/** The portal's list is another's to change. */
export async function switchOff(): Promise<void> {
  const standing = await (await pushManager())?.getSubscription()
  await standing?.unsubscribe()
  become(withoutThem())
}

/** The portal takes it back after a minute without a word. */
const SAY_EVERY_MS = 45_000

/** By then the mark of what was read there has reached the portal. */
const CLOSED_AFTER_MS = 3_000

let closing: ReturnType<typeof setTimeout> | undefined

/** While it lasts, no device is told of this conversation. */
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

/** A lead's notifications are closed when its conversation is opened. */
export async function clearNotifications(contactId: number): Promise<void> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  const registration = await workers?.getRegistration()
  const shown = (await registration?.getNotifications({ tag: `lead-${contactId}` })) ?? []
  for (const notification of shown) notification.close()
}

/** The number on the app's icon; nothing where the browser has none, or once its person left: the worker took it off. */
export function showBadge(count: number) {
  if (currentOwner() === null) return
  const badge: Partial<Navigator> = navigator
  badge.setAppBadge?.(count).catch((cause: unknown) => log.info('badge.refused', cause))
}

const Open = v.object({ type: v.literal('OPEN'), path: v.pipe(v.string(), v.startsWith('/')) })

/** A touched notification leads this page to an address; answered, so that the worker does not load it again. */
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
