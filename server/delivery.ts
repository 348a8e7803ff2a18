// The portal's own events, into which it translates a delivery of any gateway. They go to SQL as JSON
// (portal.apply_event), so fields are plain values and both sides share the names.
import { createHmac } from 'node:crypto'
import type { GatewayKind, GatewayRecord } from '#server/gateway.ts'

export type MessageKind =
  'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'contact' | 'location' | 'unsupported'

/** States of an outgoing message in rising order. `delivered` ranks above `failed`, so it replaces an error. */
export type Delivery = 'sent' | 'failed' | 'delivered' | 'read'

/** Stored in whatsapp_messages.content. `mediaId`: the bytes in the media store, null until they are fetched. */
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
  /** For a photo of an album: the id of the album's first message, '' if it is unknown. */
  albumId?: string
  /** The small JPEG preview of a picture or video, in base64, shown until the file is fetched. */
  preview?: string
  /** The loudness over a voice message in base64: bytes from 0 to 100, one for each step of time. */
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

/** The quoted message with enough content to show it, even if the portal does not have it. */
export type Quoted = { messageId: string; isOwn: boolean; kind: MessageKind; body: string }

/** `source`: facebook or instagram; null if unknown. `clickId`: ctwa_clid, by which Meta recognises the click. */
export type Ad = {
  source: string | null
  title: string | null
  clickId: string | null
  adId: string | null
  link: string | null
}

/** `jids`: every address of the other person, the most reliable first. SQL removes `ownJid` from them. */
export type Chat = { remoteJid: string; jids: string[]; ownJid: string | null }

export type IncomingMessage = Content & {
  event: 'message'
  messageId: string
  chat: Chat
  fromMe: boolean
  /** True: the portal or another program sent it through the gateway's API. False: a person sent it on a phone. */
  isViaApi: boolean
  /** Read from the gateway's store, not from a webhook, so it may have been sent while the link was down. */
  isReadBack?: true
  /** Sent by a company's platform, or with a sign-in code. It creates no lead, and no agent answers it. */
  isAutomated?: true
  sentAtSeconds: number
  pushName: string | null
  delivery: Delivery
  quoted: Quoted | null
  /** The advertisement on which the lead clicked. */
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
  /** WhatsApp's name for the kind of line, or a name that read-note.ts gives. */
  name: string
  /** True: the name is missing in message-names.ts. Health counts such names. */
  isUnknown: boolean
  /** True: the act was undone, for example a pin was removed. */
  isUndone: boolean
  /** The words that the line in the conversation shows, for example the question of a poll. */
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
   * `jid`: the chat, by which a waiting event can be found by person. `readAtMs`: when the portal read the edit from
   * the gateway's store; reports from before are older.
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
      /** How many conversations the number may begin in a period. Null: it has no quota. */
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
      /** True: the gateway shows no further code by itself. */
      isLimit: boolean
    }

export type LinkedState = 'close' | 'connecting' | 'open' | 'refused' | 'removed'

/** `ok` without events: the portal ignores the delivery (groups, status, unknown event types). */
export type Reading = { ok: true; events: Incoming[] } | { ok: false; reason: 'not-an-event' }

/** `atMs`: time of the query; `fromSeconds`: older records are skipped. */
export type RecordAround = { ownJid: string | null; atMs: number; fromSeconds?: number }

/** One message, receipt, contact or call of a raw delivery. `jids`: its people. `hasFile`: it brings a file. */
export type DeliveredItem = { jids: string[]; hasFile: boolean }

/**
 * A file of a raw delivery. `base64`: its content, where 'held:0' stands for bytes that were decoded on arrival.
 * `address`: where the gateway keeps the file. `replace` puts the reference to the stored bytes in its place; null
 * removes the file.
 */
export type DeliveredFile = ({ base64: string } | { address: string }) & {
  replace: (reference: string | null) => void
}

/** Reads the deliveries and records of one kind of gateway. Pure; tolerates any input. */
export type DeliveryReader = {
  /**
   * Parses a body that arrived at `receivedAtMs`. The instance comes from the URL, not from the body. Items of a list
   * are parsed one by one; the body is invalid only if no item could be parsed.
   */
  readDelivery: (body: unknown, receivedAtMs: number) => Reading
  /** Reads a record of findMessages: the message, and its later state in the gateway's store. */
  readRecord: (record: unknown, around: RecordAround) => Incoming[]
  itemsOf: (body: unknown) => DeliveredItem[]
  /** Removes all other items from the body. */
  keepItems: (body: unknown, isKept: (item: DeliveredItem) => boolean) => void
  filesOf: (body: unknown) => DeliveredFile[]
  /** The header with the HMAC of the raw body in hex, keyed by `signingKeyOf`. Undefined: deliveries are not signed. */
  signature?: { header: string; algorithm: 'sha512' }
}

/** Null for a kind that this version does not have. */
export type DeliveriesOf = (kind: GatewayKind | undefined) => DeliveryReader | null

/** `kind`: the gateway that answered, if there are several. `atMs`: time of the query. */
export type FoundRecords = {
  instanceName: string
  kind?: GatewayKind | undefined
  records: readonly GatewayRecord[]
  atMs: number
}

/** The key with which a gateway signs its deliveries. `secret` is the last segment of the webhook's address. */
export const signingKeyOf = (secret: string): string =>
  createHmac('sha256', secret).update('portal-deliveries').digest('base64url')

const REFERENCE = 'stored:'

/** The reference to stored bytes. Base64 contains no colon, and `replace` overwrites whatever was sent. */
export const storedReference = (mediaId: string): string => REFERENCE + mediaId

/** The store's id in a reference; null for anything else. */
export function storedMediaId(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(REFERENCE) ? value.slice(REFERENCE.length) : null
}
