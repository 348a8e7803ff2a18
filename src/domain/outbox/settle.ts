// Updates the outbox by the server's verdict on an entry.
import type { MaterialThing } from '../development/material.ts'
import { type Entry, isState, laneOf } from './command.ts'
import { dropEntry } from './decide.ts'
import { type Entries, MAX_WAIT_AHEAD_MS, removeEntry, replaceEntry, UNNUMBERED } from './queue.ts'
import { hurryEntries } from './round.ts'
import { backOffMs, MAX_FAULTS, type Verdict } from './verdict.ts'

/** `chance` is a random number in [0, 1) that spreads the retries of many phones. */
export type NowAndChance = { nowMs: number; chance: number }

export function applyVerdict(
  entries: Entries,
  { seq, verdict }: { seq: number; verdict: Verdict },
  now: NowAndChance,
): Entries {
  const entry = entries.find((candidate) => candidate.seq === seq)
  // A person has decided the entry meanwhile, or another tab has received its answer.
  if (!entry || (entry.state !== 'queued' && verdict.kind !== 'applied')) return entries
  switch (verdict.kind) {
    case 'applied':
      return markApplied(entries, entry, { ...now, ...verdict })
    case 'conflict':
    case 'refused':
      return block(entries, entry, verdict)
    case 'later':
      return delayEntry(entries, entry, { ...now, ...verdict })
    case 'network':
      return delayAll(entries, entry, now)
    case 'session':
      return entries
  }
}

type Applied = NowAndChance & Pick<Extract<Verdict, { kind: 'applied' }>, 'messageId' | 'leadId' | 'refused'>

/** Any answer proves that the network works, so entries that it delayed become due. */
function markApplied(
  entries: Entries,
  entry: Entry,
  { nowMs, messageId, leadId, refused }: Applied,
): Entries {
  if (refused && entry.command.kind === 'material.send')
    return markApplied(
      withRefused(entries, entry, refused),
      withThings(entry, (id) => !refused.gone.includes(id)),
      {
        nowMs,
        chance: 0,
        messageId,
      },
    )
  const done: Entry = {
    ...entry,
    state: 'applied',
    failure: null,
    problem: null,
    appliedAtMs: nowMs,
    messageId,
    ...(leadId !== undefined && { leadId }),
  }
  const stored = replaceEntry(entries, done)
  const renumbered = leadId === undefined ? stored : renumberLead(stored, done, leadId)
  return hurryEntries(renumbered, { userId: entry.userId, nowMs, all: false })
}

/** Material with only some of its messages. */
const withThings = (entry: Entry, isIn: (operationId: string) => boolean): Entry =>
  entry.command.kind === 'material.send'
    ? { ...entry, command: { ...entry.command, things: entry.command.things.filter(isOf(isIn)) } }
    : entry

const isOf = (isIn: (operationId: string) => boolean) => (thing: MaterialThing) => isIn(thing.operationId)

/** Refused messages of material become an entry of their own, so that their author decides them. */
function withRefused(
  entries: Entries,
  entry: Entry,
  { gone, problem }: NonNullable<Applied['refused']>,
): Entries {
  const rest = withThings(entry, (id) => gone.includes(id))
  const id = gone[0] ?? entry.id
  if (entries.some((other) => other.id === id)) return entries
  return [...entries, { ...rest, seq: UNNUMBERED, id, state: 'refused', problem, failure: null }]
}

/** Replaces an added lead's local id by the server's in all later commands. */
function renumberLead(entries: Entries, { seq, userId, command }: Entry, leadId: number): Entries {
  return entries.map((other) =>
    other.seq !== seq && other.userId === userId && other.command.lead.id === command.lead.id
      ? { ...other, command: { ...other.command, lead: { ...other.command.lead, id: leadId } } }
      : other,
  )
}

/**
 * Blocks an entry until a person decides it. Later changes of its lane are merged into it, because they depend on the
 * decision.
 */
function block(
  entries: Entries,
  entry: Entry,
  { kind, problem }: Extract<Verdict, { kind: 'conflict' | 'refused' }>,
) {
  if (entry.command.kind === 'lead.read') return removeEntry(entries, entry.seq)
  const lane = laneOf(entry)
  const hasSuccessor = entries.some((other) => other.seq > entry.seq && laneOf(other) === lane)
  if (hasSuccessor && isState(entry.command)) return dropEntry(entries, entry)
  if (hasSuccessor && entry.command.kind === 'lead.unread') return removeEntry(entries, entry.seq)
  return replaceEntry(entries, { ...entry, state: kind, problem, failure: null })
}

function delayEntry(
  entries: Entries,
  entry: Entry,
  verdict: NowAndChance & { retryAfterMs: number | null; isFault: boolean },
) {
  const { nowMs, chance, retryAfterMs, isFault } = verdict
  if (isFault && entry.attempts >= MAX_FAULTS) {
    const problem = { reason: null, theirs: null, changedBy: null, changedAtMs: null }
    return block(entries, entry, { kind: 'refused', problem })
  }
  const waitMs = Math.min(Math.max(retryAfterMs ?? 0, backOffMs(entry.attempts, chance)), MAX_WAIT_AHEAD_MS)
  return replaceEntry(entries, { ...entry, failure: 'server', nextAtMs: nowMs + waitMs })
}

/** Delays all queued entries, because the network is down. */
function delayAll(entries: Entries, { userId, attempts }: Entry, { nowMs, chance }: NowAndChance): Entries {
  const untilMs = nowMs + backOffMs(attempts, chance)
  return entries.map((entry) =>
    entry.userId === userId && entry.state === 'queued' && entry.nextAtMs < untilMs
      ? { ...entry, failure: 'network', nextAtMs: untilMs }
      : entry,
  )
}
