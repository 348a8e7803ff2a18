// The parts of a message that a card shows too; kept apart from row.ts, whose size would delay the board's first card.
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

/** Delivery ticks exist for outgoing messages only. */
export function deliveryOf({ type, delivery }: Sent): Delivery | null {
  return type === 'outgoing' ? delivery : null
}
