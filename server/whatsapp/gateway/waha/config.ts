// The configuration of a session: its webhook with the events, what it ignores, and its store.
import type { WebhookSetup } from '#server/gateway.ts'
import { fieldsOf, text } from '../message/field.ts'
import { signingKeyOf } from '#server/delivery.ts'

/** `message.any` reports every message; `message` would report received ones a second time. */
const EVENTS = [
  'session.status',
  'message.any',
  'message.ack',
  'message.reaction',
  'message.edited',
  'message.revoked',
  'call.received',
  'call.accepted',
  'call.rejected',
]

/** WAHA replaces the whole configuration. Without the store the portal could not read messages back. */
export const configOf = ({ url }: WebhookSetup) => ({
  ignore: { status: true, groups: true, channels: true, broadcast: true },
  noweb: { markOnline: false, store: { enabled: true, fullSync: false } },
  webhooks: [
    {
      url,
      events: EVENTS,
      hmac: { key: signingKeyOf(url.split('/').at(-1) ?? '') },
      // A webhook may take long, because the portal fetches its file before it answers.
      retries: { policy: 'exponential', delaySeconds: 2, attempts: 10 },
    },
  ],
})

export function webhookIn(config: unknown): WebhookSetup | null {
  const listed = fieldsOf(config)?.['webhooks']
  const url = text(fieldsOf(Array.isArray(listed) ? listed[0] : null)?.['url'], 2_000)
  return url === null ? null : { url }
}

/** Whether a session has this configuration; the server adds fields of its own. */
export function contains(found: unknown, wanted: unknown): boolean {
  const parts = fieldsOf(wanted)
  if (parts) return Object.entries(parts).every(([name, part]) => contains(fieldsOf(found)?.[name], part))
  if (!Array.isArray(wanted)) return found === wanted
  return (
    Array.isArray(found) &&
    found.length === wanted.length &&
    wanted.every((one, at) => contains(found[at], one))
  )
}
