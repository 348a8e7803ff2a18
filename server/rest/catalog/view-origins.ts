// The base column of each view column, from the node tree that Postgres stores of the view's query.
import type { ViewRow } from './queries.ts'

/** Maps a column number of the view to the relation and column that it shows unchanged. */
export type Origins = Map<number, { oid: number; number: number }>

const TARGET_LIST = ':targetList '
const ENTRY = /:resno (\d+) .*:resorigtbl (\d+) :resorigcol (\d+) :resjunk false/s

/** Origins of every view, followed through views over views down to the tables. */
export function toViewOrigins(rows: readonly ViewRow[]): Map<number, Origins> {
  const direct = new Map(rows.map((row) => [row.oid, readOrigins(row.tree)]))
  const resolve = (oid: number, number: number): { oid: number; number: number } | null => {
    const inner = direct.get(oid)
    if (!inner) return { oid, number }
    const origin = inner.get(number)
    return origin ? resolve(origin.oid, origin.number) : null
  }
  return new Map(
    [...direct].map(([view, origins]) => [
      view,
      new Map(
        [...origins].flatMap(([number, origin]) => {
          const base = resolve(origin.oid, origin.number)
          return base ? [[number, base] as const] : []
        }),
      ),
    ]),
  )
}

/** Reads the target list of the outermost query; subqueries are nested deeper. */
function readOrigins(tree: string): Origins {
  const origins: Origins = new Map()
  for (const entry of outermostEntries(tree)) {
    const [, number, oid, column] = ENTRY.exec(entry) ?? []
    if (Number(column) > 0) origins.set(Number(number), { oid: Number(oid), number: Number(column) })
  }
  return origins
}

/** The texts of the target entries without nested nodes. A backslash escapes the next character of a name. */
function outermostEntries(tree: string): string[] {
  const entries: string[] = []
  let depth = 0
  let isTargetList = false
  let entry = ''
  for (let at = 0; at < tree.length; at++) {
    const character = tree[at]
    if (character === '\\') {
      at++
    } else if (character === '{') {
      depth++
    } else if (character === '}') {
      if (depth === 2 && isTargetList) entries.push(entry)
      if (depth === 2) entry = ''
      depth--
    } else if (depth === 1 && character === ':') {
      isTargetList = tree.startsWith(TARGET_LIST, at)
    } else if (depth === 2 && isTargetList) {
      entry += character
    }
  }
  return entries
}
