// The entrance of /rest/v1 for either implementation: authentication, and refusals in PostgREST's format.
import { Hono, type Context } from 'hono'
import { withoutFormulas } from '#domain/csv.ts'
import { SqlError } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import { RestError, urlTooLong } from './errors.ts'
import type { Principal } from './execute.ts'
import { MAX_URL_LENGTH } from './limits.ts'
import { withReadNumbers } from './number-arguments.ts'
import { writeOwn, type OwnTables } from './own-writes.ts'
import { fromSqlError } from './sql-errors.ts'

export type RestHandlerOptions = {
  log: Log
  /**
   * The sender of the request; anon without an Authorization header. Throws a RestError for an invalid token.
   */
  principalOf: (request: Request) => Promise<Principal>
  /** Tables that clients may not write directly; each has its own write handler. */
  ownTables?: OwnTables
}

/** Answers a request of this principal; errors become refusals. */
export type Serve = (request: Request, principal: Principal) => Promise<Response>

/** The caller mounts these routes at /rest/v1. */
export function createRestHandler(
  { log, principalOf, ownTables = {} }: RestHandlerOptions,
  serve: Serve,
): Hono {
  const routes = new Hono()
  routes.all('*', async (context) => {
    const request = context.req.raw
    let isAnonymous = true
    try {
      if (request.url.length > MAX_URL_LENGTH) throw urlTooLong(MAX_URL_LENGTH)
      const principal = await principalOf(request)
      isAnonymous = principal.role === 'anon'
      const answered =
        (await writeOwn(ownTables, { request, principal }, serve)) ??
        (await serve(await withReadNumbers(request), principal))
      return await safely(request, answered)
    } catch (error) {
      const refusal = toRestError(error, isAnonymous)
      // Faults of the server are logged; a request that the client aborted is no fault.
      if (refusal.status >= 500 && !request.signal.aborted) logFailure(log, context, { refusal, error })
      return answer(request, refusal)
    }
  })
  return routes
}

/**
 * Spreadsheets run formulas in CSV cells that strangers wrote, so they are neutralised unless the client opts
 * out.
 */
const FORMULAS = 'x-csv-formulas'

async function safely(request: Request, answer: Response): Promise<Response> {
  const isAsked = request.headers.get(FORMULAS) === 'escape'
  if (!isAsked || !answer.body || !answer.headers.get('content-type')?.startsWith('text/csv')) return answer
  const headers = new Headers(answer.headers)
  headers.set(FORMULAS, 'escape')
  return new Response(withoutFormulas(await answer.text()), { status: answer.status, headers })
}

const INTERNAL = { status: 500, code: 'PGRSTX00', message: 'Internal server error' }

function toRestError(error: unknown, isAnonymous: boolean): RestError {
  if (error instanceof RestError) return error
  return error instanceof SqlError ? fromSqlError(error, isAnonymous) : new RestError(INTERNAL)
}

function logFailure(log: Log, context: Context, { refusal, error }: { refusal: RestError; error: unknown }) {
  const requestId: unknown = context.get('requestId')
  log.error('rest.failed', {
    requestId: typeof requestId === 'string' ? requestId : null,
    method: context.req.method,
    path: new URL(context.req.url).pathname,
    answered: refusal.code,
    ...errorFields(error instanceof RestError && error.cause ? error.cause : error),
  })
}

function answer(request: Request, { status, code, message, details, hint, headers }: RestError): Response {
  const body = JSON.stringify({ code, message, details, hint })
  return new Response(request.method === 'HEAD' || [204, 205, 304].includes(status) ? null : body, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}
