// GET /metrics for a Prometheus with METRICS_TOKEN; without that setting the address does not exist.
import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { Gauge, Registry } from 'prom-client'
import { PortalError } from '#domain/errors.ts'
import type { BackupState } from '#server/http/health.ts'
import { errorFields } from '#server/log.ts'
import type { Parts } from '#server/parts.ts'
import { notFound } from '../errors.ts'
import { FIGURES, readFigures, type Figure } from './store.ts'

type Probes = {
  version: string
  /** Counters and timers since the start. */
  counted: Registry
  /** Number of open event streams. */
  listeners: () => number
  /** Backups of the embedded database; undefined with a database server. */
  backup?: (() => Promise<BackupState>) | undefined
}

/** A hanging database does not delay the other figures. */
const DATABASE_WITHIN_MS = 5_000

export function createMetrics({ db, clock, log, settings }: Parts, probes: Probes): Hono {
  async function askDatabase(): Promise<Figure[] | null> {
    const limit = new AbortController()
    const late = clock.sleep(DATABASE_WITHIN_MS, limit.signal).then(() => null)
    const read = readFigures(db).catch((error: unknown) => {
      log.warn('metrics.database-unread', errorFields(error))
      return null
    })
    const found = await Promise.race([read, late])
    limit.abort()
    return found
  }

  /** Current values, created for each request: a value that cannot be read is missing, never old. */
  async function standing(): Promise<Registry> {
    const registry = new Registry()
    const gauge = (name: string, help: string, label?: string) =>
      new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers: [registry] })
    new Gauge({
      name: 'portal_build_info',
      help: 'The version that runs.',
      labelNames: ['version', 'node', 'engine'],
      registers: [registry],
    }).set({ version: probes.version, node: process.versions.node, engine: db.engine }, 1)
    gauge('portal_live_listeners', 'Pages that hear live events.').set(probes.listeners())
    const connections = gauge('portal_database_connections', 'Connections, and who waits for one.', 'state')
    for (const [state, count] of Object.entries(db.load())) connections.set({ state }, count)

    if (probes.backup) {
      const { lastAtMs, sizeBytes, isFailing } = await probes.backup()
      gauge('portal_backup_failing', 'Whether the last attempt at a backup failed.').set(isFailing ? 1 : 0)
      gauge('portal_backup_last_seconds', 'When the newest backup was made (epoch); 0: never.').set(
        (lastAtMs ?? 0) / 1000,
      )
      gauge('portal_backup_bytes', 'Size of the newest backup.').set(sizeBytes ?? 0)
    }
    const found = await askDatabase()
    gauge('portal_database_up', 'Whether the database answered this very question.').set(found ? 1 : 0)
    if (found === null) return registry
    for (const [name, { help, by }] of Object.entries(FIGURES)) {
      const metric = gauge(name, help, by?.label)
      for (const state of by?.states ?? []) metric.set({ [by?.label ?? '']: state }, 0)
      for (const { state, value } of found.filter((figure) => figure.gauge === name))
        metric.set(by === undefined ? {} : { [by.label]: state ?? '' }, value)
    }
    return registry
  }

  const routes = new Hono()
  routes.get('/metrics', async (context) => {
    if (settings.metricsToken === undefined) return notFound(context)
    requireToken(context, settings.metricsToken)
    const metric = [await probes.counted.metrics(), await (await standing()).metrics()]
    return context.body(metric.join(''), 200, {
      'content-type': probes.counted.contentType,
      'cache-control': 'no-store',
    })
  })
  return routes
}

function requireToken(context: Context, token: string) {
  const [, given = ''] = /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '') ?? []
  if (timingSafeEqual(digest(given), digest(token))) return
  context.header('www-authenticate', 'Bearer')
  throw new PortalError('metrics.denied', 'O token das métricas não confere.', { status: 401 })
}

/** Digests have the same length for any input, so comparing them reveals nothing. */
const digest = (text: string) => createHash('sha256').update(text).digest()
