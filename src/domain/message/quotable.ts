// Which messages can be quoted. Separate from message.ts, which the first card waits for.
import type { Message, MessageKind } from './message.ts'

const NOTHING_SAID: readonly MessageKind[] = ['deleted', 'call', 'note']

/** Whether the message can be quoted: WhatsApp must know it. */
export function isQuotable({ id, content, delivery }: Message): boolean {
  const hasArrived =
    delivery === null || delivery === 'sent' || delivery === 'delivered' || delivery === 'read'
  return id > 0 && hasArrived && !NOTHING_SAID.includes(content.kind)
}
