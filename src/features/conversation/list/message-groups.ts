// Messages as they stand under each other: where a day begins, and which belong together.
import { formatDate, formatDay } from '#domain/format.ts'
import type { Message } from '#domain/message/message.ts'

export type GroupedMessage = {
  message: Message
  /** The day that begins with it: 'Hoje', 'Ontem', a date. */
  day: string | null
  /** Follows a line of the same side on the same day. */
  isSameSide: boolean
}

/** The same before and after the server has it, so that a line written here stays the same on the screen. */
export function keyOf({ id, operationId }: Message): string {
  return operationId ?? String(id)
}

export function groupMessages(messages: readonly Message[], nowMs: number): GroupedMessage[] {
  let lastDate = ''
  return messages.map((message, index) => {
    const sentAtMs = message.sentAtSeconds * 1000
    const date = formatDate(sentAtMs)
    const isNewDay = date !== lastDate
    lastDate = date
    return {
      message,
      day: isNewDay ? formatDay(sentAtMs, nowMs) : null,
      isSameSide: !isNewDay && messages[index - 1]?.direction === message.direction,
    }
  })
}

/** So long a line that waits for nothing known is on its way. */
const SENDING_MS = 15_000

export function isOnItsWay({ sentAtSeconds, deliveryReason }: Message, nowMs: number): boolean {
  return deliveryReason === null && nowMs - sentAtSeconds * 1000 < SENDING_MS
}
