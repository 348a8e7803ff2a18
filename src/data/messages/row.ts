// Reads rows of whatsapp_messages. Unknown kinds become a neutral message.
import * as v from 'valibot'
import { withChange } from '#domain/message/change.ts'
import type { Message, MessageContent } from '#domain/message/message.ts'
import { DeliveryValue, deliveryOf, Kind } from './kind.ts'
import { TYPES } from './newest.ts'

const text = v.nullish(v.string(), null)
const amount = v.nullish(v.number(), null)
const flag = v.nullish(v.boolean(), false)
const Media = v.object({
  mimeType: v.nullish(v.string(), 'application/octet-stream'),
  fileName: text,
  sizeBytes: amount,
  seconds: amount,
  width: amount,
  height: amount,
  isVoice: flag,
  isViewOnce: flag,
  albumId: text,
  preview: text,
  waveform: text,
})
const Contacts = v.object({
  contacts: v.array(v.object({ name: v.string(), phones: v.array(v.string()) })),
})
const SharedLocation = v.object({
  latitude: v.number(),
  longitude: v.number(),
  name: text,
  address: text,
  isLive: flag,
})
const Call = v.object({ isAnswered: flag, isVideo: flag, seconds: amount })
const Note = v.object({ name: v.string(), isOwn: flag, isUndone: flag, text })
const Business = v.object({ isBusiness: v.literal(true) })
const Reaction = v.nullish(v.object({ emoji: text }))
const Change = v.object({
  kind: v.picklist(['edit', 'delete']),
  state: v.picklist(['queued', 'refused', 'unknown']),
  reason: text,
  body: v.nullish(v.string(), ''),
  operationId: text,
})

export const MessageRow = v.object({
  id: v.number(),
  body: v.nullish(v.string(), ''),
  timestamp: v.number(),
  type: v.picklist(TYPES),
  read: v.boolean(),
  kind: v.union([v.picklist(['call', 'note']), Kind]),
  author: text,
  delivery: DeliveryValue,
  delivery_reason: text,
  operation_id: text,
  content: v.unknown(),
  quoted: v.fallback(
    v.nullish(v.object({ messageId: text, isOwn: flag, kind: Kind, body: text }), null),
    null,
  ),
  reactions: v.fallback(v.object({ me: Reaction, contact: Reaction }), {}),
  edited_at: text,
  message_id: text,
  change: v.fallback(v.nullish(Change, null), null),
})

export function toMessage(row: v.InferOutput<typeof MessageRow>): Message {
  const message = toWrittenMessage(row)
  if (!row.change) return message
  const { kind, state, reason, body, operationId } = row.change
  return withChange(message, { kind, state: reason === 'too-late' ? 'late' : state, operationId }, body)
}

/** Returns the message without a pending edit or deletion, so as the lead sees it. */
function toWrittenMessage(row: v.InferOutput<typeof MessageRow>): Message {
  const { quoted, reactions } = row
  return {
    id: row.id,
    body: row.body,
    sentAtSeconds: row.timestamp,
    direction: row.type,
    ...(row.type === 'outgoing' && row.author === 'agent' && { byAssistant: true }),
    isRead: row.read,
    content: toContent(row.kind, row.content),
    delivery: deliveryOf(row),
    deliveryReason: row.delivery_reason,
    operationId: row.operation_id,
    quote: quoted && {
      isOwn: quoted.isOwn,
      kind: quoted.kind,
      body: quoted.body ?? '',
      whatsappId: quoted.messageId ?? undefined,
    },
    reactions: reactions.contact?.emoji ? [reactions.contact.emoji] : [],
    ownReaction: reactions.me?.emoji ?? '',
    isEdited: row.edited_at !== null,
    whatsappId: row.message_id ?? undefined,
  }
}

function toContent(kind: Message['content']['kind'], content: unknown): MessageContent {
  switch (kind) {
    case 'text':
      return v.is(Business, content) ? { kind, isBusiness: true } : { kind }
    case 'call': {
      const read = v.safeParse(Call, content)
      return read.success ? { kind, call: read.output } : { kind: 'unsupported' }
    }
    case 'note': {
      const read = v.safeParse(Note, content)
      if (!read.success) return { kind: 'unsupported' }
      const { text: about, ...note } = read.output
      return { kind, note: { ...note, about } }
    }
    case 'deleted':
    case 'unsupported':
      return { kind }
    case 'contact': {
      const read = v.safeParse(Contacts, content)
      return read.success ? { kind, contacts: read.output.contacts } : { kind: 'unsupported' }
    }
    case 'location': {
      const read = v.safeParse(SharedLocation, content)
      return read.success ? { kind, place: read.output } : { kind: 'unsupported' }
    }
    default: {
      const read = v.safeParse(Media, content)
      return read.success ? { kind, media: read.output } : { kind: 'unsupported' }
    }
  }
}
