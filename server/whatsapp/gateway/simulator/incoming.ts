// Messages that reach an instance from its phone and from other people.
import type * as v from 'valibot'
import {
  fileBody,
  plainBody,
  quoteContext,
  textBody,
  wrapped,
  type Body,
  type File,
} from './media/contents.ts'
import type { Arrival, FAULT_SETTINGS } from './fault-settings.ts'
import { keep, shown } from './mailbox.ts'
import { document, picture, voice } from './media/stock-media.ts'
import type { Instance, Json, Message, SimulatedState } from './state.ts'

/** Stores the message, sends the webhook and returns its id. */
export function receive(simulated: SimulatedState, instance: Instance, arrival: Arrival): string {
  const message = arrive(simulated, instance, arrival)
  const { name = 'Contato', fromMe = false, room } = arrival
  if (room?.endsWith('@g.us') && instance.settings['groupsIgnore'] === true) return message.key.id
  if (room === 'status@broadcast' && instance.settings['readStatus'] === false) return message.key.id
  const key = reportedKey(simulated, message)
  simulated.emit(
    instance,
    'messages.upsert',
    shown({ instance, message }, fromMe ? 'SERVER_ACK' : 'DELIVERY_ACK', key),
  )
  const remoteJid = String(key['remoteJid'])
  simulated.emit(instance, instance.contacts.has(remoteJid) ? 'contacts.update' : 'contacts.upsert', {
    remoteJid,
    pushName: fromMe ? '' : name,
    instanceId: instance.id,
  })
  instance.contacts.add(remoteJid)
  return message.key.id
}

/** Delivers the history that a phone sends when it links: as one list, without an upsert for each message. */
export function receiveHistory(simulated: SimulatedState, instance: Instance, arrivals: readonly Arrival[]) {
  const messages = arrivals.map((arrival) => arrive(simulated, instance, arrival))
  simulated.emit(
    instance,
    'messages.set',
    messages.map((message) => shown({ instance, message }, 'DELIVERY_ACK')),
  )
}

function arrive(simulated: SimulatedState, instance: Instance, arrival: Arrival): Message {
  const { fromMe = false, name = 'Contato', atSeconds } = arrival
  return keep(simulated, instance, {
    ...bodyOf(simulated, instance, arrival),
    key: keyOf(simulated, arrival),
    pushName: fromMe ? 'Você' : name,
    source: 'android',
    ...(atSeconds === undefined ? {} : { sentAtSeconds: atSeconds }),
  })
}

function keyOf(
  simulated: SimulatedState,
  { from, fromMe = false, id = simulated.ids.phone(), ...rest }: Arrival,
): Message['key'] {
  const phone = simulated.numbers.resolve(from).jid
  const lid = `${rest.lid ?? simulated.numbers.lidOf(from) ?? `1${from.replace(/\D/g, '')}`}@lid`
  if (rest.room !== undefined) return { remoteJid: rest.room, fromMe, id, participant: phone }
  switch (rest.addressing ?? 'pn') {
    case 'pn':
      return { remoteJid: phone, fromMe, id }
    case 'pn+lid':
      return { remoteJid: phone, fromMe, id, addressingMode: 'pn', remoteJidAlt: lid }
    case 'lid':
      return { remoteJid: lid, fromMe, id, addressingMode: 'lid' }
    case 'lid+alt':
      return { remoteJid: lid, fromMe, id, addressingMode: 'lid', remoteJidAlt: phone }
  }
}

/** 2.3.7 reports the phone instead of the stored lid; own messages stay unchanged. */
function reportedKey({ version }: SimulatedState, { key }: Message): Json {
  const alt = key['remoteJidAlt']
  const isRewritten = version !== '2.3.6' && key['addressingMode'] === 'lid' && !key.fromMe
  return isRewritten && typeof alt === 'string' ? { ...key, remoteJid: alt } : key
}

function bodyOf(simulated: SimulatedState, instance: Instance, arrival: Arrival): Body {
  const { kind = 'text', text = 'Olá', target } = arrival
  switch (kind) {
    case 'text':
      return textBody(text, target === undefined ? null : quote(instance, target))
    case 'ephemeral':
      return wrapped('ephemeralMessage', plainBody('extendedTextMessage', { endCardTiles: [], text }))
    case 'view-once':
      return wrapped('viewOnceMessageV2', fileBody(simulated, fileOf(arrival, 'image')))
    case 'contact':
      return plainBody('contactMessage', { displayName: text, vcard: vcard(text) })
    case 'location':
      return plainBody('locationMessage', { degreesLatitude: -23.55, degreesLongitude: -46.63, name: text })
    case 'reaction':
      return plainBody('reactionMessage', { key: targetKey(simulated, arrival), text })
    case 'poll':
      return plainBody('pollCreationMessageV3', {
        name: text,
        options: [{ optionName: 'Sim' }],
        selectableOptionsCount: 1,
      })
    case 'album':
      return plainBody('albumMessage', { expectedImageCount: Number(text) || 2 })
    case 'album-photo':
      return albumPhoto(fileBody(simulated, fileOf(arrival, 'image')), target?.id)
    case 'raw':
      return rawBody(arrival)
    default:
      return fileBody(simulated, fileOf(arrival, kind === 'voice' ? 'audio' : kind))
  }
}

/** Each photo has a wrapper that names the head of its album. */
function albumPhoto(photo: Body, headId: string | undefined): Body {
  const body = wrapped('associatedChildMessage', photo)
  if (headId === undefined) return body
  const messageAssociation = { associationType: 'MEDIA_ALBUM', parentMessageKey: { id: headId } }
  return { ...body, content: { ...body.content, messageContextInfo: { messageAssociation } } }
}

function rawBody({ message = {}, file }: Arrival): Body {
  const messageType = Object.keys(message)[0] ?? 'unknown'
  return { messageType, content: message, base64: file?.base64 ?? null, contextInfo: null }
}

type Step = v.InferOutput<typeof FAULT_SETTINGS.call>

/** Reports one step of a call; returns the call's id. */
export function tellCall(simulated: SimulatedState, instance: Instance, step: Step): string {
  const { from, status, lid, isVideo = false, atSeconds, id = simulated.ids.phone() } = step
  const jid = lid === undefined ? simulated.numbers.resolve(from).jid : `${lid}@lid`
  const date = new Date(atSeconds === undefined ? simulated.clock.now() : atSeconds * 1000).toISOString()
  const about = status === 'offer' ? { isVideo, isGroup: false } : {}
  simulated.emit(instance, 'call', { chatId: jid, from: jid, id, date, offline: false, status, ...about })
  return id
}

function fileOf({ file, text, kind }: Arrival, sort: File['kind']): File {
  const { mimeType, base64, fileName } = file ?? STOCK[sort]()
  return {
    kind: sort,
    base64,
    mimeType,
    isVoice: kind === 'voice',
    ...(fileName === undefined ? {} : { fileName }),
    ...(file?.seconds === undefined ? {} : { seconds: file.seconds }),
    ...(text === undefined || sort === 'audio' || sort === 'sticker' ? {} : { caption: text }),
  }
}

const STOCK: Record<File['kind'], () => { base64: string; mimeType: string; fileName: string }> = {
  image: picture,
  sticker: picture,
  audio: () => voice(3),
  document,
  video: () => {
    throw new Error('a video needs a file')
  },
}

function targetKey(simulated: SimulatedState, { from, target }: Arrival) {
  if (target === undefined) throw new Error('a reaction needs a target')
  return { remoteJid: simulated.numbers.resolve(from).jid, fromMe: target.fromMe ?? true, id: target.id }
}

const quote = (instance: Instance, target: { id: string; text?: string }) =>
  quoteContext({ id: target.id, text: target.text ?? '', author: instance.owner?.jid ?? '' })

const vcard = (name: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, 'TEL;waid=5511955500199:+55 11 95550-0199', 'END:VCARD'].join(
    '\n',
  )
