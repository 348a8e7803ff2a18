// Requests to a function: POST with JSON arguments, GET and HEAD with arguments in the query string.
import { textAnswer } from '#server/text-answer.ts'
import { findRoutine, isBodyType } from './catalog/find-routine.ts'
import type { Routine } from './catalog/model.ts'
import { badBody, maxAffectedNeedsSet, RestError, rpcMethod } from './errors.ts'
import { parseQuery, type Query } from './parse/query.ts'
import { checkAffected } from './plan-table.ts'
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
import { bodyType, parseJsonBody, readBody, readBytes, toText } from './request/body.ts'
import { preferenceApplied } from './request/preferences.ts'
import { applyRangeHeader } from './request/range.ts'
import type { AnswerRow } from './sql/answer.ts'
import { callSql, type Arguments } from './sql/call.ts'
import { toHttpStatus } from './sql-errors.ts'

export async function planCall(inquiry: Inquiry, name: string): Promise<Plan> {
  const { request, url, preferences, media } = inquiry
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw rpcMethod(method)
  const query = parseQuery(url.searchParams, method !== 'POST')
  const { routine, args } =
    method === 'POST' ? await findByBody(inquiry, name, query) : findByQuery(inquiry, name, query)
  if (preferences.handling === 'strict' && preferences.maxAffected !== null && !routine.returns.isSet)
    throw maxAffectedNeedsSet()
  if (method === 'GET') applyRangeHeader(query.root, request.headers.get('range'))
  const scope = toScope(inquiry, inquiry.maxRows)
  const sql = callSql(scope, routine, {
    level: query.root,
    args,
    isCounted: preferences.count !== null,
    body: method === 'HEAD' ? null : { media, routine },
  })
  return {
    statement: scope.statement.finish(sql),
    isReadOnly: method !== 'POST' || !routine.isVolatile,
    isChecked: isChecked(inquiry),
    check: (row) => {
      checkSingular(inquiry, row)
      checkAffected(preferences, row.page_count)
    },
    respond: (row) => called(inquiry, row, { query, routine }),
  }
}

type Found = { routine: Routine; args: Arguments }

function findByQuery({ catalog, schema }: Inquiry, name: string, { args }: Query): Found {
  const argNames = [...new Set(args.map(([arg]) => arg))]
  const { routine } = findRoutine(catalog, { schema, name, argNames, bodyType: null })
  return { routine, args: { kind: 'texts', args } }
}

async function findByBody(inquiry: Inquiry, name: string, query: Query): Promise<Found> {
  const { request, catalog, schema } = inquiry
  const type = bodyType(request)
  if (!isBodyType(type)) throw badBody(`Content-Type not acceptable: ${type}`)
  if (type !== 'application/json') {
    const bytes = await readBytes(request, inquiry.bodyLimitBytes)
    const text = type === 'application/octet-stream' ? `\\x${bytes.toString('hex')}` : toText(bytes)
    const { routine, takesBody } = findRoutine(catalog, { schema, name, argNames: [], bodyType: type })
    return { routine, args: takesBody ? { kind: 'whole', text } : { kind: 'texts', args: [] } }
  }
  const text = await readBody(request, inquiry.bodyLimitBytes)
  const body = parseJsonBody(text === '' ? '{}' : text)
  if (query.columns === null && !body.isUniform) throw badBody('All object keys must match')
  const names = query.columns ?? body.keys
  const { routine, takesBody } = findRoutine(catalog, { schema, name, argNames: names, bodyType: type })
  return { routine, args: takesBody ? { kind: 'whole', text: body.text } : { kind: 'json', names, body } }
}

function called(
  inquiry: Inquiry,
  row: AnswerRow,
  { query, routine }: { query: Query; routine: Routine },
): Response {
  const page = pageHeaders(query.root, row)
  const applied = preferenceApplied(inquiry.preferences, ['count', 'tx', 'handling', 'maxAffected'])
  const isVoid = routine.returns.kind === 'void'
  const headers = new Headers([
    ...(isVoid ? [] : contentHeaders(inquiry)),
    ['content-range', page.contentRange],
    ...preferenceHeader(applied),
  ])
  const own = readResponseHeaders(row.response_headers ?? null)
  for (const name of own.keys()) headers.delete(name)
  for (const [name, value] of own) headers.append(name, value)
  const status = readResponseStatus(row.response_status ?? null) ?? (isVoid ? 204 : page.status)
  const hasBody = !isVoid && status !== 204 && status !== 205 && status !== 304
  return textAnswer(hasBody ? row.body : null, { status, headers })
}

function readResponseStatus(setting: string | null): number | null {
  if (setting === null) return null
  const status = toHttpStatus(Number(setting))
  if (status !== null) return status
  throw new RestError({
    status: 500,
    code: 'PGRST112',
    message: 'response.status guc must be a valid status code',
  })
}

/** Reads the headers that the function set for the answer, in the form `[{"name": "value"}, …]`. */
function readResponseHeaders(setting: string | null): Headers {
  if (setting === null) return new Headers()
  try {
    const list: unknown = JSON.parse(setting)
    if (!Array.isArray(list)) throw new TypeError('no array')
    const pairs = list.map((item: unknown): [string, string] => {
      const [pair, ...more] = Object.entries(typeof item === 'object' && item !== null ? item : {})
      if (!pair || more.length > 0 || typeof pair[1] !== 'string') throw new TypeError('no single pair')
      return [pair[0], pair[1]]
    })
    return new Headers(pairs)
  } catch {
    throw new RestError({
      status: 500,
      code: 'PGRST111',
      message:
        'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    })
  }
}
