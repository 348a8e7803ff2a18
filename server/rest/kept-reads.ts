// The SQL of reads, kept by their words: screens ask with the same words all day, and only the numbers differ that a
// column must equal.
import { findTable } from './catalog/find-table.ts'
import type { Catalog, Table } from './catalog/model.ts'
import type { Level } from './parse/select.ts'
import { parseQuery } from './parse/query.ts'
import { toScope, type Inquiry } from './plan.ts'
import { applyRangeHeader } from './request/range.ts'
import type { FinishedStatement } from './sql/statement.ts'
import { readSql } from './sql/read.ts'

/** A read that a request asks for: its level with the range applied, and its statement. */
export type Read = { root: Level; statement: FinishedStatement }

type Form = {
  statement: FinishedStatement
  /** The indexes of the request's numbers among the statement's values. */ places: number[]
}
type Kept = {
  table: Table
  root: Level
  /** By the condition that `knownOf` adds. */ forms: Map<string, Form>
}

const MAX_KEPT = 300
const MAX_LENGTH = 2_000
/** A number alone as the value of `eq`. */
const NUMBERS = /(?<=[?&][\w.]+=eq\.)\d{1,15}(?=&|$)/g
/** Stands for a request's numbers in the SQL that is cached. A request that contains it itself is not cached. */
const STAND_IN = '90000000000'
const standIn = (at: number) => STAND_IN + String(1000 + at)

/** One cache for each catalog, because a changed table changes the SQL. */
const kept = new WeakMap<Catalog, Map<string, Kept>>()

export function planned(inquiry: Inquiry, name: string): Read {
  const { search } = inquiry.url
  if (search.length > MAX_LENGTH || search.includes(STAND_IN)) return written(inquiry, name, search)
  const numbers = search.match(NUMBERS) ?? []
  const one = keptOf(inquiry, name, search)
  const form = one && formOf(inquiry, one, numbers.length)
  // Plans the request with its own numbers, so that an error names them.
  if (!one || !form) return written(inquiry, name, search)
  const values = form.statement.values.slice()
  for (const [at, place] of form.places.entries()) values[place] = numbers[at] ?? null
  return { root: one.root, statement: { sql: form.statement.sql, values } }
}

function keptOf(inquiry: Inquiry, name: string, search: string): Kept | undefined {
  const reads = kept.get(inquiry.catalog) ?? new Map<string, Kept>()
  kept.set(inquiry.catalog, reads)
  const { request, schema, media, preferences } = inquiry
  const key = JSON.stringify([
    request.method,
    schema,
    media.contentType,
    preferences.count !== null,
    request.headers.get('range'),
    name,
    search.replaceAll(NUMBERS, '#'),
  ])
  let one = reads.get(key)
  reads.delete(key)
  try {
    let at = 0
    one ??= {
      ...parsed(
        inquiry,
        name,
        search.replaceAll(NUMBERS, () => standIn(at++)),
      ),
      forms: new Map(),
    }
  } catch {
    return undefined
  }
  reads.set(key, one)
  for (const oldest of reads.keys()) {
    if (reads.size <= MAX_KEPT) break
    reads.delete(oldest)
  }
  return one
}

/** Undefined: a number is part of something else than one value. */
function formOf(inquiry: Inquiry, { table, root, forms }: Kept, count: number): Form | undefined {
  const known = inquiry.knownOf(table, root)
  const name = known ?? ''
  const form = forms.get(name)
  if (form) return form
  try {
    const statement = statementOf(inquiry, { table, root, known })
    const places = Array.from({ length: count }, (_, at) => statement.values.indexOf(standIn(at)))
    const others = statement.values.filter((_, at) => !places.includes(at))
    if (places.includes(-1) || JSON.stringify([statement.sql, others]).includes(STAND_IN)) return undefined
    const made = { statement, places }
    forms.set(name, made)
    return made
  } catch {
    return undefined
  }
}

function written(inquiry: Inquiry, name: string, search: string): Read {
  const { table, root } = parsed(inquiry, name, search)
  return { root, statement: statementOf(inquiry, { table, root, known: inquiry.knownOf(table, root) }) }
}

function parsed({ request, catalog, schema }: Inquiry, name: string, search: string) {
  const { root } = parseQuery(new URLSearchParams(search))
  const table = findTable(catalog, schema, name)
  if (request.method === 'GET') applyRangeHeader(root, request.headers.get('range'))
  return { table, root }
}

type Asked = { table: Table; root: Level; known: string | null }

function statementOf(inquiry: Inquiry, { table, root, known }: Asked): FinishedStatement {
  const { request, preferences, media } = inquiry
  const scope = toScope(inquiry, inquiry.maxRows)
  const sql = readSql(scope, table, {
    level: root,
    isCounted: preferences.count !== null,
    body: request.method === 'HEAD' ? null : { media, routine: null },
    known,
  })
  return scope.statement.finish(sql)
}
