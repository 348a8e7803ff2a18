// Parses the gateway's answers into the types of server/gateway.ts.
import * as v from 'valibot'
import type { Accepted, GatewayInstance, LinkOffer, LinkState } from '#server/gateway.ts'
import { rowsOf, Seconds } from '../checks.ts'

const text = v.nullish(v.string(), null)

// 'refused' and unknown words mean not linked.
const State = v.pipe(
  v.unknown(),
  v.transform((state): LinkState => (state === 'open' || state === 'connecting' ? state : 'close')),
)

export const Version = v.object({ version: v.string() })

export const Created = v.pipe(
  v.object({ instance: v.object({ instanceId: v.string() }) }),
  v.transform(({ instance }) => instance),
)

/** Some answers to a creation contain no id. */
export const CreatedWithoutId = v.object({ instance: v.object({ instanceId: v.nullish(v.literal('')) }) })

const Row = v.pipe(
  v.object({
    id: v.string(),
    name: v.string(),
    connectionStatus: State,
    ownerJid: text,
    number: text,
    profileName: text,
    profilePicUrl: text,
  }),
  v.transform(({ id, name, connectionStatus, ...rest }): GatewayInstance => ({
    instanceId: id,
    instanceName: name,
    state: connectionStatus,
    ...rest,
  })),
)
export const Rows = v.array(Row)

export const StateAnswer = v.object({ instance: v.object({ state: State }) })

const QR_PREFIX = 'data:image/png;base64,'

/** The answer to `connect` has one of four forms, all with status 200. `{error: true}` is the failure. */
export const Offer = v.union([
  v.pipe(
    v.object({ error: v.literal(true) }),
    v.transform(() => ({ kind: 'error' as const })),
  ),
  v.pipe(
    v.object({ instance: v.object({ state: v.literal('open') }) }),
    v.transform((): LinkOffer => ({ kind: 'open' })),
  ),
  v.pipe(
    v.object({ base64: v.string(), code: v.string(), pairingCode: text, count: v.optional(v.number(), 1) }),
    v.transform(({ base64, code, pairingCode, count }): LinkOffer => ({
      kind: 'code',
      qrImage: base64.startsWith('data:') ? base64 : QR_PREFIX + base64,
      qrText: code,
      pairingCode,
      count,
    })),
  ),
  v.pipe(
    v.union([v.object({ count: v.number() }), v.object({ instance: v.object({ state: v.string() }) })]),
    v.transform((): LinkOffer => ({ kind: 'waiting' })),
  ),
])

/** A failed restart is answered with status 200, too. */
export const Restarted = v.object({ error: v.optional(v.unknown()), message: v.optional(v.unknown()) })

export const WebhookRow = v.object({ url: v.string(), enabled: v.boolean(), webhookBase64: v.boolean() })

/** Null without a webhook. */
export const FoundWebhook = v.nullish(v.object({ url: v.string() }), null)

export const Sent = v.pipe(
  v.object({
    key: v.object({ id: v.pipe(v.string(), v.minLength(1)), remoteJid: v.pipe(v.string(), v.includes('@')) }),
    messageTimestamp: Seconds,
  }),
  v.transform(({ key, messageTimestamp }): Accepted => ({
    messageId: key.id,
    jid: key.remoteJid,
    sentAtSeconds: messageTimestamp,
  })),
)

const MessageRecord = v.looseObject({ key: v.looseObject({ id: v.string() }), messageTimestamp: Seconds })

export const MessagePage = v.object({
  messages: v.object({ pages: v.number(), currentPage: v.number(), records: rowsOf(MessageRecord) }),
})

export const Media = v.object({ base64: v.pipe(v.string(), v.minLength(1)) })
