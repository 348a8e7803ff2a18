// What stands in each store of the one IndexedDB; the keys of what was read or typed begin with its owner's id.
import type { DBSchema } from 'idb'
import type { Entry } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AttachmentKind } from '#domain/message/media.ts'
import type { Stage } from '#domain/stage.ts'

export type BoardKey = { owner: string; instanceName: string }

export type BoardHead = {
  /** Where the server's change sequence stood. */
  cursor: string
  stages: readonly Stage[]
  /** How many leads stand in a stage, by its slug. */
  counts: ReadonlyMap<string, number>
  /** When the server last answered. */
  pulledAtMs: number
}

export type BoardRecord = BoardKey & BoardHead

export type LeadRecord = BoardKey & {
  id: number
  stageSlug: string
  /** Ascending: the latest talk first, then the newer lead. */
  order: [negativeSpokenAtMs: number, negativeId: number]
  lead: Lead
}

/** An answer of the server that is shown before it is asked again. */
export type AnswerRecord = {
  owner: string
  name: string
  kind: string
  /** Of the shape: an answer of another version is as good as none. */
  version: number
  data: unknown
  answeredAtMs: number
}

/** What goes along with a message, and may be sent again: the server knows it by its operation. */
export type OutgoingFile = {
  operationId: string
  kind: AttachmentKind
  file: Blob
  fileName: string
  caption: string
  quotedMessageId: number | null
  seconds: number | null
  width: number | null
  height: number | null
}

export type Standing = {
  /** Ascends from one file to the next in its conversation. */
  turn: number
  /** It was given words or did not go: what is written next is none of its own. */
  isTried: boolean
}

/** Its bytes alone: not every engine keeps a Blob. */
export type FileRecord = Omit<OutgoingFile, 'file'> & Standing & { bytes: ArrayBuffer; type: string }

/** Text that was typed and not yet sent or saved, or the file that waits for that with its caption. */
export type DraftRecord = { owner: string; place: string; text: string; file?: FileRecord }

export type Stores = DBSchema & {
  /** What was done here and has not reached the server, in the order it was done. */
  outbox: { key: number; value: Entry }
  /** Who sends the outbox, and until when without a sign of life. */
  runner: { key: 'outbox' | 'room'; value: { id: string; untilMs: number } }
  leads: {
    key: [owner: string, instanceName: string, id: number]
    value: LeadRecord
    indexes: {
      'by-stage': [owner: string, instanceName: string, stageSlug: string, order: [number, number]]
    }
  }
  boards: { key: [owner: string, instanceName: string]; value: BoardRecord }
  answers: {
    key: [owner: string, name: string]
    value: AnswerRecord
    indexes: { 'by-age': [owner: string, kind: string, answeredAtMs: number] }
  }
  drafts: { key: [owner: string, place: string]; value: DraftRecord }
}

export function boardKey({ owner, instanceName }: BoardKey): [string, string] {
  return [owner, instanceName]
}

export function leadKey(key: BoardKey, id: number): [string, string, number] {
  return [...boardKey(key), id]
}

/** Behind every key: numbers, texts, and lists of those. */
const END = [[]]

/** All keys that begin so. */
export function keysOf(...first: [owner: string, ...rest: (string | number)[]]): IDBKeyRange {
  return IDBKeyRange.bound(first, [...first, END])
}

/** The keys of all owners but one: those before and those after. */
export function keysOfOthers(owner: string): IDBKeyRange[] {
  return [IDBKeyRange.upperBound([owner], true), IDBKeyRange.lowerBound([owner, END], true)]
}
