// Row conditions as SQL; every value is bound, and every operator comes from the table below.
import type { Comparison, Condition, IsValue, Operation, Search } from '../parse/filter.ts'
import type { LogicTree } from '../parse/logic.ts'
import { fieldSql } from './fields.ts'
import { arrayLiteral, type Source, type Statement } from './statement.ts'

const COMPARISON_SQL: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}
const SEARCH_SQL: Record<Search, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}
const IS_SQL: Record<IsValue, string> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
}

/** Context of conditions: their relation, and `exists (…)` of each embedded relation. */
export type ConditionPlace = { statement: Statement; source: Source; embeds: ReadonlyMap<string, string> }

export function conditionSql(place: ConditionPlace, tree: LogicTree): string {
  const sql = tree.kind === 'group' ? groupSql(place, tree) : singleSql(place, tree)
  return tree.isNegated ? `not (${sql})` : sql
}

const groupSql = (place: ConditionPlace, { operator, branches }: LogicTree & { kind: 'group' }) =>
  `(${branches.map((branch) => conditionSql(place, branch)).join(` ${operator} `)})`

function singleSql(place: ConditionPlace, { field, operation }: Condition): string {
  const embed = field.path.length === 0 ? place.embeds.get(field.name) : undefined
  if (embed !== undefined && operation.kind === 'is') {
    if (operation.value === 'null') return `not ${embed}`
    if (operation.value === 'not_null') return embed
  }
  const column = fieldSql(place.statement, place.source, field)
  if (operation.kind !== 'search') return `(${operationSql(place.statement, column, operation)})`
  const isVector = field.path.length === 0 && place.source.table?.columns.get(field.name)?.type === 'tsvector'
  return searchSql(place.statement, { column, isVector }, operation)
}

function operationSql(
  statement: Statement,
  column: string,
  operation: Exclude<Operation, { kind: 'search' }>,
): string {
  switch (operation.kind) {
    case 'is':
      return `${column} ${IS_SQL[operation.value]}`
    case 'in':
      return `${column} = any(${statement.bind(arrayLiteral(operation.values))})`
    case 'distinct':
      return `${column} is distinct from ${statement.bind(operation.value)}`
    case 'compare': {
      const { operator, quantifier, value } = operation
      const isPattern = operator === 'like' || operator === 'ilike'
      const bound = statement.bind(isPattern ? value.replaceAll('*', '%') : value)
      return `${column} ${COMPARISON_SQL[operator]} ${quantifier ? `${quantifier}(${bound})` : bound}`
    }
  }
}

function searchSql(
  statement: Statement,
  { column, isVector }: { column: string; isVector: boolean },
  { operator, language, value }: Operation & { kind: 'search' },
): string {
  const config = language === null ? '' : `${statement.bind(language)}::regconfig, `
  const vector = isVector ? column : `to_tsvector(${config}${column})`
  return `(${vector} @@ ${SEARCH_SQL[operator]}(${config}${statement.bind(value)}))`
}
