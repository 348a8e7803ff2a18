// Validates messages that a person sends.
import * as v from 'valibot'
import { formatNumber } from '#domain/count.ts'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import { formatSize } from '#domain/format.ts'
import { FILE_REFUSED, MAX_BYTES, type AttachmentKind } from '#domain/message/media.ts'
import { MAX_CAPTION, MAX_TEXT } from '#domain/message/outgoing.ts'
import { instant } from '#server/http/dates.ts'
import { id } from '#server/http/ids.ts'
import { fileKindOf, safeFileName } from '#server/whatsapp/file-kind.ts'

const Text = v.pipe(v.string(), v.transform(cleanText), v.trim())
const Amount = v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))), null)

/** `number` and `brokerName` find a lead whose id was removed by a merge (portal.asked_lead). */
const COMMON = {
  contactId: id,
  number: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100))), null),
  brokerName: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100))), null),
  operationId: v.pipe(v.string(), v.uuid()),
  /** The portal's id of the quoted message. */
  quotedMessageId: v.optional(v.nullable(id), null),
  /** When the person wrote it on the device: ISO 8601 with zone. */
  writtenAt: v.optional(v.nullable(instant), null),
}
const TextInput = v.object({ ...COMMON, text: Text })
const MediaInput = v.object({
  ...COMMON,
  kind: v.picklist(['image', 'video', 'audio', 'voice', 'document'] satisfies AttachmentKind[]),
  caption: v.optional(Text, ''),
})
const AttachmentInput = v.object({
  kind: MediaInput.entries.kind,
  fileName: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.transform(cleanText)), ''),
  seconds: Amount,
  width: Amount,
  height: Amount,
})
const Name = v.pipe(Text, v.maxLength(200))
const Phone = v.pipe(v.string(), v.regex(/^\d{8,20}$/))
const ContactInput = v.object({
  ...COMMON,
  contacts: v.pipe(
    v.array(v.object({ name: v.pipe(Name, v.minLength(1)), phones: v.pipe(v.array(Phone), v.length(1)) })),
    v.length(1),
  ),
})
const LocationInput = v.object({
  ...COMMON,
  place: v.object({
    latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
    longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
    name: v.optional(v.nullable(Name), null),
    address: v.optional(v.nullable(Name), null),
  }),
})
const QuickReplyInput = v.object({
  ...COMMON,
  text: Text,
  quickReplyId: v.pipe(v.string(), v.uuid()),
  mediaId: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})
const RetryInput = v.object({ operationId: COMMON.operationId })

/** A message as the queue takes it; `bytes` are stored first. */
export type MessageInput = {
  lead: { contactId: number; number: string | null; brokerName: string | null }
  operationId: string
  message: {
    kind: 'text' | 'contact' | 'location' | Exclude<AttachmentKind, 'voice'>
    body: string
    quotedMessageId: number | null
    writtenAt: string | null
    /** The content of a card. That of a file comes with its bytes. */
    content?: object
  }
  media: { bytes: Uint8Array; content: Record<string, unknown> } | null
}

/** Raises `request.invalid`, `message.empty` and `message.too-long`, all 422. */
export function readText(body: unknown): MessageInput {
  const { text, ...common } = read(TextInput, body)
  if (text === '') throw refusal('message.empty', 'Escreva uma mensagem.')
  if (text.length > MAX_TEXT) throw tooLong(MAX_TEXT)
  return { ...split(common, { kind: 'text', body: text }), media: null }
}

/** A contact's card: one name with one number. Raises `request.invalid`, 422. */
export function readContact(body: unknown): MessageInput {
  const { contacts, ...common } = read(ContactInput, body)
  return card(common, { kind: 'contact', body: contacts[0]?.name ?? '', content: { contacts } })
}

/** A place on the map. Raises `request.invalid`, 422. */
export function readLocation(body: unknown): MessageInput {
  const { place, ...common } = read(LocationInput, body)
  return card(common, {
    kind: 'location',
    body: place.name ?? place.address ?? '',
    content: { ...place, isLive: false },
  })
}

function card(common: Common, message: Pick<MessageInput['message'], 'kind' | 'body' | 'content'>) {
  return { ...split(common, message), media: null }
}

/** Raises the same as a text, `media.empty`, `media.too-large` (413) and `media.unsupported` (415). */
export function readMedia(body: unknown, bytes: Uint8Array): MessageInput {
  const input = read(MediaInput, body)
  const { kind, caption } = input
  if (caption.length > MAX_CAPTION) throw tooLong(MAX_CAPTION)
  const { content } = readAttachment(body, bytes)
  const message = {
    kind: kind === 'voice' ? ('audio' as const) : kind,
    body: kind === 'voice' ? '' : caption,
  }
  return { ...split(input, message), media: { bytes, content } }
}

export type Attachment = { kind: AttachmentKind; content: Record<string, unknown> }

/**
 * A file in the form of a message's content, from {kind, fileName, seconds, width, height}. Raises the same
 * errors except those of the text.
 */
export function readAttachment(description: unknown, bytes: Uint8Array): Attachment {
  const { kind, fileName, seconds, width, height } = read(AttachmentInput, description)
  if (bytes.byteLength === 0) throw refusal('media.empty', 'O arquivo está vazio.')
  if (bytes.byteLength > MAX_BYTES[kind]) throw tooLarge(MAX_BYTES[kind])
  const file = fileKindOf(bytes, fileName, kind)
  if (!file) throw unsupported()
  const content = {
    mimeType: file.mimeType,
    fileName: safeFileName(fileName, file.extension),
    sizeBytes: bytes.byteLength,
    seconds: seconds === null ? null : Math.round(seconds),
    width,
    height,
    isVoice: kind === 'voice',
    isViewOnce: false,
  }
  return { kind, content }
}

const ForwardInput = v.object({ ...COMMON, messageId: id })

/** The portal's id of the message whose file is forwarded, and the lead. */
export function readForward(body: unknown) {
  const { messageId, operationId, ...lead } = read(ForwardInput, body)
  const { contactId, number, brokerName } = lead
  return { messageId, operationId, lead: { contactId, number, brokerName } }
}

/** A quick reply's file with its caption. Raises `request.invalid` and `message.too-long`, 422. */
export function readQuickReply(body: unknown) {
  const { text, quickReplyId, mediaId, ...common } = read(QuickReplyInput, body)
  if (text.length > MAX_CAPTION) throw tooLong(MAX_CAPTION)
  const { contactId, number, brokerName, operationId, quotedMessageId, writtenAt } = common
  const message = { quickReplyId, mediaId, body: text, quotedMessageId, writtenAt }
  return { lead: { contactId, number, brokerName }, operationId, message }
}

export const readRetry = (body: unknown): { operationId: string } => read(RetryInput, body)

type Common = v.InferOutput<v.ObjectSchema<typeof COMMON, undefined>>

function split(
  common: Common,
  message: Pick<MessageInput['message'], 'kind' | 'body' | 'content'>,
): Omit<MessageInput, 'media'> {
  const { contactId, number, brokerName, operationId, quotedMessageId, writtenAt } = common
  return {
    lead: { contactId, number, brokerName },
    operationId,
    message: { ...message, quotedMessageId, writtenAt },
  }
}

function read<T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const parsed = v.safeParse(schema, body)
  if (!parsed.success) throw refusal('request.invalid', 'O pedido não pôde ser lido.')
  return parsed.output
}

/** 409 and not 503, because a retry would not help soon. */
export const unconfigured = () =>
  new PortalError('gateway.unconfigured', 'WhatsApp não configurado', { status: 409 })

const refusal = (code: string, message: string) => new PortalError(code, message, { status: 422 })
const tooLong = (most: number) =>
  refusal('message.too-long', `A mensagem passa de ${formatNumber(most)} caracteres.`)

export const tooLarge = (most: number) =>
  new PortalError('media.too-large', `O arquivo é grande demais. O limite é ${formatSize(most)}.`, {
    status: 413,
  })

const unsupported = () => new PortalError('media.unsupported', FILE_REFUSED.type, { status: 415 })
