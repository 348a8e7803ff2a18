// Holds a file in memory, sheet by sheet; checks it against a plan, and provides its rows for sending.
import { bindingFault, bindingsOf, boundFields } from '#domain/lead/list/bindings.ts'
import { guessColumns, type LeadList, rowReader } from '#domain/lead/list/columns.ts'
import { LIST_FIELDS, type ListField, type ListRow, type RowFault } from '#domain/lead/list/fields.ts'
import { type ReadRow, readRow } from '#domain/lead/list/row.ts'
import { findHeader, type Sheet, toLeadList } from '#domain/lead/list/sheet.ts'
import type { ColumnKind } from '#domain/lead/list/titles.ts'
import type {
  Checked,
  LineMark,
  Named,
  People,
  Plan,
  RawRow,
  RefusedLine,
  Rows,
  SentRow,
  SheetHead,
} from './list-protocol.ts'

/** The preview shows this many lines, and more if the header row is further down. */
const SHOWN_LINES = 10
const SHOWN_BELOW_TITLES = 5
const SHOWN_CELL = 120
const SHOWN_REFUSED = 200
const MAX_CELL = 10_000
/** Refused rows can be downloaded with all their cells; longer cells are cut to this length. */
const MAX_RAW_CELL = 1_000
const MAX_RAW_CELLS = 500
/** The user can assign this many distinct brokers or stages; rows that name others count as unassigned. */
const MAX_NAMES = 200
const ROWS_AT_ONCE = 500
/** A request carries at most this many letters, far below the server's limit. */
const LETTERS_AT_ONCE = 700_000

export type HeldSheet = { sheet: Sheet; header: number | null; list: LeadList }

export const holdSheet = (sheet: Sheet): HeldSheet =>
  holdWith(sheet, sheet.isCards ? 0 : findHeader(sheet.lines))

export const holdWith = (sheet: Sheet, header: number | null): HeldSheet => ({
  sheet,
  header,
  list: toLeadList(sheet.lines, header),
})

export function headOf({ sheet, header, list }: HeldSheet): SheetHead {
  const guess = guessColumns(list, header !== null)
  const read = rowReader(list.titles, guess)
  const shown = Math.max(SHOWN_LINES, (header ?? 0) + 1 + SHOWN_BELOW_TITLES)
  return {
    name: sheet.name,
    isHidden: sheet.isHidden,
    isCards: sheet.isCards,
    header,
    titles: list.titles,
    guess,
    total: list.rows.length,
    hasContacts: list.rows.some(({ cells }) => readRow(read(cells)).lead !== null),
    lines: sheet.lines.slice(0, shown).map((cells) => cells.map((cell) => cell.slice(0, SHOWN_CELL))),
  }
}

export type PlannedRow = {
  /** The row's position in the whole import. */
  place: number
  /** The row's sheet and line in the file. `taken` is the sheet's index among the imported ones. */
  sheet: number
  taken: number
  line: number
  cells: readonly string[]
  /** The row's fields, with the portal's own names for broker and stage. */
  fields: ListRow
  /** Broker and stage as the file names them; null if the row names none. */
  named: Record<'broker' | 'stage', string | null>
  read: ReadRow
  isRefusedByChoice: boolean
}

/** Returns all rows of the imported sheets. Positions continue from one sheet to the next. */
export function planRows(
  sheets: readonly HeldSheet[],
  { sheets: taken, areaCode, ours, chosen }: Plan,
  nowMs: number,
): PlannedRow[] {
  const bindings = bindingsOf(ours, chosen)
  let before = 0
  return taken.flatMap(({ index, map }, n) => {
    const held = sheets[index]
    if (!held) return []
    const read = rowReader(held.list.titles, map, { areaCode })
    const first = before
    before += held.sheet.lines.length
    return held.list.rows.map(({ place, cells }) => {
      const fields = read(cells)
      const found = readRow(fields, { nowMs })
      const bound = bindingFault(found, bindings)
      return {
        place: first + place,
        sheet: index,
        taken: n,
        line: place,
        cells,
        fields: boundFields(fields, found, bindings),
        named: { broker: found.lead?.broker ?? null, stage: found.lead?.stage ?? null },
        read: bound === null ? found : { lead: null, fault: bound },
        isRefusedByChoice: bound !== null,
      }
    })
  })
}

export function check(
  sheets: readonly HeldSheet[],
  rows: readonly PlannedRow[],
  { ours, chosen }: Pick<Plan, 'ours' | 'chosen'>,
): Checked {
  const faults = new Map<RowFault, number>()
  const refused: RefusedLine[] = []
  const marks: LineMark[] = []
  const areaCodes = new Map<string, number>()
  let severalNumbers = 0
  for (const { sheet, line, fields, read } of rows) {
    const { lead, fault } = read
    const isShown = line <= SHOWN_LINES + (sheets[sheet]?.header ?? 0)
    if (fault !== null) {
      faults.set(fault, (faults.get(fault) ?? 0) + 1)
      if (refused.length < SHOWN_REFUSED) refused.push({ sheet, line, fault, shown: shownOf(fields, fault) })
      if (isShown) marks.push({ sheet, line, mark: 'bad', at: FAULTY[fault] ?? 'phone' })
      continue
    }
    if (lead.numbers.length > 0) severalNumbers += 1
    if (isShown && (lead.numbers.length > 0 || /\p{L}{2}/u.test(fields.phone ?? '')))
      marks.push({ sheet, line, mark: 'odd', at: 'phone' })
    if (lead.number?.startsWith('55')) {
      const areaCode = lead.number.slice(2, 4)
      areaCodes.set(areaCode, (areaCodes.get(areaCode) ?? 0) + 1)
    }
  }
  const lost = [...faults.values()].reduce((sum, count) => sum + count, 0)
  const good = rows.length - lost
  const { brokerOf, stageOf } = bindingsOf(ours, chosen)
  const { keys, emails } = peopleOf(rows)
  return {
    total: rows.length,
    good,
    repeated: good - keys.length - emails.length,
    severalNumbers,
    faults: [...faults].map(([fault, count]) => ({ fault, count })).toSorted((a, b) => b.count - a.count),
    refused,
    marks,
    usualAreaCode: [...areaCodes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null,
    brokers: namesOf(rows, 'broker', brokerOf),
    stages: namesOf(rows, 'stage', stageOf),
  }
}

function namesOf(
  rows: readonly PlannedRow[],
  kind: 'broker' | 'stage',
  bind: (name: string) => string,
): Named[] {
  const counts = new Map<string, number>()
  for (const { named } of rows) {
    const name = named[kind]
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, count, to: bind(name) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_NAMES)
}

/**
 * Counts people. Each number is one person. An e-mail of a row without number counts only if no row with a number has
 * it.
 */
export function peopleOf(rows: readonly PlannedRow[]): People {
  const keys = new Set<string>()
  const emails = new Set<string>()
  const ofNumbers = new Set<string | null>()
  for (const { read } of rows) {
    const { key, email } = read.lead ?? { key: null, email: null }
    if (key !== null) keys.add(key)
    if (key !== null) ofNumbers.add(email)
    else if (email !== null) emails.add(email)
  }
  return { keys: [...keys], emails: [...emails].filter((email) => !ofNumbers.has(email)) }
}

/** The field that a fault is about; for all other faults it is the phone. */
const FAULTY: Partial<Record<RowFault, ListField & ColumnKind>> = {
  'bad-value': 'value',
  'bad-arrival': 'arrivedAt',
  'bad-last-contact': 'lastContactAt',
  'unknown-broker': 'broker',
  'unknown-stage': 'stage',
}

function shownOf(fields: ListRow, fault: RowFault): string {
  const { phone, otherPhone, email, name } = fields
  const field = FAULTY[fault]
  const text = (field && fields[field]) ?? phone ?? otherPhone ?? email ?? name ?? ''
  return text.slice(0, SHOWN_CELL)
}

/** As many rows from `from` on as fit into one request. Refused rows are sent with all their cells. */
export function rowsFrom(planned: readonly PlannedRow[], from: number): Rows {
  const rows: SentRow[] = []
  const raw: RawRow[] = []
  const refused: Rows['refused'][number][] = []
  let letters = 0
  for (let n = from; n < planned.length; n += 1) {
    if (rows.length === ROWS_AT_ONCE || letters > LETTERS_AT_ONCE) return { rows, raw, refused, next: n }
    const { place, taken, line, cells, fields, read, isRefusedByChoice } = planned[n]!
    const told = LIST_FIELDS.map((field) => fields[field]?.slice(0, MAX_CELL) ?? null)
    rows.push([place, ...told])
    letters += told.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)
    if (read.fault === null) continue
    if (isRefusedByChoice) refused.push([place, read.fault])
    const whole = cells.slice(0, MAX_RAW_CELLS).map((cell) => cell.slice(0, MAX_RAW_CELL))
    raw.push([place, taken, line, ...whole])
    letters += whole.reduce((sum, cell) => sum + cell.length + 4, 0)
  }
  return { rows, raw, refused, next: null }
}
