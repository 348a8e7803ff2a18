// Messages between the page and the worker that holds a list.
import type { ChosenBindings, OurNames } from '#domain/lead/list/bindings.ts'
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import type { RowFault } from '#domain/lead/list/fields.ts'
import type { ColumnKind } from '#domain/lead/list/titles.ts'

/** Why a file cannot be read. */
export type FileFault =
  | 'large'
  | 'unpacked'
  | 'far'
  | 'rows'
  | 'empty'
  | 'xls'
  | 'numbers'
  | 'protected'
  | 'page'
  | 'kind'
  | 'broken'

export type SheetHead = {
  /** Null if the file format has no sheets. */
  name: string | null
  isHidden: boolean
  /** One vCard per line: the header is ours, so no other line can be chosen. */
  isCards: boolean
  /** The header's line index from 0; null without one. */
  header: number | null
  titles: readonly string[]
  guess: ColumnMap
  /** Rows below the header. */
  total: number
  /** Whether any row contains a lead, with the guessed columns. */
  hasContacts: boolean
  /** The file's first lines, unchanged. */
  lines: readonly (readonly string[])[]
}
export type ListHead = { sheets: readonly SheetHead[] }

/** The imported sheets, their columns, and the choices for all rows. */
export type Plan = {
  sheets: readonly { index: number; map: ColumnMap }[]
  /** For phone numbers without an area code; '' for none. */
  areaCode: string
  ours: OurNames
  chosen: ChosenBindings
}

/** A refused line with its reason. `line` counts from 1. */
export type RefusedLine = { sheet: number; line: number; fault: RowFault; shown: string }
/** `at`: the kind of the marked columns. `bad`: the row is not imported; `odd`: it has more than one number, or text beside the number. */
export type LineMark = { sheet: number; line: number; mark: 'bad' | 'odd'; at: ColumnKind }

export type Checked = {
  /** All rows of the imported sheets. */
  total: number
  /** Rows that contain a lead. */
  good: number
  /** Of them those beyond the first of a person. */
  repeated: number
  /** Rows with more than one number. */
  severalNumbers: number
  faults: readonly { fault: RowFault; count: number }[]
  /** The first refused lines. */
  refused: readonly RefusedLine[]
  /** Marks of the lines that the page shows. */
  marks: readonly LineMark[]
  /** The most frequent area code in the list. */
  usualAreaCode: string | null
  /** The brokers and stages that rows name, the most frequent first. */
  brokers: readonly Named[]
  stages: readonly Named[]
}

/** A name in the list, how many rows have it, and what it is bound to (see ChosenBindings). */
export type Named = { name: string; count: number; to: string }

/** People of whom leads can be made, each once: by number key, or by e-mail where a row has no number. */
export type People = { keys: readonly string[]; emails: readonly string[] }

/** The place in the import, then the cells by LIST_FIELDS. */
export type SentRow = readonly [number, ...(string | null)[]]
/** The position in the import, the sheet's index among the imported ones, the line, then all cells as in the file. */
export type RawRow = readonly [number, number, number, ...string[]]
/** The rows of one request; `next` is null after the last ones. `refused`: by the choices for brokers and stages. */
export type Rows = {
  rows: readonly SentRow[]
  raw: readonly RawRow[]
  refused: readonly (readonly [place: number, fault: RowFault])[]
  next: number | null
}

export type Asked =
  | { kind: 'read'; file: File }
  | { kind: 'header'; sheet: number; header: number | null }
  | { kind: 'check'; plan: Plan }
  | { kind: 'people'; plan: Plan }
  | { kind: 'rows'; plan: Plan; from: number }
export type Answered = { id: number; answer: unknown } | { id: number; fault: FileFault }

export class UnreadableFile extends Error {
  readonly fault: FileFault

  constructor(fault: FileFault) {
    super(fault)
    this.fault = fault
  }
}
