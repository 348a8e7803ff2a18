// What a person can do with an entry: discard it, or send it again.
import type { MaterialThing } from '../development/material.ts'
import {
  baseOf,
  changesNothing,
  isState,
  laneOf,
  needsDecision,
  withBase,
  withGoal,
  type Entry,
} from './command.ts'
import { createEntry, type Entries, laneEntries, removeEntry, replaceEntry, type Stamp } from './queue.ts'

/** Removes an entry that its author discards. The next entry of its lane starts from its base. */
export function discardEntry(entries: Entries, seq: number): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  return entry ? dropEntry(entries, entry) : entries
}

/**
 * Removes an entry. The next entry of its lane takes over its base. Removing an addition also removes all commands on
 * the added lead.
 */
export function dropEntry(entries: Entries, entry: Entry): Entries {
  if (entry.command.kind === 'lead.add') {
    const { id } = entry.command.lead
    return entries.filter((other) => other.userId !== entry.userId || other.command.lead.id !== id)
  }
  const rest = removeEntry(entries, entry.seq)
  const next = laneEntries(rest, laneOf(entry)).find(({ seq }) => seq > entry.seq)
  if (!next || !isState(next.command) || !isState(entry.command)) return rest
  const command = withBase(next.command, baseOf(entry.command))
  return changesNothing(command) ? removeEntry(rest, next.seq) : replaceEntry(rest, { ...next, command })
}

/**
 * Sends an entry again because a person wants it. A conflict then overwrites the server's value; a refused entry is
 * sent unchanged. The entry gets a new id, because the server would repeat its stored answer. An entry that may have
 * arrived keeps its id, so that it is not done twice.
 */
export function retryEntry(
  entries: Entries,
  seq: number,
  { stamp, text }: { stamp: Stamp; text?: string },
): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  if (!entry || !needsDecision(entry)) return entries
  const id = entry.problem && entry.problem.reason !== null ? stamp.id : entry.id
  const again = { ...createEntry(entry.command, { ...stamp, id }), seq }
  // Without a base the server does not compare: it overwrites the other device's value, which the person has seen.
  if (again.command.kind === 'lead.fields') {
    const { fields } = again.command.given
    return replaceEntry(entries, { ...again, command: { ...again.command, given: { fields, base: {} } } })
  }
  if (!isState(again.command)) return replaceEntry(entries, again)
  const command = text === undefined ? again.command : withGoal(again.command, text)
  const theirs = entry.state === 'conflict' ? (entry.problem?.theirs ?? '') : baseOf(command)
  const rebased = withBase(command, theirs)
  return changesNothing(rebased)
    ? removeEntry(entries, seq)
    : replaceEntry(entries, { ...again, command: rebased })
}

/** Sends refused material again with these things in place of its own. */
export function renewMaterial(
  entries: Entries,
  seq: number,
  { stamp, things }: { stamp: Stamp; things: readonly MaterialThing[] },
): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  if (entry?.command.kind !== 'material.send' || entry.state !== 'refused' || things.length === 0)
    return entries
  const command = { ...entry.command, things }
  return replaceEntry(entries, { ...createEntry(command, stamp), seq })
}

/** Removes one message of material that is sent together, counted from 0; the others stay. */
export function discardMessage(entries: Entries, seq: number, nth: number): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  if (entry?.command.kind !== 'material.send' || entry.command.things.length === 1)
    return discardEntry(entries, seq)
  const things = entry.command.things.filter((_, at) => at !== nth)
  return replaceEntry(entries, { ...entry, command: { ...entry.command, things } })
}
