// The closed list of events in the gateway's deliveries. They go to SQL as JSON (portal.apply_event), so
// fields are plain values and both sides share the names.

export type MessageKind =
  'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'contact' | 'location' | 'unsupported'

/**
 * States of an outgoing message in rising order; `failed` ranks below `delivered`, so an error holds only
 * until it was delivered.
 */
export type Delivery = 'sent' | 'failed' | 'delivered' | 'read'

/**
 * Details beside the text, as in whatsapp_messages.content. `mediaId`: bytes in the media store, null until
 * fetched.
 */
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
  /** For a photo of an album: the head message, '' if unknown. */
  albumId?: string
  /** The small JPEG preview of a picture or video, in base64, shown until the file is fetched. */
  preview?: string
  /** Loudness of a voice message, one byte of 0 to 100 for each step, in base64. */
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
/** Text of a business account: a template, buttons, a list, a product. */
export type BusinessContent = { isBusiness: true }

export type Content = {
  kind: MessageKind
  body: string
  content: MediaContent | ContactContent | LocationContent | BusinessContent | null
}

/** The quoted message, complete enough to show it even if the portal does not have it. */
export type Quoted = { messageId: string; isOwn: boolean; kind: MessageKind; body: string }

/** `source`: facebook or instagram, if known; `clickId`: ctwa_clid, by which Meta recognises the click. */
export type Ad = {
  source: string | null
  title: string | null
  clickId: string | null
  adId: string | null
  link: string | null
}

/** Every address of the other side, the most reliable first; SQL removes `ownJid`. */
export type Chat = { remoteJid: string; jids: string[]; ownJid: string | null }

export type IncomingMessage = Content & {
  event: 'message'
  messageId: string
  chat: Chat
  fromMe: boolean
  /** Sent through the gateway's API, by the portal or another program, not typed on the phone. */
  isViaApi: boolean
  /** Read from the gateway's store, not from a webhook: it may be from a time without a link. */
  isReadBack?: true
  /**
   * A company's platform sent it, or it contains a sign-in code: it creates no lead, and no agent answers it.
   */
  isAutomated?: true
  sentAtSeconds: number
  pushName: string | null
  delivery: Delivery
  quoted: Quoted | null
  /** The lead's advertisement. */
  ad: Ad | null
  /** The gateway's original JSON, kept if the portal cannot show all of it. */
  raw: Record<string, unknown> | null
}

/** A grey line in a conversation: it has no author and creates no lead. */
export type NoteEvent = {
  event: 'note'
  messageId: string
  chat: Chat
  fromMe: boolean
  sentAtSeconds: number
  /** The kind's name: one of the protocol, or one of read-note.ts. */
  name: string
  /** The name is not in message-names.ts; health counts it. */
  isUnknown: boolean
  /** For example, a pin was removed. */
  isUndone: boolean
  /** For example, the question of a poll. */
  text: string | null
  raw: Record<string, unknown> | null
}

export type CallStatus = 'offered' | 'missed' | 'answered' | 'ended'

/** One step of a call. All steps have the call's id as `messageId`, except a log, which has its own. */
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
   * `jid`: the chat, so that a waiting event can be found by person. `readAtMs`: from the gateway's store at
   * that time; earlier reports are older.
   */
  | { event: 'edit'; messageId: string; body: string; atMs: number; readAtMs?: number; jid: string | null }
  | { event: 'revoke'; messageId: string; atMs: number }
  /** `code`: WhatsApp's error code. */
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
      /** Orders several events of one change of state at the same instant. */
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
      /** No further code follows by itself. */
      isLimit: boolean
    }

export type LinkedState = 'close' | 'connecting' | 'open' | 'refused' | 'removed'

/** `ok` without events: a delivery that the portal ignores (groups, status, unknown event types). */
export type Reading = { ok: true; events: Incoming[] } | { ok: false; reason: 'not-an-event' }
