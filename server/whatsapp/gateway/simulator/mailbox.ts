// Stores messages, and acknowledges, edits, revokes and searches them.
import { asBase64, asIndices, withBytes, type Body } from './media/contents.ts'
import type { Instance, Json, Message, SimulatedState } from './state.ts'

/** A message with the instance that has it. */
export type Post = { instance: Instance; message: Message }

/** Stores a message; the caller sends the webhook. */
export function keep(
  simulated: SimulatedState,
  instance: Instance,
  said: Body & Pick<Message, 'key' | 'pushName' | 'source'> & { sentAtSeconds?: number },
): Message {
  const message: Message = {
    sentAtSeconds: Math.floor(simulated.clock.now() / 1000),
    ...said,
    rowId: simulated.ids.row(),
    updates: [],
  }
  instance.messages.push(message)
  return message
}

/** A message in the form of webhooks and of answers to sends. `key` may differ from the stored one. */
export function shown({ instance, message }: Post, status: string, key: Json = message.key): Json {
  return {
    key,
    pushName: message.pushName,
    status,
    message: {
      ...(withBytes(message.content, asIndices) as Json),
      ...(message.base64 !== null && instance.sendsBase64 && !BARE.has(message.messageType)
        ? { base64: message.base64 }
        : {}),
    },
    ...contextShown(message),
    messageType: message.messageType,
    messageTimestamp: message.sentAtSeconds,
    instanceId: instance.id,
    source: message.source,
  }
}

/** The gateway does not find the file in these wrappers. */
const BARE = new Set(['associatedChildMessage'])
const WITHOUT_CONTEXT = new Set(['conversation', 'reactionMessage', 'ephemeralMessage'])

/** Some kinds have an empty context, others none. */
const contextShown = ({ contextInfo, messageType }: Message): Json =>
  contextInfo === null && WITHOUT_CONTEXT.has(messageType) ? {} : { contextInfo }

export function acknowledge(simulated: SimulatedState, { instance, message }: Post, status: string) {
  message.updates.push(status)
  simulated.emit(instance, 'messages.update', {
    keyId: message.key.id,
    remoteJid: message.key.remoteJid,
    fromMe: message.key.fromMe,
    participant: null,
    status,
    instanceId: instance.id,
    messageId: message.rowId,
  })
}

/** The store then has the time of the edit in place of the message's own. */
export function edit(simulated: SimulatedState, { instance, message }: Post, text: string) {
  message.content = { conversation: text }
  message.sentAtSeconds = Math.floor(simulated.clock.now() / 1000)
  message.updates.push('EDITED')
  simulated.emit(instance, 'messages.edited', {
    key: message.key,
    type: 'MESSAGE_EDIT',
    editedMessage: { conversation: text },
  })
}

export function revoke(simulated: SimulatedState, { instance, message }: Post) {
  message.content = null
  message.sentAtSeconds = Math.floor(simulated.clock.now() / 1000)
  message.updates.push('EDITED', simulated.version === '2.3.6' ? 'DELETED' : 'SERVER_ACK')
  const { remoteJid, fromMe, id } = message.key
  simulated.emit(instance, 'messages.edited', { key: message.key, type: 'REVOKE' })
  simulated.emit(instance, 'messages.delete', { remoteJid, fromMe, id, status: 'DELETED' })
}

export const findById = (instance: Instance, id: string) =>
  instance.messages.findLast((message) => message.key.id === id)

type Search = {
  where?: { key?: Json; messageTimestamp?: { gte?: string; lte?: string } }
  page?: number
  offset?: number
}

const PAGE_SIZE = 50

/** Returns a page of the store. `offset` is the page's size. As at the gateway, a false `fromMe` does not filter. */
export function search(
  simulated: SimulatedState,
  instance: Instance,
  { where, page = 1, offset = PAGE_SIZE }: Search,
): Json {
  const found = instance.messages
    .filter(
      (message) => hasKey(simulated, message, where?.key ?? {}) && isWithin(message, where?.messageTimestamp),
    )
    .toReversed()
    .toSorted((one, other) => other.sentAtSeconds - one.sentAtSeconds)
  const records = found
    .slice(offset * (page - 1), offset * page)
    .map((message) => recordOf(instance, message))
  return { total: found.length, pages: Math.ceil(found.length / offset), currentPage: page, records }
}

function hasKey(simulated: SimulatedState, { key }: Message, asked: Json): boolean {
  if (asked['id'] && key.id !== asked['id']) return false
  if (asked['fromMe'] && !key.fromMe) return false
  const { remoteJid, remoteJidAlt } = asked
  if (!remoteJid && !remoteJidAlt) return true
  const isMain = key.remoteJid === remoteJid
  const isAlt = remoteJidAlt !== undefined && key['remoteJidAlt'] === remoteJidAlt
  return simulated.version === '2.3.6' && remoteJid ? isMain : isMain || isAlt
}

/** Filters only if both ends are given. */
function isWithin({ sentAtSeconds }: Message, times: { gte?: string; lte?: string } | undefined): boolean {
  if (!times?.gte || !times.lte) return true
  return sentAtSeconds >= Date.parse(times.gte) / 1000 && sentAtSeconds <= Date.parse(times.lte) / 1000
}

const recordOf = (instance: Instance, message: Message): Json => ({
  id: message.rowId,
  key: message.key,
  pushName: message.pushName,
  messageType: message.messageType,
  message: withBytes(message.content, asBase64),
  messageTimestamp: message.sentAtSeconds,
  instanceId: instance.id,
  source: message.source,
  contextInfo: withBytes(message.contextInfo, asBase64),
  MessageUpdate: message.updates.map((status) => ({ status })),
})
