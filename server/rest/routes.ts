// PostgREST's wire under /rest/v1: who asks, what for, one statement, one answer. BACKEND.md 1, PRODUCT.md 3.
import { Hono, type Context } from 'hono'
import { SqlError, type Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createCatalogCache, type CatalogCache } from './catalog/cache.ts'
import { RestError, urlTooLong } from './errors.ts'
import { execute, type Principal } from './execute.ts'
import { MAX_URL_LENGTH } from './limits.ts'
import { planCall } from './plan-call.ts'
import { planTable } from './plan-table.ts'
import type { Inquiry } from './plan.ts'
import { negotiateMedia } from './request/media.ts'
import { parsePreferences } from './request/preferences.ts'
import { readSchema, readTarget } from './request/target.ts'
import { fromSqlError } from './sql-errors.ts'

export type RestOptions = {
  db: Database
  log: Log
  /** Exposed schemas, the default one first. */
  schemas: readonly string[]
  /** Whether `Prefer: tx=rollback` is heeded. */
  allowRollback: boolean
  /** Rows of one answer, and of one embed, at most. */
  maxRows: number
  bodyLimitBytes: number
  /** Who sends the request; anon without an Authorization header. Throws a RestError for a token that does not hold. */
  principalOf: (request: Request) => Promise<Principal>
  /** SQL that answers, as the asker, whether an authenticated one's session still lives; 401 when not. */
  livenessSql?: string
}

export type Rest = {
  /** To be mounted at /rest/v1. */
  routes: Hono
  /** To be called after the schema has changed. */
  reloadCatalog(): Promise<void>
}

export function createRest(options: RestOptions): Rest {
  const cache = createCatalogCache(options)
  const routes = new Hono()
  routes.all('*', (context: Context) => {
    const requestId: unknown = context.get('requestId')
    return answer(context.req.raw, {
      options,
      cache,
      requestId: typeof requestId === 'string' ? requestId : null,
    })
  })
  return { routes, reloadCatalog: () => cache.reload() }
}

type Server = { options: RestOptions; cache: CatalogCache; requestId: string | null }

async function answer(request: Request, server: Server): Promise<Response> {
  let isAnonymous = true
  try {
    if (request.url.length > MAX_URL_LENGTH) throw urlTooLong(MAX_URL_LENGTH)
    const principal = await server.options.principalOf(request)
    isAnonymous = principal.role === 'anon'
    return await serve(request, principal, server)
  } catch (error) {
    return refuse(request, toRestError(error, isAnonymous), { error, server })
  }
}

async function serve(request: Request, principal: Principal, { options, cache }: Server): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.replace(/^\/rest\/v1(?=\/|$)/, '')
  const target = readTarget(path)
  const inquiry: Inquiry = {
    request,
    url,
    schema: readSchema(request, options.schemas),
    namesSchema: options.schemas.length > 1,
    preferences: parsePreferences(request.headers.get('prefer'), options.allowRollback),
    media: negotiateMedia(request.headers.get('accept')),
    catalog: await cache.get(),
    maxRows: options.maxRows,
    bodyLimitBytes: options.bodyLimitBytes,
  }
  const plan =
    target.kind === 'table' ? await planTable(inquiry, target.name) : await planCall(inquiry, target.name)
  const session = {
    principal,
    schema: inquiry.schema,
    method: request.method,
    path,
    isReadOnly: plan.isReadOnly,
    isRolledBack: inquiry.preferences.tx === 'rollback',
    livenessSql: options.livenessSql ?? null,
  }
  return plan.respond(await execute(options.db, session, plan))
}

const INTERNAL = { status: 500, code: 'PGRSTX00', message: 'Internal server error' }

function toRestError(error: unknown, isAnonymous: boolean): RestError {
  if (error instanceof RestError) return error
  return error instanceof SqlError ? fromSqlError(error, isAnonymous) : new RestError(INTERNAL)
}

/** The error as PostgREST words it. What is the server's own fault is logged, not told. */
function refuse(
  request: Request,
  refusal: RestError,
  { error, server }: { error: unknown; server: Server },
): Response {
  if (refusal.status >= 500)
    server.options.log.error('rest.failed', {
      requestId: server.requestId,
      method: request.method,
      path: new URL(request.url).pathname,
      answered: refusal.code,
      ...errorFields(error),
    })
  const { status, code, message, details, hint, headers } = refusal
  const body = JSON.stringify({ code, message, details, hint })
  return new Response(request.method === 'HEAD' || [204, 205, 304].includes(status) ? null : body, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}
