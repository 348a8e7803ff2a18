// A person discards an entry, or sends it again.
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

/** The author dropped the entry; the next one of its lane starts from its base. */
export function discardEntry(entries: Entries, seq: number): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  return entry ? dropEntry(entries, entry) : entries
}

/**
 * Removes an entry; the next one of its lane takes over its base. Removing an addition also removes all
 * commands on its lead.
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
 * Retries at a person's request: a conflict overwrites the server's value, a refused one is sent unchanged.
 * It gets a new id, because the server keeps its answer under the old one; one that may have arrived keeps
 * its id.
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
  // Overwrites the other device's value, which the person has seen.
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

/** Like `discardEntry` for one message of a burst, counted from 0; the others stay. */
export function discardMessage(entries: Entries, seq: number, nth: number): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  if (entry?.command.kind !== 'material.send' || entry.command.things.length === 1)
    return discardEntry(entries, seq)
  const things = entry.command.things.filter((_, at) => at !== nth)
  return replaceEntry(entries, { ...entry, command: { ...entry.command, things } })
}
