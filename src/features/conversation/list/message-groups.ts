// Messages as they stand under each other: where a day begins, and which belong together.
import { formatDate, formatDay } from '#domain/format.ts'
import type { Message } from '#domain/message/message.ts'

export type GroupedMessage = {
  message: Message
  /** The photos of an album, `message` the first of them. */
  album?: readonly Message[]
  /** The day that begins with it: 'Hoje', 'Ontem', a date. */
  day: string | null
  /** Follows a line of the same side on the same day. */
  isSameSide: boolean
}

/** Whether a message stands in this line. */
export const isOfLine = ({ message, album = [message] }: GroupedMessage, id: number): boolean =>
  album.some((photo) => photo.id === id)

/** The same before and after the server has it, so that a line written here stays the same on the screen. */
export function keyOf({ id, operationId }: Message): string {
  return operationId ?? String(id)
}

export function groupMessages(messages: readonly Message[], nowMs: number): GroupedMessage[] {
  let lastDate = ''
  return albumsOf(messages).map(([message, ...photos], index, lines) => {
    const sentAtMs = message.sentAtSeconds * 1000
    const date = formatDate(sentAtMs)
    const isNewDay = date !== lastDate
    lastDate = date
    return {
      message,
      ...(photos.length > 0 && { album: [message, ...photos] }),
      day: isNewDay ? formatDay(sentAtMs, nowMs) : null,
      isSameSide: !isNewDay && isSameSide(lines[index - 1]?.[0], message),
    }
  })
}

/** A call stands between the sides. */
const isSameSide = (before: Message | undefined, { direction }: Message): boolean =>
  before?.direction === direction && before.content.kind !== 'call'

type Line = [Message, ...Message[]]

function albumsOf(messages: readonly Message[]): Line[] {
  const lines: Line[] = []
  for (const message of messages) {
    const line = lines.at(-1)
    if (line && isNextPhoto(message, line)) line.push(message)
    else lines.push([message])
  }
  return lines
}

/** Photos of an album whose head nobody names belong together when they come so close. */
const TOGETHER_SECONDS = 60

function isNextPhoto(message: Message, line: Line): boolean {
  const [first] = line
  const albumId = albumOf(message)
  return (
    albumId !== null &&
    albumId === albumOf(first) &&
    message.direction === first.direction &&
    message.quote === null &&
    (albumId !== '' || message.sentAtSeconds - first.sentAtSeconds <= TOGETHER_SECONDS) &&
    // It has one caption.
    (message.body === '' || line.every(({ body }) => body === ''))
  )
}

function albumOf({ content }: Message): string | null {
  const isPicture = content.kind === 'image' || content.kind === 'video'
  return isPicture && !content.media.isViewOnce ? (content.media.albumId ?? null) : null
}

/** So long a line that waits for nothing known is on its way. */
const SENDING_MS = 15_000

export function isOnItsWay({ sentAtSeconds, deliveryReason }: Message, nowMs: number): boolean {
  return deliveryReason === null && nowMs - sentAtSeconds * 1000 < SENDING_MS
}
