// The schema of the app's IndexedDB. The keys of a user's data begin with the user's id.
import type { DBSchema } from 'idb'
import type { Entry } from '#domain/outbox/command.ts'
import type { Lead } from '#domain/lead/lead.ts'
import type { AttachmentKind } from '#domain/message/media.ts'
import type { Stage } from '#domain/stage.ts'

export type BoardKey = { owner: string; instanceName: string }

export type BoardHead = {
  /** The position in the server's changes up to which the board was pulled. */
  cursor: string
  stages: readonly Stage[]
  /** How many leads each stage has, by slug. */
  counts: ReadonlyMap<string, number>
  /** When the server last answered. */
  pulledAtMs: number
}

export type BoardRecord = BoardKey & BoardHead

export type LeadRecord = BoardKey & {
  id: number
  stageSlug: string
  /** Sorts ascending: the latest message first, then the newer lead. */
  order: [negativeSpokenAtMs: number, negativeId: number]
  lead: Lead
}

/** A stored server response, which screens show before a refetch. */
export type AnswerRecord = {
  owner: string
  name: string
  kind: string
  /** The version of the response's shape. Responses of another version are ignored. */
  version: number
  data: unknown
  answeredAtMs: number
}

/** A file of a message. It may be sent again, because the server recognises its operation id. */
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
  /** Grows from one file of a conversation to the next. */
  turn: number
  /** True if the file has a caption or has failed, so the next typed text does not belong to it. */
  isTried: boolean
}

/** A file as bytes, because not every browser can store a Blob. */
export type FileRecord = Omit<OutgoingFile, 'file'> & Standing & { bytes: ArrayBuffer; type: string }

/** A typed text that is not sent or saved yet, or an unsent file with its caption. */
export type DraftRecord = { owner: string; place: string; text: string; file?: FileRecord }

export type Stores = DBSchema & {
  /** Commands that the server does not have yet, in order. */
  outbox: { key: number; value: Entry }
  /** Who sends the outbox, and when the lease ends. */
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

/** IndexedDB sorts this after every number, text, and list of them. */
const END = [[]]

/** Returns the range of all keys that begin with these parts. */
export function keysOf(...first: [owner: string, ...rest: (string | number)[]]): IDBKeyRange {
  return IDBKeyRange.bound(first, [...first, END])
}

/** Returns the ranges of all keys of other owners: those before and those after. */
export function keysOfOthers(owner: string): IDBKeyRange[] {
  return [IDBKeyRange.upperBound([owner], true), IDBKeyRange.lowerBound([owner, END], true)]
}
