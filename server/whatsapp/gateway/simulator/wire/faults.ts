// Calls that fail because a fault was set.
import type { Hono } from 'hono'
import { isJson, WireError } from './errors.ts'
import type { CallKind, SimulatedState } from '../state.ts'

const PATHS: Record<CallKind, string> = {
  create: '/instance/create',
  webhook: '/webhook/set/',
  settings: '/settings/set/',
  logout: '/instance/logout/',
  delete: '/instance/delete/',
}

export function failNextCalls(app: Hono, simulated: SimulatedState) {
  app.use(async (context, next) => {
    const at = simulated.nextCalls.findIndex(({ call }) => context.req.path.startsWith(PATHS[call]))
    const effect = simulated.nextCalls[at]?.effect
    if (effect === undefined) return next()
    simulated.nextCalls.splice(at, 1)
    if (effect === 'refused-400') throw new WireError(400, [['instance requires property "enabled"']])
    if (effect === 'closed-500') throw new Error('Connection Closed')
    await next()
    const made: unknown = await context.res.json()
    if (!isJson(made) || !isJson(made['instance'])) return undefined
    const { instanceId: _, ...instance } = made['instance']
    context.res = Response.json({ ...made, instance }, { status: 201 })
    return undefined
  })
}
