// Public health, and details for administrators: /api/health and /api/config.
import { Hono } from 'hono'
import { errorFields } from '#server/log.ts'
import type { Parts } from '#server/parts.ts'
import type { Brand } from './brand.ts'
import { readInsides } from './health-store.ts'

/** State of the embedded database's backups. */
export type BackupState = {
  lastAtMs: number | null
  sizeBytes: number | null
  count: number
  /** The last attempt failed. */
  isFailing: boolean
}

type Probes = {
  version: string
  /** The portal is stopping: load balancers should use another one. */
  isLeaving: () => boolean
  /** The gateway's last answer; 'none' if no gateway is set. */
  gateway: () => string
  /** The last answer of each gateway. */
  eachGateway: () => readonly { title: string; health: string }[]
  /** Webhook deliveries that are stored but not applied yet, and those without an event. */
  deliveries: () => Promise<{ waiting: number; setAside: number }>
  /** Open links, and links that are reported open although the last send failed. */
  links: () => Promise<{ open: number; dead: number }>
  /** Queued messages by instance. */
  queues: () => Promise<readonly Queue[]>
  /** The state of the agents' language model; null if none is set. */
  model: () => Promise<object> | null
  /** Pushes waiting to be sent. */
  pushes: () => Promise<{ waiting: number; oldestSeconds: number | null; devices: number }>
  /** Backups of the embedded database; undefined with a database server. */
  backup?: (() => Promise<BackupState>) | undefined
  vitals: Vitals
  /** The public key with which browsers subscribe to pushes. */
  pushPublicKey: string
  /** The agency's name, colour and icons; public. */
  brand: () => Promise<Brand>
  /** True for a caller who may see the details: they are about the agency, so strangers may not. */
  isAdmin: (request: Request) => Promise<boolean>
}

export type WorkerHealth = { name: string; state: 'ok' | 'failing' | 'stuck'; seconds: number | null }

export type Vitals = {
  /** Everything that is wrong, in one word each; empty while all is well. */
  faults: () => Promise<{ words: readonly string[]; isDatabaseAway: boolean; takesWrites: boolean }>
  workers: () => readonly WorkerHealth[]
  damagedTables: () => readonly string[]
}

type Queue = { instanceName: string | null; queued: number; oldestSeconds: number }

/** A gateway that hangs does not delay the rest. */
const GATEWAY_WITHIN_MS = 3_000

export function createHealth({ db, clock, log, settings, ...parts }: Parts, probes: Probes): Hono {
  const { version, gateway, isLeaving, pushPublicKey, vitals } = probes
  const routes = new Hono()
  const startedAtMs = clock.now()

  async function within<T>(limitMs: number, telling: Promise<T>): Promise<T | null> {
    const limit = new AbortController()
    const late = clock.sleep(limitMs, limit.signal).then(() => null)
    const answer = await Promise.race([telling, late])
    limit.abort()
    return answer
  }

  const gatewayVersion = () =>
    parts.gateway
      ? within(
          GATEWAY_WITHIN_MS,
          parts.gateway.version().catch(() => null),
        )
      : null

  /** Details for an administrator. If they cannot be read, the public part is still answered. */
  async function detailsFor(request: Request): Promise<object> {
    try {
      return (await probes.isAdmin(request)) ? await lookInside() : {}
    } catch (error) {
      log.warn('health.details-unread', errorFields(error))
      return {}
    }
  }

  async function lookInside() {
    const [deliveries, links, queues, model, push, backup, insides, reportedGateway] = await Promise.all([
      probes.deliveries(),
      probes.links(),
      probes.queues(),
      probes.model(),
      probes.pushes(),
      probes.backup?.() ?? null,
      readInsides(db),
      gatewayVersion(),
    ])
    const { database, schema, unknownKinds, oldestDeliverySeconds, intake, webhooks, campaigns } = insides
    return {
      gateways: probes.eachGateway(),
      webhook: { ...deliveries, oldestSeconds: oldestDeliverySeconds, unknownKinds },
      intake,
      webhooks,
      links,
      sending: { ...total(queues), instances: queues },
      campaigns,
      model,
      push,
      backup,
      workers: vitals.workers(),
      damagedTables: vitals.damagedTables(),
      keeps: settings.keeps,
      versions: { node: process.versions.node, database, schema, gateway: reportedGateway },
      upSeconds: Math.floor((clock.now() - startedAtMs) / 1000),
    }
  }

  routes.get('/health', async (context) => {
    const { words, isDatabaseAway, takesWrites } = await vitals.faults()
    const status = isLeaving() ? 'stopping' : words.length > 0 ? 'degraded' : 'ok'
    const body = {
      status,
      database: isDatabaseAway ? 'down' : 'ok',
      ...(words.length > 0 ? { faults: words } : {}),
      gateway: gateway(),
      version,
      ...(isDatabaseAway ? {} : await detailsFor(context.req.raw)),
    }
    // A balancer turns away from a portal that can save nothing; a late backup is only said.
    const isUseless = status === 'stopping' || !takesWrites
    return context.json(body, isUseless ? 503 : 200, { 'cache-control': 'no-store' })
  })
  routes.get('/config', async (context) => {
    const mode = settings.isDemo ? 'demo' : 'normal'
    const config = { version, mode, pushPublicKey, agency: await probes.brand() }
    return context.json(config, 200, { 'cache-control': 'no-store' })
  })
  return routes
}

const total = (queues: readonly Queue[]) => ({
  queued: queues.reduce((sum, { queued }) => sum + queued, 0),
  oldestSeconds: queues.length === 0 ? null : Math.max(...queues.map(({ oldestSeconds }) => oldestSeconds)),
})
