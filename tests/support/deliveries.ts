// Webhook deliveries as Evolution 2.3.7 makes them. They are valid by default, and each test names only what matters.

export const OWN_JID = '5511900000001@s.whatsapp.net'
export const ANA = '5511987654321@s.whatsapp.net'
export const ANA_LID = '99887766554433@lid'
/** 2026-11-21T08:54:27Z, in epoch seconds. */
export const NOON = 1_795_251_267

type Json = Record<string, unknown>

/** `atMs` orders the gateway's own reports; by default that of NOON. */
export function delivery(event: string, data: unknown, atMs = NOON * 1000): Json {
  return {
    event,
    instance: 'eva',
    data,
    destination: 'http://127.0.0.1/wh',
    date_time: new Date(atMs).toISOString(),
    sender: OWN_JID,
    server_url: 'http://127.0.0.1',
    apikey: null,
  }
}

export type Written = {
  id?: string
  key?: Json
  fromMe?: boolean
  message?: unknown
  sentAt?: number
  pushName?: string | null
  status?: string
  rest?: Json
}

export function messageData(written: Written = {}): Json {
  const { id = 'MSG1', fromMe = false, message = { conversation: 'Olá' }, sentAt = NOON } = written
  return {
    key: { remoteJid: ANA, fromMe, id, ...written.key },
    pushName: written.pushName === undefined ? (fromMe ? 'Você' : 'Ana') : written.pushName,
    status: written.status ?? (fromMe ? 'PENDING' : 'DELIVERY_ACK'),
    message,
    messageType: 'conversation',
    messageTimestamp: sentAt,
    instanceId: 'd1b728b8-8ee2-44d7-9411-901d50c767f3',
    source: 'android',
    ...written.rest,
  }
}

/** A delivery that the gateway reports in the second in which the message was written. */
const reported = (event: string, written: Written): Json =>
  delivery(event, messageData(written), 1000 * (written.sentAt ?? NOON))

export const upsert = (written: Written = {}): Json => reported('messages.upsert', written)
export const sent = (written: Written = {}): Json => reported('send.message', { fromMe: true, ...written })

export const ack = (id: string, status: string, fromMe = true): Json =>
  delivery('messages.update', {
    keyId: id,
    remoteJid: ANA,
    fromMe,
    participant: null,
    status,
    messageId: 'row',
  })

export const edited = (id: string, conversation: string, atMs = NOON * 1000): Json =>
  delivery(
    'messages.edited',
    { key: { remoteJid: ANA, fromMe: false, id }, type: 'MESSAGE_EDIT', editedMessage: { conversation } },
    atMs,
  )

export const revoked = (id: string, atMs = NOON * 1000): Json =>
  delivery('messages.delete', { remoteJid: ANA, fromMe: false, id, status: 'DELETED' }, atMs)

export const reaction = (target: string, emoji: string, written: Written = {}): Json =>
  upsert({
    id: `R-${target}-${emoji}`,
    message: { reactionMessage: { key: { remoteJid: ANA, fromMe: true, id: target }, text: emoji } },
    ...written,
  })

export const named = (jid: string, pushName: string): Json =>
  delivery('contacts.update', { remoteJid: jid, pushName })

export const connection = (state: string, atMs: number, rest: Json = {}): Json =>
  delivery(
    'connection.update',
    { instance: 'eva', state, statusReason: state === 'close' ? 401 : 200, ...rest },
    atMs,
  )

export const qr = (code: string, atMs: number): Json =>
  delivery(
    'qrcode.updated',
    { qrcode: { instance: 'eva', pairingCode: null, code, base64: 'data:image/png;base64,iVBORw0KGgo=' } },
    atMs,
  )

/** One of each media kind, with bytes. */
export const image = (written: Written & { bytes?: Uint8Array } = {}): Json =>
  upsert({
    message: {
      imageMessage: {
        mimetype: 'image/jpeg',
        caption: 'foto',
        fileLength: { low: 70, high: 0, unsigned: true },
        width: 1,
        height: 1,
      },
      base64: Buffer.from(written.bytes ?? [1, 2, 3]).toString('base64'),
    },
    ...written,
  })
