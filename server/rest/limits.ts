// How large one request may be, so that none can exhaust the portal or overflow the embedded engine's small stack.

/** Bytes of path and query string. */
export const MAX_URL_LENGTH = 32_768
export const MAX_PARAMETERS = 300
export const MAX_SELECT_ITEMS = 200
export const MAX_EMBEDS = 16
/** Rows read again for each parent that shares theirs; contacts, messages, contacts, messages … would come to billions. */
export const MAX_REPEATED_ROWS = 1_000_000
/** What a level without a limit is taken for, where the portal sets none either. */
export const USUAL_ROWS = 1_000
/** Bytes of one answer; the embedded engine never gives back the memory that it took for one. */
export const MAX_ANSWER_BYTES = 32_000_000
export const MAX_EMBED_DEPTH = 5
export const MAX_CONDITIONS = 500
/** Of them those that look through a text; each reads all of every row's, and 500 of them take a large board half a minute. */
export const MAX_TEXT_CONDITIONS = 40
export const MAX_LOGIC_DEPTH = 20
export const MAX_ORDER_TERMS = 32
export const MAX_JSON_PATH = 16

/** Brackets open at once in a JSON body or in a value; the embedded engine dies silently of some thousands. */
export const MAX_NESTING = 100

/** Characters of a full-text search, each of which may cost a stack frame. */
export const MAX_SEARCH_LENGTH = 1_000

/** Characters of what `like` and `ilike` look for, a list of them together. */
export const MAX_LIKE_LENGTH = 1_000

/** Characters of a regular expression, and its letters with every repetition written out. */
export const MAX_PATTERN_LENGTH = 256
export const MAX_PATTERN_WEIGHT = 200
