// A request by the pattern of its route, for log and metrics: an address itself may name persons and hold secrets.
import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** '/api/brokers/:id'; with a star at its end where nothing closer was asked for. */
export function routeOf(context: Context): string {
  const matched = matchedRoutes(context)
  const route = matched.findLast(({ path }) => !path.endsWith('*')) ?? matched.at(context.req.routeIndex)
  return withoutChecks(route?.path ?? '*')
}

/** ':id{[0-9]{1,9}}' is ':id'. */
function withoutChecks(pattern: string): string {
  let depth = 0
  let bare = ''
  for (const sign of pattern) {
    if (sign === '{') depth += 1
    if (depth === 0) bare += sign
    if (sign === '}') depth -= 1
  }
  return bare
}
