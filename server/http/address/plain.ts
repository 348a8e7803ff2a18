// An address with a NUL in it names nothing of ours, and no database would take it as a value.
import type { MiddlewareHandler } from 'hono'
import { PortalError } from '#domain/errors.ts'

/** Raises `request.invalid`, before anything of the address is looked at. */
export const plainAddress: MiddlewareHandler = (context, next) => {
  if (context.req.url.includes('%00'))
    throw new PortalError('request.invalid', 'O pedido não pôde ser lido.', { status: 400 })
  return next()
}
