// The WhatsApp gateway as the portal knows it: what it is asked, what it answers, what goes wrong.

export type LinkState = 'close' | 'connecting' | 'open'

/** One instance as the gateway knows it. `ownerJid` is the linked phone, null before linking. */
export type GatewayInstance = {
  instanceId: string
  instanceName: string
  state: LinkState
  ownerJid: string | null
  number: string | null
  profileName: string | null
  profilePicUrl: string | null
}

/** What `connect` answers: already linked, a code to scan, or nothing yet. `qrImage` is a data URL. */
export type LinkOffer =
  | { kind: 'open' }
  | { kind: 'code'; qrImage: string; qrText: string; pairingCode: string | null; count: number }
  | { kind: 'waiting' }

export type OutgoingMedia = {
  kind: 'image' | 'document' | 'video' | 'audio' | 'voice'
  base64: string
  fileName: string
  mimeType: string
  caption: string
}

/** The gateway took the message: its id there, and the address WhatsApp resolved, which is to be used from then on. */
export type Accepted = { messageId: string; jid: string; sentAtSeconds: number }

/** A stored message as `findMessages` gives it; read by server/whatsapp/webhook/payload.ts. */
export type GatewayRecord = Readonly<Record<string, unknown>>

/** Pages count from 1. Without `jid` every chat is searched; times are epoch seconds, both ends included. */
export type MessageSearch = {
  jid?: string
  between?: { fromSeconds: number; toSeconds: number }
  page: number
  pageSize: number
}

/** Where something is; a name and an address where they are known. */
export type OutgoingPlace = {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
}

/** Whether the gateway is there, as far as this portal sees: while it is away nothing is handed over to it. */
export type Presence = {
  /** The last look got no answer, or one of a gateway that is of no use. */
  isAway: () => boolean
  /** The same by a look that begins now. */
  lookNow: () => Promise<boolean>
}

/** What leaves for a person. */
export type Sends = Pick<Gateway, 'sendText' | 'sendMedia' | 'sendLocation' | 'sendContact' | 'sendReaction'>

/**
 * A WhatsApp gateway. Every method rejects with GatewayError only. `number` is digits with country code, or a jid the
 * gateway told us; `quotedId` its id of the message that is answered to. No method is tried again by itself: a send has no idempotency key.
 */
export type Gateway = {
  /** Rejects with `unsupported` where the gateway is of a kind we cannot use. */
  version(): Promise<string>
  /** With its webhook and settings from the first moment, so that no event of the first link is missed. */
  createInstance(input: {
    instanceName: string
    token: string
    webhook: WebhookSetup
  }): Promise<GatewayInstance>
  listInstances(): Promise<GatewayInstance[]>
  findInstance(instanceName: string): Promise<GatewayInstance | null>
  linkState(instanceName: string): Promise<LinkState>
  /** With a `number` a closed instance offers a pairing code beside the QR. */
  connect(instanceName: string, number?: string): Promise<LinkOffer>
  /** Opens the link again; rejects with `not-linked` when there is nothing to restart. */
  restart(instanceName: string): Promise<void>
  /** Resolves as well when it was not linked. */
  logout(instanceName: string): Promise<void>
  /** Resolves as well when there is no such instance; removal may take a moment there. */
  deleteInstance(instanceName: string): Promise<void>
  /** On a linked instance media comes along only after the next `restart`. */
  setWebhook(instanceName: string, webhook: WebhookSetup): Promise<void>
  /** Where it reports to; null when it was never told. */
  findWebhook(instanceName: string): Promise<WebhookSetup | null>
  setSettings(instanceName: string): Promise<void>
  sendText(
    instanceName: string,
    input: { number: string; text: string; delayMs: number; quotedId?: string },
  ): Promise<Accepted>
  sendMedia(
    instanceName: string,
    input: { number: string; media: OutgoingMedia; delayMs: number; quotedId?: string },
  ): Promise<Accepted>
  sendLocation(
    instanceName: string,
    input: { number: string; place: OutgoingPlace; quotedId?: string },
  ): Promise<Accepted>
  /** `phone`: digits with country code. */
  sendContact(
    instanceName: string,
    input: { number: string; name: string; phone: string; quotedId?: string },
  ): Promise<Accepted>
  /** `emoji` empty takes the reaction back; `jid` and `isOwn` are those of the message. Only the last one counts, so it may be repeated. */
  sendReaction(
    instanceName: string,
    input: { jid: string; messageId: string; isOwn: boolean; emoji: string },
  ): Promise<Accepted>
  /** Newest first; `jid` is matched as remoteJid and as remoteJidAlt, duplicates by message id removed within a page. */
  findMessages(
    instanceName: string,
    search: MessageSearch,
  ): Promise<{ records: GatewayRecord[]; hasMore: boolean }>
  fetchMedia(instanceName: string, messageId: string): Promise<{ base64: string; mimeType: string }>
}

/** Where and how the gateway reports; `secret` is part of the address. */
export type WebhookSetup = { url: string }

export type GatewayFault =
  | 'unreachable' // no connection, time-out before anything was sent
  | 'unsupported' // v1, too old, or no Evolution API at all
  | 'unlicensed' // 2.4 not activated; message carries the register address
  | 'unauthorized' // our key was refused
  | 'unknown-instance'
  | 'name-taken'
  | 'not-linked' // the phone is not connected; nothing was sent
  | 'not-on-whatsapp' // permanent for that number
  | 'unknown-outcome' // it may have been sent
  | 'refused' // any other 4xx: our request was wrong
  | 'failed' // any other 5xx, or an answer we cannot read

/** What the gateway could not do; `message` is Portuguese and never the gateway's own text, `status` its HTTP status. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly fault: GatewayFault
  /** For the log. */
  readonly code: string
  readonly status: number | null

  constructor(fault: GatewayFault, message: string, options: { status?: number } = {}) {
    super(message)
    this.fault = fault
    this.code = `gateway.${fault}`
    this.status = options.status ?? null
  }
}
