// Refuses addresses with NUL, which match no route and no database value.
import type { MiddlewareHandler } from 'hono'
import { PortalError } from '#domain/errors.ts'

/** Raises `request.invalid` before routing. */
export const plainAddress: MiddlewareHandler = (context, next) => {
  if (context.req.url.includes('%00'))
    throw new PortalError('request.invalid', 'O pedido não pôde ser lido.', { status: 400 })
  return next()
}
