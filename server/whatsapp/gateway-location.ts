// The address of the WhatsApp service, and the first steps of a new agency.
import type { Hono } from 'hono'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Backups } from '#server/ops/backup/backups.ts'
import { createFirstHour, type FirstHourOptions } from '#server/ops/first-hour.ts'
import type { Parts } from '#server/parts.ts'
import { createEvolutionGateway } from './gateway/evolution/client.ts'
import { createGatewayRoutes } from './gateway/gateway-routes.ts'
import { createStoredGateway } from './gateway/stored-gateway.ts'

type FindOptions = { jwtSecret: string; onGatewayChanged?: () => void }

/** The WhatsApp service, and where its address came from. */
export async function findGateway(parts: Parts, { jwtSecret, onGatewayChanged }: FindOptions) {
  const { clock, log, settings } = parts
  const stored = createStoredGateway(parts, jwtSecret)
  const onChanged = onGatewayChanged ?? (() => undefined)
  const found = parts.gateway ? null : await stored.read()
  const source = settings.evolution ? 'environment' : parts.gateway ? 'demo' : found ? 'kept' : 'none'
  return {
    gateway: found ? createEvolutionGateway({ ...found, clock, log }) : parts.gateway,
    kept: stored,
    source,
    url: found?.baseUrl ?? null,
    onChanged,
    watch: () => (parts.gateway ? () => undefined : stored.watch(found?.sealed ?? null, onChanged)),
  } as const
}

export type GatewayLocation = Omit<Awaited<ReturnType<typeof findGateway>>, 'gateway'>

type MountOptions = {
  gatewayLocation: GatewayLocation
  rateLimit: RateLimit
  memberOf: FirstHourOptions['memberOf']
  backups?: Backups | undefined
  health: () => string
  webhookBase: () => string
}

/** Where the WhatsApp service is, and how far a new agency has come. */
export function mountGatewayLocation(app: Hono, { db, clock, log, settings }: Parts, options: MountOptions) {
  const { gatewayLocation, rateLimit, memberOf, backups, health, webhookBase } = options
  const { source, url } = gatewayLocation
  app.route('/api/gateway', createGatewayRoutes({ ...gatewayLocation, db, clock, log, memberOf, rateLimit }))
  app.route(
    '/api/first-hour',
    createFirstHour({
      db,
      memberOf,
      publicUrl: settings.publicUrl,
      backup: backups?.state,
      gateway: { source, url, health },
      reports: { from: settings.evolution?.url ?? url, to: webhookBase },
    }),
  )
}
