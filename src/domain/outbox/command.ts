// The closed list of what is done without waiting for the network, and what one of them carries until the server has it.

import type { LeadFields } from '../lead/fields.ts'
import type { LaterDeed } from '../next-action/later.ts'
import type { Card } from '../message/message.ts'
import type { ActionDeed } from '../next-action/next-action.ts'

/** The lead it is about, as it was known then; `number` finds it again after a merge took its id. */
export type LeadRef = { id: number; number: string | null; name: string | null; instanceName: string | null }

export type Command =
  /** In words that the server takes as they are. */
  | ({ lead: LeadRef } & (ActionDeed | LaterDeed))
  /** `base` is what stood there of the fields when they were written. */
  | { kind: 'lead.fields'; lead: LeadRef; given: { fields: Partial<LeadFields>; base: Partial<LeadFields> } }
  | { kind: 'lead.move'; lead: LeadRef; fromSlug: string; toSlug: string }
  /** `base` is what stood there when it was written. */
  | { kind: 'lead.note'; lead: LeadRef; base: string; text: string }
  | { kind: 'lead.rename'; lead: LeadRef; base: string; text: string }
  | { kind: 'lead.read'; lead: LeadRef; upToSeconds: number }
  /** With a card, `text` is what the card says in one line. */
  | { kind: 'message.send'; lead: LeadRef; text: string; quotedMessageId: number | null; card?: Card }
  /** An empty `emoji` takes the own reaction back. */
  | { kind: 'message.react'; lead: LeadRef; given: { messageId: number; emoji: string } }
  /** Taken off the board as particular. `number`: of somebody who has no card; `lead` then has an id of its own. */
  | { kind: 'lead.private'; lead: LeadRef; given: { number: string | null } }
  /** Taken back: the mark by its id, or by the operation that made it. */
  | { kind: 'lead.public'; lead: LeadRef; given: { privateId: number | null; markedBy: string | null } }
  /** `lead` has the name and the number as read, and an id of its own until the server gives one. */
  | {
      kind: 'lead.add'
      lead: LeadRef
      furtherNumbers?: readonly string[]
      development: string | null
      source: string
      note: string
    }

export type CommandKind = Command['kind']

/** Why the person must decide. */
export type Problem = {
  /** The server's word in Portuguese; null where the sending failed for good. */
  reason: string | null
  /** What stands there instead: a stage's slug, notes, a name. */
  theirs: string | null
  changedBy: string | null
  changedAtMs: number | null
}

export type EntryState =
  | 'queued'
  /** The server has it; laid over the screen until the server's rows show it. */
  | 'applied'
  /** Someone else was faster. */
  | 'conflict'
  | 'refused'
  /** A text that waited too long to go without being asked about. */
  | 'stale'

export type Entry = {
  /** The order in which things were done on this device. */
  seq: number
  /** Under which the server keeps what became of it. */
  id: string
  schema: number
  userId: string
  command: Command
  state: EntryState
  /** How often it went out; one that never did is still nobody's but ours. */
  attempts: number
  nextAtMs: number
  createdAtMs: number
  /** What kept it back last. */
  failure: 'network' | 'server' | null
  problem: Problem | null
  /** When the server had it. */
  appliedAtMs: number | null
  /** The message that a sent text became. */
  messageId: number | null
  /** The lead that an addition became, or that was there already. */
  leadId?: number | undefined
}

/** Shown by the conversation, which is read by itself; once refused it holds back nothing that came after it. */
export const isOfConversation = ({ kind }: Command) => /^message\.(send|react)$/.test(kind)

/** In which shape of entries each kind came: an older app leaves alone what is of a newer one. A new kind takes the next number. */
const KNOWN_SINCE: Readonly<Record<CommandKind, number>> = {
  'lead.move': 1,
  'lead.note': 1,
  'lead.rename': 1,
  'lead.read': 1,
  'lead.add': 1,
  'message.send': 1,
  'lead.fields': 2,
  'action.save': 2,
  'action.finish': 2,
  'action.snooze': 2,
  'message.schedule': 3,
  'message.unschedule': 3,
  'visit.save': 3,
  'visit.outcome': 3,
  'message.react': 4,
  'lead.private': 5,
  'lead.public': 5,
}
const CARD_SINCE = 4

/** The newest shape that this app knows. */
export const SCHEMA = Math.max(...Object.values(KNOWN_SINCE))

export const schemaOf = (command: Command): number =>
  'card' in command ? CARD_SINCE : KNOWN_SINCE[command.kind]

const isLater = (kind: CommandKind) => kind === 'message.schedule' || kind === 'message.unschedule'

/** Marking as particular and taking back. */
export const isOfPrivacy = (kind: CommandKind) => kind === 'lead.private' || kind === 'lead.public'

const isVisit = (kind: CommandKind) => kind === 'visit.save' || kind === 'visit.outcome'

/** Within a lane things go out one after the other: of a next action or a text for later whatever is done with it. */
export function laneOf({ command: { kind, lead }, userId }: Pick<Entry, 'command' | 'userId'>): string {
  const lane = kind.startsWith('action.') || isVisit(kind) ? 'action' : isLater(kind) ? 'later' : kind
  if (isOfPrivacy(kind)) return `${userId} private ${lead.id}`
  return `${userId} ${lane} ${lead.id}`
}

/** A read mark goes its way unseen: nobody would know what to decide about it. */
export function isShown({ command, state }: Entry): boolean {
  return command.kind !== 'lead.read' && state !== 'applied'
}

export function needsDecision({ state }: Pick<Entry, 'state'>): boolean {
  return state === 'conflict' || state === 'refused' || state === 'stale'
}

type Fold = Extract<Command, { kind: 'lead.move' | 'lead.note' | 'lead.rename' }>

/** Whether only the last of several counts. */
export function isState(command: Command): command is Fold {
  return command.kind === 'lead.move' || command.kind === 'lead.note' || command.kind === 'lead.rename'
}

/** From where a change of state starts. */
export function baseOf(command: Fold): string {
  return command.kind === 'lead.move' ? command.fromSlug : command.base
}

/** Where a change of state ends. */
export function goalOf(command: Fold): string {
  return command.kind === 'lead.move' ? command.toSlug : command.text
}

export function withBase(command: Fold, base: string): Fold {
  return command.kind === 'lead.move' ? { ...command, fromSlug: base } : { ...command, base }
}

export function withGoal(command: Fold, goal: string): Fold {
  return command.kind === 'lead.move' ? { ...command, toSlug: goal } : { ...command, text: goal }
}

/** There and back again. */
export function changesNothing(command: Fold): boolean {
  return baseOf(command).trim() === goalOf(command).trim()
}

export function inverseOf(command: Fold): Fold {
  return withGoal(withBase(command, goalOf(command)), baseOf(command))
}
