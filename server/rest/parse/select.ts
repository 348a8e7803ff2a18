// The `select` parameter: columns, JSON paths, casts, aggregates and embedded relations as a tree.
import { unreadable } from '../errors.ts'
import { MAX_EMBED_DEPTH, MAX_EMBEDS, MAX_SELECT_ITEMS } from '../limits.ts'
import type { LogicTree } from './logic.ts'
import { readField, readName, type Field } from './names.ts'
import type { OrderTerm } from './order.ts'
import { Scanner } from './scanner.ts'

export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** A column of `select`; `name` is `*` for all columns. */
export type SelectField = {
  kind: 'field'
  field: Field
  alias: string | null
  cast: string | null
  aggregate: Aggregate | null
  aggregateCast: string | null
}

export type SelectRelation = {
  kind: 'relation'
  name: string
  alias: string | null
  hint: string | null
  isInner: boolean
  isSpread: boolean
  level: Level
}

export type SelectItem = SelectField | SelectRelation

/**
 * One table of the request: its columns, conditions and order. Limit and offset are kept as the digits that the
 * request has.
 */
export type Level = {
  items: SelectItem[]
  conditions: LogicTree[]
  order: OrderTerm[]
  limit: string | null
  offset: string | null
}

const AGGREGATE = /\.(count|sum|avg|min|max)\(\)/y
const AGGREGATES: Record<string, Aggregate> = {
  count: 'count',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
}
const CAST = /[\p{L}\p{N}_ $]+/uy

export const toLevel = (items: SelectItem[]): Level => ({
  items,
  conditions: [],
  order: [],
  limit: null,
  offset: null,
})

export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, `failed to parse select parameter (${text})`)
  const reader: Reader = { scanner, itemCount: 0, embedCount: 0 }
  const items = readItems(reader, 0)
  scanner.expectEnd('"," or end of input')
  return items
}

type Reader = { scanner: Scanner; itemCount: number; embedCount: number }

function readItems(reader: Reader, depth: number): SelectItem[] {
  const { scanner } = reader
  const items: SelectItem[] = []
  scanner.skipBlanks()
  if (scanner.isAtEnd || scanner.isAt(')')) return items
  do {
    if (++reader.itemCount > MAX_SELECT_ITEMS) throw unreadable(`select may name ${MAX_SELECT_ITEMS} columns`)
    scanner.skipBlanks()
    items.push(readItem(reader, depth))
    scanner.skipBlanks()
  } while (scanner.take(','))
  return items
}

function readItem(reader: Reader, depth: number): SelectItem {
  const { scanner } = reader
  if (scanner.take('...'))
    return readRelation(reader, { depth, alias: null, name: readName(scanner), isSpread: true })
  if (scanner.take('*')) return toField({ field: { name: '*', path: [] } }, scanner)
  const alias = scanner.attempt(() => readAlias(scanner))
  if (scanner.take('count()'))
    return toField(
      { field: { name: '*', path: [] }, alias, aggregate: 'count', aggregateCast: readCast(scanner) },
      scanner,
    )
  const relation = scanner.attempt(() => {
    const name = readName(scanner)
    return scanner.isAt('(') || scanner.isAt('!') ? name : null
  })
  if (relation !== null) return readRelation(reader, { depth, alias, name: relation, isSpread: false })
  const field = readField(scanner)
  const cast = readCast(scanner)
  const aggregate = AGGREGATES[scanner.match(AGGREGATE)?.[1] ?? ''] ?? null
  return toField({ field, alias, cast, aggregate, aggregateCast: aggregate && readCast(scanner) }, scanner)
}

function readAlias(scanner: Scanner): string | null {
  if (!/["\p{L}\p{M}\p{N}_ $]/u.test(scanner.next)) return null
  const name = readName(scanner)
  return !scanner.isAt('::') && scanner.take(':') ? name : null
}

function readCast(scanner: Scanner): string | null {
  if (!scanner.take('::')) return null
  return scanner.match(CAST)?.[0].trim() ?? scanner.fail('letter or digit')
}

function toField(parts: Partial<SelectField> & { field: Field }, scanner: Scanner): SelectField {
  scanner.skipBlanks()
  if (!scanner.isAtEnd && !scanner.isAt(',') && !scanner.isAt(')'))
    scanner.fail('"->>", "->", "::", ".", ")", "," or end of input')
  return { kind: 'field', alias: null, cast: null, aggregate: null, aggregateCast: null, ...parts }
}

type RelationHead = { depth: number; alias: string | null; name: string; isSpread: boolean }

function readRelation(reader: Reader, head: RelationHead): SelectRelation {
  const { scanner } = reader
  if (head.depth === MAX_EMBED_DEPTH) throw unreadable(`select may embed ${MAX_EMBED_DEPTH} levels deep`)
  if (++reader.embedCount > MAX_EMBEDS) throw unreadable(`select may embed ${MAX_EMBEDS} relations`)
  let hint: string | null = null
  let isInner = false
  for (let count = 0; count < 2 && scanner.take('!'); count++) {
    const word = readName(scanner)
    if (word === 'inner') isInner = true
    else if (word !== 'left') hint ??= word
  }
  scanner.expect('(')
  const items = readItems(reader, head.depth + 1)
  scanner.expect(')', '")" or ","')
  const { name, alias, isSpread } = head
  return { kind: 'relation', name, alias, hint, isInner, isSpread, level: toLevel(items) }
}
