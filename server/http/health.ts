// What anyone may know of the portal: /api/health and /api/config, no secrets (PRODUCT.md 3).
import { Hono } from 'hono'
import type { Parts } from '#server/parts.ts'
import { errorFields } from '#server/log.ts'

/** `gateway` says how the gateway last answered; 'none' where none is set. */
export function createHealth(
  { db, log, settings }: Parts,
  { version, gateway }: { version: string; gateway: () => string },
): Hono {
  const routes = new Hono()
  routes.get('/health', async (context) => {
    const isUp = await db.query('select 1').then(
      () => true,
      (error: unknown) => {
        log.error('database.unreachable', errorFields(error))
        return false
      },
    )
    const body = {
      status: isUp ? 'ok' : 'degraded',
      database: isUp ? 'ok' : 'down',
      gateway: gateway(),
      version,
    }
    return context.json(body, isUp ? 200 : 503, { 'cache-control': 'no-store' })
  })
  routes.get('/config', (context) =>
    context.json({ version, mode: settings.isDemo ? 'demo' : 'normal', pushPublicKey: null }, 200, {
      'cache-control': 'no-store',
    }),
  )
  return routes
}
