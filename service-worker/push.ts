// What a push shows, and where its touch leads. Whatever comes, something is shown: a phone takes silent pushes away.
import * as v from 'valibot'
import { deliver } from '#api/deliver.ts'
import { log } from '#api/log.ts'
import { send } from '#api/network.ts'
import { tokenOf } from '#api/own-token.ts'
import { DEVICES, deviceOf, subscribe } from '#api/push.ts'
import { storedClaims } from '#api/stored-session.ts'
import type { Command, LeadRef } from '#domain/outbox/command.ts'
import { added } from '#domain/outbox/queue.ts'
import { drain } from '#offline/flush.ts'
import { changeOutbox } from '#offline/outbox.ts'
import { openPath } from './open-path.ts'

declare const self: ServiceWorkerGlobalScope

const HOME = '/broker'
const NEWS = {
  notification: {
    // Where the agency has a name, the portal writes it here as it serves this file.
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

/** The parts of a declarative push that this worker shows by itself where the browser does not. */
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

/** What a notification carries until it is touched. */
const Shown = v.object({
  path: v.string(),
  /** What an action opens, where that is not `path`. */
  paths: v.optional(v.record(v.string(), v.string()), {}),
  contactId: v.optional(v.number()),
  upToSeconds: v.nullish(v.number()),
  visitId: v.optional(v.number()),
})

const NOT_SHOWN: v.InferOutput<typeof Shown> = { path: HOME, paths: {} }

/** Leads with something unread; of a broker's own, as pushes count them. */
const UNREAD = '/rest/v1/whatsapp_contacts?select=id&unread_count=gt.0'
const Unread = v.array(v.object({ id: v.number() }))

/** Of browsers, which the types do not know yet. */
type Options = NotificationOptions & { renotify: boolean; actions: v.InferOutput<typeof Action>[] }

export function showPushes() {
  self.addEventListener('push', (event) => event.waitUntil(receive(event.data?.text() ?? '')))
  self.addEventListener('notificationclick', (event) => event.waitUntil(touched(event)))
  self.addEventListener('pushsubscriptionchange', (event) => {
    ;(event as ExtendableEvent).waitUntil(subscribeAgain())
  })
}

/** Who left this phone is told nothing on it any more, and leaves nothing on its locked screen. */
export async function forgetPerson(): Promise<void> {
  const shown = await self.registration.getNotifications()
  for (const notification of shown) notification.close()
  await showBadge(0)
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe()
}

/** Where nobody is signed in any more, whoever holds the phone reads no name. */
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
    // Each push is news, also in place of one that was seen.
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

/** On this portal whatever host it names: a touch never leads elsewhere. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

const pathsOf = (actions: Options['actions']): Record<string, string> =>
  Object.fromEntries(
    actions.flatMap(({ action, navigate }) => (navigate === undefined ? [] : [[action, pathOf(navigate)]])),
  )

/** Where fewer fit than there are, the last opens what asks for all of them. */
function shownActions(actions: Options['actions']): Options['actions'] {
  // Missing in some browsers, whatever the types say.
  const most = (Notification as { maxActions?: number }).maxActions ?? actions.length
  if (actions.length <= most || most === 0) return actions
  return [...actions.slice(0, most - 1), { action: 'outro', title: 'Outro' }]
}

async function showBadge(count: number): Promise<void> {
  // Missing in some browsers, whatever the types say.
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

/** Nothing opens for it but where it comes to nothing: the app tries it again, and says why. */
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
  const userId = await writeDown(contactId, (lead) => ({ kind: 'lead.read', lead, upToSeconds }))
  if (userId !== null) await countAgain(userId)
}

const OUTCOMES: Readonly<Record<string, 'held' | 'missed'>> = { sim: 'held', 'nao-veio': 'missed' }

type ShownVisit = { contactId: number; visitId: number }

async function answerVisit(outcome: 'held' | 'missed', { contactId, visitId }: ShownVisit): Promise<void> {
  const given = { actionId: visitId, actionOperation: null, outcome, feeling: null }
  await writeDown(contactId, (lead) => ({ kind: 'visit.outcome', lead, given }))
}

/** As any other write: without a signal it goes later. Whose it is; null where nobody is signed in. */
async function writeDown(contactId: number, command: (lead: LeadRef) => Command): Promise<string | null> {
  const claims = await storedClaims()
  if (!claims) return null
  const lead = { id: contactId, number: null, name: null, instanceName: null }
  const stamp = { id: crypto.randomUUID(), userId: claims.sub, nowMs: Date.now() }
  await changeOutbox((entries) => added(entries, command(lead), stamp))
  await drain('added')
  return claims.sub
}

/** No page need be open to show how many are left. Without a signal the next push or start says it. */
async function countAgain(userId: string): Promise<void> {
  try {
    const token = await tokenOf(userId)
    if (token === null) return
    const answer = await send(new URL(UNREAD, self.location.origin), {
      headers: { Authorization: `Bearer ${token}` },
    })
    if (answer.ok) await showBadge(v.parse(Unread, await answer.json()).length)
  } catch (cause) {
    log.info('badge.not-counted', cause)
  }
}

/** The push service gave the device another address. Where this fails, the app says it at its next start. */
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
