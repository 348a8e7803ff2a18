// The statement around a page of rows: Postgres builds the answer's text and counts.
import type { Routine } from '../catalog/model.ts'
import type { Media } from '../request/accept.ts'
import { qualified, quoteName } from './statement.ts'
import { weighed } from './weight.ts'

/** The single row that every statement returns. */
export type AnswerRow = {
  body: string | null
  /** Rows on this page. */
  page_count: number
  /** Rows without limit and offset, if they were counted. */
  total_count?: number | null
  /** Rows written. */
  affected_count?: number
  /** Rows that an upsert inserted instead of updating. */
  inserted_count?: number | null
  /** Primary key of the one inserted row, as a JSON array of texts. */
  location?: string | null
  /** Columns that the caller may not write and whose values differ from the row's, as a JSON array; null: none. */
  changed_columns?: string | null
  /** Status and headers that the function set. */
  response_status?: string | null
  response_headers?: string | null
}

/** The name of written or returned rows, and of the page, in the outermost SELECT. */
export const SOURCE = '"pgrst_source"'
const PAGE = '"pgrst_page"'
/** The column of a function that returns bare values. */
export const SCALAR = 'pgrst_scalar'

/** Format of the answer's body; null for none. */
export type BodyForm = { media: Media; routine: Routine | null } | null

export function answerSql(parts: {
  /** `name as (…)` for WITH. */
  source: string | null
  page: string
  body: BodyForm
  /** Further columns of AnswerRow, each `… as name`. */
  extras: readonly string[]
}): string {
  const columns = [`${bodySql(parts.body)} as body`, 'count(*) as page_count', ...parts.extras]
  const source = parts.source === null ? '' : `with ${SOURCE} as (${parts.source}) `
  return `${source}select ${columns.join(', ')} from (${parts.page}) as ${PAGE}`
}

function bodySql(form: BodyForm): string {
  if (form === null) return 'null::text'
  const { media, routine } = form
  const returns = routine?.returns
  if (returns?.kind === 'void') return 'null::text'
  if (media.form === 'csv') return CSV
  const isScalar = returns?.kind === 'scalar'
  const row = isScalar ? `${PAGE}.${quoteName(SCALAR)}` : PAGE
  const isOne = media.form === 'object' || (returns !== undefined && !returns.isSet)
  const json = `coalesce(${media.stripsNulls ? `json_strip_nulls(to_json(${row}))` : `to_json(${row})`}, 'null')`
  // A single value of a function is limited by the function itself.
  const text = `${isScalar ? json : weighed(json)}::text`
  return isOne
    ? `coalesce(string_agg(${text}, ''), 'null')`
    : `coalesce('[' || string_agg(${text}, E', \\n ') || ']', '[]')`
}

const csvLine = (value: string, list: string) => `(
  select string_agg(
    case when ${value} ~ '[",\\r\\n]' then '"' || replace(${value}, '"', '""') || '"' else coalesce(${value}, '') end,
    ',' order by place
  ) from ${list})`

/** A line of column names, then one for each row; quoted where needed, null as empty. */
const CSV = `coalesce(max(${csvLine('name', `json_object_keys(row_to_json(${PAGE})) with ordinality as names(name, place)`)}), '')
  || E'\\n' || coalesce(string_agg(${weighed(csvLine('value', `json_each_text(row_to_json(${PAGE})) with ordinality as cells(name, value, place)`), 'text')}, E'\\n'), '')`

/**
 * The number of rows without limit and offset. A page that is not full reveals it without another count,
 * unless it is aggregated, because its rows are groups.
 */
export function totalSql(count: { sql: string; limit: bigint; offset: bigint; isGrouped: boolean }): string {
  const counted = `(${count.sql})`
  if (count.isGrouped) return `${counted} as total_count`
  const isLast = `count(*) < ${count.limit} and ${count.offset === 0n ? 'true' : 'count(*) > 0'}`
  return `case when ${isLast} then ${count.offset} + count(*) else ${counted} end as total_count`
}

/** Settings by which a function controls its answer. */
export const RESPONSE_SETTINGS = [
  `nullif(current_setting('response.status', true), '') as response_status`,
  `nullif(current_setting('response.headers', true), '') as response_headers`,
]

export const tableAs = (table: { schema: string; name: string }) =>
  `${qualified(table)} as ${quoteName(table.name)}`
