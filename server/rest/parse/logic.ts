// Trees of row conditions with and, or, not.
import { unreadable } from '../errors.ts'
import { MAX_LOGIC_DEPTH } from '../limits.ts'
import { readNegatable, readWhole, type Condition } from './filter.ts'
import { readField } from './names.ts'
import { Scanner } from './scanner.ts'

export type LogicGroup = {
  kind: 'group'
  isNegated: boolean
  operator: 'and' | 'or'
  branches: LogicTree[]
}
export type LogicTree = Condition | LogicGroup

/** Columns for which all of these conditions name values. */
export const namedIn = (trees: readonly LogicTree[]): string[] =>
  trees.flatMap((tree) =>
    tree.kind === 'condition' &&
    !tree.isNegated &&
    tree.field.path.length === 0 &&
    (tree.operation.kind === 'in' || (tree.operation.kind === 'compare' && tree.operation.operator === 'eq'))
      ? [tree.field.name]
      : [],
  )

/** `(a.eq.1,not.and(b.is.null,c.gt.2))` under the operator of the key. */
export function parseLogic(operator: 'and' | 'or', isNegated: boolean, text: string): LogicGroup {
  const scanner = new Scanner(`${operator}${text}`, `failed to parse logic tree (${text})`)
  scanner.take(operator)
  const group = readGroup(scanner, { operator, isNegated, depth: 1 })
  scanner.expectEnd()
  return group
}

type GroupHead = { operator: 'and' | 'or'; isNegated: boolean; depth: number }

function readGroup(scanner: Scanner, { operator, isNegated, depth }: GroupHead): LogicGroup {
  if (depth > MAX_LOGIC_DEPTH) throw unreadable(`A logic tree may be ${MAX_LOGIC_DEPTH} levels deep`)
  scanner.skipBlanks()
  scanner.expect('(')
  const branches: LogicTree[] = []
  do {
    scanner.skipBlanks()
    branches.push(readBranch(scanner, depth))
    scanner.skipBlanks()
  } while (scanner.take(','))
  scanner.expect(')', '"," or ")"')
  scanner.skipBlanks()
  return { kind: 'group', isNegated, operator, branches }
}

const GROUP_HEAD = /(not\.)?(and|or)(?=\s*\()/y

function readBranch(scanner: Scanner, depth: number): LogicTree {
  const head = scanner.match(GROUP_HEAD)
  if (head)
    return readGroup(scanner, {
      operator: head[2] === 'and' ? 'and' : 'or',
      isNegated: head[1] !== undefined,
      depth: depth + 1,
    })
  const field = readField(scanner)
  scanner.expect('.', 'delimiter (.)')
  return { kind: 'condition', field, ...readNegatable(scanner, readLogicValue) }
}

/** A value within a tree ends at a comma or bracket unless it is quoted or an array. */
function readLogicValue(scanner: Scanner): string {
  return (
    readWhole(scanner) ?? scanner.match(/\{[^{}]*\}(?=[,)]|$)/y)?.[0] ?? scanner.match(/[^,)]*/y)?.[0] ?? ''
  )
}
