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
  /** The sheet's name; null if the file format has no sheets. */
  name: string | null
  isHidden: boolean
  /** The lines come from vCards, so the portal wrote the header line and the user cannot choose another. */
  isCards: boolean
  /** Index of the header line, from 0; null if the sheet has none. */
  header: number | null
  titles: readonly string[]
  guess: ColumnMap
  /** How many rows the sheet has below its header. */
  total: number
  /** True if at least one row contains a lead when read with the guessed columns. */
  hasContacts: boolean
  /** The file's first lines, as written. */
  lines: readonly (readonly string[])[]
}
export type ListHead = { sheets: readonly SheetHead[] }

/** What the user chose: the sheets to import, their columns, and settings for all rows. */
export type Plan = {
  sheets: readonly { index: number; map: ColumnMap }[]
  /** Added to phone numbers without an area code; '' for none. */
  areaCode: string
  ours: OurNames
  chosen: ChosenBindings
}

/** A refused line with its reason. `line` counts from 1. */
export type RefusedLine = { sheet: number; line: number; fault: RowFault; shown: string }
/**
 * A mark for a line of the preview. `bad`: the row is not imported. `odd`: it has several numbers, or text beside the
 * number. `at`: the kind of column that is marked.
 */
export type LineMark = { sheet: number; line: number; mark: 'bad' | 'odd'; at: ColumnKind }

export type Checked = {
  /** How many rows the imported sheets have. */
  total: number
  /** How many rows contain a lead. */
  good: number
  /** How many of those rows repeat a person of an earlier row. */
  repeated: number
  /** How many rows have more than one number. */
  severalNumbers: number
  faults: readonly { fault: RowFault; count: number }[]
  /** The first refused lines; the rest is only counted. */
  refused: readonly RefusedLine[]
  /** Marks of the lines that the page shows. */
  marks: readonly LineMark[]
  /** The most frequent area code in the list. */
  usualAreaCode: string | null
  /** The brokers and stages that rows name, most frequent first. */
  brokers: readonly Named[]
  stages: readonly Named[]
}

/**
 * A name in the list, the number of rows that have it, and the broker or stage to which it is assigned (see
 * ChosenBindings).
 */
export type Named = { name: string; count: number; to: string }

/** The people who can become leads, each once: by number key, or by e-mail if the row has no number. */
export type People = { keys: readonly string[]; emails: readonly string[] }

/** The row's position in the import, then its cells in the order of LIST_FIELDS. */
export type SentRow = readonly [number, ...(string | null)[]]
/** The row's position, the sheet's index among the imported ones, the line, then all cells as in the file. */
export type RawRow = readonly [number, number, number, ...string[]]
/**
 * The rows of one request. `refused` lists rows that the user's choices for brokers and stages exclude. `next` is where
 * the next request starts; null after the last.
 */
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
