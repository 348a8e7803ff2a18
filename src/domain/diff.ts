// Finds the differences between two texts, by line and by word, to show them in two columns.

/** A piece of a line; `isChanged` is true if the other side lacks it. */
export type DiffPart = { text: string; isChanged: boolean }
export type DiffLine = { number: number; parts: readonly DiffPart[] }
/** Two lines side by side; null where one side has no line. */
export type DiffRow = { before: DiffLine | null; after: DiffLine | null; isChanged: boolean }
/** Rows to show, or the number of equal rows that are hidden. */
export type DiffStretch = { rows: readonly DiffRow[] } | { skipped: number }

type Step = { kind: 'same' | 'removed' | 'added'; text: string }

/**
 * Comparing more cells would block the screen. Beyond this, everything between the equal beginning and end counts as
 * replaced.
 */
const MAX_CELLS = 4_000_000
/** Two lines that share less than this count as removed and added, not as changed. */
const ALIKE = 0.3

export function diffRows(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = []
  const numbers = { before: 0, after: 0 }
  let removed: string[] = []
  let added: string[] = []
  const endChange = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [left, right] = partsOf(removed[at], added[at])
      rows.push({
        before: left && { number: ++numbers.before, parts: left },
        after: right && { number: ++numbers.after, parts: right },
        isChanged: true,
      })
    }
    removed = []
    added = []
  }
  for (const { kind, text } of steps(linesOf(before), linesOf(after))) {
    if (kind === 'removed') removed.push(text)
    else if (kind === 'added') added.push(text)
    else {
      endChange()
      const parts = [{ text, isChanged: false }]
      rows.push({
        before: { number: ++numbers.before, parts },
        after: { number: ++numbers.after, parts },
        isChanged: false,
      })
    }
  }
  endChange()
  return rows
}

/** Keeps the changes with `context` lines around each, and counts the lines between them. */
export function aroundChanges(rows: readonly DiffRow[], context: number): DiffStretch[] {
  const isShown = rows.map((_, at) =>
    rows.slice(Math.max(0, at - context), at + context + 1).some(({ isChanged }) => isChanged),
  )
  const stretches: DiffStretch[] = []
  let from = 0
  for (let at = 1; at <= rows.length; at++) {
    if (at < rows.length && isShown[at] === isShown[from]) continue
    stretches.push(isShown[from] ? { rows: rows.slice(from, at) } : { skipped: at - from })
    from = at
  }
  return stretches
}

/** An empty text has no lines, and a line break at the end starts none. */
function linesOf(text: string): string[] {
  if (text === '') return []
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
}

function partsOf(
  before: string | undefined,
  after: string | undefined,
): [DiffPart[] | null, DiffPart[] | null] {
  if (before === undefined || after === undefined)
    return [before === undefined ? null : whole(before), after === undefined ? null : whole(after)]
  const words = steps(wordsOf(before), wordsOf(after))
  const sameLetters = words.reduce(
    (sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0),
    0,
  )
  if (sameLetters < ALIKE * Math.max(before.trim().length, after.trim().length))
    return [whole(before), whole(after)]
  return [joined(words, 'removed'), joined(words, 'added')]
}

const whole = (text: string): DiffPart[] => [{ text, isChanged: true }]
const wordsOf = (line: string) => line.split(/(\s+)/).filter((word) => word !== '')

/** Returns the words of one side, with neighbours of the same kind joined. */
function joined(words: readonly Step[], changed: 'removed' | 'added'): DiffPart[] {
  const parts: DiffPart[] = []
  for (const { kind, text } of words) {
    if (kind !== 'same' && kind !== changed) continue
    const last = parts.at(-1)
    const isChanged = kind === changed
    if (last?.isChanged === isChanged) last.text += text
    else parts.push({ text, isChanged })
  }
  return parts
}

/** Finds the fewest removals and additions that turn the first list into the second. */
function steps(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  const most = Math.min(before.length, after.length) - head
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const same = (texts: readonly string[]) => texts.map((text): Step => ({ kind: 'same', text }))
  return [
    ...same(before.slice(0, head)),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

function between(before: readonly string[], after: readonly string[]): Step[] {
  const width = after.length + 1
  if (before.length * after.length > MAX_CELLS)
    return [
      ...before.map((text): Step => ({ kind: 'removed', text })),
      ...after.map((text): Step => ({ kind: 'added', text })),
    ]
  // For each pair of positions, the length of the longest common subsequence from there on.
  const common = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))

  const found: Step[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [left, right] = [before[row], after[column]]
    if (left !== undefined && left === right) {
      found.push({ kind: 'same', text: left })
      row++
      column++
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      found.push({ kind: 'removed', text: left })
      row++
    } else if (right !== undefined) {
      found.push({ kind: 'added', text: right })
      column++
    }
  }
  return found
}
