// What the page and the worker that holds a list say to each other.
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import type { RowFault } from '#domain/lead/list/fields.ts'

/** Why a file cannot be read at all. */
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
  /** Null where the kind of file knows no sheets. */
  name: string | null
  isHidden: boolean
  /** A card a line: the titles are ours, and no other line can be them. */
  isCards: boolean
  /** The line of the titles from 0; null where there is none. */
  header: number | null
  titles: readonly string[]
  guess: ColumnMap
  /** Rows below the titles. */
  total: number
  /** Whether a lead can be made of any row, as the columns were guessed. */
  hasContacts: boolean
  /** The first lines as the file has them. */
  lines: readonly (readonly string[])[]
}
export type ListHead = { sheets: readonly SheetHead[] }

/** Which sheets are taken, what their columns are, and what else was decided for all rows. */
export type Plan = {
  sheets: readonly { index: number; map: ColumnMap }[]
  /** For phones without one; '' for none. */
  areaCode: string
}

/** One line that says something about itself. `line` is from 1. */
export type RefusedLine = { sheet: number; line: number; fault: RowFault; shown: string }
/** `bad`: the row does not come in; `odd`: more than one number, or words beside it. */
export type LineMark = { sheet: number; line: number; mark: 'bad' | 'odd' }

export type Checked = {
  /** All rows of the sheets taken. */
  total: number
  /** Rows of which a lead can be made. */
  good: number
  /** Of them those beyond the first of a person. */
  repeated: number
  /** Rows with more than one number. */
  severalNumbers: number
  faults: readonly { fault: RowFault; count: number }[]
  /** The first ones. */
  refused: readonly RefusedLine[]
  /** Of the lines that the page has. */
  marks: readonly LineMark[]
  /** The area code that most phones of the list have. */
  usualAreaCode: string | null
}

/** People of whom leads can be made, each once: by number key, or by e-mail where a row has no number. */
export type People = { keys: readonly string[]; emails: readonly string[] }

/** The place in the import, then the cells by LIST_FIELDS. */
export type SentRow = readonly [number, ...(string | null)[]]
/** The place in the import, the sheet among those taken, the line, then all cells as the file has them. */
export type RawRow = readonly [number, number, number, ...string[]]
/** As the portal takes them at once; `next` is null behind the last ones. */
export type Rows = { rows: readonly SentRow[]; raw: readonly RawRow[]; next: number | null }

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
