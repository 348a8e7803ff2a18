// Splits digits and separators into the numbers that they contain.
import { readOne, type ReadNumber, type ReadOne } from './one-number.ts'

type Part = { read: ReadOne; text: string }
/** `isStrong`: the separator before this group may end a number. */
type Group = { digits: string; start: number; before: string; isStrong: boolean }
/** The best way to split the groups from one on: with the fewest unused digits, then with the fewest parts. */
type Plan = { lost: number; parts: readonly Part[] }
type Run = { text: string; groups: readonly Group[]; hasPlus: boolean; plans: Map<string, Plan> }

const MIN_DIGITS = 7
/** No number has more digits, carrier and country code included. */
const MAX_DIGITS = 19

/**
 * Finds the numbers in a text of digits and separators, and the digits outside of them. Digits may stay outside only
 * after a strong separator, so that a number with an extra digit is invalid. `area` is the area code for numbers
 * without one.
 */
export function partsOf(text: string, area: string | null, isAfterNumber: boolean): readonly Part[] {
  if (text.startsWith('+ ') && isAfterNumber) {
    // In '… + 21 99876-5432' the plus joins two numbers; it is no country prefix.
    const joined = partsOf(text.slice(1), area, false)
    if (joined.every(({ read }) => isNumber(read))) return joined
  }
  return planFrom({ text, groups: groupsOf(text), hasPlus: text.startsWith('+'), plans: new Map() }, 0, area)
    .parts
}

export const isNumber = (read: ReadOne): read is ReadNumber => read !== null && typeof read === 'object'

/** Returns the area code of a Brazilian number; null for others. */
export const areaOf = (read: ReadOne): string | null =>
  isNumber(read) && read.country === 'BR' ? read.national.slice(0, 2) : null

function groupsOf(text: string): Group[] {
  let end = 0
  return [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) => {
    const before = text.slice(end, index)
    const group = { digits, start: index, before, isStrong: /[/,:]|\s-\s/.test(before) }
    end = index + digits.length
    return group
  })
}

function planFrom(run: Run, from: number, area: string | null): Plan {
  const { groups, plans } = run
  if (from >= groups.length) return { lost: 0, parts: [] }
  const name = `${from} ${area}`
  const known = plans.get(name)
  if (known) return known
  let best: Plan = { lost: Infinity, parts: [] }
  let size = 0
  for (let to = from + 1; to <= groups.length; to++) {
    size += groups[to - 1]?.digits.length ?? 0
    const isFree = isEdge(groups, from) && isEdge(groups, to)
    if (size > MAX_DIGITS && !isFree) continue
    const read = readPart(run, groups.slice(from, to), area)
    if (!isNumber(read) && !isFree) continue
    const after = planFrom(run, to, areaOf(read) ?? area)
    const lost = after.lost + (isNumber(read) ? 0 : size)
    if (lost > best.lost || (lost === best.lost && after.parts.length + 1 > best.parts.length)) continue
    const text = run.text.slice(groups[from]?.start, groups[to]?.start).trim()
    best = { lost, parts: [{ read, text }, ...after.parts] }
  }
  plans.set(name, best)
  return best
}

function readPart({ hasPlus, groups }: Run, part: readonly Group[], area: string | null): ReadOne {
  const size = part.reduce((length, { digits }) => length + digits.length, 0)
  if (size < MIN_DIGITS || size > MAX_DIGITS || !isJoined(part, size)) return null
  const written = {
    groups: part.map(({ digits }) => digits),
    hasPlus: hasPlus && part[0] === groups[0],
    isInBrackets: part[0]?.before.includes('(') ?? false,
  }
  return readOne(written, area)
}

const isEdge = (groups: readonly Group[], at: number) =>
  at === 0 || at === groups.length || groups[at]?.isStrong === true

/** How many digits may follow a dash with spaces: the last four, a local number, or one with its area code. */
const BEHIND_DASH = [4, 8, 9, 10, 11]

/**
 * True if the groups may form one number. A strong separator may follow only the area code; a dash may be in some more
 * places. A bracket after at least seven digits opens the area code of the next number.
 */
function isJoined(part: readonly Group[], size: number): boolean {
  let behind = size
  return part.every(({ before, digits, isStrong }, at) => {
    const isAfterArea = at === 1 && /^0?\d\d$/.test(part[0]?.digits ?? '')
    const isDash = !/[/,:]/.test(before) && BEHIND_DASH.includes(behind)
    const isNext = before.includes('(') && size - behind >= MIN_DIGITS
    behind -= digits.length
    return at === 0 || (!isNext && (isAfterArea || isDash || !isStrong))
  })
}
