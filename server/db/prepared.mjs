// Which statements are prepared on a connection, and under which names. Plain JavaScript, since the embedded engine's
// thread reads it by path, too.

/** Names are the connection's own. What is asked once is not prepared, so that made-up statements do not fill it. */
const MAX_NAMES = 150
const MAX_SEEN = 1_000
/** @type {Set<string>} */
const seen = new Set()

/**
 * Answers true from the second time on, as long as few others came between.
 * @param {string} sql
 */
function isAskedAgain(sql) {
  const isKnown = seen.delete(sql)
  seen.add(sql)
  if (seen.size > MAX_SEEN) seen.delete(firstOf(seen) ?? '')
  return isKnown
}

/**
 * A prepared statement. Its columns never change: the server refuses it once they would, so they are asked for once.
 * @template Column
 * @typedef {{ readonly name: string, columns?: readonly Column[] }} Kept
 */

/**
 * The statements that one connection has prepared, the longest unused first.
 * @template Column
 */
export class Prepared {
  /** @type {Map<string, Kept<Column>>} */
  #names = new Map()
  /**
   * Given up, but perhaps still there: a name that is not there is closed without an error.
   * @readonly
   * @type {string[]}
   */
  closing = []
  #count = 0

  /**
   * The prepared statement, and whether it must be made first. Null: the SQL is new, and may run only once.
   * @param {string} sql
   * @returns {{ kept: Kept<Column>, isNew: boolean } | null}
   */
  take(sql) {
    const known = this.#names.get(sql)
    if (known !== undefined) {
      this.#names.delete(sql)
      this.#names.set(sql, known)
      return { kept: known, isNew: false }
    }
    if (!isAskedAgain(sql)) return null
    const kept = { name: `s${++this.#count}` }
    this.#names.set(sql, kept)
    if (this.#names.size > MAX_NAMES) this.forget(firstOf(this.#names) ?? '')
    return { kept, isNew: true }
  }

  /** @param {string} sql */
  forget(sql) {
    const kept = this.#names.get(sql)
    if (kept === undefined) return
    this.#names.delete(sql)
    this.closing.push(kept.name)
  }

  forgetAll() {
    for (const sql of this.#names.keys()) this.forget(sql)
  }
}

/** @param {{ keys(): Iterator<string> }} keys */
function firstOf(keys) {
  const { value, done } = keys.keys().next()
  return done === true ? undefined : value
}
