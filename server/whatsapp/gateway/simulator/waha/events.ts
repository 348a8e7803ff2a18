// Turns what happens in the simulated WhatsApp into WAHA's webhooks.
import { createHmac } from 'node:crypto'
import { findById } from '../mailbox.ts'
import type { Instance, Json, SimulatedState } from '../state.ts'
import type { Delivery, Form } from '../webhooks.ts'
import { isJson } from '../wire/errors.ts'
import type { Files } from './files.ts'
import { ackOf, cusOf, fullId, meOf, messageOf, statusOf, versionOf } from './shapes.ts'

type Told = { event: string; payload: Json }

/** WAHA repeats an attempt that is not answered with 2xx. */
export function createWahaForm(state: () => SimulatedState, files: Files): Form {
  return {
    deliveriesOf: ({ instance, event, data }) => {
      const simulated = state()
      // A received message is reported as two events with the same id.
      const id = `evt_${simulated.ids.row()}`
      return toldOf({ simulated, files, instance, event, data }).flatMap((told) =>
        webhooksOf(instance).flatMap((webhook) => deliveryOf(simulated, { instance, webhook, told, id })),
      )
    },
    isFinal: () => false,
    retries: (delivery) => delivery.retries ?? { attempts: 15, delayMs: () => 2_000 },
  }
}

function webhooksOf({ settings }: Instance): Json[] {
  const config = isJson(settings['config']) ? settings['config'] : {}
  return Array.isArray(config['webhooks']) ? config['webhooks'].filter(isJson) : []
}

type Given = { instance: Instance; webhook: Json; told: Told; id: string }

function deliveryOf(simulated: SimulatedState, { instance, webhook, told, id }: Given): Delivery[] {
  const events: unknown = webhook['events']
  if (!Array.isArray(events) || !events.some((name) => name === told.event || name === '*')) return []
  const nowMs = simulated.clock.now()
  const body = JSON.stringify({
    id,
    timestamp: nowMs,
    event: told.event,
    session: instance.name,
    metadata: {},
    me: meOf(instance),
    payload: told.payload,
    engine: 'NOWEB',
    environment: versionOf(simulated),
  })
  const hmac = isJson(webhook['hmac']) ? webhook['hmac']['key'] : undefined
  const headers = {
    'content-type': 'application/json',
    'user-agent': `WAHA/${simulated.version}`,
    'x-webhook-request-id': simulated.ids.row(),
    'x-webhook-timestamp': String(nowMs),
    ...(typeof hmac === 'string' && {
      'x-webhook-hmac': createHmac('sha512', hmac).update(body).digest('hex'),
      'x-webhook-hmac-algorithm': 'sha512',
    }),
  }
  return [{ url: String(webhook['url']), headers, body, retries: retriesOf(webhook) }]
}

function retriesOf({ retries }: Json): NonNullable<Delivery['retries']> {
  const { policy, delaySeconds, attempts } = isJson(retries) ? retries : {}
  const firstMs = Number(delaySeconds ?? 2) * 1000
  const growth = policy === 'exponential' ? 2 : 1
  return { attempts: Number(attempts ?? 15), delayMs: (attempt) => firstMs * growth ** (attempt - 1) }
}

type Happened = { simulated: SimulatedState; files: Files; instance: Instance; event: string; data: unknown }

function toldOf(happened: Happened): Told[] {
  const data = isJson(happened.data) ? happened.data : {}
  switch (happened.event) {
    case 'messages.upsert':
    case 'send.message':
      return messageTold(happened, data)
    case 'messages.update':
      return data['fromMe'] === true ? [ackTold(data)] : []
    case 'messages.edited':
      return [changeTold(happened, data)]
    case 'call':
      return callTold(data)
    case 'qrcode.updated':
      return isJson(data['qrcode']) ? [statusTold(happened)] : []
    case 'connection.update':
      return [statusTold(happened)]
    default:
      return []
  }
}

const statusTold = ({ simulated, instance }: Happened): Told => ({
  event: 'session.status',
  payload: {
    name: instance.name,
    status: statusOf(instance),
    statuses: [{ status: statusOf(instance), timestamp: simulated.clock.now() }],
  },
})

function messageTold({ instance, files }: Happened, { key }: Json): Told[] {
  const message = findById(instance, String(isJson(key) ? key['id'] : ''))
  if (message === undefined) return []
  const reaction = message.content?.['reactionMessage']
  const media = files.download(instance, message)
  const shown = messageOf({ message, isStored: false, media })
  if (isJson(reaction) && isJson(reaction['key'])) {
    const { id, timestamp, from, fromMe } = shown
    const said = { text: reaction['text'], messageId: fullId(reaction['key']) }
    // WAHA reports this source even if the reaction was sent through the API.
    return [
      { event: 'message.reaction', payload: { id, timestamp, from, fromMe, source: 'app', reaction: said } },
    ]
  }
  const any = { event: 'message.any', payload: shown }
  return message.key.fromMe ? [any] : [{ event: 'message', payload: shown }, any]
}

function ackTold({ keyId, remoteJid, fromMe, status }: Json): Told {
  const id = fullId({ remoteJid, fromMe, id: keyId })
  return { event: 'message.ack', payload: { id, from: cusOf(remoteJid), fromMe, ...ackOf(String(status)) } }
}

function changeTold({ simulated }: Happened, { key, type, editedMessage }: Json): Told {
  const { id, remoteJid, fromMe } = isJson(key) ? key : {}
  const own = { remoteJid, fromMe, id: simulated.ids.phone() }
  const timestamp = Math.floor(simulated.clock.now() / 1000)
  const about = { id: fullId(own), timestamp, from: cusOf(remoteJid), fromMe, source: 'app', hasMedia: false }
  const protocolMessage = {
    key: { remoteJid, fromMe, id },
    type,
    ...(isJson(editedMessage) ? { editedMessage } : {}),
  }
  const data = { key: own, message: { protocolMessage }, messageTimestamp: timestamp, status: 3 }
  if (type === 'REVOKE')
    return {
      event: 'message.revoked',
      payload: {
        after: { ...about, body: null, _data: data },
        before: null,
        revokedMessageId: id,
        _data: data,
      },
    }
  const body = isJson(editedMessage) ? editedMessage['conversation'] : null
  return { event: 'message.edited', payload: { ...about, body, _data: data, editedMessageId: id } }
}

const CALLS: Record<string, string> = {
  offer: 'call.received',
  accept: 'call.accepted',
  reject: 'call.rejected',
}

/** A call that nobody answers ends without an event. */
function callTold(data: Json): Told[] {
  const { id, from, date, isVideo = false, isGroup = false, status } = data
  const event = CALLS[String(status)]
  if (event === undefined) return []
  const timestamp = Date.parse(String(date)) / 1000
  return [{ event, payload: { id, from: cusOf(from), timestamp, isVideo, isGroup, _data: data } }]
}
