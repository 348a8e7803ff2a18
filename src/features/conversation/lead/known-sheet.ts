// A lead's details from what the device has, for a sheet that was never read here; and moves that wait, in its path.
import * as v from 'valibot'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { type Entry, needsDecision } from '#domain/outbox/command.ts'
import type { Stage } from '#domain/stage.ts'
import type { LeadSheet, PathStep, SentMaterial, SharedFile } from './data.ts'

const MAX_FILES = 20

/** The part of a conversation that the device has. */
type Said = { messages: readonly Message[]; hasOlder: boolean }

/**
 * From the card and, where the device has them, the messages. The other fields count as empty: an edit whose field
 * has a value on the server ends as a conflict, which the broker decides.
 */
export function knownSheet(lead: Lead, said: Said | undefined): LeadSheet {
  const { source, development, createdAtMs } = lead
  return {
    isPartial: true,
    source,
    development,
    campaign: null,
    email: null,
    tags: [],
    value: null,
    ad: null,
    loss_reason: null,
    lostAtMs: null,
    knownTags: [],
    numbers: [],
    interests: [],
    material: [],
    files: (said?.messages.flatMap(toFile) ?? []).slice(-MAX_FILES).toReversed(),
    path: newestFirst([
      { kind: 'arrived', atMs: createdAtMs, word: source, by: null },
      ...(said ? firstWords(said) : []),
      ...(lead.done ?? []).flatMap(toDeed),
    ]),
  }
}

function toFile({ id, content, direction, sentAtSeconds }: Message): SharedFile[] {
  const { kind } = content
  if (id < 0 || (kind !== 'image' && kind !== 'video' && kind !== 'document')) return []
  const { fileName, sizeBytes } = content.media
  const isOwn = direction === 'outgoing'
  return [{ id, kind, at: sentAtSeconds, isOwn, name: fileName, size: sizeBytes }]
}

/** The path's first message, if the device has the conversation from its beginning. */
function firstWords({ messages, hasOlder }: Said): PathStep[] {
  const wrote = !hasOlder && messages.find(({ direction }) => direction === 'incoming')
  return wrote ? [{ kind: 'wrote', atMs: wrote.sentAtSeconds * 1000, word: null, by: null }] : []
}

const Deed = v.object({ kind: v.string(), at: v.number() })

function toDeed(row: unknown): PathStep[] {
  const { success, output } = v.safeParse(Deed, row)
  return success ? [{ kind: 'did', atMs: output.at * 1000, word: output.kind, by: null }] : []
}

/** What was sent, with what waits on this device in front; a message that is here is no longer waiting. */
export function withWaiting(
  material: readonly SentMaterial[],
  { lead, entries }: { lead: Lead; entries: readonly Entry[] },
): (SentMaterial & { isWaiting?: true })[] {
  const waiting = entries.flatMap((entry) => {
    const { command, createdAtMs, state, messageId } = entry
    if (command.kind !== 'material.send' || command.lead.id !== lead.id || needsDecision(entry)) return []
    if (state === 'applied' && material.some(({ id }) => id >= (messageId ?? Infinity))) return []
    return command.things.map(({ label }, nth) => ({
      id: -(entry.seq * 8 + nth),
      development: command.development.name,
      label,
      at: Math.floor(createdAtMs / 1000),
      ...(state !== 'applied' && { isWaiting: true as const }),
    }))
  })
  return [...waiting.toReversed(), ...material]
}

/** The path with this device's moves that the server does not have. */
export function withMoves(
  path: readonly PathStep[],
  { lead, entries, stages }: { lead: Lead; entries: readonly Entry[]; stages: readonly Stage[] },
): PathStep[] {
  const moves = entries.flatMap((entry): PathStep[] => {
    const { command, state, createdAtMs } = entry
    if (command.kind !== 'lead.move' || command.lead.id !== lead.id) return []
    if (state === 'applied' || needsDecision(entry)) return []
    const name = stages.find(({ slug }) => slug === command.toSlug)?.name ?? command.toSlug
    return [{ kind: 'moved', atMs: createdAtMs, word: name, by: null }]
  })
  return moves.length === 0 ? [...path] : newestFirst([...path, ...moves])
}

const newestFirst = (steps: readonly PathStep[]) => steps.toSorted((one, other) => other.atMs - one.atMs)
