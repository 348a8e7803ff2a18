// A sheet of a file as a list: where its titles are, and what its lines are below them.
import { isContact, type LeadList } from './columns.ts'
import { readTitle } from './titles.ts'

/** One table of a file, line by line as the file has it. */
export type Sheet = {
  /** Null where the kind of file knows no sheets. */
  name: string | null
  isHidden: boolean
  /** A contact a line, below titles of our own. */
  isCards: boolean
  lines: readonly (readonly string[])[]
}

/** Titles further down are found by nobody else either. */
const LOOKED_AT = 60

/** A file that we, or a spreadsheet, wrote so that no text runs as a formula: '+351912345678. */
const KEPT_FROM_RUNNING = /^'(?=[=+\-@])/
const isFilled = (cells: readonly string[]) => cells.some((cell) => cell !== '')

/**
 * The line of the titles from 0, or null where there is none: of the first lines the one that has the most known titles.
 * Without any known title it is the first line, unless somebody can be called or written to by it.
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
      // Below the first row of a list no single word is a title any more.
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
/** Words in more than one cell: a lone word, or a number, may be a row. */
const looksLikeTitles = (cells: readonly string[]) => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 1 && filled.every((cell) => !/^[\d\s.,/-]+$/.test(cell))
}

/** The rows below the titles; lines without any text are none, lines above the titles neither. */
export function toLeadList(lines: Sheet['lines'], header: number | null): LeadList {
  // Line by line: so many arguments at once are more than an engine takes.
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  const head = header === null ? [] : (lines[header] ?? [])
  const rows: LeadList['rows'][number][] = []
  for (const [n, cells] of lines.entries())
    if ((header === null || n > header) && isFilled(cells))
      rows.push({ place: n + 1, cells: cells.map((cell) => cell.replace(KEPT_FROM_RUNNING, '')) })
  return { titles: Array.from({ length: width }, (_, n) => head[n]?.trim() || `Coluna ${letters(n)}`), rows }
}

/** As a spreadsheet names its columns: A, Z, AA. */
function letters(column: number): string {
  const before = Math.floor(column / 26)
  return (before === 0 ? '' : letters(before - 1)) + String.fromCharCode(65 + (column % 26))
}
