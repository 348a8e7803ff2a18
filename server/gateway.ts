// The WhatsApp gateway in the portal's types: its calls, answers and faults.

/** The name of a kind of gateway. Only settings and screens compare it with certain names. */
export type GatewayKind = string

export type LinkState = 'close' | 'connecting' | 'open'

/** An instance at the gateway. `ownerJid` is the linked phone; null before linking. */
export type GatewayInstance = {
  instanceId: string
  instanceName: string
  state: LinkState
  ownerJid: string | null
  number: string | null
  profileName: string | null
  profilePicUrl: string | null
}

/** Answer of `connect`: already linked, a code to scan, or nothing yet. `qrImage` is a data URL. */
export type LinkOffer =
  | { kind: 'open' }
  | { kind: 'code'; qrImage: string; qrText: string; pairingCode: string | null; count: number }
  | { kind: 'waiting' }

export type OutgoingMedia = {
  kind: 'image' | 'document' | 'video' | 'audio' | 'voice'
  base64: string
  /** The name has an extension, because gateways and phones derive the type from it. */
  fileName: string
  mimeType: string
  caption: string
}

/**
 * A message that the gateway accepted: its id, and the address that WhatsApp resolved. Later messages must use that
 * address.
 */
export type Accepted = { messageId: string; jid: string; sentAtSeconds: number }

/** A stored message as its gateway writes it; the DeliveryReader of that kind parses it. */
export type GatewayRecord = Readonly<Record<string, unknown>>

/** Pages count from 1. Without `jid` every chat is searched; times are epoch seconds, inclusive. */
export type MessageSearch = {
  jid?: string
  between?: { fromSeconds: number; toSeconds: number }
  page: number
  pageSize: number
}

/** A location; name and address if known. */
export type OutgoingPlace = {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
}

/** Tells senders whether the gateway answers. They send nothing while it does not. */
export type Presence = {
  /** True if the last poll of the instance's gateway failed; without a name, if that of every gateway did. */
  isAway: (instanceName?: string) => boolean
  /** Polls now. True if the gateway is away. */
  lookNow: (instanceName: string) => Promise<boolean>
}

/** The portal has no gateway and sends nothing. */
export const ALWAYS_THERE: Presence = { isAway: () => false, lookNow: () => Promise.resolve(false) }

export type Sends = Pick<
  Gateway,
  'sendText' | 'sendMedia' | 'sendLocation' | 'sendContact' | 'sendReaction' | 'sendEdit' | 'sendDeletion'
>

/** A message that the portal sent: the gateway's id, and its chat's address in the form that the gateway gave. */
export type SentMessage = { jid: string; messageId: string }

/**
 * `quotedId`: the gateway's id of the quoted message. `ownId`: the id for the new message. A gateway that cannot choose
 * ids answers with another.
 */
export type Recipient = { number: string; quotedId?: string; ownId?: string }

/**
 * A WhatsApp gateway. Every method rejects with GatewayError only. `number`: digits with country code, or a jid from
 * the gateway. No method retries by itself, because a send has no idempotency key.
 */
export type Gateway = {
  /** Rejects with `unsupported` for an unsupported gateway. */
  version(): Promise<string>
  /** Sets webhook and settings at once, so that no event of the first link is missed. */
  createInstance(input: {
    instanceName: string
    token: string
    webhook: WebhookSetup
  }): Promise<{ instanceId: string }>
  listInstances(): Promise<GatewayInstance[]>
  findInstance(instanceName: string): Promise<GatewayInstance | null>
  linkState(instanceName: string): Promise<LinkState>
  /** Given a `number`, a closed instance returns a pairing code besides the QR code. */
  connect(instanceName: string, number?: string): Promise<LinkOffer>
  /** Reopens the link; rejects with `not-linked` if there is nothing to restart. */
  restart(instanceName: string): Promise<void>
  /** Resolves also if the instance was not linked. */
  logout(instanceName: string): Promise<void>
  /** Resolves also for an unknown instance. The gateway may take a moment to delete it. */
  deleteInstance(instanceName: string): Promise<void>
  /** Sets the settings, too. A linked instance sends media only after the next `restart`. */
  setWebhook(instanceName: string, webhook: WebhookSetup): Promise<void>
  /** The current webhook; null without one. */
  findWebhook(instanceName: string): Promise<WebhookSetup | null>
  sendText(instanceName: string, input: Recipient & { text: string; delayMs: number }): Promise<Accepted>
  sendMedia(
    instanceName: string,
    input: Recipient & { media: OutgoingMedia; delayMs: number },
  ): Promise<Accepted>
  sendLocation(instanceName: string, input: Recipient & { place: OutgoingPlace }): Promise<Accepted>
  /** `phone`: digits with country code. */
  sendContact(instanceName: string, input: Recipient & { name: string; phone: string }): Promise<Accepted>
  /**
   * An empty `emoji` removes the reaction; `jid` and `isOwn` are those of the message. Only the last reaction
   * counts, so a retry is safe.
   */
  sendReaction(
    instanceName: string,
    input: { jid: string; messageId: string; isOwn: boolean; emoji: string },
  ): Promise<Accepted>
  /** Shows 'digitando…' to the lead, and resolves when it is over. It delays no send. */
  showTyping(instanceName: string, input: { number: string; delayMs: number }): Promise<void>
  /**
   * Edits a text of ours. The gateway checks no time: WhatsApp ignores an edit after 15 minutes, a deletion after
   * two days. A retry is safe.
   */
  sendEdit(instanceName: string, input: SentMessage & { text: string }): Promise<void>
  /** Deletes a message of ours for all. A retry is safe. */
  sendDeletion(instanceName: string, input: SentMessage): Promise<void>
  /**
   * Newest first. `jid` matches every address of the chat. Duplicates within a page are removed. `kind`: the gateway
   * that answered, if there are several.
   */
  findMessages(
    instanceName: string,
    search: MessageSearch,
  ): Promise<{ records: GatewayRecord[]; hasMore: boolean; kind?: GatewayKind }>
  fetchMedia(instanceName: string, messageId: string): Promise<Uint8Array>
  /** A file that a delivery of this kind of gateway names by its address; only where deliveries do so. */
  fetchFile?(instanceName: string, address: string, kind?: GatewayKind): Promise<Uint8Array>
  /** Chooses among several gateways. Undefined: this is the client of a single one. */
  choice?: GatewayChoice
}

export type GatewayChoice = {
  /** The kinds that have an address. New instances are made on the first one. */
  kinds: readonly GatewayKind[]
  /** Null if that kind has no address. */
  of(kind: GatewayKind): Gateway | null
  /** The gateway that has the instance, or would make it. */
  kindOf(instanceName: string): Promise<GatewayKind>
}

/** Where the gateway reports. The key of its signatures is made from the secret, the URL's last segment. */
export type WebhookSetup = { url: string }

export type GatewayFault =
  | 'unreachable' // no connection, time-out before anything was sent
  | 'unsupported' // too old, or not the gateway that we took it for
  | 'unlicensed' // not activated; message carries the register address
  | 'unauthorized' // our key was refused
  | 'unknown-instance'
  | 'name-taken'
  | 'not-linked' // the phone is not connected; nothing was sent
  | 'not-on-whatsapp' // permanent for that number
  | 'unknown-outcome' // it may have been sent
  | 'refused' // any other 4xx: our request was wrong
  | 'failed' // any other 5xx, or an answer we cannot read

/** `message` is Portuguese and never the gateway's own text. `status`: the gateway's HTTP status. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly fault: GatewayFault
  /** A short code for the log. */
  readonly code: string
  readonly status: number | null

  constructor(fault: GatewayFault, message: string, options: { status?: number } = {}) {
    super(message)
    this.fault = fault
    this.code = `gateway.${fault}`
    this.status = options.status ?? null
  }
}
