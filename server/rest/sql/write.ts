// Writes rows and reads them back in the same statement.
import type { Table, WriteMethod } from '../catalog/model.ts'
import { notImplemented } from '../errors.ts'
import type { Query } from '../parse/query.ts'
import type { JsonBody } from '../request/body.ts'
import type { Preferences } from '../request/preferences.ts'
import { answerSql, SOURCE, type BodyForm } from './answer.ts'
import { insertSql } from './insert.ts'
import { buildLevel, levelSql } from './level.ts'
import type { Mutation } from './rows.ts'
import { quoteName, type Scope, type Source } from './statement.ts'
import { deleteSql, updateSql, type Updating } from './update.ts'

export type Writing = {
  method: WriteMethod
  query: Query
  /** Null for DELETE. */
  body: JsonBody | null
  preferences: Preferences
  /** The caller's database role. */
  role: string
  form: BodyForm
}

/** `isCompared`: the answer says which columns the caller may not have changed. */
export function writeSql(scope: Scope, table: Table, writing: Writing): { sql: string; isCompared: boolean } {
  const { method, query, preferences } = writing
  if (query.root.limit !== null || query.root.offset !== null)
    throw notImplemented(`limit and offset are not implemented for ${method}`)
  const isRepresented = preferences.return === 'representation'
  const isLocated = method === 'POST' && preferences.return === 'headers-only' && table.primaryKey.length > 0
  const reads = new Set<string>(isLocated ? table.primaryKey : [])
  const source: Source = { alias: quoteName(table.name), name: table.name, table, reads }
  const page = isRepresented
    ? levelSql(buildLevel(scope, source, { ...query.root, conditions: [] }), `${SOURCE} as ${source.alias}`)
    : `select from ${SOURCE}`
  // Returns only columns that are read: a role may write columns that it may not read.
  const returning = [...reads].map((name) => `${source.alias}.${quoteName(name)}`).join(', ') || '1'
  const mutation = mutationSql({ scope, source, table, returning }, writing)
  const sql = answerSql({
    source: mutation.sql,
    page,
    body: isRepresented ? writing.form : null,
    extras: [
      `(select count(*) from ${SOURCE}) as affected_count`,
      ...(method === 'POST' ? [INSERTED] : []),
      ...(isLocated ? [locationSql(table.primaryKey)] : []),
      ...(mutation.changed === null ? [] : [mutation.changed]),
    ],
  })
  return { sql, isCompared: mutation.changed !== null }
}

function mutationSql(mutation: Mutation, { method, query, body, ...change }: Writing): Updating {
  if (method === 'DELETE' || body === null)
    return { sql: deleteSql(mutation, query.root.conditions), changed: null }
  return (method === 'POST' ? insertSql : updateSql)(mutation, { query, body, ...change })
}

const INSERTED = `nullif(current_setting('pgrst.inserted', true), '')::int as inserted_count`

const locationSql = (primaryKey: readonly string[]) =>
  `case when count(*) = 1 then (select json_build_array(${primaryKey
    .map((name) => `${quoteName(name)}::text`)
    .join(', ')})::text from ${SOURCE}) end as location`
