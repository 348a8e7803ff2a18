// Turns one message of the gateway (webhook or findMessages record) into events.
import { isAutomated } from './automated.ts'
import { readContent, unwrap } from './content.ts'
import { decide } from './message-names.ts'
import { nameOf } from './person-name.ts'
import { readCallLog, readMissedStub } from './read-call.ts'
import { readAd } from './read-origin.ts'
import { readNote, readStub } from './read-note.ts'
import { child, cleanValue, epochMs, epochSeconds, fieldsOf, isTrue, text, type Fields } from './field.ts'
import type { Chat, Delivery, Incoming, IncomingMessage, Quoted } from '#server/delivery.ts'
import { isAddress, isMachine, personJid } from './jid.ts'

/** Data of the envelope that apply to all its messages. */
export type Circumstances = {
  ownJid: string | null
  isViaApi: boolean
  /** Time of the report, or of the query. */
  atMs: number
  /** A record whose message its author revoked. */
  isRevoked?: boolean
}

/** Null if it is no message; empty if the portal ignores it (groups, status, channels). */
export function readMessage(data: Fields, around: Circumstances): Incoming[] | null {
  const key = keyOf(data)
  if (key === null) return null
  const chat = chatOf(key, data, around.ownJid)
  if (chat === null) return isAddress(key.fields['remoteJid']) ? [] : null
  const message = fieldsOf(data['message']) ?? {}
  const fromMe = isTrue(key.fields['fromMe'])
  const sentAtSeconds = sentAt(data['messageTimestamp'], around.atMs)
  const { message: inner, isCopy } = unwrap(message)
  if (isCopy) return []
  const parts = { fromMe, sentAtSeconds, messageId: key.id, chat }
  return (
    readProtocol(inner, { atMs: epochMs(data['messageTimestamp']) ?? around.atMs, jid: chat.remoteJid }) ??
    readReaction(inner, { isOwn: fromMe, atSeconds: sentAtSeconds, reactionId: key.id }) ??
    readMissedStub(data, parts) ??
    readCallLog(inner, parts) ??
    readByName({ data, message, inner, around, ...parts })
  )
}

/** Handles the message by its type name: content, a note, or nothing. */
function readByName(parts: Parts): Incoming[] {
  const { data, inner, around, fromMe, sentAtSeconds, messageId, chat } = parts
  const known = { fromMe, sentAtSeconds, messageId, chat }
  const decided = decide(inner)
  if (decided === null) return around.isRevoked ? [toMessage(parts)] : readStub(data, known)
  switch (decided.decision) {
    case 'content':
      return [toMessage(parts)]
    case 'note':
      return [readNote({ data, inner, decided, known })]
    case 'silent':
      return []
  }
}

type Parts = Pick<IncomingMessage, 'fromMe' | 'sentAtSeconds' | 'messageId' | 'chat'> & {
  data: Fields
  message: Fields
  inner: Fields
  around: Circumstances
}

function toMessage({ data, message, inner, around, ...known }: Parts): IncomingMessage {
  const content = readContent(message)
  const context = contextOf(data, inner)
  const ad = known.fromMe ? null : readAd(context)
  return {
    event: 'message',
    ...known,
    ...content,
    isViaApi: around.isViaApi && known.fromMe,
    ...(!known.fromMe && isAutomated(data, inner) ? { isAutomated: true as const } : {}),
    pushName: known.fromMe ? null : nameOf(data),
    delivery: deliveryOf(data['status']) ?? 'sent',
    quoted: quotedOf(context, around.ownJid),
    ad,
    raw: content.kind === 'unsupported' || ad !== null ? fieldsOf(cleanValue(data)) : null,
  }
}

/** The id and the key, in v2's nested form or v1's flat one. */
export function keyOf(data: Fields): { id: string; fields: Fields } | null {
  const fields = fieldsOf(data['key']) ?? data
  const id = text(data['keyId']) ?? text(fields['id'])
  return id === null || id.length > 200 ? null : { id, fields }
}

/** Null if the chat is not with a person. */
function chatOf(key: { fields: Fields }, data: Fields, ownJid: string | null): Chat | null {
  const { fields } = key
  const remoteJid = personJid(fields['remoteJid'])
  if (remoteJid === null && isAddress(fields['remoteJid'])) return null
  const others = ['remoteJidAlt', 'senderPn', 'senderLid', 'previousRemoteJid'].flatMap((name) => [
    fields[name],
    data[name],
  ])
  if ([fields['remoteJid'], ...others].some(isMachine)) return null
  const jids = [...new Set([remoteJid, ...others.map(personJid)].filter((jid) => jid !== null))]
  const [first] = jids
  return first === undefined ? null : { remoteJid: remoteJid ?? first, jids, ownJid }
}

const A_DAY_SECONDS = 86_400

/**
 * A future or missing time becomes the time of the report; a future one would keep the card at the top of the
 * board.
 */
function sentAt(value: unknown, atMs: number): number {
  const reportedAt = Math.floor(atMs / 1000)
  const seconds = epochSeconds(value) ?? reportedAt
  return seconds > reportedAt + A_DAY_SECONDS ? reportedAt : seconds
}

const DELIVERIES: Record<string, Delivery> = {
  ERROR: 'failed',
  PENDING: 'sent',
  SERVER_ACK: 'sent',
  DELIVERY_ACK: 'delivered',
  READ: 'read',
  PLAYED: 'read',
}
const NUMBERED = Object.keys(DELIVERIES)

/**
 * Null for a status that is no delivery state (EDITED, DELETED). 'enviada' means that the gateway accepted
 * it.
 */
export function deliveryOf(status: unknown): Delivery | null {
  const name = typeof status === 'number' ? NUMBERED[status] : text(status)
  return name == null || !Object.hasOwn(DELIVERIES, name) ? null : (DELIVERIES[name] ?? null)
}

const isProtocol = (type: unknown, name: string, code: number) => type === name || type === code

/** Edits and revokes that come as messages; other protocol messages are ignored. */
function readProtocol(inner: Fields, { atMs, jid }: Omit<Edited, 'messageId'>): Incoming[] | null {
  const protocol = fieldsOf(inner['protocolMessage'])
  if (!protocol) return null
  const key = keyOf(protocol)
  if (key === null) return []
  if (isProtocol(protocol['type'], 'REVOKE', 0)) return [{ event: 'revoke', messageId: key.id, atMs }]
  if (!isProtocol(protocol['type'], 'MESSAGE_EDIT', 14)) return []
  return readEdit(child(protocol, 'editedMessage'), { messageId: key.id, atMs, jid })
}

type Edited = { messageId: string; atMs: number; jid: string | null }

/** The new text of an edit; empty if the portal cannot show the edited message. */
export function readEdit(edited: Fields, of: Edited): Incoming[] {
  const { message } = unwrap(edited)
  const protocol = fieldsOf(message['protocolMessage'])
  const content = readContent(protocol ? child(protocol, 'editedMessage') : message)
  return content.kind === 'unsupported' ? [] : [{ event: 'edit', body: content.body, ...of }]
}

type ReactionParts = { isOwn: boolean; atSeconds: number; reactionId: string }

function readReaction(inner: Fields, parts: ReactionParts): Incoming[] | null {
  const reaction = fieldsOf(inner['reactionMessage'])
  if (!reaction) return null
  const target = keyOf(reaction)
  if (target === null) return []
  const emoji = text(reaction['text'], 20) ?? ''
  return [{ event: 'reaction', messageId: target.id, emoji, ...parts }]
}

const TELLING = ['stanzaId', 'externalAdReply', 'conversionSource', 'entryPointConversionSource']

/** Quotes and advertisements are at the root in v2, inside the message in v1 and in wrapped messages. */
function contextOf(data: Fields, inner: Fields): Fields {
  const root = child(data, 'contextInfo')
  const within = Object.keys(inner)
    .map((key) => child(child(inner, key), 'contextInfo'))
    .find((context) => TELLING.some((name) => name in context))
  return { ...within, ...root }
}

function quotedOf(context: Fields, ownJid: string | null): Quoted | null {
  const messageId = text(context['stanzaId'])
  const quoted = fieldsOf(context['quotedMessage'])
  if (messageId === null || messageId.length > 200 || !quoted) return null
  const { kind, body } = readContent(quoted)
  const author = personJid(context['participant'])
  return { messageId, isOwn: author !== null && author === ownJid, kind, body: text(body, 300) ?? '' }
}
