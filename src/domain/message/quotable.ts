// Which messages can be answered to. Apart from message.ts, which the board's first card waits for.
import type { Message, MessageKind } from './message.ts'

const NOTHING_SAID: readonly MessageKind[] = ['deleted', 'call', 'note']

/** Whether it can be answered to: WhatsApp must know the message. */
export function isQuotable({ id, content, delivery }: Message): boolean {
  const hasArrived =
    delivery === null || delivery === 'sent' || delivery === 'delivered' || delivery === 'read'
  return id > 0 && hasArrived && !NOTHING_SAID.includes(content.kind)
}
