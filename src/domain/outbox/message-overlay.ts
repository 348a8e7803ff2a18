// A conversation with what waits here laid over it.
import { type Entry, needsDecision } from './command.ts'
import type { Card, Message } from '../message/message.ts'

/** A conversation with the texts that wait behind its messages; each one's id is its entry's number, negative. */
export function layOverMessages(
  messages: readonly Message[],
  entries: readonly Entry[],
  contactId: number,
): readonly Message[] {
  // By the operation, too: the row may come by a live event before its own answer does.
  const known = new Set(messages.map(({ operationId }) => operationId))
  const waiting = entries.flatMap((entry) => {
    const { command } = entry
    if (command.kind !== 'message.send' || command.lead.id !== contactId) return []
    if (known.has(entry.id) || isAmong(entry, messages)) return []
    const quoted = messages.find(({ id }) => id === command.quotedMessageId)
    return [toMessage(entry, command, quoted)]
  })
  const reacted = withReactions(messages, entries)
  return waiting.length === 0 ? reacted : [...reacted, ...waiting]
}

/** The messages with the own reactions that wait; a message without one stays the same object. */
function withReactions(messages: readonly Message[], entries: readonly Entry[]): readonly Message[] {
  const emojis = new Map(
    entries.flatMap((entry) =>
      entry.command.kind === 'message.react' && !needsDecision(entry)
        ? [[entry.command.given.messageId, entry.command.given.emoji] as const]
        : [],
    ),
  )
  if (emojis.size === 0) return messages
  return messages.map((message) => {
    const emoji = emojis.get(message.id)
    return emoji === undefined ? message : { ...message, ownReaction: emoji }
  })
}

/** Whether a reaction is over: another one followed, it stands at its message, or that was read so much later that it did. */
export function isReactionRead(
  { command, appliedAtMs, seq }: Entry,
  {
    messages,
    entries,
    readAtMs,
  }: { messages: readonly Message[]; entries: readonly Entry[]; readAtMs: number },
): boolean {
  if (command.kind !== 'message.react' || appliedAtMs === null) return false
  const { messageId, emoji } = command.given
  const isFollowed = entries.some(
    (other) =>
      other.seq > seq &&
      other.command.kind === 'message.react' &&
      other.command.given.messageId === messageId,
  )
  const answered = messages.find(({ id }) => id === messageId)
  return isFollowed || (answered?.ownReaction ?? '') === emoji || readAtMs > appliedAtMs + READ_WITHIN_MS
}

/** No read takes longer. */
const READ_WITHIN_MS = 4_000

/** Whether a text is a message by now. Where a later one was read it is, too: further back, or it was taken back since. */
export function isAmong({ messageId }: Entry, messages: readonly Message[]): boolean {
  return messageId !== null && messages.some(({ id }) => id >= messageId)
}

function toMessage(
  entry: Entry,
  { text: body, card }: { text: string; card?: Card | undefined },
  quoted: Message | undefined,
): Message {
  return {
    id: -entry.seq,
    body,
    sentAtSeconds: Math.floor(entry.createdAtMs / 1000),
    direction: 'outgoing',
    isRead: true,
    content: card ?? { kind: 'text' },
    delivery: needsDecision(entry) ? 'failed' : 'queued',
    deliveryReason: null,
    operationId: entry.id,
    quote: quoted
      ? {
          isOwn: quoted.direction === 'outgoing',
          kind: quoted.content.kind,
          body: quoted.body,
          whatsappId: quoted.whatsappId,
        }
      : null,
    reactions: [],
    isEdited: false,
  }
}
