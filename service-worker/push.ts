// Shows push notifications and handles taps on them. Every push shows one, because browsers revoke the subscriptions of
// silent pushes. The number on the app's icon is set here and, while the app is open, by
// src/features/install/push-maintenance.tsx.
import * as v from 'valibot'
import { deliver } from '#api/deliver.ts'
import { log } from '#api/log.ts'
import { DEVICES, deviceOf, subscribe } from '#api/push.ts'
import { storedClaims } from '#api/stored-session.ts'
import type { Command, LeadRef } from '#domain/outbox/command.ts'
import { addEntry } from '#domain/outbox/queue.ts'
import { drain } from '#offline/flush.ts'
import { changeOutbox } from '#offline/outbox.ts'
import { openPath } from './open-path.ts'

declare const self: ServiceWorkerGlobalScope

const HOME = '/broker'
const NEWS = {
  notification: {
    // The portal inserts the agency's name here when it serves this file.
    title: 'Portal do Corretor',
    body: 'Há novidades no seu quadro.',
    navigate: new URL(HOME, self.location.origin).href,
    tag: 'portal',
    actions: [],
    data: undefined,
  },
  app_badge: undefined,
}

const Action = v.object({
  action: v.string(),
  title: v.string(),
  navigate: v.optional(v.pipe(v.string(), v.url())),
})

/** The fields of a declarative push. This worker shows it in browsers that cannot do so themselves. */
const Push = v.object({
  notification: v.object({
    title: v.string(),
    body: v.optional(v.string(), ''),
    navigate: v.pipe(v.string(), v.url()),
    tag: v.optional(v.string(), 'portal'),
    actions: v.optional(v.array(Action), []),
    data: v.optional(
      v.object({
        contactId: v.number(),
        upToSeconds: v.nullish(v.number()),
        visitId: v.optional(v.number()),
      }),
    ),
  }),
  app_badge: v.optional(v.number()),
})
type Push = v.InferOutput<typeof Push>

/** The data that a notification keeps until the user taps it. */
const Shown = v.object({
  path: v.string(),
  /** The addresses of actions that open something else than `path`, by action. */
  paths: v.optional(v.record(v.string(), v.string()), {}),
  contactId: v.optional(v.number()),
  upToSeconds: v.nullish(v.number()),
  visitId: v.optional(v.number()),
})

const NOT_SHOWN: v.InferOutput<typeof Shown> = { path: HOME, paths: {} }

/** Options that browsers know but the TypeScript types lack. */
type Options = NotificationOptions & { renotify: boolean; actions: v.InferOutput<typeof Action>[] }

export function showPushes() {
  self.addEventListener('push', (event) => event.waitUntil(receive(event.data?.text() ?? '')))
  self.addEventListener('notificationclick', (event) => event.waitUntil(touched(event)))
  self.addEventListener('pushsubscriptionchange', (event) => {
    ;(event as ExtendableEvent).waitUntil(subscribeAgain())
  })
}

/** Runs after a sign-out: closes all notifications, clears the badge and unsubscribes this device. */
export async function forgetPerson(): Promise<void> {
  const shown = await self.registration.getNotifications()
  for (const notification of shown) notification.close()
  await showBadge(0)
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe()
}

/** Shows a push. If nobody is signed in, it shows a general text, so that the locked screen shows no lead's name. */
async function receive(text: string): Promise<void> {
  const push = v.safeParse(v.pipe(v.string(), v.parseJson(), Push), text)
  const isSignedIn = (await storedClaims()) !== null
  if (!push.success) log.warn('push.unreadable', push.issues)
  await show(push.success && isSignedIn ? push.output : NEWS)
}

async function show({ notification, app_badge }: Push | typeof NEWS): Promise<void> {
  const { title, body, tag, actions, data, navigate } = notification
  const options: Options = {
    body,
    tag,
    // The device alerts again, even if the push replaces a notification that the user has seen.
    renotify: true,
    lang: 'pt-BR',
    dir: 'ltr',
    icon: '/icons/192.png',
    badge: '/icons/badge-96.png',
    actions: shownActions(actions),
    data: { ...data, path: pathOf(navigate), paths: pathsOf(actions) },
  }
  await Promise.all([
    self.registration.showNotification(title, options),
    app_badge === undefined ? undefined : showBadge(app_badge),
  ])
}

/** Drops the host of an address, so that a tap never leaves this portal. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

const pathsOf = (actions: Options['actions']): Record<string, string> =>
  Object.fromEntries(
    actions.flatMap(({ action, navigate }) => (navigate === undefined ? [] : [[action, pathOf(navigate)]])),
  )

/** If there are more actions than the browser shows, the last one opens the app, which offers all of them. */
function shownActions(actions: Options['actions']): Options['actions'] {
  // Some browsers lack this property, although the types say otherwise.
  const most = (Notification as { maxActions?: number }).maxActions ?? actions.length
  if (actions.length <= most || most === 0) return actions
  return [...actions.slice(0, most - 1), { action: 'outro', title: 'Outro' }]
}

async function showBadge(count: number): Promise<void> {
  // Some browsers lack the badge, although the types say otherwise.
  const badge: WorkerNavigator | Partial<WorkerNavigator> = self.navigator
  await badge.setAppBadge?.(count).catch((cause: unknown) => log.info('badge.refused', cause))
}

async function touched({ notification, action }: NotificationEvent): Promise<void> {
  notification.close()
  const shown = v.safeParse(Shown, notification.data)
  const { path: home, paths, contactId, upToSeconds, visitId } = shown.success ? shown.output : NOT_SHOWN
  const path = paths[action] ?? home
  if (action === 'lida' && contactId !== undefined && typeof upToSeconds === 'number')
    return markRead(contactId, upToSeconds)
  const outcome = OUTCOMES[action]
  if (outcome && contactId !== undefined && visitId !== undefined)
    return answerVisit(outcome, { contactId, visitId })
  if (action === 'passar') return passOffer(path)
  return openPath(path)
}

/** Passes a rotation's offer on without opening the app. If that fails, the app opens, retries and shows the reason. */
async function passOffer(path: string): Promise<void> {
  const id = Number(new URL(path, self.location.origin).searchParams.get('oferta'))
  const claims = await storedClaims()
  const sent = claims && {
    path: `/api/roleta/mine/${id}/pass` as const,
    body: { operationId: crypto.randomUUID() },
  }
  const status = sent ? (await deliver(claims.sub, sent)).status : 401
  if (status === 0 || status === 401 || status >= 500) await openPath(path)
}

async function markRead(contactId: number, upToSeconds: number): Promise<void> {
  await writeDown(contactId, (lead) => ({ kind: 'lead.read', lead, upToSeconds }))
}

const OUTCOMES: Readonly<Record<string, 'held' | 'missed'>> = { sim: 'held', 'nao-veio': 'missed' }

type ShownVisit = { contactId: number; visitId: number }

async function answerVisit(outcome: 'held' | 'missed', { contactId, visitId }: ShownVisit): Promise<void> {
  const given = { actionId: visitId, actionOperation: null, outcome, feeling: null }
  await writeDown(contactId, (lead) => ({ kind: 'visit.outcome', lead, given }))
}

/** Adds a command to the outbox, which sends it at once or later. Does nothing if nobody is signed in. */
async function writeDown(contactId: number, command: (lead: LeadRef) => Command): Promise<void> {
  const claims = await storedClaims()
  if (!claims) return
  const lead = { id: contactId, number: null, name: null, instanceName: null }
  const stamp = { id: crypto.randomUUID(), userId: claims.sub, nowMs: Date.now() }
  await changeOutbox((entries) => addEntry(entries, command(lead), stamp))
  await drain('added')
}

/**
 * Subscribes again, because the push service changed the subscription. If that fails, the app registers the new one at
 * its next start.
 */
async function subscribeAgain(): Promise<void> {
  const claims = await storedClaims()
  if (!claims) return
  try {
    const subscription = await subscribe(self.registration.pushManager)
    await deliver(claims.sub, { path: DEVICES, body: deviceOf(subscription, true) })
  } catch (cause) {
    log.warn('push.not-subscribed-again', cause)
  }
}
