// Refusals of /api/v1 as problems (RFC 9457).
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { isPassing, SqlError } from '#server/db/database.ts'
import { toRefusal } from '#server/db/refusal.ts'
import { BUSY, BUSY_SECONDS, logFailure } from '#server/http/errors.ts'
import type { Log } from '#server/log.ts'

/** Raises `request.invalid`, which names the field. */
export function parsed<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  // valibot accepts an array as an object without keys, so arrays are excluded here.
  const read = v.safeParse(schema, Array.isArray(value) ? null : value)
  if (read.success) return read.output
  throw invalid(v.getDotPath(read.issues[0]) ?? 'corpo')
}

/** Translates refusals of SQL functions. */
export async function asked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toRefusal(error)
  }
}

export const invalid = (field: string) =>
  new PortalError('request.invalid', `Confira o campo ${field}.`, { status: 422 })
export const stranger = () =>
  new PortalError('token.refused', 'Envie uma chave de acesso que valha em Authorization: Bearer.', {
    status: 401,
  })
export const person = () =>
  new PortalError('token.person', 'Aqui entram chaves de acesso, não pessoas. Crie uma em Integrações.', {
    status: 403,
  })

export const unknownAddress = () =>
  new PortalError('route.not-found', 'Este endereço não existe. Veja /api/v1/docs.', { status: 404 })
export const wrongMethod = () =>
  new PortalError('route.no-method', 'Este endereço não aceita esse método. Veja Allow.', { status: 405 })

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

export function problemOf(log: Log, error: Error, context: Context): Response {
  const { status, code, message } = seen(log, error, context)
  if (status === 401) context.header('www-authenticate', 'Bearer')
  if (status === 503) context.header('retry-after', String(BUSY_SECONDS))
  const problem = {
    type: 'about:blank',
    title: TITLES[status] ?? 'Internal Server Error',
    status,
    detail: message,
    code,
  }
  return context.body(JSON.stringify(problem), status as ContentfulStatusCode, {
    'content-type': 'application/problem+json',
  })
}

function seen(log: Log, error: Error, context: Context) {
  if (error instanceof PortalError) return error
  logFailure(log, error, context)
  return error instanceof SqlError && isPassing(error)
    ? { status: 503, ...BUSY }
    : { status: 500, code: 'portal.failed', message: 'Algo deu errado no portal. Tente de novo.' }
}
