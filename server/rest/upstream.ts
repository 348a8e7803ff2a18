// /rest/v1 forwarded to the Supabase of SUPABASE_URL: the same protocol, answered by its PostgREST.
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import { asUser } from '#server/db/as-user.ts'
import { isPassing, READ_ONLY, type Database } from '#server/db/database.ts'
import { createRestHandler, type RestHandlerOptions } from './handler.ts'
import {
  invalidToken,
  noRootDocument,
  RestError,
  RETRY_LATER,
  unknownPath,
  unsupportedMethod,
} from './errors.ts'
import type { Principal } from './execute.ts'
import { readBytes } from './request/body.ts'
import { readTarget } from './request/target.ts'

export type UpstreamOptions = RestHandlerOptions & {
  /** The project's address and its publishable key. */
  supabase: { url: string; anonKey: string }
  /** The project's own database. */
  db: Database
  clock: Clock
  bodyLimitBytes: number
  /** SQL that checks, as the caller, whether an authenticated session is live; 401 if not. */
  livenessSql?: string
  /** Replaces the platform's fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Longer than any statement may run there; a slower answer will never come. */
const ANSWER_WITHIN_MS = 20_000
const MAX_ANSWER_BYTES = 64_000_000
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/** Forwarded request headers; all others, cookies first of all, are dropped. */
const ASKED = [
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'range-unit',
  // Functions in SQL may read this header.
  'user-agent',
]
/**
 * Response headers of the connection, of its encoding (already decoded), or of proxies, which are dropped. A
 * function may set any other.
 */
const NOT_ANSWERED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(length|encoding)|set-cookie|server|date|via|age|alt-svc|nel|report-to|strict-transport-security|access-control-.*|(cf|sb|x-kong|x-envoy)-.*)$/
/** Statuses that both proxies and PostgREST use: too large, or too often. */
const TOO_MUCH = [413, 414, 429, 431]

/** The caller mounts these routes at /rest/v1. */
export function createUpstream(options: UpstreamOptions): Hono {
  const address = options.supabase.url.replace(/\/+$/, '')
  return createRestHandler(options, async (request, principal) => {
    await requireLife(options, principal)
    if (!METHODS.includes(request.method)) throw unsupportedMethod(request.method)
    // Reads the body as bytes, because a function may take a file.
    const body = await readBytes(request, options.bodyLimitBytes)
    const answer = await ask(options, address + wayOf(request), {
      method: request.method,
      headers: headersOf(request, principal, options.supabase.anonKey),
      ...(body.byteLength === 0 ? {} : { body }),
    })
    if (principal.role !== 'anon' && isRefusedToken(answer)) throw misconfigured(answer)
    return toResponse(isPassingRefusal(answer, request) ? asRetryable(answer) : answer)
  })
}

/** Rebuilt from the path's names, so that it cannot lead elsewhere. */
function wayOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  const { kind, name } = readTarget(pathname.replace(/^\/rest\/v1(?=\/|$)/, ''))
  if (kind === 'root') throw noRootDocument()
  if (name.includes('/')) throw unknownPath()
  return `/rest/v1/${kind === 'function' ? 'rpc/' : ''}${encodeURIComponent(name)}${search}`
}

type Answer = { status: number; headers: Headers; body: Buffer<ArrayBuffer> | null }

/** An ended session is refused, because row rules alone would return no rows, as if there were none. */
async function requireLife({ db, livenessSql }: UpstreamOptions, { role, claims }: Principal) {
  if (role !== 'authenticated' || livenessSql === undefined) return
  const { rows } = await asUser(db, { ...claims, role }, (query) =>
    query<{ is_alive: boolean }>(`select (${livenessSql}) as is_alive`),
  )
  if (!rows[0]?.is_alive) throw invalidToken('expired')
}

function headersOf(request: Request, { role }: Principal, anonKey: string): Headers {
  const headers = new Headers({ apikey: anonKey })
  for (const name of ASKED) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  // A publishable key of the newer form is no token: Supabase takes its sender as anon.
  const anon = anonKey.includes('.') ? `Bearer ${anonKey}` : null
  const bearer = role === 'anon' ? anon : request.headers.get('authorization')
  if (bearer !== null) headers.set('authorization', bearer)
  return headers
}

async function ask({ clock, fetch = globalThis.fetch }: UpstreamOptions, url: string, init: RequestInit) {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.sleep(ANSWER_WITHIN_MS, answered.signal).then(() => answered.signal.aborted || late.abort())
  try {
    // A redirect would send the token to another host.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: late.signal })
    const { status, headers } = response
    if (!isOfTheWire(response)) throw notOfTheWire(response)
    return { status, headers, body: await bytesOf(response) }
  } catch (error) {
    if (error instanceof RestError) throw error
    throw late.signal.aborted ? silent(504, error) : silent(503, error)
  } finally {
    answered.abort()
  }
}

const isOfTheWire = ({ status, headers }: Response): boolean =>
  status < 300 || status === 304 || /json/.test(headers.get('content-type') ?? '')

/** The answer came from a proxy in between. */
function notOfTheWire({ status, headers }: Response): Error {
  const retryAfter = headers.get('retry-after')
  return TOO_MUCH.includes(status)
    ? new RestError({
        status,
        code: 'PGRSTX03',
        message: 'O Supabase recusou o pedido: grande demais, ou pedidos demais.',
        headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
      })
    : new Error(`the upstream answered ${status} in words that are not the wire's`)
}

async function bytesOf({ status, body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  if (body === null || [204, 205, 304].includes(status)) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES)
      throw new Error(`the upstream's answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The token is valid here, so it is not the caller's fault: the secrets or keys of the two sides differ. */
const isRefusedToken = ({ status, body }: Answer): boolean =>
  status === 401 && !/"code":\s*"(?!PGRST3)\w/.test(body?.toString() ?? '')

/**
 * PostgREST answers 405 while its server is read-only, and 500 after a deadlock or a full disk. A phone would drop its
 * write.
 */
function isPassingRefusal({ status, body }: Answer, { method }: Request): boolean {
  const code = status < 400 ? undefined : /"code":\s*"(\w{5})"/.exec(body?.toString() ?? '')?.[1]
  if (code === undefined || !isPassing({ code })) return false
  return code !== READ_ONLY || (method !== 'GET' && method !== 'HEAD')
}

function asRetryable(answer: Answer): Answer {
  const headers = new Headers(answer.headers)
  for (const [name, value] of Object.entries(RETRY_LATER)) headers.set(name, value)
  return { ...answer, status: 503, headers }
}

const misconfigured = ({ status }: Answer) =>
  new RestError({
    status: 502,
    code: 'PGRSTX02',
    message:
      'O Supabase não aceitou o acesso do portal. O administrador deve conferir SUPABASE_ANON_KEY e JWT_SECRET.',
    details: `status ${status}`,
  })

function silent(status: 503 | 504, cause: unknown): RestError {
  const error = new RestError({
    status,
    code: 'PGRSTX01',
    message: 'O banco de dados não respondeu. Tente de novo em instantes.',
    headers: { 'retry-after': '5' },
  })
  error.cause = cause
  return error
}

function toResponse({ status, headers, body }: Answer): Response {
  const hops = (headers.get('connection') ?? '').toLowerCase().split(/\s*,\s*/)
  const passedOn = [...headers].filter(([name]) => !NOT_ANSWERED.test(name) && !hops.includes(name))
  return new Response(body, { status, headers: passedOn })
}
