// One message: what it carries, how far it went, and in a few words for a quote.

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
  /** Of a photo of an album: what tells it from other albums; '' where nobody does. Left out by an app of before. */
  albumId?: string | null
  /** A tiny JPEG in base64 that came with it. */
  preview: string | null
  /** How loud a voice message is, 0 to 100 a byte, in base64. */
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

/** What WhatsApp says of a conversation: `name` is the protocol's. */
export type Note = { name: string; isOwn: boolean; isUndone: boolean; about: string | null }

/** What stands in a message beside its text. */
export type MessageContent =
  | { kind: 'text'; isBusiness?: true }
  | { kind: MediaKind; media: Media }
  | { kind: 'contact'; contacts: readonly ContactCard[] }
  | { kind: 'location'; place: SharedLocation }
  | { kind: 'call'; call: Call }
  /** A grey line that is nobody's message. */
  | { kind: 'note'; note: Note }
  /** Something that the portal cannot show. */
  | { kind: 'unsupported' }
  /** Taken back by its author. */
  | { kind: 'deleted' }

/** What goes without words or a file. */
export type Card = Extract<MessageContent, { kind: 'contact' | 'location' }>

export type MessageKind = MessageContent['kind']

export type Quote = {
  isOwn: boolean
  kind: MessageKind
  body: string
  /** Of the message itself. */
  whatsappId?: string | undefined
}

export type Message = {
  id: number
  body: string
  sentAtSeconds: number
  direction: 'incoming' | 'outgoing' | 'note'
  /** An assistant's words, no person's. Lines kept by an app of before do not say. */
  byAssistant?: boolean
  isRead: boolean
  content: MessageContent
  /** Of outgoing messages only. */
  delivery: Delivery | null
  /** Why it waits, failed, or nobody knows: a code of outgoing.ts. */
  deliveryReason: string | null
  /** Under which it was written here: the same before and after the server has it. */
  operationId: string | null
  quote: Quote | null
  /** Of the contact. */
  reactions: readonly string[]
  /** Empty: none. Lines kept by an app of before it was told apart have it among the others. */
  ownReaction?: string
  isEdited: boolean
  /** What WhatsApp calls it; left out of messages kept by an app of before. */
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
  // A call has its words in its text.
  call: '',
  note: '',
  unsupported: 'Mensagem que só abre no WhatsApp.',
  deleted: 'Mensagem apagada',
} satisfies Record<MessageKind, string>

/** A message in one breath: its text, else what it is. */
export function messageSummary({ kind, body }: { kind: MessageKind; body: string }): string {
  return body.trim() || KIND_LABEL[kind]
}

/** Pieces of a text, the web addresses in it apart. Only http and https become links. */
export type TextPiece = { text: string; href: string | null }

/** What ends a sentence ends no address. */
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
