// What anyone may know of the portal: /api/health and /api/config, no secrets (PRODUCT.md 3).
import { Hono } from 'hono'
import type { Parts } from '#server/parts.ts'
import { errorFields } from '#server/log.ts'

type Probes = {
  version: string
  /** How the gateway last answered; 'none' where none is set. */
  gateway: () => string
  /** Deliveries of the gateway that are safe but not yet applied, and those that were no event. */
  deliveries: () => Promise<{ waiting: number; setAside: number }>
}

export function createHealth({ log, settings }: Parts, { version, gateway, deliveries }: Probes): Hono {
  const routes = new Hono()
  routes.get('/health', async (context) => {
    // The count is the database's probe as well.
    const webhook = await deliveries().catch((error: unknown) => {
      log.error('database.unreachable', errorFields(error))
      return null
    })
    const body = {
      status: webhook ? 'ok' : 'degraded',
      database: webhook ? 'ok' : 'down',
      gateway: gateway(),
      webhook,
      version,
    }
    return context.json(body, webhook ? 200 : 503, { 'cache-control': 'no-store' })
  })
  routes.get('/config', (context) =>
    context.json({ version, mode: settings.isDemo ? 'demo' : 'normal', pushPublicKey: null }, 200, {
      'cache-control': 'no-store',
    }),
  )
  return routes
}
