// A message: its content, its delivery state, and a summary for quotes.

export type Delivery = 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown'

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

export type Media = {
  mimeType: string
  fileName: string | null
  sizeBytes: number | null
  seconds: number | null
  width: number | null
  height: number | null
  isVoice: boolean
  isViewOnce: boolean
  /** Identifies the album of a photo; '' if it has none. Messages that older apps stored lack it. */
  albumId?: string | null
  /** A tiny JPEG preview in base64; null if there is none. */
  preview: string | null
  /** How loud a voice message is over time, in base64: one byte from 0 to 100 per step. Null if unknown. */
  waveform: string | null
}

export type ContactCard = { name: string; phones: readonly string[] }

export type SharedLocation = {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
  isLive: boolean
}

export type Call = { isAnswered: boolean; isVideo: boolean; seconds: number | null }

/** A system message of WhatsApp; `name` is its name in WhatsApp's protocol. */
export type Note = { name: string; isOwn: boolean; isUndone: boolean; about: string | null }

/** The content of a message besides its text. */
export type MessageContent =
  | { kind: 'text'; isBusiness?: true }
  | { kind: MediaKind; media: Media }
  | { kind: 'contact'; contacts: readonly ContactCard[] }
  | { kind: 'location'; place: SharedLocation }
  | { kind: 'call'; call: Call }
  /** A grey line without an author. */
  | { kind: 'note'; note: Note }
  /** A kind that the portal cannot show. */
  | { kind: 'unsupported' }
  /** The author deleted the message for all. */
  | { kind: 'deleted' }

/** Content that is neither text nor file. */
export type Card = Extract<MessageContent, { kind: 'contact' | 'location' }>

export type MessageKind = MessageContent['kind']

export type Quote = {
  isOwn: boolean
  kind: MessageKind
  body: string
  /** WhatsApp's id of the quoted message. */
  whatsappId?: string | undefined
}

export type MessageChange = {
  kind: 'edit' | 'delete'
  /**
   * `unknown`: the gateway did not confirm the change. `late`: the change waited until WhatsApp's time limit was over.
   */
  state: 'queued' | 'refused' | 'late' | 'unknown'
  /** The operation with which a device asked for the change; null if none is known. */
  operationId: string | null
  /** Why the server refused the change, in its words. */
  said?: string | null
}

export type Message = {
  id: number
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing' | 'note'
  /** An assistant wrote the message. Messages that older apps stored lack it. */
  byAssistant?: boolean
  isRead: boolean
  content: MessageContent
  /** The delivery state of an outgoing message; null for incoming ones. */
  delivery: Delivery | null
  /** Why the message waits, failed or is uncertain: a code of outgoing.ts. Null if there is no reason. */
  deliveryReason: string | null
  /** The operation with which a device wrote the message. It stays the same once the server has the message. */
  operationId: string | null
  quote: Quote | null
  /** The lead's reactions. */
  reactions: readonly string[]
  /**
   * The broker's own reaction; '' if there is none. Messages that older apps stored lack this field; their `reactions`
   * contain it.
   */
  ownReaction?: string
  isEdited: boolean
  /** Which of several messages of one command it is, such as '2 de 3'. Only set for display. */
  sending?: string
  /** An edit or deletion that is queued, or that WhatsApp refused. */
  change?: MessageChange | undefined
  /** WhatsApp's id of the message. Messages that older apps stored lack it. */
  whatsappId?: string | undefined
  /** Set on pending material that the server refused. `isLast`: the last message of those sent together. */
  refusal?: { said: string; isOutdated: boolean; isLast: boolean }
}

export const DELIVERY_LABEL = {
  queued: 'na fila',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não foi enviada',
  unknown: 'entrega desconhecida',
} satisfies Record<Delivery, string>

export const KIND_LABEL = {
  text: '',
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  document: 'Documento',
  sticker: 'Figurinha',
  contact: 'Contato',
  location: 'Localização',
  // Calls and notes always have a text, so they need no label.
  call: '',
  note: '',
  unsupported: 'Mensagem que só abre no WhatsApp.',
  deleted: 'Mensagem apagada',
} satisfies Record<MessageKind, string>

/** Returns a message in one line: its text, else its kind. */
export function messageSummary({ kind, body }: { kind: MessageKind; body: string }): string {
  return body.trim() || KIND_LABEL[kind]
}

/** A piece of a text. `href` is set for web addresses; only http and https become links. */
export type TextPiece = { text: string; href: string | null }

/** Matches an address without the punctuation after it. */
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"']*[^\s<>"'.,;:!?)\]}…]/giu

export function textPieces(body: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const { 0: text, index } of body.matchAll(ADDRESS)) {
    const href = toHref(text)
    if (href === null) continue
    if (index > end) pieces.push({ text: body.slice(end, index), href: null })
    pieces.push({ text, href })
    end = index + text.length
  }
  if (end < body.length) pieces.push({ text: body.slice(end), href: null })
  return pieces
}

function toHref(text: string): string | null {
  const address = /^www\./iu.test(text) ? `https://${text}` : text
  return URL.canParse(address) ? address : null
}
