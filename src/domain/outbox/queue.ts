// The outbox as a list of entries, and the functions that change it. The states of an entry:
//
//                  verdict 'later' or 'network': waits until `nextAtMs`
//                    +------+
//                    v      |     claimDue: a text waited 6 h
//   addEntry -----> queued -+-----------------------------------> stale ----+
//                    | ^    |     verdict 'conflict'                        |
//                    | |    +-----------------------------------> conflict -+  discardEntry
//                    | |    |     verdict 'refused', or too many faults     +--------------> removed
//                    | |    +-----------------------------------> refused --+
//                    | |          retryEntry                                |
//                    | +----------------------------------------------------+
//                    |            verdict 'applied'                a read shows it, or 24 h pass
//                    +------------------------------------------> applied -----------------> removed
//
// `round.ts` has claimDue, `decide.ts` a person's decisions; `settle.ts` applies the server's verdicts. An entry with a
// later change in its lane is removed instead of becoming 'conflict' or 'refused', and the later change takes over its
// base.
import {
  changesNothing,
  goalOf,
  isOfConversation,
  isOfPrivacy,
  isState,
  laneOf,
  needsDecision,
  SCHEMA,
  schemaOf,
  withBase,
  withGoal,
  type Command,
  type Entry,
} from './command.ts'

export type Entries = readonly Entry[]

/** The number of an entry that is not stored yet; it sorts after all others. */
export const UNNUMBERED = Infinity

/** No entry waits longer than this. A time further ahead comes from a clock that was set back since. */
export const MAX_WAIT_AHEAD_MS = 3_600_000

/** Id, owner and time of a new write. */
export type Stamp = { id: string; userId: string; nowMs: number }

/**
 * Adds a command to the list. For commands that set a value, the command is merged into the lane's last entry unless
 * that was sent. A change that restores the original value removes the entry.
 */
export function addEntry(entries: Entries, given: Command, stamp: Stamp): Entries {
  // The screen may ask twice, if it lost the answer but the entry was stored.
  if (entries.some(({ id }) => id === stamp.id)) return entries
  const command = withKnownLead(entries, given, stamp)
  const last = laneEntries(entries, laneOf({ command, userId: stamp.userId })).at(-1)
  if (command.kind === 'lead.read') return addRead(entries, command, stamp)
  if (!isState(command)) return [...entries, createEntry(command, stamp)]
  if (!last || !isState(last.command)) return append(entries, command, stamp)
  if (needsDecision(last)) return decideAnew(entries, { last, command, stamp })
  if (last.attempts > 0) return append(entries, withBase(command, goalOf(last.command)), stamp)
  const merged = withGoal(last.command, goalOf(command))
  if (changesNothing(merged)) return removeEntry(entries, last.seq)
  return replaceEntry(entries, { ...last, command: merged, createdAtMs: stamp.nowMs })
}

/** Replaces a local lead id by the server's, which may have been assigned while the command was being made. */
function withKnownLead(entries: Entries, command: Command, { userId }: Stamp): Command {
  const { id } = command.lead
  const addition = entries.find(
    (entry) => entry.userId === userId && entry.command.kind === 'lead.add' && entry.command.lead.id === id,
  )
  const leadId = command.kind === 'lead.add' ? undefined : addition?.leadId
  return leadId === undefined ? command : { ...command, lead: { ...command.lead, id: leadId } }
}

type Read = Extract<Command, { kind: 'lead.read' }>

function addRead(entries: Entries, command: Read, stamp: Stamp): Entries {
  const last = laneEntries(entries, laneOf({ command, userId: stamp.userId })).at(-1)
  // The server does not have this mark as unread, so reading simply removes it.
  if (last?.command.kind === 'lead.unread' && (last.attempts === 0 || needsDecision(last)))
    return addRead(removeEntry(entries, last.seq), command, stamp)
  if (last?.command.kind !== 'lead.read') return [...entries, createEntry(command, stamp)]
  if (last.command.upToSeconds >= command.upToSeconds) return entries
  return last.attempts === 0
    ? replaceEntry(entries, { ...last, command })
    : [...entries, createEntry(command, stamp)]
}

function append(entries: Entries, command: Command, stamp: Stamp): Entries {
  return isState(command) && changesNothing(command) ? entries : [...entries, createEntry(command, stamp)]
}

type Again = { last: Entry; command: Command; stamp: Stamp }

/**
 * Decides what a new command does to the last one of its lane. A new move resolves a conflict; a new text replaces one
 * that waits for a decision.
 */
function decideAnew(entries: Entries, { last, command, stamp }: Again): Entries {
  if (!isState(command) || !isState(last.command)) return entries
  if (command.kind === 'lead.move') return append(removeEntry(entries, last.seq), command, stamp)
  const rewritten = withGoal(last.command, goalOf(command))
  if (last.state === 'conflict') {
    const isTheirs = goalOf(command).trim() === (last.problem?.theirs ?? '').trim()
    return isTheirs ? removeEntry(entries, last.seq) : replaceEntry(entries, { ...last, command: rewritten })
  }
  if (changesNothing(rewritten)) return removeEntry(entries, last.seq)
  return replaceEntry(entries, { ...createEntry(rewritten, stamp), seq: last.seq })
}

/**
 * Returns the entries that may be sent now: the first of each lane. An entry that needs a decision blocks its lane,
 * unless it belongs to a conversation. Commands on an added lead wait until the server has it. A privacy mark, or its
 * undo, waits for all earlier commands on the lead and blocks all later ones.
 */
export function findHeads(entries: Entries, userId: string): Entry[] {
  const found = new Map<string, Entry>()
  const additions = new Set<number>()
  for (const { command, state } of entries)
    if (command.kind === 'lead.add' && state !== 'applied') additions.add(command.lead.id)
  const touched = new Set<number>()
  const marked = new Set<number>()
  for (const entry of entries) {
    if (entry.userId !== userId || entry.schema > SCHEMA || entry.state === 'applied') continue
    const { id } = entry.command.lead
    const isMark = isOfPrivacy(entry.command.kind)
    const mustWait = marked.has(id) || (isMark && touched.has(id))
    if (entry.state === 'queued') (isMark ? marked : touched).add(id)
    if (mustWait) continue
    if (isOfConversation(entry.command) && needsDecision(entry)) continue
    if (entry.command.kind !== 'lead.add' && additions.has(entry.command.lead.id)) continue
    const lane = laneOf(entry)
    if (!found.has(lane)) found.set(lane, entry)
  }
  return [...found.values()].filter(({ state }) => state === 'queued')
}

/** Tells when the next entry may be sent; null if none waits. */
export function nextAtMs(entries: Entries, userId: string): number | null {
  const times = findHeads(entries, userId).map((entry) => entry.nextAtMs)
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Undoes the last change: removes an entry that was not sent or needs a decision, otherwise queues the inverse command.
 */
export function addUndo(entries: Entries, inverse: Command, stamp: Stamp): Entries {
  const last = laneEntries(entries, laneOf({ command: inverse, userId: stamp.userId })).at(-1)
  return last && needsDecision(last) ? removeEntry(entries, last.seq) : addEntry(entries, inverse, stamp)
}

/** Entries of a lane that the server does not have yet. */
export function laneEntries(entries: Entries, lane: string): Entry[] {
  return entries.filter((entry) => entry.state !== 'applied' && laneOf(entry) === lane)
}

export function createEntry(command: Command, { id, userId, nowMs }: Stamp): Entry {
  return {
    seq: UNNUMBERED,
    id,
    schema: schemaOf(command),
    userId,
    command,
    state: 'queued',
    attempts: 0,
    nextAtMs: nowMs,
    createdAtMs: nowMs,
    failure: null,
    problem: null,
    appliedAtMs: null,
    messageId: null,
  }
}

export function removeEntry(entries: Entries, seq: number): Entries {
  return entries.filter((entry) => entry.seq !== seq)
}

export function replaceEntry(entries: Entries, next: Entry): Entries {
  return entries.map((entry) => (entry.seq === next.seq ? next : entry))
}
