// Writing a whole row back, as form libraries do: columns that the caller may not write are compared instead of
// written, and a changed one is refused by name.
import type { Column, Table } from '../catalog/model.ts'
import { columnsDenied } from '../errors.ts'
import type { AnswerRow } from './answer.ts'
import { BODY, type Change } from './rows.ts'
import { quoteName } from './statement.ts'

/**
 * Of these columns, those that the caller may only read. Empty where the caller may write no column of the
 * table: Postgres then refuses the table.
 */
export function comparedColumns(table: Table, columns: readonly Column[], role: string): Column[] {
  const isReadOnly = ({ readOnlyFor }: Column) => readOnlyFor.includes(role)
  return [...table.columns.values()].every(isReadOnly) ? [] : columns.filter(isReadOnly)
}

/** The names of compared columns whose value is another one, as AnswerRow.changed_columns. */
export const changedSql = (table: Table, compared: readonly Column[], rows: string): string => {
  const row = quoteName(table.name)
  const values = compared.map(({ name }) => {
    const column = quoteName(name)
    // Compares values as jsonb, because Postgres cannot compare json, points and some other types.
    return `(${literal(name)}, to_jsonb(${row}.${column}) is distinct from to_jsonb(${BODY}.${column}))`
  })
  return `(select json_agg(distinct "compared"."name")::text from ${rows} cross join lateral (values ${values.join(', ')})
    as "compared"("name", "is_changed") where "compared"."is_changed") as changed_columns`
}

const literal = (name: string) => `'${name.replaceAll("'", "''")}'::text`

export function checkChanged(table: Table, row: AnswerRow, { role }: Pick<Change, 'role'>): void {
  const names: unknown = JSON.parse(row.changed_columns ?? '[]')
  if (!Array.isArray(names) || names.length === 0) return
  const writable = [...table.columns.values()].filter(({ readOnlyFor }) => !readOnlyFor.includes(role))
  throw columnsDenied(
    table.name,
    names.map(String),
    writable.map(({ name }) => name),
  )
}
