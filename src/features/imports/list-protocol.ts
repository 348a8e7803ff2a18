// What the page and the worker that holds a list say to each other.
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import type { ReadRow, RowFault } from '#domain/lead/list/row.ts'

/** Why a file cannot be read at all. */
export type FileFault = 'large' | 'unpacked' | 'far' | 'rows' | 'empty' | 'kind' | 'broken'

export type ListHead = {
  titles: readonly string[]
  total: number
  guess: ColumnMap
  samples: readonly string[]
}
export type Checked = {
  /** Rows of which a lead can be made. */
  good: number
  /** The first ones as they will be. */
  preview: readonly ({ place: number } & ReadRow)[]
  faults: readonly { fault: RowFault; count: number }[]
}
/** The line in the file, then the cells by LIST_FIELDS. */
export type SentRow = readonly [number, ...(string | null)[]]

export type Asked =
  | { kind: 'read'; file: File }
  | { kind: 'check'; map: ColumnMap }
  | { kind: 'rows'; map: ColumnMap; from: number; count: number }
export type Answered = { id: number; answer: unknown } | { id: number; fault: FileFault }

export class UnreadableFile extends Error {
  readonly fault: FileFault

  constructor(fault: FileFault) {
    super(fault)
    this.fault = fault
  }
}
