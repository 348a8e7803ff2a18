// Reads a WhatsApp message object: kind, text and details, however deeply it is wrapped.
import { base64, child, count, fieldsOf, isTrue, number, text, type Fields } from './field.ts'
import { readBusinessText } from './business-text.ts'
import { storedMediaId, type Content, type MediaContent, type MessageKind } from '#server/delivery.ts'
import { layersOf } from './message-names.ts'

export type Unwrapped = {
  message: Fields
  isViewOnce: boolean
  /** Reference that replaced the base64, wherever the gateway put it. */
  mediaId: string | null
  /** The head of a photo's album, '' if WhatsApp does not name it; null: no album. */
  albumId: string | null
  /** A second file of a photo that also comes by itself: its HD version, or the video of a motion photo. */
  isCopy: boolean
}

/** MessageAssociation.AssociationType. */
const ALBUM = [1, 'MEDIA_ALBUM']
const COPIES = [
  5,
  'HD_VIDEO_DUAL_UPLOAD',
  10,
  'HD_IMAGE_DUAL_UPLOAD',
  12,
  'MOTION_PHOTO',
  19,
  'HEVC_VIDEO_DUAL_UPLOAD',
]

/** The innermost message object. */
export function unwrap(outermost: Fields): Unwrapped {
  const found: Unwrapped = {
    message: outermost,
    isViewOnce: false,
    mediaId: null,
    albumId: null,
    isCopy: false,
  }
  for (const { wrapper, message } of layersOf(outermost)) {
    found.message = message
    found.isViewOnce ||= wrapper?.startsWith('viewOnce') ?? false
    found.mediaId ??= storedMediaId(message['base64'])
    if (wrapper === 'associatedChildMessage') found.albumId ??= ''
    readAssociation(message, found)
  }
  return found
}

function readAssociation(message: Fields, found: Unwrapped) {
  const association = child(child(message, 'messageContextInfo'), 'messageAssociation')
  const isOf = (types: readonly unknown[]) => types.includes(association['associationType'])
  if (isOf(ALBUM)) found.albumId = text(child(association, 'parentMessageKey')['id'], 200) ?? ''
  found.isCopy ||= isOf(COPIES)
}

const MEDIA: readonly (readonly [key: string, kind: MessageKind])[] = [
  ['imageMessage', 'image'],
  ['videoMessage', 'video'],
  ['ptvMessage', 'video'],
  ['audioMessage', 'audio'],
  ['documentMessage', 'document'],
  ['stickerMessage', 'sticker'],
]

/** Kind, text and details; 'unsupported' with an empty text for a kind that the portal cannot show. */
export function readContent(wrapped: Fields): Content {
  const unwrapped = unwrap(wrapped)
  const { message } = unwrapped
  const written = readText(message)
  if (written !== null) return { kind: 'text', body: written, content: null }
  const media = MEDIA.find(([key]) => fieldsOf(message[key]))
  if (media) {
    const fields = child(message, media[0])
    return { kind: media[1], body: text(fields['caption']) ?? '', content: readMedia(fields, unwrapped) }
  }
  return (
    readContacts(message) ??
    readLocation(message) ??
    readPoll(message) ??
    readBusiness(message) ?? { kind: 'unsupported', body: '', content: null }
  )
}

function readBusiness(message: Fields): Content | null {
  const body = readBusinessText(message)
  if (body === null) return null
  return { kind: 'text', body, content: BUSINESS.some((name) => message[name]) ? { isBusiness: true } : null }
}

/** Only business accounts can send these. */
const BUSINESS = [
  'templateMessage',
  'highlyStructuredMessage',
  'interactiveMessage',
  'buttonsMessage',
  'listMessage',
  'productMessage',
  'orderMessage',
  'invoiceMessage',
]

/** Plain text, text with a link, and answers to buttons and lists. */
function readText(message: Fields): string | null {
  return (
    text(message['conversation']) ??
    text(child(message, 'extendedTextMessage')['text']) ??
    text(child(message, 'buttonsResponseMessage')['selectedDisplayText']) ??
    text(child(message, 'templateButtonReplyMessage')['selectedDisplayText']) ??
    text(child(message, 'listResponseMessage')['title']) ??
    text(child(child(message, 'interactiveResponseMessage'), 'body')['text']) ??
    text(child(message, 'questionResponseMessage')['text']) ??
    text(child(child(message, 'commentMessage'), 'message')['conversation'])
  )
}

function readMedia(fields: Fields, { isViewOnce, mediaId, albumId }: Unwrapped): MediaContent {
  const mimeType = text(fields['mimetype'], 200)
  const isOnce = isViewOnce || isTrue(fields['viewOnce'])
  // View-once media leave no preview.
  const preview = isOnce ? null : previewOf(fields['jpegThumbnail'])
  const waveform = base64(fields['waveform'], MAX_WAVEFORM)
  return {
    mediaId,
    // A document sent without an extension arrives with the mimetype "false".
    mimeType: mimeType?.includes('/') ? mimeType : 'application/octet-stream',
    fileName: text(fields['fileName'], 300) ?? text(fields['title'], 300),
    sizeBytes: count(fields['fileLength']),
    seconds: count(fields['seconds']),
    width: count(fields['width']),
    height: count(fields['height']),
    isVoice: isTrue(fields['ptt']),
    isViewOnce: isOnce,
    ...(albumId !== null && { albumId }),
    ...(preview !== null && { preview }),
    ...(waveform !== null && { waveform }),
  }
}

/** WhatsApp's own previews have some hundred bytes to 5 kB. */
const MAX_PREVIEW = 8_192
const MAX_WAVEFORM = 256
/** First characters of every JPEG in base64. */
const JPEG = '/9j/'

function previewOf(value: unknown): string | null {
  const preview = base64(value, MAX_PREVIEW)
  return preview?.startsWith(JPEG) ? preview : null
}

const MAX_CONTACTS = 100

function readContacts(message: Fields): Content | null {
  const several = child(message, 'contactsArrayMessage')['contacts']
  const single = fieldsOf(message['contactMessage'])
  const cards = single ? [single] : Array.isArray(several) ? several.slice(0, MAX_CONTACTS) : null
  if (cards === null) return null
  const contacts = cards.flatMap((card: unknown) => {
    const fields = fieldsOf(card)
    if (!fields) return []
    const vcard = text(fields['vcard']) ?? ''
    const name =
      text(fields['displayName'], 200) ?? text(/^FN[^:\n]*:(.+)$/im.exec(vcard)?.[1]?.trim(), 200) ?? ''
    return [{ name, phones: phonesOf(vcard) }]
  })
  const names = contacts.map((contact) => contact.name).filter((name) => name !== '')
  return { kind: 'contact', body: names.join(', '), content: { contacts } }
}

/** Numbers of a vCard as digits; from WhatsApp's id if there is one. */
function phonesOf(vcard: string): string[] {
  const lines = vcard.match(/^(?:item\d+\.)?TEL[^\r\n]*/gim) ?? []
  const phones = lines.map(
    (line) => /waid=(\d+)/i.exec(line)?.[1] ?? line.slice(line.indexOf(':') + 1).replace(/\D/g, ''),
  )
  return [...new Set(phones.filter((phone) => phone !== ''))].slice(0, 20)
}

function readLocation(message: Fields): Content | null {
  const live = fieldsOf(message['liveLocationMessage'])
  const fields = fieldsOf(message['locationMessage']) ?? live
  const latitude = number(fields?.['degreesLatitude'])
  const longitude = number(fields?.['degreesLongitude'])
  if (!fields || latitude === null || longitude === null) return null
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null
  const name = text(fields['name'])
  const address = text(fields['address'])
  return {
    kind: 'location',
    body: name ?? address ?? text(fields['caption']) ?? '',
    content: { latitude, longitude, name, address, isLive: fields === live },
  }
}

const POLLS = [
  'pollCreationMessage',
  'pollCreationMessageV2',
  'pollCreationMessageV3',
  'pollCreationMessageV5',
]
const MAX_OPTIONS = 20

/** The question and the options as text; votes are encrypted. */
function readPoll(message: Fields): Content | null {
  const poll = POLLS.map((key) => fieldsOf(message[key])).find((fields) => fields)
  const question = text(poll?.['name'], 1_000)
  if (!poll || question === null) return null
  const options = Array.isArray(poll['options']) ? poll['options'].slice(0, MAX_OPTIONS) : []
  const lines = options.flatMap((option: unknown) => {
    const name = text(fieldsOf(option)?.['optionName'], 200)
    return name === null ? [] : [`• ${name}`]
  })
  return { kind: 'text', body: [`Enquete: ${question}`, ...lines].join('\n'), content: null }
}
