// Tables that clients may not write directly: allowed writes are passed to a handler, all others are refused
// with a message.
import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { invalidToken, notImplemented, RestError } from './errors.ts'
import type { Principal } from './execute.ts'
import { parseNames } from './parse/names.ts'
import { bodyType, parseJsonBody, readBody, requireJson } from './request/body.ts'
import { parsePreferences } from './request/preferences.ts'
import { readTarget } from './request/target.ts'

type Claims = Principal['claims'] & { role: 'authenticated' }
type Row = Readonly<Record<string, unknown>>

/** Each returns the id of the row, and throws PortalErrors. */
export type OwnWrites = {
  /** `operationId` is the same for the same id and account: a retry returns the first row. */
  insert: (claims: Claims, row: Row, operationId: string) => Promise<number>
  /** `change`: the columns whose values differ from the row's; never empty. */
  update?: (claims: Claims, change: Row, id: number) => Promise<number>
  /** Why other writes are refused, and what to do instead. */
  closed: string
}

export type OwnTables = Readonly<Record<string, OwnWrites>>

type Asked = { request: Request; principal: Principal }
type Serve = (request: Request, principal: Principal) => Promise<Response>

const WRITES = ['POST', 'PATCH', 'PUT', 'DELETE']
const MAX_BODY_BYTES = 256 * 1024
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** PostgREST answers a missing privilege with the same status. */
const closed = (message: string) => new PortalError('wire.closed', message, { status: 403 })

/**
 * Null if the request is no write of such a table; `serve` returns the written row under the caller's rights.
 */
export async function writeOwn(tables: OwnTables, asked: Asked, serve: Serve): Promise<Response | null> {
  const { request, principal } = asked
  if (!WRITES.includes(request.method) || isOtherSchema(request)) return null
  const { kind, name } = readTarget(new URL(request.url).pathname.replace(/^\/rest\/v1(?=\/|$)/, ''))
  const table = kind === 'table' && Object.hasOwn(tables, name) ? tables[name] : undefined
  if (!table) return null
  if (principal.role !== 'authenticated') throw denied(name)
  try {
    return await write(
      table,
      { request, name, claims: { ...principal.claims, role: principal.role } },
      (read) => serve(read, principal),
    )
  } catch (error) {
    throw error instanceof PortalError ? toRestError(error) : error
  }
}

const isOtherSchema = ({ headers }: Request): boolean =>
  (headers.get('content-profile') ?? 'public') !== 'public'

type Writing = { request: Request; name: string; claims: Claims }

async function write(
  table: OwnWrites,
  { request, name, claims }: Writing,
  show: (read: Request) => Promise<Response>,
): Promise<Response> {
  const url = new URL(request.url)
  const { tx, ...preferences } = parsePreferences(request.headers.get('prefer'), true)
  // A sent message cannot be rolled back.
  if (tx === 'rollback') throw notImplemented('tx=rollback is not implemented for this table')
  const isInsert = request.method === 'POST'
  const id = isInsert ? null : idOf(url.searchParams)
  if (!isInsert && (request.method !== 'PATCH' || !table.update || id === null)) throw closed(table.closed)
  const row = await rowOf(request, url)
  if (row === null || Object.keys(row).length === 0) throw closed(table.closed)

  const isShown = preferences.return === 'representation'
  const select = url.searchParams.get('select') ?? '*'
  // If the row could not be returned in the requested form, nothing is written.
  const trial = isShown
    ? await show(reading(request, { name, id: 0, select, accept: 'application/json' }))
    : null
  if (trial && !trial.ok) return trial
  const written = isInsert
    ? await table.insert(claims, row, operationOf(name, row['id']))
    : await updated(table, claims, { id: id!, change: await changeOf(row, { request, name, id: id! }, show) })
  const applied = preferences.return === null ? {} : { 'preference-applied': `return=${preferences.return}` }
  if (!isShown)
    return new Response(null, {
      status: isInsert ? 201 : 204,
      headers: {
        'content-range': '*/*',
        ...applied,
        ...(isInsert && preferences.return === 'headers-only'
          ? { location: `/${name}?id=eq.${written}` }
          : {}),
      },
    })
  const shown = await show(
    reading(request, { name, id: written, select, accept: request.headers.get('accept') }),
  )
  const headers = new Headers([...shown.headers, ...Object.entries(applied)])
  return new Response(shown.body, { status: shown.ok && isInsert ? 201 : shown.status, headers })
}

type Updated = { id: number; change: Row }

/** A row that is written back unchanged is taken, and changes nothing. */
const updated = async ({ update }: OwnWrites, claims: Claims, { id, change }: Updated): Promise<number> =>
  Object.keys(change).length === 0 ? id : update!(claims, change, id)

/** Returns the columns of a PATCH that differ from the stored row; all if the caller may not read the row. */
async function changeOf(
  row: Row,
  { request, name, id }: { request: Request; name: string; id: number },
  show: (read: Request) => Promise<Response>,
): Promise<Row> {
  const accept = 'application/json'
  const stored: unknown = await (await show(reading(request, { name, id, select: '*', accept }))).json()
  const now: unknown = Array.isArray(stored) ? stored[0] : undefined
  if (!v.is(Fields, now)) return row
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) => !isDeepStrictEqual(value, now[column])),
  )
}

/** The row, if only its id selects it. */
function idOf(parameters: URLSearchParams): number | null {
  const filters = [...parameters].filter(([key]) => !['select', 'columns', 'apikey'].includes(key))
  const [filter] = filters
  const digits =
    filters.length === 1 && filter?.[0] === 'id' ? /^eq\.(\d{1,15})$/.exec(filter[1])?.[1] : undefined
  return digits === undefined ? null : Number(digits)
}

const Fields = v.record(v.string(), v.unknown())

/** The row of the body; null for none or several. */
async function rowOf(request: Request, url: URL): Promise<Row | null> {
  requireJson(bodyType(request))
  const { text } = parseJsonBody(await readBody(request, MAX_BODY_BYTES))
  const value: unknown = JSON.parse(text)
  const [row, ...more]: unknown[] = Array.isArray(value) ? value : [value]
  if (more.length > 0 || Array.isArray(row) || !v.is(Fields, row)) return null
  const columns = url.searchParams.get('columns')
  if (columns === null) return row
  const names = parseNames(columns, 'columns')
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))
}

/** Turns a client's id into a UUID. The same id always gives the same UUID. */
function operationOf(table: string, id: unknown): string {
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase()
  if (typeof id !== 'string' && typeof id !== 'number') return randomUUID()
  const hex = createHash('sha256')
    .update(JSON.stringify([table, String(id)]))
    .digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

type Reading = { name: string; id: number; select: string; accept: string | null }

function reading(request: Request, { name, id, select, accept }: Reading): Request {
  const url = new URL(`/rest/v1/${encodeURIComponent(name)}`, request.url)
  url.searchParams.set('id', `eq.${id}`)
  url.searchParams.set('select', select)
  const headers = new Headers(accept === null ? {} : { accept })
  for (const header of ['authorization', 'apikey']) {
    const value = request.headers.get(header)
    if (value !== null) headers.set(header, value)
  }
  return new Request(url, { headers })
}

const denied = (table: string) =>
  new RestError({
    status: 401,
    code: '42501',
    message: `permission denied for table ${table}`,
    headers: { 'www-authenticate': 'Bearer' },
  })

/** Has the format of a function's refusal: the message, and the code as the hint. */
function toRestError({ code, message, status }: PortalError): RestError {
  if (status === 401) return invalidToken('expired')
  return new RestError({ status, code: status === 403 ? '42501' : `PT${status}`, message, hint: code })
}
