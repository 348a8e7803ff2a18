// Webhook deliveries and stored rows as WAHA makes them with the engine NOWEB, valid by default.

type Json = Record<string, unknown>

const ANA = '5511987654321'
export const ANA_JID = `${ANA}@s.whatsapp.net`
export const ANA_LID = '99887766554433@lid'
export const OWN_JID = '5511900000001@s.whatsapp.net'
const OWN_LID = '99900000001@lid'
/** 2026-11-21T08:54:27Z, in epoch seconds. */
export const NOON = 1_795_251_267

export const delivery = (
  event: string,
  payload: unknown,
  { atMs = NOON * 1000, me = OWN }: { atMs?: number; me?: Json | null } = {},
): Json => ({
  id: 'evt_01m8hyby1emn5v57x5rc5d8wck',
  timestamp: atMs,
  event,
  session: 'eva',
  metadata: {},
  me,
  payload,
  engine: 'NOWEB',
  environment: { version: '2026.7.1', engine: 'NOWEB', tier: 'CORE' },
})
const OWN: Json = { id: '5511900000001@c.us', pushName: 'Eva Corretora', lid: OWN_LID }

export type Written = {
  id?: string
  key?: Json & { remoteJid?: string }
  fromMe?: boolean
  message?: unknown
  sentAt?: unknown
  rest?: Json
  data?: Json
}

/** The payload of a message, which is also a row of the store. */
export function wahaMessage(written: Written = {}): Json & { _data: Json } {
  const { id = '3AMSG1', fromMe = false, message = { conversation: 'Olá' }, sentAt = NOON } = written
  const key = { id, fromMe, remoteJid: ANA_JID, ...written.key }
  const chat = key.remoteJid.replace('s.whatsapp.net', 'c.us')
  return {
    id: `${fromMe}_${chat}_${id}`,
    timestamp: Number(sentAt),
    from: chat,
    fromMe,
    source: 'app',
    body: 'Olá',
    hasMedia: false,
    media: null,
    ack: fromMe ? 1 : 2,
    ackName: fromMe ? 'SERVER' : 'DEVICE',
    location: null,
    vCards: null,
    replyTo: null,
    _data: {
      key,
      messageTimestamp: sentAt,
      ...(fromMe ? {} : { pushName: 'Ana' }),
      broadcast: false,
      message,
      status: fromMe ? 2 : 3,
      ...written.data,
    },
    ...written.rest,
  }
}

export const any = (written: Written = {}): Json => delivery('message.any', wahaMessage(written))

export const media = (mimetype: string, extension: string, filename: string | null = null): Json => ({
  hasMedia: true,
  media: { url: `http://localhost:3000/api/files/eva/3AMSG1.${extension}`, filename, mimetype },
})

export const ack = (number: number, { id = '3EB0AA', chat = `${ANA}@c.us`, fromMe = true } = {}): Json =>
  delivery('message.ack', { id: `${fromMe}_${chat}_${id}`, from: chat, fromMe, ack: number, ackName: '' })

export const reaction = (text: string, { fromMe = false, target = `true_${ANA}@c.us_3EB0AA` } = {}): Json =>
  delivery('message.reaction', {
    id: `${fromMe}_${ANA}@c.us_3AREACTION`,
    timestamp: NOON,
    from: `${ANA}@c.us`,
    fromMe,
    source: 'app',
    reaction: { text, messageId: target },
  })

export const edited = (body: string | null, rest: Json = {}): Json =>
  delivery('message.edited', {
    ...wahaMessage({ id: '3AEDIT', rest: { body } }),
    editedMessageId: '3AMSG1',
    ...rest,
  })

export const revoked = (from = `${ANA}@c.us`): Json =>
  delivery('message.revoked', {
    after: {
      ...wahaMessage({ id: '3AGONE', message: { protocolMessage: { type: 'REVOKE' } } }),
      from,
      body: null,
    },
    before: null,
    revokedMessageId: '3AMSG1',
  })

export const status = (name: string, { isLinked = true, atMs = NOON * 1000 } = {}): Json =>
  delivery(
    'session.status',
    {
      name: 'eva',
      status: name,
      statuses: [
        { status: 'STARTING', timestamp: atMs - 900 },
        { status: name, timestamp: atMs },
      ],
    },
    { atMs: atMs + 5, me: isLinked ? OWN : null },
  )

export const call = (event: string, state: string, rest: Json = {}): Json =>
  delivery(event, {
    id: 'CALL1',
    from: `${ANA}@c.us`,
    timestamp: NOON + 0.5,
    isVideo: false,
    isGroup: false,
    _data: {
      id: 'CALL1',
      chatId: ANA_JID,
      from: ANA_JID,
      date: new Date(NOON * 1000 + 500).toISOString(),
      status: state,
    },
    ...rest,
  })
