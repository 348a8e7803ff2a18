// What of a message a card shows, too: with the rest of a message's row the board's first card would wait for it.
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

/** Only what was written here goes anywhere. */
export function deliveryOf({ type, delivery }: Sent): Delivery | null {
  return type === 'outgoing' ? delivery : null
}
