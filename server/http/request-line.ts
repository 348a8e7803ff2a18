// One log line and one measurement for each answered request. Never its address, query or headers.
import type { MiddlewareHandler } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import { routeOf } from './route-pattern.ts'

export type Answered = { method: string; route: string; status: number; ms: number }

/** People notice such a delay. */
const SLOW_MS = 1_000

/** Logs each request: refused, failed and slow ones at `info`, others at `debug`. Mounted after `requestId`. */
export const requestLine =
  ({ clock, log }: { clock: Clock; log: Log }, onAnswered: (answered: Answered) => void): MiddlewareHandler =>
  async (context, next) => {
    const startMs = clock.now()
    await next()
    const { method } = context.req
    const ms = clock.now() - startMs
    const answered = { method, route: routeOf(context), status: context.res.status, ms }
    onAnswered(answered)
    const requestId: unknown = context.get('requestId')
    const isOdd = answered.status >= 400 || ms >= SLOW_MS
    log[isOdd ? 'info' : 'debug']('request.answered', {
      requestId: typeof requestId === 'string' ? requestId : undefined,
      ...answered,
    })
  }
