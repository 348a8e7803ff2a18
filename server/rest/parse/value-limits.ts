// What a value may hold: some that Postgres would refuse politely overflow the embedded engine's stack without a word.
import { nulCharacter, unreadable } from '../errors.ts'
import { MAX_NESTING, MAX_PATTERN_COPIES, MAX_PATTERN_LENGTH, MAX_SEARCH_LENGTH } from '../limits.ts'

/** The value unchanged. A search is held shorter, and its round brackets count too. */
export function checkValue(value: string, purpose: 'compare' | 'search' = 'compare'): string {
  if (value.includes('\0')) throw nulCharacter()
  if (purpose === 'search' && value.length > MAX_SEARCH_LENGTH)
    throw unreadable(`A search may have ${MAX_SEARCH_LENGTH} characters`)
  if (deepestBracket(value, purpose === 'search' ? '([{' : '[{') > MAX_NESTING)
    throw unreadable(`A value may nest ${MAX_NESTING} levels deep`)
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

/** How many of the `opening` brackets stand open at once. */
export function deepestBracket(text: string, opening: string): number {
  const closing = opening.replaceAll('(', ')').replaceAll('[', ']').replaceAll('{', '}')
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (opening.includes(character)) deepest = Math.max(deepest, ++depth)
    else if (closing.includes(character)) depth = Math.max(0, depth - 1)
  }
  return deepest
}
