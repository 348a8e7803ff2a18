// Builds a lead's details from the device's data until the server has answered once, and adds pending moves to its
// history.
import * as v from 'valibot'
import type { Lead } from '#domain/lead/lead.ts'
import type { Message } from '#domain/message/message.ts'
import { type Entry, needsDecision } from '#domain/outbox/command.ts'
import type { Stage } from '#domain/stage.ts'
import type { LeadSheet, PathStep, SentMaterial, SharedFile } from './data.ts'

const MAX_FILES = 20

/** The messages of the conversation that this device has stored. */
type Said = { messages: readonly Message[]; hasOlder: boolean }

/**
 * Builds details from the lead's card and, if available, its stored messages. Unknown fields count as empty. An edit of
 * such a field ends as a conflict if the server has a value, and the broker decides.
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

/** Returns the history's first step, 'wrote', if the device has stored the conversation from its beginning. */
function firstWords({ messages, hasOlder }: Said): PathStep[] {
  const wrote = !hasOlder && messages.find(({ direction }) => direction === 'incoming')
  return wrote ? [{ kind: 'wrote', atMs: wrote.sentAtSeconds * 1000, word: null, by: null }] : []
}

const Deed = v.object({ kind: v.string(), at: v.number() })

function toDeed(row: unknown): PathStep[] {
  const { success, output } = v.safeParse(Deed, row)
  return success ? [{ kind: 'did', atMs: output.at * 1000, word: output.kind, by: null }] : []
}

/**
 * Adds pending material of this device in front of what the server lists; material that the server lists is not
 * pending.
 */
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

/** Adds this device's pending stage moves to the lead's history. */
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
