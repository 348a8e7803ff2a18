// The closed list of writes that work offline. An outbox entry holds one until the server has it.

import type { LeadFields } from '../lead/fields.ts'
import type { LaterDeed } from '../next-action/later.ts'
import type { MaterialThing } from '../development/material.ts'
import type { Card } from '../message/message.ts'
import type { ReplyFile } from '../message/quick-reply.ts'
import type { ActionDeed } from '../next-action/next-action.ts'
import type { PlanRef, Try } from '../plan/plan.ts'

/**
 * The lead as the device knew it when the command was made. `number` finds the lead again if a merge removed its id.
 */
export type LeadRef = { id: number; number: string | null; name: string | null; instanceName: string | null }

export type Command =
  /** `given` has the server's argument names. */
  | ({ lead: LeadRef } & (ActionDeed | LaterDeed))
  /** `base` has the values of the fields when the broker began to edit them. */
  | { kind: 'lead.fields'; lead: LeadRef; given: { fields: Partial<LeadFields>; base: Partial<LeadFields> } }
  | { kind: 'lead.move'; lead: LeadRef; fromSlug: string; toSlug: string }
  /** `base` is the text when the broker began to edit it. */
  | { kind: 'lead.note'; lead: LeadRef; base: string; text: string }
  | { kind: 'lead.rename'; lead: LeadRef; base: string; text: string }
  | { kind: 'lead.read'; lead: LeadRef; upToSeconds: number }
  /** The broker marks the conversation as unread. */
  | { kind: 'lead.unread'; lead: LeadRef; given: object }
  /** For a card, `text` is the card's summary; for a quick reply's file, its caption. */
  | {
      kind: 'message.send'
      lead: LeadRef
      text: string
      quotedMessageId: number | null
      card?: Card
      file?: ReplyFile
    }
  /** Sends up to four messages in order. The development becomes an interest of the lead. */
  | {
      kind: 'material.send'
      lead: LeadRef
      development: { id: number; name: string }
      things: readonly MaterialThing[]
    }
  /** `name` is the development's name, which cards and searches show. */
  | {
      kind: 'interest.add' | 'interest.remove'
      lead: LeadRef
      name: string
      given: { developmentId: number }
    }
  /** Starts a plan of next tries, or changes it. `before` has the operations of the open steps that it replaces. */
  | {
      kind: 'plan.start'
      lead: LeadRef
      before: readonly string[]
      given: PlanRef & { steps: readonly GivenTry[]; seenAt: string | null; asDefault: boolean }
    }
  | {
      kind: 'plan.stop'
      lead: LeadRef
      before: readonly string[]
      given: PlanRef & { reason: 'stopped' | 'declined' | 'undone' }
    }
  /** An empty `emoji` removes the broker's own reaction. */
  | { kind: 'message.react'; lead: LeadRef; given: { messageId: number; emoji: string } }
  /** Edits a sent text, or deletes a sent message for all. */
  | { kind: 'message.edit'; lead: LeadRef; given: { messageId: number; text: string } }
  | { kind: 'message.delete'; lead: LeadRef; given: { messageId: number } }
  /** Marks a contact as private. `number` is set for a person without a card; `lead` then has a local id. */
  | { kind: 'lead.private'; lead: LeadRef; given: { number: string | null } }
  /** Undoes a mark as private, which is named by its id or by the operation that made it. */
  | { kind: 'lead.public'; lead: LeadRef; given: { privateId: number | null; markedBy: string | null } }
  /** Offers the lead to a colleague, who accepts or declines. `toBroker` null withdraws the offer. */
  | { kind: 'lead.pass'; lead: LeadRef; given: { toBroker: string | null } }
  /** Accepts or declines a lead that a colleague offers. */
  | { kind: 'lead.take'; lead: LeadRef; given: { accepts: boolean } }
  /** Adds a lead. `lead` has the typed name and number, and a local id until the server assigns one. */
  | {
      kind: 'lead.add'
      lead: LeadRef
      furtherNumbers?: readonly string[]
      development: string | null
      source: string
      note: string
    }

/** A step of a plan as the server's function takes it. */
export type GivenTry = Omit<Try, 'dueAtMs'> & { dueAt: string }

export type CommandKind = Command['kind']

/** Why the broker must decide an entry. */
export type Problem = {
  /** The code of a refusal that the server's function answered. */
  code?: string
  /** The server's message in Portuguese; null if the entry failed without one. */
  reason: string | null
  /** The value that the server has instead: a stage's slug, notes or a name. Null if there is none. */
  theirs: string | null
  changedBy: string | null
  changedAtMs: number | null
  /** The material left the record or has another price by now, so sending it unchanged would be refused again. */
  isOutdated?: true
}

export type EntryState =
  | 'queued'
  /** The server has the command. The entry stays on top of the screen's rows until they include the change. */
  | 'applied'
  /** Somebody else changed the same value first. */
  | 'conflict'
  | 'refused'
  /** A text that waited so long that its author must confirm it. */
  | 'stale'

export type Entry = {
  /** The entry's place in the order of commands on this device. */
  seq: number
  /** The operation id, by which the server recognises a repetition. */
  id: string
  schema: number
  userId: string
  command: Command
  state: EntryState
  /** How often the device has tried to send the entry. At 0 the server cannot know it. */
  attempts: number
  nextAtMs: number
  createdAtMs: number
  /** What caused the last delay; null if there was none. */
  failure: 'network' | 'server' | null
  problem: Problem | null
  /** When the server confirmed the command; null if it has not. */
  appliedAtMs: number | null
  /** The id of the message that was sent; for material that of the last one. Null: none yet. */
  messageId: number | null
  /** The id of the added lead, or of the lead that had the number already. */
  leadId?: number | undefined
}

/**
 * True for commands whose result shows in the conversation, which is read separately. A refused one does not block
 * later ones.
 */
export const isOfConversation = ({ kind }: Command) => /^(message\.(react|edit|delete)|\w+\.send)$/.test(kind)

/**
 * The schema version in which each kind was added. Older apps ignore entries of newer versions. A new kind takes the
 * next number.
 */
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
  'message.edit': 6,
  'message.delete': 6,
  'lead.unread': 7,
  'material.send': 8,
  'interest.add': 8,
  'interest.remove': 8,
  'lead.pass': 9,
  'lead.take': 9,
  'plan.start': 9,
  'plan.stop': 9,
}
const CARD_SINCE = 4
const FILE_SINCE = 6

/** The newest schema version that this app knows. */
export const SCHEMA = Math.max(...Object.values(KNOWN_SINCE))

export const schemaOf = (command: Command): number =>
  'file' in command ? FILE_SINCE : 'card' in command ? CARD_SINCE : KNOWN_SINCE[command.kind]

/** True for edits and deletions of a sent message. */
export const isChange = (kind: CommandKind) => kind === 'message.edit' || kind === 'message.delete'

/** True for marking as private, and for undoing the mark. */
export const isOfPrivacy = (kind: CommandKind) => kind === 'lead.private' || kind === 'lead.public'

/** Kinds that are sent in order with commands of another kind. */
const BEHIND: Partial<Record<CommandKind, string>> = {
  'lead.unread': 'lead.read',
  'material.send': 'message.send',
  // Sending material adds an interest, so a removal of that interest must be sent after it.
  'interest.add': 'message.send',
  'interest.remove': 'message.send',
}

/** A plan's steps are actions and scheduled texts, so all of a lead's are sent in order. */
const OF_ACTIONS = /^(action|visit|plan)|schedule$/

/** Returns the lane of an entry. Commands of one lane are sent one after another. */
export function laneOf({ command: { kind, lead }, userId }: Pick<Entry, 'command' | 'userId'>): string {
  const lane = OF_ACTIONS.test(kind)
    ? 'action'
    : isOfPrivacy(kind)
      ? 'private'
      : isChange(kind)
        ? 'change'
        : (BEHIND[kind] ?? kind)
  return `${userId} ${lane} ${lead.id}`
}

/**
 * True if the list of pending changes shows the entry. It hides read marks, because a person could not decide anything
 * about them.
 */
export function isShown({ command, state }: Entry): boolean {
  return command.kind !== 'lead.read' && state !== 'applied'
}

export function needsDecision({ state }: Pick<Entry, 'state'>): boolean {
  return state === 'conflict' || state === 'refused' || state === 'stale'
}

type Fold = Extract<Command, { kind: 'lead.move' | 'lead.note' | 'lead.rename' }>

/** True for commands that set a value, so that only the last of several counts. */
export function isState(command: Command): command is Fold {
  return command.kind === 'lead.move' || command.kind === 'lead.note' || command.kind === 'lead.rename'
}

/** Returns the value before the change. */
export function baseOf(command: Fold): string {
  return command.kind === 'lead.move' ? command.fromSlug : command.base
}

/** Returns the value after the change. */
export function goalOf(command: Fold): string {
  return command.kind === 'lead.move' ? command.toSlug : command.text
}

export function withBase(command: Fold, base: string): Fold {
  return command.kind === 'lead.move' ? { ...command, fromSlug: base } : { ...command, base }
}

export function withGoal(command: Fold, goal: string): Fold {
  return command.kind === 'lead.move' ? { ...command, toSlug: goal } : { ...command, text: goal }
}

/** True if the change restores the original value. */
export function changesNothing(command: Fold): boolean {
  return baseOf(command).trim() === goalOf(command).trim()
}

export function inverseOf(command: Fold): Fold {
  return withGoal(withBase(command, goalOf(command)), baseOf(command))
}
