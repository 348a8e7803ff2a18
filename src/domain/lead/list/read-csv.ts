// Reads a text file as a table: detects encoding and separator, splits cells. It accepts what the Portuguese Excel,
// Google and old systems write.

/** Detects UTF-8 and UTF-16. Other bytes are read as windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export const SEPARATORS = [';', ',', '\t', '|'] as const
/** The separator is detected in this many first characters. */
const LOOKED_AT = 20_000
/** Spreadsheets write a cell with leading zeros as ="011". */
const AS_TEXT = /^="(.*)"$/s

/**
 * Returns the lines with their cells. Empty lines are kept, so that line numbers match the file. Without `known` the
 * separator is guessed, which needs a header in the first line.
 */
export function readCsv(text: string, known?: string): string[][] {
  const separatorRow = /^sep=(.)\r?\n/i.exec(text)
  const separator = separatorRow?.[1] ?? known ?? separatorOf(text.slice(0, LOOKED_AT))
  const rows: string[][] = separatorRow ? [[]] : []
  let row: string[] = []
  let at = separatorRow ? separatorRow[0].length : 0
  while (at < text.length) {
    const { value, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    // Some programs write text between a closing quote and the separator; it belongs to the cell.
    const { value: rest, end: stop } = text[at] === '"' ? plainCell(text, end, separator) : { value: '', end }
    const cell = value + rest
    row.push((AS_TEXT.exec(cell)?.[1] ?? cell).trim())
    at = stop
    if (text[at] === separator) {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    rows.push(row)
    row = []
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Returns the separator with the same count in most lines; those within quotes do not count. */
function separatorOf(text: string): string {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 10)
  const score = (separator: string) => {
    const [header = 0, ...others] = lines.map((line) => line.split(separator).length - 1)
    return header === 0 ? 0 : header * (1 + others.filter((count) => count === header).length)
  }
  return SEPARATORS.reduce((best, separator) => (score(separator) > score(best) ? separator : best))
}

type Cell = { value: string; end: number }

function quotedCell(text: string, start: number): Cell {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { value: value + text.slice(from), end: text.length }
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}
