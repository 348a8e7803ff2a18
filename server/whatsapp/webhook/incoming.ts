// What a delivery of the gateway means to the portal: the closed list of events that are applied.
// They travel to SQL as JSON (portal.apply_event), so every field is plain and the names here are the names there.

export type MessageKind =
  'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'contact' | 'location' | 'unsupported'

/** What outgoing messages rise through; `failed` stands below `delivered`: an error counts only until it was delivered. */
export type Delivery = 'sent' | 'failed' | 'delivered' | 'read'

/** Beside the text, as stored in whatsapp_messages.content. `mediaId` names bytes in the media store, null until fetched. */
export type MediaContent = {
  mediaId: string | null
  mimeType: string
  fileName: string | null
  sizeBytes: number | null
  seconds: number | null
  width: number | null
  height: number | null
  isVoice: boolean
  isViewOnce: boolean
  /** Of a photo of an album: the message that is its head, '' where nobody says which. */
  albumId?: string
  /** The tiny JPEG that came with a picture or film, in base64: what stands there before the bytes are fetched. */
  preview?: string
  /** How loud a voice message is, 0 to 100 a byte, in base64. */
  waveform?: string
}
export type ContactContent = { contacts: { name: string; phones: string[] }[] }
export type LocationContent = {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
  isLive: boolean
}
/** Words of a business account: a template, buttons, a list, a product. */
export type BusinessContent = { isBusiness: true }

export type Content = {
  kind: MessageKind
  body: string
  content: MediaContent | ContactContent | LocationContent | BusinessContent | null
}

/** The message answered to: enough to show it when we do not hold the message itself. */
export type Quoted = { messageId: string; isOwn: boolean; kind: MessageKind; body: string }

/** `source`: facebook or instagram, as far as that is known; `clickId`: ctwa_clid, by which Meta knows the click again. */
export type Ad = {
  source: string | null
  title: string | null
  clickId: string | null
  adId: string | null
  link: string | null
}

/** Every address the event gave for the other side, the most telling first; `ownJid` is dropped from them in SQL. */
export type Chat = { remoteJid: string; jids: string[]; ownJid: string | null }

export type IncomingMessage = Content & {
  event: 'message'
  messageId: string
  chat: Chat
  fromMe: boolean
  /** Sent through the gateway's API, by the portal or by another program, not typed on the phone. */
  isViaApi: boolean
  /** Found in the gateway's store, and not reported: it may be of a time without a link. */
  isReadBack?: true
  /** A company's platform wrote it, or it carries a sign-in code: it makes no lead, and no agent answers it. */
  isAutomated?: true
  sentAtSeconds: number
  pushName: string | null
  delivery: Delivery
  quoted: Quoted | null
  /** The advertisement the lead came from. */
  ad: Ad | null
  /** The gateway's own words, kept where the portal cannot show all of them. */
  raw: Record<string, unknown> | null
}

/** What stands in a conversation as a grey line: it is nobody's message, and makes nobody a lead. */
export type NoteEvent = {
  event: 'note'
  messageId: string
  chat: Chat
  fromMe: boolean
  sentAtSeconds: number
  /** Of the protocol, or of read-note.ts. */
  name: string
  /** No name of message-names.ts: counted in health. */
  isUnknown: boolean
  /** A pin, say, was taken off again. */
  isUndone: boolean
  /** What it is about: the question of a poll. */
  text: string | null
  raw: Record<string, unknown> | null
}

export type CallStatus = 'offered' | 'missed' | 'answered' | 'ended'

/** One step of a call. All steps of one call have its id, `messageId`, except a log, which has its own. */
export type CallEvent = {
  event: 'call'
  messageId: string
  chat: Chat
  sentAtSeconds: number
  status: CallStatus
  isVideo: boolean
  seconds: number | null
  isLog?: true
}

export type Incoming =
  | IncomingMessage
  | NoteEvent
  | CallEvent
  /**
   * `jid`: whose chat it is, so that what waits for its message can be found by the person. `readAtMs`: the gateway's store said
   * so when asked then, so whatever was reported before is older.
   */
  | { event: 'edit'; messageId: string; body: string; atMs: number; readAtMs?: number; jid: string | null }
  | { event: 'revoke'; messageId: string; atMs: number }
  /** `code`: WhatsApp's own, of an error. */
  | { event: 'ack'; messageId: string; delivery: Delivery; code?: string }
  | {
      event: 'reaction'
      messageId: string
      isOwn: boolean
      emoji: string
      atSeconds: number
      reactionId: string
    }
  | { event: 'name'; jid: string; name: string }
  | {
      event: 'link'
      state: LinkedState
      reason: number | null
      /** Orders the several events that one change of state makes in the same instant. */
      rank: number
      atMs: number
      ownerJid: string | null
      profileName: string | null
      profilePicUrl: string | null
    }
  | {
      event: 'qr'
      atMs: number
      image: string | null
      text: string | null
      pairingCode: string | null
      count: number | null
      /** No further code comes by itself. */
      isLimit: boolean
    }

export type LinkedState = 'close' | 'connecting' | 'open' | 'refused' | 'removed'

/** `ok` with no events: a delivery that does not concern the portal (groups, status, unknown kinds of event). */
export type Reading = { ok: true; events: Incoming[] } | { ok: false; reason: 'not-an-event' }
