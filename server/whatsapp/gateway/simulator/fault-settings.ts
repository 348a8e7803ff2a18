// The faults of the simulator with what each takes, checked when turned from another process.
import * as v from 'valibot'

const instance = v.string()
const number = v.pipe(v.string(), v.regex(/^\d{8,20}$/))
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)), 1)
const delayMs = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0)

const Arrival = v.object({
  /** Digits of the person on the other side. */
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
  /** The message object of a 'raw' one, as the protocol writes it. */
  message: v.exactOptional(v.record(v.string(), v.unknown())),
  text: v.exactOptional(v.string()),
  /** Own bytes instead of the stock ones; needed for a video. */
  file: v.exactOptional(
    v.object({
      base64: v.string(),
      mimeType: v.string(),
      fileName: v.exactOptional(v.string()),
      seconds: v.exactOptional(v.number()),
    }),
  ),
  /** The message a reaction or a quote is about, or the head of an album's photo. */
  target: v.exactOptional(
    v.object({
      id: v.string(),
      text: v.exactOptional(v.string()),
      fromMe: v.exactOptional(v.boolean()),
    }),
  ),
  /** Which of the person's addresses the gateway is told. */
  addressing: v.exactOptional(v.picklist(['pn', 'pn+lid', 'lid', 'lid+alt'])),
  lid: v.exactOptional(v.string()),
  /** Typed on the linked phone itself. */
  fromMe: v.exactOptional(v.boolean()),
  /** Said in this group, or as a status. */
  room: v.exactOptional(v.string()),
  id: v.exactOptional(v.string()),
  atSeconds: v.exactOptional(v.number()),
})
export type Arrival = v.InferOutput<typeof Arrival>

const message = { instance, id: v.string() }

export const FAULT_SETTINGS = {
  /** 2.4.0 refuses every call until it is activated. */
  version: v.object({
    version: v.picklist(['2.3.6', '2.3.7', '2.4.0']),
    isActivated: v.optional(v.boolean(), false),
  }),
  /** What the next calls of a kind meet; 'no-id' is for create, which makes the instance all the same. */
  nextCall: v.object({
    call: v.picklist(['create', 'webhook', 'settings', 'logout', 'delete']),
    effect: v.picklist(['no-id', 'refused-400', 'closed-500']),
    times: count,
  }),
  /** A proxy in front answers for a gateway that is away. */
  down: v.object({ on: v.boolean() }),
  /** What WhatsApp knows of a number. */
  subscriber: v.object({
    number,
    exists: v.optional(v.boolean(), true),
    jid: v.exactOptional(v.string()),
    lid: v.exactOptional(v.string()),
    /** The gateway asked for it within the last week. */
    isCached: v.optional(v.boolean(), false),
  }),
  /** A phone reads the shown code. */
  scan: v.object({ instance, number, name: v.optional(v.string(), 'Corretor') }),
  expireQr: v.object({ instance }),
  reachQrLimit: v.object({ instance }),
  /** `connect` then answers only `{count: 0}`. */
  withholdQr: v.object({ instance, on: v.boolean() }),
  /** Comes back after the delay, or not at all when it is null. */
  dropLink: v.object({ instance, backAfterMs: v.optional(v.nullable(v.number()), 120) }),
  /** Every login from now on ends with 440; with `opensForMs` it is open for a moment first. */
  refuseLogins: v.object({ instance, opensForMs: v.optional(v.nullable(v.number()), null) }),
  /** The phone removes the linked device (401). */
  unlink: v.object({ instance }),
  /** Shown as open while sends fail. */
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
  /** Answers the message's id. */
  receive: v.object({ instance, ...Arrival.entries }),
  /** One step of a call, as Baileys tells it; answers the call's id. */
  call: v.object({
    instance,
    from: number,
    status: v.picklist(['offer', 'ringing', 'timeout', 'reject', 'accept', 'terminate']),
    id: v.exactOptional(v.string()),
    lid: v.exactOptional(v.string()),
    isVideo: v.exactOptional(v.boolean()),
    atSeconds: v.exactOptional(v.number()),
  }),
  /** The same person writes `times` messages at once; answers their ids. */
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
