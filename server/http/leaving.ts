// A portal that was asked to stop: it says so to whoever shares the requests out, and keeps no connection for a next one.
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
