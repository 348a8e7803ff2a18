// Row conditions: one operator on one column.
import { readQuoted, type Field } from './names.ts'
import { Scanner, UnreadError } from './scanner.ts'
import { checkLike, checkPattern, checkValue } from './value-limits.ts'

export type Quantifier = 'any' | 'all'
export type Comparison = keyof typeof COMPARISONS
export type Search = keyof typeof SEARCHES
export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

export type Operation =
  | { kind: 'compare'; operator: Comparison; quantifier: Quantifier | null; value: string }
  | { kind: 'search'; operator: Search; language: string | null; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'is'; value: IsValue }
  | { kind: 'distinct'; value: string }

export type Condition = { kind: 'condition'; isNegated: boolean; field: Field; operation: Operation }
/** Operators that compare a column with one value, and whether `(any)` or `(all)` may follow. */
const COMPARISONS = {
  eq: true,
  gte: true,
  gt: true,
  lte: true,
  lt: true,
  like: true,
  ilike: true,
  // The cost of a list of regular expressions could not be bounded.
  match: false,
  imatch: false,
  neq: false,
  cs: false,
  cd: false,
  ov: false,
  sl: false,
  sr: false,
  nxr: false,
  nxl: false,
  adj: false,
} as const
const SEARCHES = { fts: true, plfts: true, phfts: true, wfts: true } as const

const OPERATOR = /([a-z]+)(?:\(([\p{L}\p{N}_ $]+)\))?\./uy
const IS_VALUE = /(null|not_null|true|false|unknown)(?=\s*(?:[,)]|$))/iy
const IS_VALUES: Record<string, IsValue> = {
  null: 'null',
  not_null: 'not_null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

export type ReadValue = (scanner: Scanner) => string

/** Reads `not.eq.5` and similar values of a query-string parameter. */
export function parseOperation(text: string): { isNegated: boolean; operation: Operation } {
  const scanner = new Scanner(text, `failed to parse filter (${text})`)
  const parsed = readNegatable(scanner, (rest) => rest.match(/[\s\S]*/y)?.[0] ?? '')
  scanner.expectEnd()
  return parsed
}

/** Null: the text is an argument of a function called by GET, not an operation. Invalid values throw. */
export function tryOperation(text: string): ReturnType<typeof parseOperation> | null {
  try {
    return parseOperation(text)
  } catch (error) {
    if (error instanceof UnreadError) return null
    throw error
  }
}

/** A quoted text, if only a delimiter follows. */
export const readWhole = (scanner: Scanner) =>
  scanner.attempt(() => {
    const quoted = readQuoted(scanner)
    return scanner.isAtEnd || scanner.isAt(',') || scanner.isAt(')') ? quoted : null
  })

export function readNegatable(scanner: Scanner, readValue: ReadValue) {
  const isNegated = scanner.take('not.')
  return { isNegated, operation: readOperation(scanner, { readValue, isNegated }) }
}

function readOperation(scanner: Scanner, how: { readValue: ReadValue; isNegated: boolean }): Operation {
  const operation = scanner.attempt(() => {
    const found = scanner.match(OPERATOR)
    return found && toReader(found[1] ?? '', found[2]?.trim() ?? null)
  })
  if (!operation)
    return scanner.fail(how.isNegated ? 'operator (eq, gt, ...)' : '"not" or operator (eq, gt, ...)')
  return operation(scanner, how.readValue)
}

type OperationReader = (scanner: Scanner, readValue: ReadValue) => Operation

/** The parser of the rest of `name(modifier).…`, or null for an unknown operator. */
function toReader(name: string, modifier: string | null): OperationReader | null {
  if (isSearch(name))
    return (scanner, readValue) => ({
      kind: 'search',
      operator: name,
      language: modifier,
      value: checkValue(readValue(scanner), 'search'),
    })
  if (isComparison(name)) return toComparison(name, modifier)
  if (modifier !== null) return null
  if (name === 'in') return (scanner) => ({ kind: 'in', values: readList(scanner) })
  if (name === 'is') return (scanner) => ({ kind: 'is', value: readIsValue(scanner) })
  if (name === 'isdistinct')
    return (scanner, readValue) => ({ kind: 'distinct', value: checkValue(readValue(scanner)) })
  return null
}

function toComparison(operator: Comparison, modifier: string | null): OperationReader | null {
  const quantifier = modifier === 'any' || modifier === 'all' ? modifier : null
  if (modifier !== null && (quantifier === null || !COMPARISONS[operator])) return null
  return (scanner, readValue) => {
    const value = checkValue(readValue(scanner))
    if (operator === 'match' || operator === 'imatch') checkPattern(value)
    if (operator === 'like' || operator === 'ilike') checkLike(value)
    return { kind: 'compare', operator, quantifier, value }
  }
}

function readIsValue(scanner: Scanner): IsValue {
  const word = scanner.match(IS_VALUE)?.[1]?.toLowerCase() ?? ''
  return IS_VALUES[word] ?? scanner.fail('isVal: (null, not_null, true, false, unknown)')
}

/** `(a,"b,c")`; empty brackets contain no value, `("")` the empty text. */
function readList(scanner: Scanner): string[] {
  scanner.skipBlanks()
  scanner.expect('(')
  scanner.skipBlanks()
  const values: string[] = []
  if (!scanner.isAt(')'))
    do values.push(checkValue(readWhole(scanner) ?? scanner.match(/[^,)]*/y)?.[0] ?? ''))
    while (scanner.take(','))
  scanner.expect(')', '"," or ")"')
  scanner.skipBlanks()
  return values
}

const TEXT_COMPARISONS: readonly Comparison[] = ['like', 'ilike', 'match', 'imatch']

/** How often a condition scans a whole text; a list of patterns counts once for each comma-separated one. */
export function textSearchesOf(operation: Operation): number {
  if (operation.kind === 'search') return 1
  if (operation.kind !== 'compare' || !TEXT_COMPARISONS.includes(operation.operator)) return 0
  return operation.quantifier === null ? 1 : operation.value.split(',').length
}

const isComparison = (name: string): name is Comparison => Object.hasOwn(COMPARISONS, name)
const isSearch = (name: string): name is Search => Object.hasOwn(SEARCHES, name)
