// The refused rows of an import as a file to correct and import again: all columns, and the reason.
import { toCsv } from '#domain/csv.ts'
import { FAULT_TEXT, FIELD_LABEL, LIST_FIELDS } from '#domain/lead/list/fields.ts'
import type { FileSheet, Refused, RefusedRow } from './import-store.ts'

/** The columns of the original file, or the recognised fields if it had no titles. */
export function refusedFile({ sheets, rows }: Refused): string {
  const hasSheets = sheets.length > 1
  const titles = columnsOf(sheets)
  const used =
    titles.length > 0
      ? []
      : LIST_FIELDS.filter((field) => rows.some(({ data }) => data?.[field] !== undefined))
  const cellsOf = ({ data }: RefusedRow): (string | null)[] => {
    const raw = data?.raw
    if (titles.length === 0) return used.map((field) => data?.[field] ?? null)
    if (raw === undefined) return titles.map(() => null)
    const places = placesOf(sheets[raw.sheet], titles)
    return titles.map((_, n) => raw.cells[places.indexOf(n)] ?? null)
  }
  return toCsv(
    [
      ...(hasSheets ? ['Planilha'] : []),
      'Linha',
      'Motivo',
      ...titles.map(({ title }) => title),
      ...used.map((field) => FIELD_LABEL[field]),
    ],
    rows.map((row) => [
      ...(hasSheets ? [sheets[row.data?.raw?.sheet ?? 0]?.name ?? null] : []),
      row.data?.raw?.line ?? row.place,
      FAULT_TEXT[row.fault],
      ...cellsOf(row),
    ]),
  )
}

/** A title and its occurrence: a file may repeat a title. */
type Column = { title: string; nth: number }

const numbered = (titles: readonly string[]): Column[] =>
  titles.map((title, n) => ({ title, nth: titles.slice(0, n).filter((one) => one === title).length }))

/** Columns of all sheets, each once. */
function columnsOf(sheets: readonly FileSheet[]): Column[] {
  const columns: Column[] = []
  for (const { titles } of sheets)
    for (const column of numbered(titles)) if (indexIn(columns, column) < 0) columns.push(column)
  return columns
}

const indexIn = (columns: readonly Column[], { title, nth }: Column) =>
  columns.findIndex((one) => one.title === title && one.nth === nth)

/** Maps each column of a sheet to its column in the file of refused rows. */
const placesOf = (sheet: FileSheet | undefined, columns: readonly Column[]) =>
  numbered(sheet?.titles ?? []).map((column) => indexIn(columns, column))
