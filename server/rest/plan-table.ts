// Requests to a table or view: GET, HEAD, POST, PATCH, DELETE.
import { textAnswer } from '#server/text-answer.ts'
import { findTable } from './catalog/find-table.ts'
import type { Table, WriteMethod } from './catalog/model.ts'
import { tooManyAffected, unsupportedMethod } from './errors.ts'
import { planned } from './kept-reads.ts'
import { parseQuery, type Query } from './parse/query.ts'
import {
  checkSingular,
  contentHeaders,
  isChecked,
  pageHeaders,
  preferenceHeader,
  toScope,
  type Inquiry,
  type Plan,
} from './plan.ts'
import { bodyType, parseJsonBody, readBody, requireJson } from './request/body.ts'
import { preferenceApplied, type Preferences } from './request/preferences.ts'
import type { AnswerRow } from './sql/answer.ts'
import { checkChanged } from './sql/whole-row.ts'
import { writeSql } from './sql/write.ts'

export async function planTable(inquiry: Inquiry, name: string): Promise<Plan> {
  const { method } = inquiry.request
  if (method === 'GET' || method === 'HEAD') return planRead(inquiry, name)
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') throw unsupportedMethod(method)
  return planWrite(inquiry, name, method)
}

function planRead(inquiry: Inquiry, name: string): Plan {
  const { preferences } = inquiry
  const { root, statement } = planned(inquiry, name)
  return {
    statement,
    isReadOnly: true,
    isChecked: isChecked(inquiry),
    check: (row) => checkSingular(inquiry, row),
    respond: (row) => {
      const { status, contentRange } = pageHeaders(root, row)
      const applied = preferenceApplied(preferences, ['count', 'tx', 'handling'])
      const headers = [
        ...contentHeaders(inquiry),
        ['content-range', contentRange] as [string, string],
        ...preferenceHeader(applied),
      ]
      return textAnswer(row.body, { status, headers })
    },
  }
}

async function planWrite(inquiry: Inquiry, name: string, method: WriteMethod): Promise<Plan> {
  const { request, url, preferences, media } = inquiry
  const query = parseQuery(url.searchParams)
  const table = findTable(inquiry.catalog, inquiry.schema, name)
  const body = method === 'DELETE' ? null : await readJson(request, inquiry.bodyLimitBytes)
  const scope = toScope(inquiry, null)
  const form = { media, routine: null }
  const { role } = inquiry
  const { sql, isCompared } = writeSql(scope, table, { method, query, body, preferences, role, form })
  return {
    statement: scope.statement.finish(sql),
    isReadOnly: false,
    isChecked: isChecked(inquiry) || isCompared,
    check: (row) => {
      checkChanged(table, row, inquiry)
      checkSingular(inquiry, row)
      if (method !== 'POST') checkAffected(preferences, row.affected_count ?? 0)
    },
    respond: (row) =>
      method === 'POST' ? inserted(inquiry, row, { query, table }) : changed(inquiry, row, method),
  }
}

async function readJson(request: Request, limitBytes: number) {
  requireJson(bodyType(request))
  return parseJsonBody(await readBody(request, limitBytes))
}

export function checkAffected({ handling, maxAffected }: Preferences, count: number): void {
  if (handling === 'strict' && maxAffected !== null && count > maxAffected) throw tooManyAffected(count)
}

function inserted(
  inquiry: Inquiry,
  row: AnswerRow,
  { query, table }: { query: Query; table: Table },
): Response {
  const { preferences } = inquiry
  const isMerge = preferences.resolution === 'merge-duplicates'
  const hasTarget = table.primaryKey.length > 0 || query.onConflict !== null
  const applied = preferenceApplied(preferences, [
    ...(hasTarget ? (['resolution'] as const) : []),
    ...(['missing', 'return', 'count', 'tx', 'handling'] as const),
  ])
  const headers = [
    ['content-range', `*/${preferences.count === null ? '*' : row.affected_count}`] as [string, string],
    ...locationHeader(table, row.location ?? null),
    ...preferenceHeader(applied),
  ]
  return written(inquiry, row, { status: isMerge && (row.inserted_count ?? 0) <= 0 ? 200 : 201, headers })
}

function changed(inquiry: Inquiry, row: AnswerRow, method: 'PATCH' | 'DELETE'): Response {
  const { preferences } = inquiry
  const count = row.affected_count ?? 0
  const range = method === 'DELETE' || count === 0 ? '*' : `0-${count - 1}`
  const applied = preferenceApplied(preferences, [
    ...(method === 'PATCH' ? (['missing'] as const) : []),
    ...(['return', 'count', 'tx', 'handling', 'maxAffected'] as const),
  ])
  const headers = [
    ['content-range', `${range}/${preferences.count === null ? '*' : count}`] as [string, string],
    ...preferenceHeader(applied),
  ]
  return written(inquiry, row, { status: preferences.return === 'representation' ? 200 : 204, headers })
}

type Written = { status: number; headers: [string, string][] }

const written = (inquiry: Inquiry, row: AnswerRow, { status, headers }: Written) =>
  inquiry.preferences.return === 'representation'
    ? textAnswer(row.body, { status, headers: [...contentHeaders(inquiry), ...headers] })
    : new Response(null, { status, headers })

/** The header Location: the address of the inserted row, with its primary key as filters. */
function locationHeader(table: Table, location: string | null): [string, string][] {
  if (location === null) return []
  const values: unknown = JSON.parse(location)
  const filters = table.primaryKey.map((name, at) => {
    const value: unknown = Array.isArray(values) ? values[at] : null
    return `${encodeURIComponent(name)}=${typeof value === 'string' ? `eq.${encodeURIComponent(value)}` : 'is.null'}`
  })
  return [['location', `/${encodeURIComponent(table.name)}?${filters.join('&')}`]]
}
