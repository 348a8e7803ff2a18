// An id for each request, in its log lines and its answer, so that a person's report leads to the log.
import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

const GIVEN = /^[\w-]{8,64}$/

/** Accepts a valid `X-Request-Id` of a proxy, else makes one. */
export const requestId: MiddlewareHandler = async (context, next) => {
  const given = context.req.header('x-request-id')
  const id = given && GIVEN.test(given) ? given : randomUUID()
  context.set('requestId', id)
  await next()
  context.res.headers.set('x-request-id', id)
}
