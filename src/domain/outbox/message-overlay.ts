// A conversation with waiting messages and reactions on top.
import { type Entry, needsDecision } from './command.ts'
import type { Card, Message } from '../message/message.ts'

/**
 * A conversation with its waiting texts at the end; each has its entry's negated number as id. `ofCard`: the
 * messages are the last one of the lead's card, so sent texts before it are not among them.
 */
export function layOverMessages(
  messages: readonly Message[],
  entries: readonly Entry[],
  { contactId, ofCard = false }: { contactId: number; ofCard?: boolean },
): readonly Message[] {
  // Also by operation: a live event may bring the row before the operation's own answer.
  const known = new Set(messages.map(({ operationId }) => operationId))
  const before: Message[] = []
  const waiting: Message[] = []
  for (const entry of entries) {
    const { command } = entry
    if (command.kind !== 'message.send' || command.lead.id !== contactId || known.has(entry.id)) continue
    const isThere = isAmong(entry, messages)
    if (isThere && (!ofCard || messages.some(({ id }) => id === entry.messageId))) continue
    const quoted = messages.find(({ id }) => id === command.quotedMessageId)
    ;(isThere ? before : waiting).push(toMessage(entry, command, quoted))
  }
  const reacted = withReactions(messages, entries)
  return before.length + waiting.length === 0 ? reacted : [...before, ...reacted, ...waiting]
}

/** Applies waiting own reactions; other messages stay the same objects. */
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

/**
 * Whether a reaction needs no overlay any more: another one followed, the message has it, or the messages
 * were read after it was applied.
 */
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

/** Longest duration of a read. */
const READ_WITHIN_MS = 4_000

/**
 * Whether a text is among the messages by now. It is if a later one was read: it is then further back, or was
 * deleted since.
 */
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
    // Of a text that the server has, only the server knows how far it went.
    delivery: needsDecision(entry) ? 'failed' : entry.state === 'applied' ? null : 'queued',
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
