// The plan of a request: one statement, the check of its answer, and the response.
import type { Catalog, Table } from './catalog/model.ts'
import { badRange, notSingular } from './errors.ts'
import type { Level } from './parse/select.ts'
import type { Media } from './request/accept.ts'
import type { Preferences } from './request/preferences.ts'
import type { AnswerRow } from './sql/answer.ts'
import { Statement, type FinishedStatement, type Scope } from './sql/statement.ts'

/** A request as parsed before its target is known. */
export type Inquiry = {
  request: Request
  url: URL
  /** The caller's database role. */
  role: string
  catalog: Catalog
  schema: string
  /** True: several schemas are exposed, so the answer names its schema. */
  namesSchema: boolean
  preferences: Preferences
  media: Media
  maxRows: number
  bodyLimitBytes: number
  /** SQL that holds for every row that the caller may read under these conditions; null without any. */
  knownOf: (table: Table, level: Level) => string | null
}

export type Plan = {
  statement: FinishedStatement
  isReadOnly: boolean
  /** Throws if the answer is not allowed; the transaction is then undone. */
  check: (row: AnswerRow) => void
  /** True: `check` can throw, because the request wants one object or limits the affected rows. */
  isChecked: boolean
  respond: (row: AnswerRow) => Response
}

export const toScope = ({ catalog, schema }: Inquiry, maxRows: number | null): Scope => ({
  catalog,
  schema,
  maxRows,
  statement: new Statement(),
})

export const isChecked = ({ media, preferences }: Inquiry): boolean =>
  media.form === 'object' || (preferences.handling === 'strict' && preferences.maxAffected !== null)

export function checkSingular({ media }: Inquiry, row: AnswerRow): void {
  if (media.form === 'object' && row.page_count !== 1) throw notSingular(row.page_count)
}

/** Headers of an answer with a body. */
export const contentHeaders = ({ media, schema, namesSchema }: Inquiry): [string, string][] => [
  ['content-type', media.contentType],
  ...(namesSchema ? [['content-profile', schema] as [string, string]] : []),
]

export const preferenceHeader = (applied: string | null): [string, string][] =>
  applied === null ? [] : [['preference-applied', applied]]

/** Status and Content-Range of a page; throws PGRST103 if it starts after the last row. */
export function pageHeaders(level: Level, row: AnswerRow): { status: 200 | 206; contentRange: string } {
  const offset = Number(level.offset ?? '0')
  const total = row.total_count ?? null
  if (total !== null && offset > total)
    throw badRange(`An offset of ${level.offset} was requested, but there are only ${total} rows.`, total)
  const range = row.page_count === 0 ? '*' : `${offset}-${offset + row.page_count - 1}`
  return {
    status: total !== null && row.page_count < total ? 206 : 200,
    contentRange: `${range}/${total ?? '*'}`,
  }
}
