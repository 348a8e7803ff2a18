// Messages as they stand under each other: where a day begins, and which belong together. Spec 2.10.
import { formatDate, formatDay } from '#domain/format.ts'
import type { Message } from '#domain/message.ts'

export type Line = {
  message: Message
  /** The day that begins with it: 'Hoje', 'Ontem', a date. */
  day: string | null
  /** Follows a line of the same side on the same day. */
  isSameSide: boolean
}

export function toLines(messages: readonly Message[], nowMs: number): Line[] {
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
