// Finds the titles in a sheet of a file, and turns the lines below them into a list.
import { isContact, type LeadList } from './columns.ts'
import { readTitle } from './titles.ts'

/** One table of a file, with all its lines. */
export type Sheet = {
  /** Null for files without sheets. */
  name: string | null
  isHidden: boolean
  /** Contacts, one a line, below titles that the portal wrote. */
  isCards: boolean
  lines: readonly (readonly string[])[]
}

/** Titles are searched in this many lines. */
const LOOKED_AT = 60

/** Files may contain an apostrophe that prevents a formula: '+351912345678. */
const KEPT_FROM_RUNNING = /^'(?=[=+\-@])/
const isFilled = (cells: readonly string[]) => cells.some((cell) => cell !== '')

/**
 * Index of the title line, or null: the one of the first lines with the most known titles. Without any known
 * title it is the first line, unless that contains a phone or e-mail.
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
      // After the first row of data, single words are no titles any more.
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
/** Several cells with words: a single word, or a number, may be data. */
const looksLikeTitles = (cells: readonly string[]) => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 1 && filled.every((cell) => !/^[\d\s.,/-]+$/.test(cell))
}

/** The rows below the titles, without empty lines. */
export function toLeadList(lines: Sheet['lines'], header: number | null): LeadList {
  // Not Math.max(...lengths): an engine limits the number of arguments.
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  const head = header === null ? [] : (lines[header] ?? [])
  const rows: LeadList['rows'][number][] = []
  for (const [n, cells] of lines.entries())
    if ((header === null || n > header) && isFilled(cells))
      rows.push({ place: n + 1, cells: cells.map((cell) => cell.replace(KEPT_FROM_RUNNING, '')) })
  return { titles: Array.from({ length: width }, (_, n) => head[n]?.trim() || `Coluna ${letters(n)}`), rows }
}

/** Column names of spreadsheets: A, Z, AA. */
function letters(column: number): string {
  const before = Math.floor(column / 26)
  return (before === 0 ? '' : letters(before - 1)) + String.fromCharCode(65 + (column % 26))
}
