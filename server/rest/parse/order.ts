// The `order` parameter.
import { unreadable } from '../errors.ts'
import { MAX_ORDER_TERMS } from '../limits.ts'
import { readField, readName, type Field } from './names.ts'
import { Scanner } from './scanner.ts'

export type OrderTerm = {
  field: Field
  /** The embedded relation whose field orders the rows, for `order=clients(name)`. */
  relation: string | null
  direction: 'asc' | 'desc' | null
  nulls: 'nulls first' | 'nulls last' | null
}

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, `failed to parse order (${text})`)
  const terms: OrderTerm[] = []
  do {
    if (terms.length === MAX_ORDER_TERMS) throw unreadable(`order may name ${MAX_ORDER_TERMS} columns`)
    terms.push(readTerm(scanner))
    scanner.skipBlanks()
  } while (scanner.take(','))
  scanner.expectEnd('delimiter (.), "," or end of input')
  return terms
}

function readTerm(scanner: Scanner): OrderTerm {
  scanner.skipBlanks()
  const relation = scanner.attempt(() => {
    const name = readName(scanner)
    return scanner.take('(') ? name : null
  })
  const field = readField(scanner)
  if (relation !== null) scanner.expect(')')
  const direction = readDirection(scanner)
  const nulls = scanner.take('.nullsfirst') ? 'nulls first' : scanner.take('.nullslast') ? 'nulls last' : null
  if (scanner.take('.'))
    scanner.fail(direction ? '"nullsfirst" or "nullslast"' : '"asc", "desc", "nullsfirst" or "nullslast"')
  return { field, relation, direction, nulls }
}

const readDirection = (scanner: Scanner) =>
  scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null
