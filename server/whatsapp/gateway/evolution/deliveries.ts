// Parses a delivery of the Evolution API into events. Pure; tolerates any input.
import type { DeliveryReader, Incoming, Reading, RecordAround } from '#server/delivery.ts'
import { child, fieldsOf, isTrue, text, type Fields } from '../message/field.ts'
import { personJid } from '../message/jid.ts'
import { nameOf } from '../message/person-name.ts'
import { editSeen, isBefore, readBack } from '../message/read-back.ts'
import { readCall } from '../message/read-call.ts'
import { deliveryOf, keyOf, readEdit, readMessage, type Circumstances } from '../message/read-message.ts'
import { filesOf, itemsOf, keepItems, listOf } from './delivery-parts.ts'
import { readConnection, readLogout, readQr, readRemoval, readStatus } from './read-link.ts'

type Reader = (data: Fields, around: Circumstances) => Incoming[] | null

const READERS: Readonly<Record<string, Reader>> = {
  'messages.upsert': (data, around) => readMessage(data, around),
  'send.message': (data, around) => readMessage(data, { ...around, isViaApi: true }),
  'messages.update': readAck,
  'messages.edited': readEdited,
  'messages.delete': (data, { atMs }) =>
    readKeyed(data, (messageId) => [{ event: 'revoke', messageId, atMs }]),
  call: readCall,
  'contacts.upsert': readName,
  'contacts.update': readName,
  'connection.update': (data, { atMs }) => readConnection(data, atMs),
  'qrcode.updated': (data, { atMs }) => readQr(data, atMs),
  'status.instance': (data, { atMs }) => readStatus(data, atMs),
  'logout.instance': (_, { atMs }) => readLogout(atMs),
  'remove.instance': (_, { atMs }) => readRemoval(atMs),
  'instance.delete': (_, { atMs }) => readRemoval(atMs),
}
/** Events whose data is null. */
const WITHOUT_DATA = ['logout.instance', 'remove.instance']

export function readDelivery(body: unknown, receivedAtMs: number): Reading {
  const envelope = fieldsOf(body)
  const name = text(envelope?.['event'])
  if (!envelope || name === null) return { ok: false, reason: 'not-an-event' }
  const event = name.toLowerCase().replaceAll(/[_-]/g, '.')
  const read = Object.hasOwn(READERS, event) ? READERS[event] : undefined
  if (!read) return { ok: true, events: [] }
  const around = {
    ownJid: personJid(envelope['sender']),
    isViaApi: false,
    atMs: reportedAt(envelope['date_time'], receivedAtMs),
  }
  const items = WITHOUT_DATA.includes(event) ? [{}] : listOf(envelope['data']).map(fieldsOf)
  const readings = items.map((item) => (item ? read(item, around) : null))
  if (readings.every((reading) => reading === null)) return { ok: false, reason: 'not-an-event' }
  return { ok: true, events: readings.flatMap((reading) => reading ?? []) }
}

/** The gateway's store keeps the later states of a message in MessageUpdate. A revoked message has no content. */
export function readRecord(record: unknown, { fromSeconds = 0, ...around }: RecordAround): Incoming[] {
  const data = fieldsOf(record) ?? {}
  if (isBefore(fromSeconds, data)) return []
  const updates = Array.isArray(data['MessageUpdate']) ? data['MessageUpdate'] : []
  const statuses = updates.map((update: unknown) => fieldsOf(update)?.['status'])
  const isChanged = statuses.includes('EDITED')
  const isRevoked = isChanged && fieldsOf(data['message']) === null
  return readBack(readMessage(data, { ...around, isViaApi: false, isRevoked }), (message) => {
    const { messageId, sentAtSeconds } = message
    const acks = statuses.flatMap((status): Incoming[] => {
      const delivery = deliveryOf(status)
      return delivery ? [{ event: 'ack', messageId, delivery }] : []
    })
    if (isRevoked) return [...acks, { event: 'revoke', messageId, atMs: sentAtSeconds * 1000 }]
    return isChanged ? [...acks, editSeen(message, around.atMs)] : acks
  })
}

const HALF_AN_HOUR_MS = 1_800_000
const QUARTER_MS = 900_000
/** How far the gateway's clock may be ahead. The other 22 minutes of the half hour are for late retries. */
const AHEAD_MS = 480_000
/** Maximum delay of an immediate delivery. */
const AT_ONCE_MS = 5_000

/**
 * When the gateway made a delivery, in epoch milliseconds. The gateway writes the local time of its zone as UTC (its
 * image is set to São Paulo, three hours behind). So only the seconds, and the minutes within a half hour, are right.
 * The arrival decides which half hour it was, because a delivery arrives at once or, retried, within twenty minutes.
 * One that seems exactly a quarter of an hour late arrived at once, from a zone with quarter hours such as Kathmandu.
 */
function reportedAt(written: unknown, receivedAtMs: number): number {
  const localMs = typeof written === 'string' ? Date.parse(written) : Number.NaN
  if (!Number.isFinite(localMs) || localMs <= 0) return receivedAtMs
  const atMs = localMs + Math.floor((receivedAtMs - localMs + AHEAD_MS) / HALF_AN_HOUR_MS) * HALF_AN_HOUR_MS
  return Math.abs(receivedAtMs - atMs - QUARTER_MS) <= AT_ONCE_MS ? atMs + QUARTER_MS : atMs
}

function readKeyed(
  data: Fields,
  read: (messageId: string, jid: string | null) => Incoming[],
): Incoming[] | null {
  const key = keyOf(data)
  return key && read(key.id, personJid(key.fields['remoteJid']))
}

function readAck(data: Fields): Incoming[] | null {
  return readKeyed(data, (messageId) => {
    const update = child(data, 'update')
    const delivery = deliveryOf(data['status'] ?? update['status'])
    const stub = data['messageStubParameters'] ?? update['messageStubParameters']
    const code = Array.isArray(stub) ? text(stub[0]) : null
    return delivery ? [{ event: 'ack', messageId, delivery, ...(code === null ? {} : { code }) }] : []
  })
}

/** The gateway reports a chat's settings as edits without a key. They change no message. */
function readEdited(data: Fields, { atMs }: Circumstances): Incoming[] | null {
  if (keyOf(data) === null) return Object.keys(data).length === 0 ? null : []
  return readKeyed(data, (messageId, jid) =>
    data['type'] === 'REVOKE' || data['type'] === 0
      ? [{ event: 'revoke', messageId, atMs }]
      : readEdit(child(data, 'editedMessage'), { messageId, atMs, jid }),
  )
}

function readName(data: Fields): Incoming[] | null {
  const address = text(data['remoteJid']) ?? text(data['id'])
  if (address === null) return null
  const jid = personJid(address)
  const name = isTrue(data['isGroup']) ? null : nameOf(data)
  return jid && name ? [{ event: 'name', jid, name }] : []
}

export const EVOLUTION_DELIVERIES: DeliveryReader = { readDelivery, readRecord, itemsOf, keepItems, filesOf }
