// Splits SQL text into its statements, without the comments around them.

/** Comments, quoted text and names, and dollar-quoted bodies: a semicolon inside them ends no statement. */
const OPENINGS = /--[^\n]*|\/\*|'|"|\$(?:[A-Za-z_]\w*)?\$|;/g

/** The statements of a file in order, trimmed, each without its semicolon and without comments in front of it. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  let at = 0
  /** True while only white space and comments came since `start`, so that the statement may begin later. */
  const isBlank = (end: number) => sql.slice(start, end).trim() === ''
  while (at < sql.length) {
    OPENINGS.lastIndex = at
    const found = OPENINGS.exec(sql)
    if (found === null) break
    const [mark] = found
    const { index } = found
    if (mark === ';') {
      if (!isBlank(index)) statements.push(sql.slice(start, index).trim())
      at = start = index + 1
    } else {
      const isComment = mark.startsWith('--') || mark === '/*'
      const startsBlank = isComment && isBlank(index)
      at = endOf(sql, mark, index)
      if (startsBlank) start = at
    }
  }
  if (!isBlank(sql.length)) statements.push(sql.slice(start).trim())
  return statements
}

/** The end of the comment or quotation that `mark` opens at `index`. */
function endOf(sql: string, mark: string, index: number): number {
  if (mark.startsWith('--')) return index + mark.length
  const closing = mark === '/*' ? '*/' : mark
  const end = sql.indexOf(closing, index + mark.length)
  if (end < 0) throw new Error(`${mark} is never closed: ${sql.slice(index, index + 80)}`)
  return end + closing.length
}
