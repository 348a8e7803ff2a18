// Turns errors into one JSON format; unknown errors reveal nothing internal.
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { PortalError } from '#domain/errors.ts'
import { isPassing, SqlError } from '#server/db/database.ts'
import { toRefusal } from '#server/db/refusal.ts'
import { errorFields, type Log } from '#server/log.ts'
import { routeOf } from './route-pattern.ts'

const answer = (context: Context, status: number, { code, message }: { code: string; message: string }) =>
  // Statuses come from our PortalErrors and Hono's exceptions, which all have a body.
  context.json({ error: { code, message } }, status as ContentfulStatusCode, { 'cache-control': 'no-store' })

/** The error for a request without a session, or after its end. */
export const sessionLost = () =>
  new PortalError('session.lost', 'Sua sessão expirou. Entre de novo.', { status: 401 })

export const notFound = (context: Context) =>
  answer(context, 404, { code: 'route.not-found', message: 'Este endereço não existe.' })

export const BUSY_SECONDS = 5
export const BUSY = {
  code: 'database.busy',
  message: 'O banco de dados não respondeu. Tente de novo em instantes.',
}

/** The portal's error handler; protocols of their own (auth, rest) handle their errors first. */
export const createErrorHandler = (log: Log) => (raised: Error, context: Context) => {
  const shown = toRefusal(raised)
  const error = shown instanceof Error ? shown : raised
  if (error instanceof PortalError) return answer(context, error.status, error)
  if (error instanceof HTTPException)
    return answer(context, error.status, { code: 'request.refused', message: 'O pedido não pôde ser lido.' })
  logFailure(log, error, context)
  // Phones retry writes after it; after another server error they would drop them.
  if (error instanceof SqlError && isPassing(error)) {
    context.header('retry-after', String(BUSY_SECONDS))
    return answer(context, 503, BUSY)
  }
  return answer(context, 500, { code: 'portal.failed', message: 'Algo deu errado no portal. Tente de novo.' })
}

/** The only log line of a server fault; all protocols share it. */
export function logFailure(log: Log, error: Error, context: Context) {
  const requestId: unknown = context.get('requestId')
  log.error('request.failed', {
    requestId: typeof requestId === 'string' ? requestId : undefined,
    method: context.req.method,
    route: routeOf(context),
    ...errorFields(error),
  })
}
