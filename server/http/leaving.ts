// While the portal stops, it asks load balancers to leave and keeps no connection alive.
import type { MiddlewareHandler } from 'hono'

export type Leaving = {
  begin: () => void
  hasBegun: () => boolean
  middleware: MiddlewareHandler
}

export function createLeaving(): Leaving {
  let hasBegun = false
  return {
    begin: () => {
      hasBegun = true
    },
    hasBegun: () => hasBegun,
    middleware: async (context, next) => {
      await next()
      if (hasBegun) context.res.headers.set('connection', 'close')
    },
  }
}
