// Finds the titles in a sheet of a file, and makes a list of the lines below them.
import { isContact, type LeadList } from './columns.ts'
import { readTitle } from './titles.ts'

/** One table of a file, with all its lines. */
export type Sheet = {
  /** The sheet's name; null if the file format has no sheets. */
  name: string | null
  isHidden: boolean
  /** True if each line is a vCard's contact, below titles that the portal wrote. */
  isCards: boolean
  lines: readonly (readonly string[])[]
}

/** Only this many filled lines are searched for titles. */
const LOOKED_AT = 60

/** Spreadsheets put an apostrophe before text that would run as a formula, such as '+351912345678. */
const KEPT_FROM_RUNNING = /^'(?=[=+\-@])/
const isFilled = (cells: readonly string[]) => cells.some((cell) => cell !== '')

/**
 * Returns the index of the title line: among the first lines, the one with the most known titles. If no title is known,
 * it is the first line, unless that contains a phone or e-mail. Returns null if the sheet has no titles.
 */
export function findHeader(lines: Sheet['lines']): number | null {
  let best: { line: number; known: number } | null = null
  let seen = 0
  let first: number | null = null
  for (const [line, cells] of lines.entries()) {
    if (!isFilled(cells)) continue
    first ??= line
    seen += 1
    if (seen > LOOKED_AT) break
    if (cells.some(isContact)) {
      // Titles cannot follow the first line with a contact.
      if (best) break
      continue
    }
    const known = cells.filter((cell) => cell !== '' && readTitle(cell) !== null).length
    const isEnough = known >= 2 || (known === 1 && hasNoRowAbove(lines, line))
    if (isEnough && (best === null || known > best.known)) best = { line, known }
  }
  if (best) return best.line
  return first !== null && !lines[first]!.some(isContact) && looksLikeTitles(lines[first]!) ? first : null
}

const hasNoRowAbove = (lines: Sheet['lines'], line: number) =>
  !lines.slice(0, line).some((cells) => cells.some(isContact))
/** True if a line has several cells, all with words. A single word, or a number, may be data. */
const looksLikeTitles = (cells: readonly string[]) => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 1 && filled.every((cell) => !/^[\d\s.,/-]+$/.test(cell))
}

/** Returns the rows below the titles, without empty lines. */
export function toLeadList(lines: Sheet['lines'], header: number | null): LeadList {
  // Spreading the lengths into Math.max could exceed the engine's limit of arguments.
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  const head = header === null ? [] : (lines[header] ?? [])
  const rows: LeadList['rows'][number][] = []
  for (const [n, cells] of lines.entries())
    if ((header === null || n > header) && isFilled(cells))
      rows.push({ place: n + 1, cells: cells.map((cell) => cell.replace(KEPT_FROM_RUNNING, '')) })
  return { titles: Array.from({ length: width }, (_, n) => head[n]?.trim() || `Coluna ${letters(n)}`), rows }
}

/** Returns the letters of a spreadsheet column: A, Z, AA. */
function letters(column: number): string {
  const before = Math.floor(column / 26)
  return (before === 0 ? '' : letters(before - 1)) + String.fromCharCode(65 + (column % 26))
}
