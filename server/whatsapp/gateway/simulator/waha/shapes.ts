// Sessions and messages as WAHA writes them, engine NOWEB.
import { withBytes } from '../media/contents.ts'
import type { Instance, Json, Message, SimulatedState } from '../state.ts'
import { isJson } from '../wire/errors.ts'

export const versionOf = ({ version }: SimulatedState): Json => ({
  version,
  engine: 'NOWEB',
  tier: 'CORE',
  browser: null,
  platform: 'linux/x64',
  worker: { id: 'w1' },
})

export function statusOf({ state, qr, isStopped }: Instance): string {
  if (state === 'open') return 'WORKING'
  if (state === 'connecting') return qr.count > 0 ? 'SCAN_QR_CODE' : 'STARTING'
  return isStopped ? 'STOPPED' : 'FAILED'
}

/** A session that starts does not know its phone yet. */
export const meOf = ({ owner, hasLoggedIn }: Instance): Json | null =>
  owner === null || !hasLoggedIn
    ? null
    : { id: cusOf(owner.jid), pushName: owner.name, lid: `999${owner.jid.slice(4, 13)}@lid` }

export const sessionOf = (instance: Instance): Json => ({
  name: instance.name,
  status: statusOf(instance),
  config: instance.settings['config'],
  me: meOf(instance),
  presence: null,
  timestamps: instance.isStopped ? { activity: null } : {},
})

export const cusOf = (jid: unknown): string => String(jid).replace('@s.whatsapp.net', '@c.us')

/** Reads an address in any form that WAHA accepts. Like WAHA, it does not clean digits. */
export function jidOf(chatId: string): string {
  const jid = chatId.replace('@c.us', '@s.whatsapp.net')
  return jid.includes('@') ? jid : `${jid}@s.whatsapp.net`
}

export const fullId = ({ remoteJid, fromMe, id, participant }: Json): string =>
  [fromMe, cusOf(remoteJid), id, ...(participant === undefined ? [] : [cusOf(participant)])].join('_')

/** The third part of a full id. A bare id is returned unchanged. */
export const bareId = (id: string): string => /@[a-z.]+_([^_]+)/.exec(id)?.[1] ?? id

const STATUSES = ['ERROR', 'PENDING', 'SERVER_ACK', 'DELIVERY_ACK', 'READ', 'PLAYED']
const ACK_NAMES = ['ERROR', 'PENDING', 'SERVER', 'DEVICE', 'READ', 'PLAYED']

export function ackOf(status: string): { ack: number; ackName: string } {
  const at = STATUSES.indexOf(status)
  return { ack: at - 1, ackName: ACK_NAMES[at] ?? 'UNKNOWN' }
}

/** The last state of a message; received ones count as delivered. */
function lastStatus({ key, updates }: Message): string {
  return updates.findLast((status) => STATUSES.includes(status)) ?? (key.fromMe ? 'PENDING' : 'DELIVERY_ACK')
}

/** `isStored`: in the store, bytes are Buffers and longs are numbers. In webhooks they are base64 and texts. */
type Shown = { message: Message; isStored: boolean; media: Json | null }

export function messageOf({ message, isStored, media }: Shown): Json {
  const { key, sentAtSeconds, pushName } = message
  const content = written(contentOf(message, isStored), isStored)
  const inner = Object.values(isJson(content) ? content : {}).find(isJson)
  const { remoteJid, participant } = key
  const isRoom = participant !== undefined
  const status = lastStatus(message)
  const { caption, text } = inner ?? {}
  return {
    id: fullId(key),
    timestamp: sentAtSeconds,
    from: cusOf(remoteJid),
    fromMe: key.fromMe,
    source: message.source === 'api' ? 'api' : 'app',
    body: (isJson(content) ? content['conversation'] : null) ?? text ?? caption ?? null,
    ...(isRoom ? { to: cusOf(remoteJid), participant: cusOf(participant) } : {}),
    hasMedia: media !== null,
    media,
    ...ackOf(status),
    location: placeOf(content),
    vCards:
      isJson(content) && isJson(content['contactMessage']) ? [content['contactMessage']['vcard']] : null,
    replyTo: null,
    _data: {
      key,
      messageTimestamp: sentAtSeconds,
      ...(key.fromMe ? {} : { pushName }),
      broadcast: false,
      message: content,
      status: STATUSES.indexOf(status),
      ...(status === 'ERROR' && isStored ? { messageStubParameters: ['463'] } : {}),
    },
  }
}

function placeOf(content: unknown): Json | null {
  const place = isJson(content) ? content['locationMessage'] : null
  if (!isJson(place)) return null
  const { degreesLatitude, degreesLongitude, name } = place
  return { live: false, latitude: String(degreesLatitude), longitude: String(degreesLongitude), name }
}

/** A text with a quote is of another kind. In the store an edited message has a wrapper. */
function contentOf({ content, contextInfo, updates }: Message, isStored: boolean): Json | null {
  const said = content?.['conversation']
  if (said === undefined) return content
  if (isStored && updates.includes('EDITED'))
    return { editedMessage: { message: { extendedTextMessage: { text: said } } } }
  return contextInfo?.['stanzaId'] === undefined
    ? content
    : { extendedTextMessage: { text: said, contextInfo } }
}

function written(value: unknown, isStored: boolean): unknown {
  const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  return withLongs(
    withBytes(value, (bytes) => (isStored ? { type: 'Buffer', data: asText(bytes) } : asText(bytes))),
    isStored,
  )
}

function withLongs(value: unknown, isStored: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withLongs(item, isStored))
  if (!isJson(value)) return value
  if (typeof value['low'] === 'number') return isStored ? value['low'] : String(value['low'])
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withLongs(item, isStored)]))
}
