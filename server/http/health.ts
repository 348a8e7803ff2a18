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
  /** Links that are open, and those that say so while the last send met nobody. */
  links: () => Promise<{ open: number; dead: number }>
  /** Lines that are queued and not sent yet, an instance. */
  queues: () => Promise<readonly Queue[]>
  /** What devices are still to be told. */
  pushes: () => Promise<{ waiting: number; oldestSeconds: number | null; devices: number }>
  /** For browsers that subscribe to pushes. */
  pushPublicKey: string
  /** Who may see whose queues they are. */
  isAdmin: (request: Request) => Promise<boolean>
}

type Queue = { instanceName: string | null; queued: number; oldestSeconds: number }

export function createHealth({ log, settings }: Parts, { version, gateway, pushPublicKey, ...probes }: Probes): Hono {
  const routes = new Hono()

  /** The counts are the database's probe as well. */
  async function count(request: Request) {
    const [webhook, links, queues, push] = await Promise.all([
      probes.deliveries(),
      probes.links(),
      probes.queues(),
      probes.pushes(),
    ])
    const isAdmin = queues.length > 0 && (await probes.isAdmin(request))
    return { webhook, links, sending: { ...total(queues), ...(isAdmin ? { instances: queues } : {}) }, push }
  }

  routes.get('/health', async (context) => {
    const counts = await count(context.req.raw).catch((error: unknown) => {
      log.error('database.unreachable', errorFields(error))
      return null
    })
    const body = {
      status: counts ? 'ok' : 'degraded',
      database: counts ? 'ok' : 'down',
      gateway: gateway(),
      ...(counts ?? { webhook: null, links: null, sending: null, push: null }),
      version,
    }
    return context.json(body, counts ? 200 : 503, { 'cache-control': 'no-store' })
  })
  routes.get('/config', (context) =>
    context.json({ version, mode: settings.isDemo ? 'demo' : 'normal', pushPublicKey }, 200, {
      'cache-control': 'no-store',
    }),
  )
  return routes
}

const total = (queues: readonly Queue[]) => ({
  queued: queues.reduce((sum, { queued }) => sum + queued, 0),
  oldestSeconds: queues.length === 0 ? null : Math.max(...queues.map(({ oldestSeconds }) => oldestSeconds)),
})
