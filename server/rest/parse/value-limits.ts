// What a value may hold: some that Postgres would refuse politely overflow the embedded engine's stack without a word.
import { nulCharacter, unreadable } from '../errors.ts'
import { MAX_NESTING, MAX_PATTERN_COPIES, MAX_PATTERN_LENGTH, MAX_SEARCH_LENGTH } from '../limits.ts'

/** The value unchanged. */
export function checkValue(value: string, purpose: 'compare' | 'search' = 'compare'): string {
  if (value.includes('\0')) throw nulCharacter()
  if (purpose === 'search' && value.length > MAX_SEARCH_LENGTH)
    throw unreadable(`A search may have ${MAX_SEARCH_LENGTH} characters`)
  if (nestingOf(value) > MAX_NESTING) throw unreadable(`A value may nest ${MAX_NESTING} levels deep`)
  return value
}

/** Refuses a regular expression that is long, or whose repetition bounds multiply up to a huge automaton. */
export function checkPattern(pattern: string): void {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw unreadable(`A pattern may have ${MAX_PATTERN_LENGTH} characters`)
  let copies = 1
  for (const [, low = '1', high = low] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    copies *= Math.max(1, Number(low), Number(high || low))
  if (copies > MAX_PATTERN_COPIES) throw unreadable(`A pattern may repeat ${MAX_PATTERN_COPIES} times in all`)
}

/** How many square and curly brackets of a JSON value or array literal stand open at once, its texts left out. */
export function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at++
    else if (character === QUOTE) isText = !isText
    else if (isText) continue
    else if (character === OPEN_SQUARE || character === OPEN_CURLY) deepest = Math.max(deepest, ++depth)
    else if (character === CLOSE_SQUARE || character === CLOSE_CURLY) depth--
  }
  return deepest
}

const [QUOTE, BACKSLASH, OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [34, 92, 91, 93, 123, 125]
