// A send queue with a scripted gateway, and the resulting messages.
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createSender } from '#server/whatsapp/sending/send-worker.ts'
import { GatewayError, type Accepted, type GatewayFault, type Presence, type Sends } from '#server/gateway.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { randomUUID } from 'node:crypto'
import { afterEach } from 'vitest'
import { inTurn } from './balancer.ts'
import { databaseClock, type ManualClock } from './clock.ts'
import { databasesOf, openBase } from './database.ts'
import { silentLog } from './gateway.ts'
import { makeBroker, signIn } from './make.ts'

type Sent = { instanceName: string; number: string; text: string; quotedId: string | undefined }
type Answer = Accepted | GatewayFault | Error

/** A gateway that is always available. */
export const PRESENT: Presence = { isAway: () => false, lookNow: () => Promise.resolve(false) }

let count = 0
/** The gateway's answer to an accepted message. */
export function accepted(jid = '5511970000000@s.whatsapp.net'): Accepted {
  return { messageId: `G${++count}`, jid, sentAtSeconds: Math.floor(Date.now() / 1000) }
}

/** What the current test opened: how each sender stops, and how each gateway answers all that it was sent. */
const opened: { stops: (() => Promise<void>)[]; answers: (() => void)[] } = { stops: [], answers: [] }

/** Accepts everything at once, unless a test sets the next answers or answers by hand. */
export function scriptedGateway() {
  const sent: Sent[] = []
  const plans: Answer[] = []
  const open: ((answer: Answer) => void)[] = []
  const arrivals: (() => void)[] = []
  let isByHand = false

  function answer(): Promise<Accepted> {
    const planned: Promise<Answer> = isByHand
      ? new Promise((resolve) => open.push(resolve))
      : Promise.resolve(plans.shift() ?? accepted())
    arrivals.splice(0).forEach((arrived) => arrived())
    return planned.then((given) => {
      if (given instanceof Error) throw given
      if (typeof given === 'string') throw new GatewayError(given, 'Erro')
      return given
    })
  }

  const gateway: Sends = {
    sendText: (instanceName, { number, text, quotedId }) => {
      sent.push({ instanceName, number, text, quotedId })
      return answer()
    },
    sendMedia: (instanceName, { number, media, quotedId }) => {
      sent.push({ instanceName, number, text: `${media.kind} ${media.fileName} ${media.caption}`, quotedId })
      return answer()
    },
    sendLocation: (instanceName, { number, place, quotedId }) => {
      sent.push({ instanceName, number, text: `lugar ${place.latitude} ${place.longitude}`, quotedId })
      return answer()
    },
    sendContact: (instanceName, { number, name, phone, quotedId }) => {
      sent.push({ instanceName, number, text: `contato ${name} ${phone}`, quotedId })
      return answer()
    },
    sendReaction: (instanceName, { jid, messageId, emoji }) => {
      sent.push({ instanceName, number: jid, text: `reação ${emoji}`, quotedId: messageId })
      return answer()
    },
    sendEdit: async (instanceName, { jid, messageId, text }) => {
      sent.push({ instanceName, number: jid, text: `edição ${text}`, quotedId: messageId })
      await answer()
    },
    sendDeletion: async (instanceName, { jid, messageId }) => {
      sent.push({ instanceName, number: jid, text: 'apaga', quotedId: messageId })
      await answer()
    },
  }
  opened.answers.push(() => open.splice(0).forEach((next) => next(accepted())))
  return {
    gateway,
    sent,
    texts: () => sent.map(({ text }) => text),
    plan: (...answers: Answer[]) => void plans.push(...answers),
    /** From now on a send waits until `answerNext`. */
    byHand: () => (isByHand = true),
    answerNext: (given: Answer = accepted()) => {
      const next = open.shift()
      if (!next) throw new Error('nothing is being sent')
      next(given)
    },
    /** Resolves once this many sends have begun. */
    begun: async (sends: number) => {
      while (sent.length < sends) await new Promise<void>((resolve) => arrivals.push(resolve))
    },
  }
}

export type ScriptedGateway = ReturnType<typeof scriptedGateway>

/** Resolves once a queue is held after a fault of the gateway. */
export async function untilHeld(db: Database): Promise<void> {
  const held = 'select from portal.send_queues where held_until > clock_timestamp()'
  while ((await db.query(held)).rows.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

export const NO_MEDIA: MediaStore = {
  put: () => Promise.reject(new Error('not here')),
  find: () => Promise.resolve(null),
  remove: () => Promise.resolve(true),
  list: async function* () {},
  listOld: async function* () {},
}

/**
 * Stops the senders that the test opened, after their current send. A sender that still runs would send what the next
 * test queues, through the wrong gateway.
 */
export async function stopSenders(): Promise<void> {
  const senders = { areStopped: false }
  const stopped = Promise.all(opened.stops.splice(0).map((stop) => stop())).finally(
    () => (senders.areStopped = true),
  )
  while (!senders.areStopped) {
    for (const answer of opened.answers) answer()
    await new Promise((resolve) => setImmediate(resolve))
  }
  opened.answers = []
  await stopped
}

/**
 * The portal's sender over `db`, not started; the test advances `clock`. With two portals (`databasesOf`) calls
 * alternate between them, and both start.
 */
export function openSender(
  db: Database,
  gateway: ScriptedGateway['gateway'],
  storage: MediaStore = NO_MEDIA,
  presence: Presence = PRESENT,
) {
  const clock: ManualClock = databaseClock()
  const senders = databasesOf(db).map((own) =>
    createSender({ db: own, clock, log: silentLog, storage, gateway, presence, takeLock }),
  )
  const next = inTurn(senders)
  const start = () => {
    const ends = senders.map((sender) => sender.start())
    return async () => void (await Promise.all(ends.map((end) => end())))
  }
  opened.stops.push(() => start()())
  return {
    clock,
    wake: (instanceName: string) => next().wake(instanceName),
    resume: (instanceName: string) => next().resume(instanceName),
    gatewayAnswered: (...answered: Parameters<(typeof senders)[0]['gatewayAnswered']>) =>
      next().gatewayAnswered(...answered),
    start,
  }
}

export type OutgoingMessage = {
  id: number
  body: string
  delivery: string
  delivery_reason: string | null
  message_id: string | null
  instanceName: string
}

/** A lead's outgoing messages in order of creation. */
export async function messagesOf(db: Database, contactId: number): Promise<OutgoingMessage[]> {
  const { rows } = await db.query<OutgoingMessage>(
    `select id, body, delivery, delivery_reason, message_id, "instanceName" from public.whatsapp_messages
     where contact_id = $1 and type = 'outgoing' order by id`,
    [contactId],
  )
  return rows
}

/** Resolves once a lead's messages match; the sender changes them by itself. */
export async function untilMessages(
  db: Database,
  contactId: number,
  fit: (messages: OutgoingMessage[]) => boolean,
): Promise<OutgoingMessage[]> {
  for (;;) {
    const messages = await messagesOf(db, contactId)
    if (fit(messages)) return messages
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const areSettled = (messages: OutgoingMessage[]) =>
  messages.every(({ delivery }) => delivery !== 'queued')

/** Two brokers, and for each test an empty queue of the first one's. */
export async function openSending() {
  const base = await openBase()
  const ana = await makeBroker(base.db)
  const asAna = await signIn(base.db, ana)
  const asBia = await signIn(base.db, await makeBroker(base.db))
  afterEach(async () => {
    await stopSenders()
    await base.db.exec('delete from portal.send_queues; delete from public.whatsapp_contacts')
  })
  return {
    base,
    ana,
    asAna,
    asBia,
    /** The sender is not started: its first poll could come between any two statements of a test. */
    open: () => {
      const phone = scriptedGateway()
      return { phone, sender: openSender(base.db, phone.gateway) }
    },
  }
}

/** Queues a text as the signed-in person. */
export async function queueText(
  db: Database,
  claims: Claims,
  message: { contactId: number; body: string; operationId?: string; quotedMessageId?: number },
): Promise<{ id: number; delivery: string }> {
  const { contactId, body, operationId = randomUUID(), quotedMessageId } = message
  const { rows } = await onBehalf(db, claims, (query) =>
    query<{ message: { id: number; delivery: string } }>(
      'select portal.queue_message($1::jsonb, $2, $3::jsonb) as message',
      [JSON.stringify({ contactId }), operationId, JSON.stringify({ kind: 'text', body, quotedMessageId })],
    ),
  )
  if (!rows[0]) throw new Error('no message')
  return rows[0].message
}
