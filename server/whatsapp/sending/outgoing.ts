// Sends one message through the gateway, and decides whether a fault ends the message or makes it wait.
import * as v from 'valibot'
import type { DeliveryReason } from '#domain/message/outgoing.ts'
import { errorFields, type Log } from '#server/log.ts'
import {
  GatewayError,
  type Accepted,
  type GatewayFault,
  type OutgoingMedia,
  type Presence,
  type Recipient,
  type Sends,
} from '#server/gateway.ts'
import { isStoreAway, type MediaStore } from '#server/storage/media-store.ts'
import { withExtension } from '#server/whatsapp/file-kind.ts'
import type { ClaimedChange, ClaimedMessage, ClaimedReaction } from './send-store.ts'

export type Outcome =
  | { kind: 'sent'; accepted: Accepted }
  | { kind: 'unsent'; delivery: 'failed' | 'unknown'; reason: DeliveryReason }
  /**
   * The message itself is fine and waits with all others of its instance. `isDoubted`: it may have left; the
   * gateway's store is read before the next send.
   */
  | { kind: 'held'; reason: DeliveryReason; wait: 'short' | 'long'; isDoubted?: true }

const failed = (reason: DeliveryReason): Outcome => ({ kind: 'unsent', delivery: 'failed', reason })
const unknown = (reason: DeliveryReason): Outcome => ({ kind: 'unsent', delivery: 'unknown', reason })
const held = (reason: DeliveryReason, wait: 'short' | 'long'): Outcome => ({ kind: 'held', reason, wait })

const AWAY = { kind: 'held', reason: 'unreachable', wait: 'short' } as const
const OUTCOMES: Record<GatewayFault, Outcome> = {
  'not-linked': held('not-linked', 'long'),
  'unknown-instance': held('not-linked', 'long'),
  unreachable: AWAY,
  unsupported: held('gateway', 'long'),
  unlicensed: held('gateway', 'long'),
  unauthorized: held('gateway', 'long'),
  'not-on-whatsapp': failed('not-on-whatsapp'),
  refused: failed('refused'),
  failed: failed('failed'),
  'name-taken': failed('failed'),
  'unknown-outcome': unknown('no-answer'),
}

/** Short, so that a reply is hardly delayed by 'digitando…'. */
const TYPING_MS = 500

export type SendingParts = {
  gateway: Sends
  presence: Pick<Presence, 'lookNow'>
  storage: MediaStore
  log: Log
}

/** Never rejects, and never sends twice. */
export async function sendMessage(
  parts: SendingParts,
  instanceName: string,
  message: ClaimedMessage,
): Promise<Outcome> {
  const { kind } = message
  const of = { instanceName, messageId: message.id }
  if (kind === 'text' || kind === 'contact' || kind === 'location')
    return outcomeOf(parts, of, sendWords(parts.gateway, instanceName, message))
  const media = await mediaOf(parts, message)
  if (typeof media === 'string') return failed(media)
  return outcomeOf(parts, of, sendFile(parts.gateway, instanceName, { message, media }))
}

/** Never rejects. */
export function sendReaction(
  parts: Omit<SendingParts, 'storage'>,
  instanceName: string,
  { id, ...reaction }: ClaimedReaction,
): Promise<Outcome> {
  return outcomeOf(parts, { instanceName, messageId: id }, parts.gateway.sendReaction(instanceName, reaction))
}

/** Edits or deletes a sent message. Never rejects; the answer of the gateway says nothing more. */
export function sendChange(
  parts: Omit<SendingParts, 'storage'>,
  instanceName: string,
  { id, change, messageId, jid }: ClaimedChange,
): Promise<Outcome> {
  const sending =
    change.kind === 'edit'
      ? parts.gateway.sendEdit(instanceName, { jid, messageId, text: change.body })
      : parts.gateway.sendDeletion(instanceName, { jid, messageId })
  return outcomeOf(
    parts,
    { instanceName, messageId: id },
    sending.then(() => ({ messageId, jid, sentAtSeconds: 0 }), refuseMissing),
  )
}

/** A gateway that cannot edit or delete refuses only the change. The instance's messages are still sent. */
function refuseMissing(error: unknown): never {
  if (error instanceof GatewayError && error.fault === 'unsupported')
    throw new GatewayError('refused', error.message)
  throw error
}

/** Statuses of a proxy whose gateway is down. */
const OF_PROXY: ReadonlySet<number | null> = new Set([502, 503, 504])

async function outcomeOf(
  { log, presence }: Pick<SendingParts, 'log' | 'presence'>,
  { instanceName, messageId }: { instanceName: string; messageId: number },
  sending: Promise<Accepted>,
): Promise<Outcome> {
  try {
    return { kind: 'sent', accepted: await sending }
  } catch (error) {
    if (error instanceof GatewayError) {
      const isOfProxy = error.fault === 'unknown-outcome' && OF_PROXY.has(error.status)
      // The status alone proves nothing; if the gateway is down, the message most likely never reached it.
      if (isOfProxy && (await presence.lookNow(instanceName))) return { ...AWAY, isDoubted: true }
      return OUTCOMES[error.fault]
    }
    log.error('message.send-failed', { messageId, ...errorFields(error) })
    return unknown('no-answer')
  }
}

const Contacts = v.object({
  contacts: v.tuple([v.object({ name: v.string(), phones: v.tuple([v.string()]) })]),
})
const SharedLocation = v.object({
  latitude: v.number(),
  longitude: v.number(),
  name: v.nullable(v.string()),
  address: v.nullable(v.string()),
})

/** Sends a text, or a card that the portal composes. */
async function sendWords(gateway: Sends, instanceName: string, message: ClaimedMessage): Promise<Accepted> {
  const { kind, content, body: text, typingMs } = message
  const to = recipientOf(message)
  if (kind === 'location')
    return gateway.sendLocation(instanceName, { ...to, place: v.parse(SharedLocation, content) })
  if (kind === 'text') return gateway.sendText(instanceName, { ...to, text, delayMs: typingMs ?? TYPING_MS })
  const [{ name, phones }] = v.parse(Contacts, content).contacts
  return gateway.sendContact(instanceName, { ...to, name, phone: phones[0] })
}

const recipientOf = ({ address: number, ownId, quotedId }: ClaimedMessage): Recipient =>
  quotedId === null ? { number, ownId } : { number, ownId, quotedId }

function sendFile(
  gateway: Sends,
  instanceName: string,
  { message, media }: { message: ClaimedMessage; media: OutgoingMedia },
): Promise<Accepted> {
  return gateway.sendMedia(instanceName, { ...recipientOf(message), media, delayMs: message.typingMs ?? 0 })
}

const Content = v.object({
  mediaId: v.string(),
  mimeType: v.string(),
  fileName: v.string(),
  isVoice: v.boolean(),
})
const Kind = v.picklist(['image', 'video', 'audio', 'document'])

async function mediaOf(
  { storage, log }: SendingParts,
  message: ClaimedMessage,
): Promise<OutgoingMedia | 'media-missing' | 'media-away'> {
  try {
    const { mediaId, mimeType, fileName, isVoice } = v.parse(Content, message.content)
    const stored = await storage.find(mediaId)
    if (!stored) return 'media-missing'
    const bytes = Buffer.from(await new Response(stored.read()).arrayBuffer())
    const kind = isVoice ? 'voice' : v.parse(Kind, message.kind)
    const named = withExtension(fileName, mimeType)
    return { kind, base64: bytes.toString('base64'), fileName: named, mimeType, caption: message.body }
  } catch (error) {
    // The message is not held back, because the texts after it continue.
    if (isStoreAway(error)) return 'media-away'
    log.error('message.media-missing', { messageId: message.id, ...errorFields(error) })
    return 'media-missing'
  }
}
