// Messages found by the beginnings of their words: the rule that the portal's index and a device share, and what a
// result shows.

/** A longer search is cut to this many words, the longest ones. */
const MAX_WORDS = 6
/**
 * A search needs one word of this length. Shorter words count as whole words only: as beginnings they are in nearly
 * every message.
 */
const MIN_LETTERS = 3
const MAX_WORD = 60
const MAX_QUERY = 200

const MARKS = /[\u0300-\u036f]+/g
/** Everything between words: punctuation, blanks, emoji and their parts. */
const BETWEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f\u{1f000}-\u{1faff}]+/gu

/** The words with one blank between them, in lower case without accents; the same as portal.plain_words. */
export function plainWords(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(BETWEEN, ' ').trim()
}

/** The longest words of a search, those of one length in their order. Null: too short to search for. */
export function searchWords(query: string): readonly string[] | null {
  const words = plainWords(firstOf(query, MAX_QUERY))
    .split(' ')
    .filter(Boolean)
    .map((word) => firstOf(word, MAX_WORD))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, MAX_WORDS)
  return words[0] !== undefined && isLong(words[0]) ? words : null
}

/** Whether each word begins a word of the text, or is one if it is short. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const plain = ` ${plainWords(text)} `
  return words.every((word) => plain.includes(isLong(word) ? ` ${word}` : ` ${word} `))
}

const isLong = (word: string) => lengthOf(word) >= MIN_LETTERS

/** Counts characters, as the database does; `length` would count an emoji as two. */
const lengthOf = (text: string) => Array.from(text).length
const firstOf = (text: string, count: number) => Array.from(text).slice(0, count).join('')

export type Piece = { text: string; isFound: boolean }

const TOKEN = /([\p{L}\p{N}\p{M}]+)/u
/** Characters before the first word that was found. */
const LEAD_IN = 40
const MAX_EXCERPT = 160

/** The part of a message around the first word that was found, with those words marked. */
export function excerptOf(body: string, words: readonly string[]): Piece[] {
  const pieces = body
    .replace(/\s+/g, ' ')
    .trim()
    .split(TOKEN)
    .map((text, nth): Piece => ({ text, isFound: nth % 2 === 1 && beginsAny(text, words) }))
  const first = Math.max(
    0,
    pieces.findIndex(({ isFound }) => isFound),
  )
  let from = first
  for (let left = LEAD_IN; from > 0 && left > 0; from--) left -= pieces[from - 1]?.text.length ?? 0
  const shown: Piece[] = from > 0 ? [{ text: '…', isFound: false }] : []
  let length = 0
  for (const piece of pieces.slice(from)) {
    if (length + piece.text.length > MAX_EXCERPT) {
      shown.push({ text: '…', isFound: false })
      break
    }
    length += piece.text.length
    const last = shown.at(-1)
    if (last?.isFound === piece.isFound) last.text += piece.text
    else if (piece.text !== '') shown.push({ ...piece })
  }
  return shown
}

function beginsAny(token: string, words: readonly string[]): boolean {
  return words.some((word) => hasWords(token, [word]))
}
