// Decides which messages can be quoted. A file of its own, because the first card waits for message.ts.
import type { Message, MessageKind } from './message.ts'

const NOTHING_SAID: readonly MessageKind[] = ['deleted', 'call', 'note']

/** True if the message can be quoted: WhatsApp must have it, and it must have content. */
export function isQuotable({ id, content, delivery }: Message): boolean {
  const hasArrived =
    delivery === null || delivery === 'sent' || delivery === 'delivered' || delivery === 'read'
  return id > 0 && hasArrived && !NOTHING_SAID.includes(content.kind)
}
