// Updating and deleting the filtered rows.
import type { Column } from '../catalog/model.ts'
import { badBody, RestError } from '../errors.ts'
import type { LogicTree } from '../parse/logic.ts'
import { tableAs } from './answer.ts'
import { conditionSql } from './conditions.ts'
import { whereSql } from './level.ts'
import { asArray, BODY, definitions, toColumns, type Change, type Mutation } from './rows.ts'
import { quoteName } from './statement.ts'
import { changedSql, comparedColumns } from './whole-row.ts'

/** `changed`: the check of columns that are only compared; null without any. */
export type Updating = { sql: string; changed: string | null }

export function updateSql(mutation: Mutation, { query, body, preferences, role }: Change): Updating {
  const { scope, table, returning } = mutation
  if (body.rowKeys.length > 1) throw badBody('An update takes one object')
  const columns = toColumns(table, query.columns ?? body.keys)
  if (columns.length === 0 || body.rowKeys.length === 0)
    return { sql: `select ${returning} from ${tableAs(table)} where false`, changed: null }
  const given = columns.filter(({ name }) => preferences.missing !== 'default' || body.keys.includes(name))
  const compared = comparedColumns(table, given, role)
  const written = columns.filter((column) => !compared.includes(column))
  const sets = written.map((column) => {
    const value = given.includes(column) ? `${BODY}.${quoteName(column.name)}` : 'default'
    return `${quoteName(column.name)} = ${value}`
  })
  const from = (used: readonly Column[]) =>
    `json_to_recordset(${scope.statement.bind(asArray(body))}::json) as ${BODY}${definitions(used)}`
  const used = given.filter((column) => written.includes(column))
  const where = filterSql(mutation, query.root.conditions, 'UPDATE')
  const change = `update ${tableAs(table)} set ${sets.join(', ')}${used.length === 0 ? '' : ` from ${from(used)}`}`
  const sql =
    written.length === 0
      ? `select ${returning} from ${tableAs(table)}${where}`
      : `${change}${where} returning ${returning}`
  const rows = `(select ${quoteName(table.name)}.* from ${tableAs(table)}${where}) as ${quoteName(table.name)}`
  return {
    sql,
    changed:
      compared.length === 0 ? null : changedSql(table, compared, `${rows} cross join ${from(compared)}`),
  }
}

export const deleteSql = (mutation: Mutation, conditions: readonly LogicTree[]) =>
  `delete from ${tableAs(mutation.table)}${filterSql(mutation, conditions, 'DELETE')} returning ${mutation.returning}`

/** The portal refuses a write without a filter, as Supabase does. */
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
