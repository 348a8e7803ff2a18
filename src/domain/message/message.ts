// One message: its content, its delivery state, and a summary for quotes.

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
  /** Identifies the album of a photo; '' for none. Absent in messages of older apps. */
  albumId?: string | null
  /** A tiny JPEG preview in base64. */
  preview: string | null
  /** Loudness of a voice message, one byte of 0 to 100 for each step, in base64. */
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

export type Call = { isAnswered: boolean; seconds: number | null }

/** A system message of WhatsApp; `name` is the protocol's. */
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

/** Content without text or file. */
export type Card = Extract<MessageContent, { kind: 'contact' | 'location' }>

export type MessageKind = MessageContent['kind']

export type Quote = {
  isOwn: boolean
  kind: MessageKind
  body: string
  /** WhatsApp's id of the message itself. */
  whatsappId?: string | undefined
}

export type MessageChange = {
  kind: 'edit' | 'delete'
  /** `unknown`: the gateway did not confirm it; `late`: it waited beyond WhatsApp's time. */
  state: 'queued' | 'refused' | 'late' | 'unknown'
  /** The operation that asked for it. */
  operationId: string | null
  /** The server's words of a refusal. */
  said?: string | null
}

export type Message = {
  id: number
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing' | 'note'
  /** An assistant wrote it. Absent in messages stored by older apps. */
  byAssistant?: boolean
  isRead: boolean
  content: MessageContent
  /** For outgoing messages only. */
  delivery: Delivery | null
  /** Why it waits, failed, or has an unknown outcome: a code of outgoing.ts. */
  deliveryReason: string | null
  /** The operation that wrote it here; the same before and after the server has it. */
  operationId: string | null
  quote: Quote | null
  /** Of the contact. */
  reactions: readonly string[]
  /** Empty: none. Absent in messages stored by older apps, which have it among `reactions`. */
  ownReaction?: string
  isEdited: boolean
  /** An edit or a deletion that WhatsApp does not have, or refused. */
  change?: MessageChange | undefined
  /** WhatsApp's id; absent in messages stored by older apps. */
  whatsappId?: string | undefined
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
  // Calls and notes always have a text.
  call: '',
  note: '',
  unsupported: 'Mensagem que só abre no WhatsApp.',
  deleted: 'Mensagem apagada',
} satisfies Record<MessageKind, string>

/** A message in one line: its text, else its kind. */
export function messageSummary({ kind, body }: { kind: MessageKind; body: string }): string {
  return body.trim() || KIND_LABEL[kind]
}

/** Text split at web addresses. Only http and https become links. */
export type TextPiece = { text: string; href: string | null }

/** Excludes punctuation at the end of an address. */
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
