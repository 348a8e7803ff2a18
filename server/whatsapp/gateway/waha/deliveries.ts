// Parses a delivery of WAHA into events. Pure; tolerates any input. `_data` is the message in the form of the protocol.
import { child, epochMs, epochSeconds, fieldsOf, number, text, type Fields } from '../message/field.ts'
import type {
  DeliveredFile,
  DeliveredItem,
  DeliveryReader,
  Incoming,
  Reading,
  RecordAround,
} from '#server/delivery.ts'
import { addressesIn, personJid } from '../message/jid.ts'
import { linkEvent, noMoreCodes } from '../message/link-event.ts'
import { editSeen, isBefore, readBack } from '../message/read-back.ts'
import { readCall } from '../message/read-call.ts'
import { deliveryOf, readMessage } from '../message/read-message.ts'
import { bareId, STATES } from './answers.ts'
import { readLimits } from './limits.ts'

type Around = { ownJid: string | null; atMs: number; me: Fields }
type Reader = (payload: Fields, around: Around) => Incoming[] | null

const READERS: Readonly<Record<string, Reader>> = {
  'message.any': (payload, around) => readOf(payload, around),
  'message.ack': aboutPerson(readAck),
  'message.reaction': aboutPerson(readReaction),
  'message.edited': aboutPerson(readEdit),
  'message.revoked': readRevoke,
  'session.status': readStatus,
  'call.received': stepOfCall('offer'),
  'call.accepted': stepOfCall('accept'),
  'call.rejected': stepOfCall('reject'),
}

function readDelivery(body: unknown, receivedAtMs: number): Reading {
  const envelope = fieldsOf(body)
  const event = text(envelope?.['event'])
  const payload = fieldsOf(envelope?.['payload'])
  if (!envelope || event === null || !payload) return { ok: false, reason: 'not-an-event' }
  const read = Object.hasOwn(READERS, event) ? READERS[event] : undefined
  if (!read) return { ok: true, events: [] }
  const me = child(envelope, 'me')
  const atMs = millisOf(envelope['timestamp']) ?? receivedAtMs
  const events = read(payload, { ownJid: personJid(me['id']), atMs, me })
  return events === null ? { ok: false, reason: 'not-an-event' } : { ok: true, events }
}

const millisOf = (value: unknown): number | null => (epochSeconds(value) === null ? null : number(value))

function readOf(payload: Fields, { ownJid, atMs, me }: Around): Incoming[] | null {
  const data = fieldsOf(payload['_data'])
  if (!data) return null
  const isViaApi = payload['source'] === 'api'
  return readMessage(withOwnPhone(withViewOnce(data), me), { ownJid, atMs, isViaApi })
}

/** A message to oneself has the own hidden id (LID) as its chat, which is replaced by the own phone. */
function withOwnPhone(data: Fields, me: Fields): Fields {
  const key = child(data, 'key')
  const chat = personJid(key['remoteJid'])
  if (chat === null || chat !== personJid(me['lid'])) return data
  return { ...data, key: { ...key, remoteJid: me['id'] } }
}

/** WAHA may leave out the content of a view-once message, which then counts as a view-once picture. */
function withViewOnce(data: Fields): Fields {
  const isEmpty = Object.keys(child(data, 'message')).length === 0
  if (!isEmpty || child(data, 'key')['isViewOnce'] !== true) return data
  return { ...data, message: { viewOnceMessage: { message: { imageMessage: {} } } } }
}

/** Ignores events of groups, channels and the status. */
function aboutPerson(read: Reader): Reader {
  return (payload, around) => (personJid(payload['from']) === null ? [] : read(payload, around))
}

/** WAHA numbers acks from -1 on, the protocol from 0 on. PENDING proves nothing. */
function readAck(payload: Fields): Incoming[] | null {
  const messageId = bareId(payload['id'])
  const ack = number(payload['ack'])
  if (messageId === null || ack === null) return null
  const delivery = ack === 0 ? null : deliveryOf(ack + 1)
  return delivery === null ? [] : [{ event: 'ack', messageId, delivery }]
}

function readReaction(payload: Fields, { atMs }: Around): Incoming[] | null {
  const reaction = child(payload, 'reaction')
  const messageId = bareId(reaction['messageId'])
  const reactionId = bareId(payload['id'])
  if (messageId === null || reactionId === null) return null
  const atSeconds = epochSeconds(payload['timestamp']) ?? Math.floor(atMs / 1000)
  const isOwn = payload['fromMe'] === true
  return [
    { event: 'reaction', messageId, isOwn, emoji: text(reaction['text'], 20) ?? '', atSeconds, reactionId },
  ]
}

function readEdit(payload: Fields, { atMs }: Around): Incoming[] | null {
  const messageId = bareId(payload['editedMessageId'])
  if (messageId === null) return null
  const body = text(payload['body'])
  const jid = personJid(payload['from'])
  const at = epochMs(payload['timestamp']) ?? atMs
  return body === null ? [] : [{ event: 'edit', messageId, body, atMs: at, jid }]
}

function readRevoke(payload: Fields, { atMs }: Around): Incoming[] | null {
  const messageId = bareId(payload['revokedMessageId'])
  if (messageId === null) return null
  const after = child(payload, 'after')
  if (personJid(after['from']) === null) return []
  return [{ event: 'revoke', messageId, atMs: epochMs(after['timestamp']) ?? atMs }]
}

function readStatus(payload: Fields, { ownJid, atMs, me }: Around): Incoming[] | null {
  const status = text(payload['status'])
  if (status === null) return null
  const state = STATES[status] ?? 'close'
  const told = Array.isArray(payload['statuses']) ? fieldsOf(payload['statuses'].at(-1)) : null
  const at = millisOf(told?.['timestamp']) ?? atMs
  const phone = { ownerJid: ownJid, profileName: text(me['pushName'], 200) }
  // A session that fails before its link has used up its codes.
  const isLimit = status === 'FAILED' && ownJid === null
  return [
    linkEvent({ state, rank: 2, atMs: at, ...(state === 'open' && phone) }),
    ...(isLimit ? [noMoreCodes(at)] : []),
    ...readLimits(payload, at),
  ]
}

function stepOfCall(status: string): Reader {
  return (payload, around) => {
    const { id, from, isVideo, isGroup, timestamp } = payload
    return readCall(
      { id, from, isVideo, isGroup, date: timestamp, ...child(payload, '_data'), status },
      around,
    )
  }
}

/** WAHA's store has each message in its latest state, and has no revoked messages. */
function readRecord(record: unknown, { fromSeconds = 0, ...around }: RecordAround): Incoming[] {
  const row = fieldsOf(record) ?? {}
  const data = child(row, '_data')
  if (isBefore(fromSeconds, data)) return []
  return readBack(readOf(row, { ...around, me: {} }), (message) => {
    const isEdited = fieldsOf(child(data, 'message')['editedMessage']) !== null
    return [
      ...(message.fromMe ? (readAck(row) ?? []).map((ack) => withCode(ack, data)) : []),
      ...(isEdited ? [editSeen(message, around.atMs)] : []),
      ...reactionsTo(message.messageId, data),
    ]
  })
}

/** Adds WhatsApp's error code, which only the store has. */
function withCode(event: Incoming, { messageStubParameters: stub }: Fields): Incoming {
  const code = Array.isArray(stub) ? text(stub[0]) : null
  return event.event === 'ack' && code !== null ? { ...event, code } : event
}

function reactionsTo(messageId: string, { reactions }: Fields): Incoming[] {
  return (Array.isArray(reactions) ? reactions : []).flatMap((item: unknown): Incoming[] => {
    const reaction = fieldsOf(item) ?? {}
    const key = child(reaction, 'key')
    const reactionId = text(key['id'], 200)
    const atSeconds = epochSeconds(reaction['senderTimestampMs'])
    if (reactionId === null || atSeconds === null) return []
    const emoji = text(reaction['text'], 20) ?? ''
    return [{ event: 'reaction', messageId, isOwn: key['fromMe'] === true, emoji, atSeconds, reactionId }]
  })
}

/** Fields with addresses of people, in the short form and in the protocol's. */
const NAMES = ['from', 'remoteJid', 'remoteJidAlt', 'chatId']

const addressOf = (payload: Fields): string | null => text(child(payload, 'media')['url'], 2_000)

function itemsOf(body: unknown): DeliveredItem[] {
  const payload = child(fieldsOf(body) ?? {}, 'payload')
  const data = child(payload, '_data')
  const places = [payload, data, child(data, 'key'), child(payload, 'after')]
  return [{ jids: addressesIn(places, NAMES), hasFile: addressOf(payload) !== null }]
}

/**
 * Finds the files to fetch at once, because WAHA keeps them only for some minutes. Skips files of ignored deliveries,
 * such as those of groups, and files that were sent through the API. The reference to the stored bytes goes into the
 * field where the readers of the protocol look for it.
 */
function filesOf(body: unknown): DeliveredFile[] {
  const payload = child(fieldsOf(body) ?? {}, 'payload')
  const address = addressOf(payload)
  const message = fieldsOf(child(payload, '_data')['message'])
  if (address === null || !message || payload['source'] === 'api') return []
  const reading = readDelivery(body, 0)
  if (!reading.ok || reading.events.length === 0) return []
  const replace = (reference: string | null) => {
    delete payload['media']
    if (reference !== null) message['base64'] = reference
  }
  return [{ address, replace }]
}

export const WAHA_DELIVERIES: DeliveryReader = {
  readDelivery,
  readRecord,
  itemsOf,
  // A delivery has one item.
  keepItems: () => undefined,
  filesOf,
  signature: { header: 'x-webhook-hmac', algorithm: 'sha512' },
}
