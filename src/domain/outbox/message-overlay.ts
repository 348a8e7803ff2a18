// Applies pending messages, reactions, edits and deletions to a conversation.
import type { MaterialThing } from '../development/material.ts'
import { withChange } from '../message/change.ts'
import type { Message } from '../message/message.ts'
import { beginning } from '../next-action/next-action.ts'
import { type Command, type Entry, isChange, laneOf, needsDecision } from './command.ts'

/**
 * Adds pending texts at the conversation's end; each gets its entry's negated number as id. `ofCard`: `messages` has
 * only the card's last message, so sent texts before it are not added.
 */
export function layOverMessages(
  messages: readonly Message[],
  entries: readonly Entry[],
  { contactId, ofCard = false }: { contactId: number; ofCard?: boolean },
): readonly Message[] {
  // Messages are compared by operation too, because a live event may bring one before the operation's own answer, which
  // may be lost.
  const known = new Set(messages.map(({ operationId }) => beginning(operationId)))
  const isKnown = (operationId: string | null) => known.has(beginning(operationId))
  const before: Message[] = []
  const waiting: Message[] = []
  for (const entry of entries) {
    const { command } = entry
    if (command.lead.id !== contactId) continue
    if (command.kind === 'material.send') {
      // The server has all messages of the material, or none.
      const isApplied = command.things.some(({ operationId }) => isKnown(operationId))
      const isThere = isApplied || isAmong(entry, messages)
      if (isThere && !ofCard) continue
      const isCard = messages.some(({ id }) => id === entry.messageId)
      const burst = toBurst(isApplied ? { ...entry, state: 'applied' } : entry, command.things).filter(
        ({ operationId }, nth, { length }) => !isKnown(operationId) && !(isCard && nth === length - 1),
      )
      ;(isThere ? before : waiting).push(...burst)
      continue
    }
    if (command.kind !== 'message.send' || isKnown(entry.id)) continue
    const isThere = isAmong(entry, messages)
    if (isThere && (!ofCard || messages.some(({ id }) => id === entry.messageId))) continue
    const quoted = messages.find(({ id }) => id === command.quotedMessageId)
    ;(isThere ? before : waiting).push(toMessage(entry, command, quoted))
  }
  const changed = withChanges(messages, entries)
  return before.length + waiting.length === 0 ? changed : [...before, ...changed, ...waiting]
}

/** Applies pending changes to sent messages. Other messages stay the same objects. */
function withChanges(messages: readonly Message[], entries: readonly Entry[]): readonly Message[] {
  const changes = entries.filter(({ command }) => isOfMessage(command))
  if (changes.length === 0) return messages
  return messages.map((message) =>
    changes.reduce(
      (shown, entry) => (targetOf(entry.command) === shown.id ? afterChange(shown, entry) : shown),
      message,
    ),
  )
}

type OfMessage = Extract<Command, { kind: 'message.react' | 'message.edit' | 'message.delete' }>

const isOfMessage = (command: Command): command is OfMessage =>
  command.kind === 'message.react' || isChange(command.kind)

const targetOf = (command: Command) => (isOfMessage(command) ? command.given.messageId : undefined)

function afterChange(message: Message, entry: Entry): Message {
  const { command, id: operationId, problem } = entry
  if (command.kind === 'message.react')
    return needsDecision(entry) ? message : { ...message, ownReaction: command.given.emoji }
  const kind = command.kind === 'message.edit' ? 'edit' : 'delete'
  if (needsDecision(entry))
    return withChange(message, { kind, state: 'refused', operationId, said: problem?.reason ?? null }, '')
  if (isThere(message, entry)) return message
  const body = command.kind === 'message.edit' ? command.given.text : ''
  return withChange(message, { kind, state: 'queued', operationId }, body)
}

/** True if the server has the command: the message shows the change, or shows it as pending. */
function isThere({ ownReaction = '', body, content, change }: Message, { command, id }: Entry): boolean {
  switch (command.kind) {
    case 'message.react':
      return ownReaction === command.given.emoji
    case 'message.edit':
      return (
        change?.operationId === id || content.kind === 'deleted' || (!change && body === command.given.text)
      )
    default:
      return change?.operationId === id || content.kind === 'deleted'
  }
}

/**
 * True if a change needs no overlay any more. A later change followed, the message shows it, or the messages were read
 * after the server had it.
 */
export function isChangeRead(
  entry: Entry,
  {
    messages,
    entries,
    readAtMs,
  }: { messages: readonly Message[]; entries: readonly Entry[]; readAtMs: number },
): boolean {
  const { command, appliedAtMs, seq, userId } = entry
  if (!isOfMessage(command) || appliedAtMs === null) return false
  const { messageId } = command.given
  const isFollowed = entries.some(
    (other) =>
      other.seq > seq &&
      targetOf(other.command) === messageId &&
      laneOf(other) === laneOf({ command, userId }),
  )
  const changed = messages.find(({ id }) => id === messageId)
  return isFollowed || (changed ? isThere(changed, entry) : false) || readAtMs > appliedAtMs + READ_WITHIN_MS
}

/** A read newer than the change by less than this may have begun before it, so it proves nothing. */
const READ_WITHIN_MS = 4_000

/** True if the messages include the text. If they include a later one, the text is further back or was deleted. */
function isAmong({ messageId }: Entry, messages: readonly Message[]): boolean {
  return messageId !== null && messages.some(({ id }) => id >= messageId)
}

/**
 * True if a text needs no overlay any more: the messages include it, and the board was read after the server had it.
 * Without the overlay, an older card would show that the lead waits.
 */
export function isTextRead(entry: Entry, messages: readonly Message[], boardAtMs = Infinity): boolean {
  return isAmong(entry, messages) && (entry.appliedAtMs ?? 0) < boardAtMs
}

/** Returns the local ids of one entry's messages, in order; `seqOf` and `nthOf` read them. */
const thingId = (seq: number, nth: number) => -(seq + nth / 8)
/** Returns the number of the entry to which a pending message belongs. */
export const seqOf = (id: number) => Math.floor(-id)
/** Tells which message of its entry a pending message is, from 0. */
export const nthOf = (id: number) => (-id - seqOf(id)) * 8

const toBurst = (entry: Entry, things: readonly MaterialThing[]): Message[] =>
  things.map(({ operationId, text, content }, nth) => ({
    ...toMessage({ ...entry, id: operationId }, { text }, undefined),
    id: thingId(entry.seq, nth),
    content,
    ...(entry.state === 'refused' &&
      entry.problem?.reason && {
        refusal: {
          said: entry.problem.reason,
          isOutdated: entry.problem.isOutdated === true,
          isLast: nth === things.length - 1,
        },
      }),
  }))

function toMessage(
  entry: Entry,
  { text: body, card, file }: Pick<Extract<Command, { kind: 'message.send' }>, 'text' | 'card' | 'file'>,
  quoted: Message | undefined,
): Message {
  return {
    id: -entry.seq,
    body,
    sentAtSeconds: Math.floor(entry.createdAtMs / 1000),
    direction: 'outgoing',
    isRead: true,
    content: file ? { kind: file.kind, media: file.media } : (card ?? { kind: 'text' }),
    // Null for a text that the server has, because only the server knows its delivery state.
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
