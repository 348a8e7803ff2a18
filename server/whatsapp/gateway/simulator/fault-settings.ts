// The simulator's faults with their inputs, validated when they come from another process.
import * as v from 'valibot'

const instance = v.string()
const number = v.pipe(v.string(), v.regex(/^\d{8,20}$/))
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)), 1)
const delayMs = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0)

const Arrival = v.object({
  /** Digits of the sender. */
  from: number,
  name: v.exactOptional(v.nullable(v.string())),
  kind: v.exactOptional(
    v.picklist([
      'text',
      'image',
      'voice',
      'video',
      'document',
      'sticker',
      'contact',
      'location',
      'reaction',
      'ephemeral',
      'view-once',
      'poll',
      'album',
      'album-photo',
      'raw',
    ]),
  ),
  /** The message object of a 'raw' message, in the protocol's form. */
  message: v.exactOptional(v.record(v.string(), v.unknown())),
  text: v.exactOptional(v.string()),
  /** Own bytes instead of the stock ones; required for a video. */
  file: v.exactOptional(
    v.object({
      base64: v.string(),
      mimeType: v.string(),
      fileName: v.exactOptional(v.string()),
      seconds: v.exactOptional(v.number()),
    }),
  ),
  /** The message of a reaction or quote, or the head of a photo's album. */
  target: v.exactOptional(
    v.object({
      id: v.string(),
      text: v.exactOptional(v.string()),
      fromMe: v.exactOptional(v.boolean()),
    }),
  ),
  /** Which addresses of the person the gateway gets. */
  addressing: v.exactOptional(v.picklist(['pn', 'pn+lid', 'lid', 'lid+alt'])),
  lid: v.exactOptional(v.string()),
  /** The broker typed the message on the linked phone itself. */
  fromMe: v.exactOptional(v.boolean()),
  /** The message goes to this group, or is a status. */
  room: v.exactOptional(v.string()),
  id: v.exactOptional(v.string()),
  atSeconds: v.exactOptional(v.number()),
})
export type Arrival = v.InferOutput<typeof Arrival>

const message = { instance, id: v.string() }

export const FAULT_SETTINGS = {
  /** 2.4.0 refuses every call until it is activated. */
  version: v.object({
    version: v.picklist(['2.3.6', '2.3.7', '2.4.0', '2026.2.1', '2026.7.1']),
    isActivated: v.optional(v.boolean(), false),
  }),
  /** Result of the next calls of a kind; 'no-id' is for create, which creates the instance all the same. */
  nextCall: v.object({
    call: v.picklist(['create', 'webhook', 'settings', 'logout', 'delete']),
    effect: v.picklist(['no-id', 'refused-400', 'closed-500']),
    times: count,
  }),
  /** While the gateway is down, a proxy answers in its place. */
  down: v.object({ on: v.boolean() }),
  /** WhatsApp's data about a number. */
  subscriber: v.object({
    number,
    exists: v.optional(v.boolean(), true),
    jid: v.exactOptional(v.string()),
    lid: v.exactOptional(v.string()),
    /** The gateway has it cached from the last week. */
    isCached: v.optional(v.boolean(), false),
  }),
  /** A phone scans the shown code. */
  scan: v.object({ instance, number, name: v.optional(v.string(), 'Corretor') }),
  expireQr: v.object({ instance }),
  reachQrLimit: v.object({ instance }),
  /** `connect` then answers only `{count: 0}`. */
  withholdQr: v.object({ instance, on: v.boolean() }),
  /** The link returns after the delay; null: never. */
  dropLink: v.object({ instance, backAfterMs: v.optional(v.nullable(v.number()), 120) }),
  /** Every login ends with 440; with `opensForMs` it is open for a moment first. */
  refuseLogins: v.object({ instance, opensForMs: v.optional(v.nullable(v.number()), null) }),
  /** The phone removes the linked device (401). */
  unlink: v.object({ instance }),
  /** The link is reported as open while every send fails. */
  zombie: v.object({ instance, on: v.boolean() }),
  nextSend: v.object({
    instance,
    effect: v.picklist([
      'not-on-whatsapp',
      'timed-out-sent',
      'timed-out-unsent',
      'closed-400',
      'closed-500',
      'failed-500',
      'slow',
    ]),
    delayMs,
    times: count,
  }),
  acks: v.object({
    instance,
    plan: v.picklist(['delivered', 'read', 'server-only', 'none', 'error', 'reversed']),
  }),
  acknowledge: v.object({ ...message, status: v.string() }),
  /** Returns the message's id. */
  receive: v.object({ instance, ...Arrival.entries }),
  /** One step of a call, as Baileys reports it; returns the call's id. */
  call: v.object({
    instance,
    from: number,
    status: v.picklist(['offer', 'ringing', 'timeout', 'reject', 'accept', 'terminate']),
    id: v.exactOptional(v.string()),
    lid: v.exactOptional(v.string()),
    isVideo: v.exactOptional(v.boolean()),
    atSeconds: v.exactOptional(v.number()),
  }),
  /** One person writes `times` messages at once; returns their ids. */
  burst: v.object({ instance, times: count, ...Arrival.entries }),
  history: v.object({ instance, messages: v.array(Arrival) }),
  edit: v.object({ ...message, text: v.string() }),
  revoke: v.object(message),
  /** What happens to the next webhooks. */
  webhooks: v.object({
    instance,
    kind: v.picklist(['lose', 'delay', 'duplicate', 'reorder']),
    count,
    delayMs,
  }),
}
