// Limits of one request, so that none exhausts the portal or overflows the embedded engine's small stack.

/** Bytes of path and query string. */
export const MAX_URL_LENGTH = 32_768
export const MAX_PARAMETERS = 300
export const MAX_SELECT_ITEMS = 200
export const MAX_EMBEDS = 16
/**
 * Rows that are read again for each parent: contacts, messages, contacts, messages … would come to billions.
 */
export const MAX_REPEATED_ROWS = 1_000_000
/** The rows that count for a level without a limit, if the portal sets none either. */
export const USUAL_ROWS = 1_000
/** Bytes of one answer; the embedded engine never releases the memory used for it. */
export const MAX_ANSWER_BYTES = 32_000_000
export const MAX_EMBED_DEPTH = 5
export const MAX_CONDITIONS = 500
/**
 * Text searches among the conditions; each scans every row's text, and 500 of them take half a minute on a
 * large board.
 */
export const MAX_TEXT_CONDITIONS = 40
export const MAX_LOGIC_DEPTH = 20
export const MAX_ORDER_TERMS = 32
export const MAX_JSON_PATH = 16

/** Open brackets in a JSON body or value; some thousands crash the embedded engine without an error. */
export const MAX_NESTING = 100

/** Characters of a full-text search, each of which may cost a stack frame. */
export const MAX_SEARCH_LENGTH = 1_000

/** Characters of `like` and `ilike` patterns, summed over a list. */
export const MAX_LIKE_LENGTH = 1_000

/** Characters of a regular expression, and its length with every repetition written out. */
export const MAX_PATTERN_LENGTH = 256
export const MAX_PATTERN_WEIGHT = 200
