// The parts of a message that cards show too. A file of its own, because row.ts is large and would delay the board's
// first card.
import * as v from 'valibot'
import type { Delivery, Message } from '#domain/message/message.ts'

export const Kind = v.fallback(
  v.picklist([
    'text',
    'image',
    'video',
    'audio',
    'document',
    'sticker',
    'contact',
    'location',
    'unsupported',
    'deleted',
  ]),
  'unsupported',
)

export const DeliveryValue = v.fallback(
  v.nullish(v.picklist(['queued', 'sent', 'delivered', 'read', 'failed', 'unknown']), null),
  'unknown',
)

type Sent = { type: Message['direction']; delivery: Delivery | null }

/** Only outgoing messages have delivery ticks. */
export function deliveryOf({ type, delivery }: Sent): Delivery | null {
  return type === 'outgoing' ? delivery : null
}
