// Delivery states: answered messages were read, and the newest may still be in delivery.
import { DAY, HOUR } from '../calendar.ts'
import type { Random } from '../random.ts'
import type { DemoMessage } from './story.ts'

export type Settled = DemoMessage & {
  isRead: boolean
  delivery: 'sent' | 'delivered' | 'read' | 'failed' | null
}

/** Probability that a lead's last message is unread, by its age. */
const UNREAD_TODAY = 0.85
const UNREAD_LATER = 0.3

export function settle(messages: readonly DemoMessage[], now: number, random: Random): Settled[] {
  const lastIncoming = messages.findLastIndex(({ by }) => by === 'lead')
  const lastOutgoing = messages.findLastIndex(({ by }) => by !== 'lead')
  const age = now - (messages.at(-1)?.at ?? now)
  const isUnread = random.chance(age < DAY ? UNREAD_TODAY : UNREAD_LATER)
  return messages.map((message, index) => {
    if (message.by === 'lead')
      return { ...message, isRead: index < lastOutgoing || !isUnread, delivery: null }
    const delivery = index < lastIncoming ? 'read' : drawDelivery(now - message.at, random)
    return { ...message, isRead: delivery === 'read', delivery }
  })
}

function drawDelivery(age: number, random: Random) {
  return age < HOUR
    ? random.weigh([['sent', 2] as const, ['delivered', 5] as const, ['read', 3] as const])
    : random.weigh([
        ['sent', 5] as const,
        ['delivered', 27] as const,
        ['read', 64] as const,
        ['failed', 4] as const,
      ])
}
