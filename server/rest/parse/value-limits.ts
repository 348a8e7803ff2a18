// Limits of values: some that Postgres would refuse overflow the embedded engine's stack silently.
import { nulCharacter, unreadable } from '../errors.ts'
import {
  MAX_LIKE_LENGTH,
  MAX_NESTING,
  MAX_PATTERN_LENGTH,
  MAX_PATTERN_WEIGHT,
  MAX_SEARCH_LENGTH,
} from '../limits.ts'

/** Returns the value unchanged. */
export function checkValue(value: string, purpose: 'compare' | 'search' = 'compare'): string {
  if (value.includes('\0')) throw nulCharacter()
  if (purpose === 'search' && value.length > MAX_SEARCH_LENGTH)
    throw unreadable(`A search may have ${MAX_SEARCH_LENGTH} characters`)
  if (nestingOf(value) > MAX_NESTING) throw unreadable(`A value may nest ${MAX_NESTING} levels deep`)
  return value
}

/** Refuses a long LIKE pattern, whose search in a long text takes seconds. */
export function checkLike(pattern: string): void {
  if (pattern.length > MAX_LIKE_LENGTH)
    throw unreadable(`A LIKE pattern may have ${MAX_LIKE_LENGTH} characters`)
}

/**
 * Refuses a regular expression that is long, whose repetitions multiply into a huge automaton, or that needs
 * backtracking: a note of 9,900 characters keeps a back-reference busy for minutes.
 */
export function checkPattern(pattern: string): void {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw unreadable(`A pattern may have ${MAX_PATTERN_LENGTH} characters`)
  for (const [, escaped, group] of pattern.matchAll(PATTERN_FEATURE)) {
    if (escaped !== undefined && /[1-9]/.test(escaped))
      throw unreadable('A pattern may not refer back to a group')
    // Besides lookaround these are comments and options, which could hide anything.
    if (group !== undefined && group !== ':')
      throw unreadable(
        'A pattern may not look around, comment or set options: (?:…) alone may follow a bracket',
      )
  }
  // Options change the meaning, and the weight, of the rest of the pattern.
  if (/^(\*\*\*|\(\?[a-z]+\))/.test(pattern)) throw unreadable('A pattern may not begin with options')
  if (patternWeight(pattern) > MAX_PATTERN_WEIGHT)
    throw unreadable(`The repetitions of a pattern may add up to ${MAX_PATTERN_WEIGHT}`)
}

/** An escaped character, or what follows `(?`. */
const PATTERN_FEATURE = /\\([\s\S])|\(\?([\s\S]?)/g
const PATTERN_TOKEN = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]?|\{(\d+)(,?)(\d*)\}|[\s\S]/g

/**
 * Length of a pattern with each repetition written out: `(ab{3}){2}` has eight. Postgres builds its automaton
 * so, which takes seconds for some hundreds of optional ones.
 */
export function patternWeight(pattern: string): number {
  const sums = [0]
  let last = 0
  const add = (weight: number) => {
    sums[sums.length - 1] = (sums.at(-1) ?? 0) + weight
    last = weight
  }
  for (const [token, low, comma, high] of pattern.matchAll(PATTERN_TOKEN)) {
    if (token === '(') sums.push(0)
    else if (token === ')' && sums.length > 1) add(sums.pop() ?? 0)
    else if (low !== undefined)
      add(last * Math.max(0, Math.max(Number(low), Number(high)) - (comma && !high ? 0 : 1)))
    else if (token === '+') add(last)
    else if (!'*?|^$'.includes(token)) add(1)
  }
  return sums.reduce((total, sum) => total + sum, 0)
}

/** Maximum depth of square and curly brackets in a JSON value or array literal, outside of strings. */
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
