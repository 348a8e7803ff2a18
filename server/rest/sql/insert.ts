// Inserting rows, with the options for existing keys and missing columns.
import type { Column } from '../catalog/model.ts'
import { badBody } from '../errors.ts'
import { tableAs } from './answer.ts'
import { asArray, BODY, definitions, toColumns, type Change, type Mutation } from './rows.ts'
import { qualified, quoteName, type Statement } from './statement.ts'
import type { Updating } from './update.ts'
import { changedSql, comparedColumns } from './whole-row.ts'

/** `changed`: the check of columns that a merge only compares; null without any. */
export function insertSql({ scope, source, table, returning }: Mutation, change: Change): Updating {
  const { query, body, preferences, role } = change
  if (query.columns === null && !body.isUniform) throw badBody('All object keys must match')
  const columns = toColumns(table, query.columns ?? body.keys)
  const keepsCount = preferences.resolution === 'merge-duplicates'
  const target = query.onConflict ?? table.primaryKey
  const rows = rowsSql(scope.statement, columns, change)
  const isCompared = keepsCount && preferences.missing !== 'default'
  const compared = isCompared ? comparedColumns(table, columns, role) : []
  const merged = columns.filter((column) => !compared.includes(column))
  const sql = [
    `insert into ${qualified(table)} as ${source.alias}${nameList(rows.columns)} ${rows.sql}`,
    keepsCount ? ` where ${countUp(1)} <> '0'` : '',
    preferences.resolution === null || target.length === 0 ? '' : ` on conflict${nameList(toNames(target))} `,
    preferences.resolution === null || target.length === 0 ? '' : conflictSql(merged, keepsCount),
    ` returning ${returning}`,
  ].join('')
  // Without its whole key in the body a row meets no stored one.
  const key = toColumns(table, target)
  const isKeyed = key.length > 0 && key.every((column) => columns.includes(column))
  if (compared.length === 0 || !isKeyed) return { sql, changed: null }
  const on = key.map(({ name }) => `${source.alias}.${quoteName(name)} = ${BODY}.${quoteName(name)}`)
  const given = `json_to_recordset(${scope.statement.bind(asArray(body))}::json) as ${BODY}${definitions(columns)}`
  return {
    sql,
    changed: changedSql(table, compared, `${given} join ${tableAs(table)} on ${on.join(' and ')}`),
  }
}

const toNames = (names: readonly string[]) => names.map((name) => ({ name }))

const nameList = (columns: readonly { name: string }[]) =>
  columns.length === 0 ? '' : ` (${columns.map(({ name }) => quoteName(name)).join(', ')})`

function conflictSql(columns: readonly Column[], isMerged: boolean): string {
  if (!isMerged || columns.length === 0) return 'do nothing'
  const sets = columns.map(({ name }) => `${quoteName(name)} = excluded.${quoteName(name)}`)
  return `do update set ${sets.join(', ')} where ${countUp(-1)} <> '-1'`
}

/**
 * Counts inserted rows: up before each, down again when it is merged. A setting holds the count, because
 * views and partitioned tables have no xmax.
 */
const countUp = (step: 1 | -1) =>
  `set_config('pgrst.inserted', (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) + ${step})::text, true)`

type Rows = { sql: string; columns: readonly Column[] }

function rowsSql(statement: Statement, columns: readonly Column[], change: Change): Rows {
  const { body, preferences } = change
  const usesDefaults = preferences.missing === 'default'
  const given = columns.map(({ name }) => body.rowKeys.filter((keys) => keys.includes(name)).length)
  // A column that no row has is left out, so that Postgres uses its DEFAULT, also for identities.
  const used = usesDefaults ? columns.filter((_, at) => given[at] !== 0) : columns
  if (used.length === 0)
    return {
      columns: used,
      sql: `select from generate_series(1, ${statement.bind(body.rowKeys.length)}::int)`,
    }
  const isComplete = columns.every((_, at) => given[at] === body.rowKeys.length)
  if (!usesDefaults || isComplete)
    return {
      columns: used,
      sql: `select ${used.map(({ name }) => `${BODY}.${quoteName(name)}`).join(', ')} from json_to_recordset(${statement.bind(asArray(body))}::json) as ${BODY}${definitions(used)}`,
    }
  const values = used.map(({ name, defaultSql }) => {
    const value = `${BODY}.${quoteName(name)}`
    return `case when "pgrst_row"."value" ? ${statement.bindKey(name)}::text then ${value} else ${defaultSql ?? 'null'} end`
  })
  return {
    columns: used,
    sql: `select ${values.join(', ')} from jsonb_array_elements(${statement.bind(asArray(body))}::jsonb) as "pgrst_row"("value"), jsonb_to_record("pgrst_row"."value") as ${BODY}${definitions(used)}`,
  }
}
