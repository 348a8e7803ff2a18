// /rest/v1 passed on to the Supabase of SUPABASE_URL: the same wire, answered by its PostgREST.
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import { asUser } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createRestHandler, type RestHandlerOptions } from './handler.ts'
import { invalidToken, RestError, unknownPath, unsupportedMethod } from './errors.ts'
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
  /** SQL that answers, as the asker, whether an authenticated one's session still lives; 401 when not. */
  livenessSql?: string
  /** Another way to reach it; the platform's by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Longer than any statement may take there; what hangs longer never answers. */
const ANSWER_WITHIN_MS = 20_000
const MAX_ANSWER_BYTES = 64_000_000
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/** What the wire is made of. Anything else, cookies first of all, stays on its own side. */
const ASKED = [
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'range-unit',
  // A function may read it.
  'user-agent',
]
/** Of the connection, of its encoding (undone by then), or of what stands in between. A function may set any other. */
const NOT_ANSWERED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(length|encoding)|set-cookie|server|date|via|age|alt-svc|nel|report-to|strict-transport-security|access-control-.*|(cf|sb|x-kong|x-envoy)-.*)$/
/** Said by a proxy as well as by PostgREST: too much at once, or too often. */
const TOO_MUCH = [413, 414, 429, 431]

/** To be mounted at /rest/v1. */
export function createUpstream(options: UpstreamOptions): Hono {
  const address = options.supabase.url.replace(/\/+$/, '')
  return createRestHandler(options, async (request, principal) => {
    await requireLife(options, principal)
    if (!METHODS.includes(request.method)) throw unsupportedMethod(request.method)
    // As it came: a function may take a file, which is no text.
    const body = await readBytes(request, options.bodyLimitBytes)
    const answer = await ask(options, address + wayOf(request), {
      method: request.method,
      headers: headersOf(request, principal, options.supabase.anonKey),
      ...(body.byteLength === 0 ? {} : { body }),
    })
    if (principal.role !== 'anon' && isRefusedToken(answer)) throw misconfigured(answer)
    return toResponse(answer)
  })
}

/** Made again of what the path names, so that it leads nowhere else. */
function wayOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  const { kind, name } = readTarget(pathname.replace(/^\/rest\/v1(?=\/|$)/, ''))
  if (name.includes('/')) throw unknownPath()
  return `/rest/v1/${kind === 'function' ? 'rpc/' : ''}${encodeURIComponent(name)}${search}`
}

type Answer = { status: number; headers: Headers; body: Buffer<ArrayBuffer> | null }

/** Row rules alone would answer an ended session with nothing, which reads as if there were nothing. */
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
  // A key of the newer kind is no token; alone it stands for anon.
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
    // A redirect would carry the token elsewhere.
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

/** A page of a proxy in between. */
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

/** The token held here, so it is not the asker's fault: the secrets or the keys of the two differ. */
const isRefusedToken = ({ status, body }: Answer): boolean =>
  status === 401 && !/"code":\s*"(?!PGRST3)\w/.test(body?.toString() ?? '')

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
