// The route pattern of a request, for log and metrics, because an address may contain persons and secrets.
import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** '/api/brokers/:id'; ends in a star if only a wildcard matched. */
export function routeOf(context: Context): string {
  const matched = matchedRoutes(context)
  const route = matched.findLast(({ path }) => !path.endsWith('*')) ?? matched.at(context.req.routeIndex)
  return withoutChecks(route?.path ?? '*')
}

const bares = new Map<string, string>()

/** ':id{[0-9]{1,9}}' is ':id'. */
function withoutChecks(pattern: string): string {
  const known = bares.get(pattern)
  if (known !== undefined) return known
  let depth = 0
  let bare = ''
  for (const sign of pattern) {
    if (sign === '{') depth += 1
    if (depth === 0) bare += sign
    if (sign === '}') depth -= 1
  }
  bares.set(pattern, bare)
  return bare
}
