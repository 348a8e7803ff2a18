// Writes rows as a CSV file that the Portuguese Excel opens correctly: with semicolons, a byte order mark, and no text
// that runs as a formula.

export type Cell = string | number | null

const MARK = '\uFEFF'
const LINE_END = '\r\n'
/** Characters that make a spreadsheet calculate the cell if it begins with one, full-width forms included. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/
const NUMBER = /^-?\d+(\.\d+)?$/
const NEEDS_QUOTES = /[;"\r\n]/

/**
 * Returns the header and rows as one text. Numbers get a decimal comma; null becomes an empty cell. A `header` of null
 * leaves the header out, for rows that continue a file.
 */
export function toCsv(header: readonly string[] | null, rows: readonly (readonly Cell[])[]): string {
  const lines = header === null ? rows : [header, ...rows]
  return (header === null ? '' : MARK) + lines.map((row) => row.map(toCell).join(';') + LINE_END).join('')
}

function toCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  const text = shown(value)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const shown = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** One cell of a comma-separated file, quoted or not, and its delimiter. */
const CELL = /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/g

/** Makes a comma-separated file from the database safe: no text runs as a formula. Numbers stay as they are. */
export const withoutFormulas = (csv: string): string =>
  csv.replace(CELL, (whole, cell: string, end: string) => {
    if (cell.startsWith('"')) return `"${shown(cell.slice(1, -1))}"${end}`
    return NUMBER.test(cell) ? whole : shown(cell) + end
  })
