// The schema of the app's IndexedDB. Keys of a user's data begin with the owner's id.
import type { DBSchema } from 'idb'
import type { Entry } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AttachmentKind } from '#domain/message/media.ts'
import type { Stage } from '#domain/stage.ts'

export type BoardKey = { owner: string; instanceName: string }

export type BoardHead = {
  /** The server's change sequence. */
  cursor: string
  stages: readonly Stage[]
  /** Leads per stage, by its slug. */
  counts: ReadonlyMap<string, number>
  /** When the server last responded. */
  pulledAtMs: number
}

export type BoardRecord = BoardKey & BoardHead

export type LeadRecord = BoardKey & {
  id: number
  stageSlug: string
  /** Ascending order: the latest message first, then the newer lead. */
  order: [negativeSpokenAtMs: number, negativeId: number]
  lead: Lead
}

/** A server response that is shown before a refetch. */
export type AnswerRecord = {
  owner: string
  name: string
  kind: string
  /** Version of the shape; a record with another version is ignored. */
  version: number
  data: unknown
  answeredAtMs: number
}

/** A file that goes with a message. It may be sent repeatedly: the server recognises it by its operation id. */
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
  /** The file has a caption or has failed, so the next typed text does not belong to it. */
  isTried: boolean
}

/** Bytes instead of a Blob, which not every browser engine can store. */
export type FileRecord = Omit<OutgoingFile, 'file'> & Standing & { bytes: ArrayBuffer; type: string }

/** Typed text that is not sent or saved yet, or an unsent file with its caption. */
export type DraftRecord = { owner: string; place: string; text: string; file?: FileRecord }

export type Stores = DBSchema & {
  /** Commands that have not reached the server, in order. */
  outbox: { key: number; value: Entry }
  /** Who sends the outbox, and until when the lease lasts. */
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

/** Sorts after every key: numbers, texts, and lists of those. */
const END = [[]]

/** All keys that begin with these parts. */
export function keysOf(...first: [owner: string, ...rest: (string | number)[]]): IDBKeyRange {
  return IDBKeyRange.bound(first, [...first, END])
}

/** The keys of all owners but one: those before and those after. */
export function keysOfOthers(owner: string): IDBKeyRange[] {
  return [IDBKeyRange.upperBound([owner], true), IDBKeyRange.lowerBound([owner, END], true)]
}
