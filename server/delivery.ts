// What a delivery of any gateway becomes at the border: the closed list of the portal's own events. They go to SQL as
// JSON (portal.apply_event), so fields are plain values and both sides share the names.
import { createHmac } from 'node:crypto'
import type { GatewayKind, GatewayRecord } from '#server/gateway.ts'

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
  /** WhatsApp reports all limits of a number at once, so each report replaces the last one. */
  | {
      event: 'limits'
      atMs: number
      /** True: the number may not begin conversations. */
      isRestricted: boolean
      /** Null if WhatsApp names no end. */
      restrictedUntilSeconds: number | null
      /** New conversations of a period. Null without a quota. */
      quota: {
        isUsedUp: boolean
        total: number | null
        used: number | null
        endsAtSeconds: number | null
      } | null
    }
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

/** `atMs`: time of the query; `fromSeconds`: older records are skipped. */
export type RecordAround = { ownJid: string | null; atMs: number; fromSeconds?: number }

/** One message, receipt, contact or call of a raw delivery: the addresses of its people, and whether bytes come with it. */
export type DeliveredItem = { jids: string[]; hasFile: boolean }

/**
 * A file that came in a raw delivery (`base64`, where 'held:0' stands for bytes that were decoded on arrival), or lies
 * at an address of the gateway. `replace` puts the reference to the stored bytes in its place, null if there are none.
 */
export type DeliveredFile = ({ base64: string } | { address: string }) & {
  replace: (reference: string | null) => void
}

/** How one kind of gateway writes deliveries and records. Pure; tolerates any input. */
export type DeliveryReader = {
  /**
   * Parses a body that arrived at `receivedAtMs`. The instance comes from the address, not from the body. Items of a list
   * are parsed one by one; the body is invalid only if no item could be parsed.
   */
  readDelivery: (body: unknown, receivedAtMs: number) => Reading
  /** A record of findMessages: the message, and its later state in the gateway's store. */
  readRecord: (record: unknown, around: RecordAround) => Incoming[]
  itemsOf: (body: unknown) => DeliveredItem[]
  /** Leaves only these items in the body. */
  keepItems: (body: unknown, isKept: (item: DeliveredItem) => boolean) => void
  filesOf: (body: unknown) => DeliveredFile[]
  /** The header with the HMAC of the raw body in hex, by `signingKeyOf`. Without it, deliveries are not signed. */
  signature?: { header: string; algorithm: 'sha512' }
}

/** Null for a kind that this version does not have. */
export type DeliveriesOf = (kind: GatewayKind | undefined) => DeliveryReader | null

/** Records of `findMessages`. `kind`: the gateway that answered, where there are several; `atMs`: time of the query. */
export type FoundRecords = {
  instanceName: string
  kind?: GatewayKind | undefined
  records: readonly GatewayRecord[]
  atMs: number
}

/** The key with which a gateway signs its deliveries: made from the secret, the last segment of the webhook's address. */
export const signingKeyOf = (secret: string): string =>
  createHmac('sha256', secret).update('portal-deliveries').digest('base64url')

const REFERENCE = 'stored:'

/** The reference to stored bytes. Base64 contains no colon, and `replace` overwrites whatever was sent. */
export const storedReference = (mediaId: string): string => REFERENCE + mediaId

/** The store's id in a reference; null for anything else. */
export function storedMediaId(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(REFERENCE) ? value.slice(REFERENCE.length) : null
}
