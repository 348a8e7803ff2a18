// Updating and deleting the filtered rows.
import { badBody, RestError } from '../errors.ts'
import type { LogicTree } from '../parse/logic.ts'
import { tableAs } from './answer.ts'
import { conditionSql } from './conditions.ts'
import { whereSql } from './level.ts'
import { asArray, BODY, definitions, toColumns, type Change, type Mutation } from './rows.ts'
import { quoteName } from './statement.ts'

export function updateSql(mutation: Mutation, { query, body, preferences }: Change): string {
  const { scope, table, returning } = mutation
  if (body.rowKeys.length > 1) throw badBody('An update takes one object')
  const columns = toColumns(table, query.columns ?? body.keys)
  if (columns.length === 0 || body.rowKeys.length === 0)
    return `select ${returning} from ${tableAs(table)} where false`
  const given = columns.filter(({ name }) => preferences.missing !== 'default' || body.keys.includes(name))
  const sets = columns.map((column) => {
    const value = given.includes(column) ? `${BODY}.${quoteName(column.name)}` : 'default'
    return `${quoteName(column.name)} = ${value}`
  })
  const from =
    given.length === 0
      ? ''
      : ` from json_to_recordset(${scope.statement.bind(asArray(body))}::json) as ${BODY}${definitions(given)}`
  const where = filterSql(mutation, query.root.conditions, 'UPDATE')
  return `update ${tableAs(table)} set ${sets.join(', ')}${from}${where} returning ${returning}`
}

export const deleteSql = (mutation: Mutation, conditions: readonly LogicTree[]) =>
  `delete from ${tableAs(mutation.table)}${filterSql(mutation, conditions, 'DELETE')} returning ${mutation.returning}`

/** As on Supabase, a write without a filter is refused. */
function filterSql(
  { scope, table, source }: Mutation,
  conditions: readonly LogicTree[],
  verb: string,
): string {
  if (conditions.length === 0)
    throw new RestError({ status: 400, code: '21000', message: `${verb} requires a WHERE clause` })
  const place = {
    statement: scope.statement,
    source: { alias: source.alias, name: source.name, table },
    embeds: new Map<string, string>(),
  }
  return whereSql(conditions.map((tree) => conditionSql(place, tree)))
}
