// Groups messages for display: by day, by side, and photos into albums.
import { formatDate, formatDay } from '#domain/format.ts'
import type { Message } from '#domain/message/message.ts'

export type GroupedMessage = {
  message: Message
  /** All photos of an album, of which `message` is the first. Undefined if the message is no album. */
  album?: readonly Message[]
  /** Heading of a new day, such as 'Hoje', 'Ontem' or a date; null if the day goes on. */
  day: string | null
  /** True if the previous message is of the same side and day. */
  isSameSide: boolean
}

/** Tells whether the group contains a message. */
export const isOfLine = ({ message, album = [message] }: GroupedMessage, id: number): boolean =>
  album.some((photo) => photo.id === id)

/** Returns a key that stays the same when the server assigns an id, so that the element is not replaced. */
export function keyOf({ id, operationId }: Message): string {
  return operationId ?? String(id)
}

export function groupMessages(messages: readonly Message[], nowMs: number): GroupedMessage[] {
  let lastDate = ''
  return albumsOf(inTurn(messages)).map(([message, ...photos], index, lines) => {
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

/**
 * Puts the queued messages at the end behind the sent ones: a sent one has a later time, and would jump behind those of
 * the same command that are still queued. Messages of one command have one time until they are sent; each says which of
 * them it is.
 */
function inTurn(messages: readonly Message[]): readonly Message[] {
  const from = messages.findLastIndex(({ direction }) => direction !== 'outgoing') + 1
  const own = messages.slice(from)
  const queued = own.filter(isQueued)
  const [next] = queued
  if (!next) return messages
  const settled = own.filter((message) => !isQueued(message))
  const done = settled.filter(({ sentAtSeconds }) => sentAtSeconds >= next.sentAtSeconds).length
  const isTogether = ({ sentAtSeconds }: Message) => sentAtSeconds === next.sentAtSeconds
  const all = done + queued.filter(isTogether).length
  const numbered = queued.map((message, at) =>
    all > 1 && isTogether(message) ? { ...message, sending: `${done + at + 1} de ${all}` } : message,
  )
  return [...messages.slice(0, from), ...settled, ...numbered]
}

const isQueued = ({ delivery }: Message) => delivery === 'queued'

/** Both directions count as different after a call, because calls have no bubble. */
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

/** Photos without an album id form an album if they were sent within this time. */
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
    // An album shows one caption, so a second captioned photo starts a new line.
    (message.body === '' || line.every(({ body }) => body === ''))
  )
}

function albumOf({ content }: Message): string | null {
  const isPicture = content.kind === 'image' || content.kind === 'video'
  return isPicture && !content.media.isViewOnce ? (content.media.albumId ?? null) : null
}

/** A pending message counts as 'enviando…' for this long, unless it has a known reason to wait. */
const SENDING_MS = 15_000

export function isOnItsWay({ sentAtSeconds, deliveryReason }: Message, nowMs: number): boolean {
  return deliveryReason === null && nowMs - sentAtSeconds * 1000 < SENDING_MS
}
