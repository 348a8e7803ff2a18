// The query string as a tree of levels; each filter is put on its relation.
import { badRange, notEmbedded, nulCharacter, unreadable } from '../errors.ts'
import { MAX_CONDITIONS, MAX_PARAMETERS, MAX_TEXT_CONDITIONS } from '../limits.ts'
import { parseOperation, textSearchesOf, tryOperation, type Condition } from './filter.ts'
import { parseLogic, type LogicTree } from './logic.ts'
import { parseNames, parseTreePath } from './names.ts'
import { parseOrder } from './order.ts'
import { parseSelect, toLevel, type Level } from './select.ts'
import { checkValue } from './value-limits.ts'

export type Query = {
  root: Level
  /** True: the request names its columns by `select`. */
  hasSelect: boolean
  columns: string[] | null
  onConflict: string[] | null
  /** Arguments of a function called by GET, in order; a name may repeat. */
  args: [name: string, value: string][]
}

/**
 * Parses a query string; with `takesArguments`, other parameters than filters are arguments of the function.
 */
export function parseQuery(parameters: URLSearchParams, takesArguments = false): Query {
  if (parameters.size > MAX_PARAMETERS) throw unreadable(`A request may have ${MAX_PARAMETERS} parameters`)
  for (const [key, value] of parameters) if (key.includes('\0') || value.includes('\0')) throw nulCharacter()

  const select = parameters.get('select')
  const columns = parameters.get('columns')
  const onConflict = parameters.get('on_conflict')
  const query: Query = {
    root: toLevel(parseSelect(select ?? '*')),
    hasSelect: select !== null,
    columns: columns === null ? null : parseNames(columns, 'columns'),
    onConflict: onConflict === null ? null : parseNames(onConflict, 'on_conflict'),
    args: [],
  }
  for (const [key, value] of parameters) if (!RESERVED.has(key)) place(query, { key, value, takesArguments })
  checkConditionCount(query.root)
  return query
}

/** `apikey` is for an API gateway, not for the database. */
const RESERVED = new Set(['select', 'columns', 'on_conflict', 'apikey'])

type Parameter = { key: string; value: string; takesArguments: boolean }

function place(query: Query, parameter: Parameter): void {
  const { key, value } = parameter
  const word = key.slice(key.lastIndexOf('.') + 1)
  if (word === 'and' || word === 'or') return placeLogic(query, { key, value, operator: word })
  if (word === 'order' || word === 'limit' || word === 'offset') {
    const level = levelAt(query.root, parseTreePath(key).embeds)
    if (word === 'order') level.order = parseOrder(value)
    else if (word === 'limit') level.limit = readLimit(value)
    else level.offset = readOffset(value)
    return
  }
  placeFilter(query, parameter)
}

function placeFilter(query: Query, { key, value, takesArguments }: Parameter): void {
  const { embeds, field } = parseTreePath(key)
  if (takesArguments && embeds.length === 0 && field.path.length === 0) {
    const operation = tryOperation(value)
    if (!operation) return void query.args.push([field.name, checkValue(value)])
    query.root.conditions.push({ kind: 'condition', field, ...operation })
    return
  }
  levelAt(query.root, embeds).conditions.push({ kind: 'condition', field, ...parseOperation(value) })
}

type LogicParameter = { key: string; value: string; operator: 'and' | 'or' }

/** `tasks.not.or=(…)` filters the embedded tasks, negated. */
function placeLogic(query: Query, { key, value, operator }: LogicParameter): void {
  const { embeds } = parseTreePath(key)
  const isNegated = embeds.at(-1) === 'not'
  const level = levelAt(query.root, isNegated ? embeds.slice(0, -1) : embeds)
  level.conditions.push(parseLogic(operator, isNegated, value))
}

function levelAt(root: Level, embeds: readonly string[]): Level {
  let level = root
  for (const embed of embeds) {
    const relation = level.items.find(
      (item) => item.kind === 'relation' && (item.alias === embed || item.name === embed),
    )
    if (relation?.kind !== 'relation') throw notEmbedded(embed)
    level = relation.level
  }
  return level
}

function readLimit(value: string): string {
  if (/^-\d+$/.test(value)) throw badRange('Limit should be greater than or equal to zero.')
  return readDigits(value, 'limit')
}

/** A negative offset starts at the first row. */
const readOffset = (value: string) => (/^-\d+$/.test(value) ? '0' : readDigits(value, 'offset'))

function readDigits(value: string, parameter: string): string {
  if (!/^\d{1,30}$/.test(value))
    throw unreadable(`"failed to parse ${parameter} (${value})" (line 1, column 1)`)
  return value
}

function checkConditionCount(root: Level): void {
  const sum = (weigh: (condition: Condition) => number) => {
    const ofTrees = (trees: readonly LogicTree[]): number =>
      trees.reduce((total, tree) => total + (tree.kind === 'group' ? ofTrees(tree.branches) : weigh(tree)), 0)
    const ofLevel = (level: Level): number =>
      level.items.reduce(
        (total, item) => total + (item.kind === 'relation' ? ofLevel(item.level) : 0),
        ofTrees(level.conditions),
      )
    return ofLevel(root)
  }
  if (sum(() => 1) > MAX_CONDITIONS) throw unreadable(`A request may have ${MAX_CONDITIONS} conditions`)
  if (sum(({ operation }) => textSearchesOf(operation)) > MAX_TEXT_CONDITIONS)
    throw unreadable(`A request may search texts by ${MAX_TEXT_CONDITIONS} conditions`)
}
