// Where the WhatsApp gateways are, and the first steps of a new agency.
import type { Hono } from 'hono'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import type { Backups } from '#server/ops/backup/backups.ts'
import { createFirstHour, type FirstHourOptions } from '#server/ops/first-hour.ts'
import type { Parts } from '#server/parts.ts'
import type { GatewayAddress, Settings } from '#server/settings.ts'
import { createGatewayRoutes, type GatewayPlace } from './gateway/gateway-routes.ts'
import { isRoom, ROOMS } from './gateway/rooms.ts'
import { createSeveralGateways } from './gateway/several.ts'
import { createStoredGateways } from './gateway/stored-gateway.ts'

type FindOptions = {
  jwtSecret: string
  onGatewayChanged?: () => void
  simulated?: ReadonlyMap<GatewayKind, Gateway>
}

const ofEnvironment = (settings: Settings): Record<string, GatewayAddress | undefined> => ({
  evolution: settings.evolution,
  waha: settings.waha,
})

/** Opens the gateways, and finds out where their addresses came from. Only tests pass `parts.gateway`. */
export async function findGateway(parts: Parts, { jwtSecret, onGatewayChanged, simulated }: FindOptions) {
  const { db, clock, log, settings, gateway: given } = parts
  const kept = createStoredGateways(parts, jwtSecret)
  const stored = await kept.read()
  const environment = ofEnvironment(settings)
  const places = Object.keys(ROOMS)
    .filter(isRoom)
    .map((kind): GatewayPlace & { apiKey: string | null } => {
      const [set, found] = [environment[kind], stored.addresses.get(kind)]
      const isDemo = given !== null || (simulated?.has(kind) ?? false)
      const source = set ? 'environment' : isDemo ? 'demo' : found ? 'kept' : 'none'
      const own = set ?? (isDemo ? undefined : found)
      return { kind, source, url: own?.url ?? null, apiKey: own?.apiKey ?? null }
    })
  const open = new Map(simulated)
  for (const { kind, url, apiKey } of places)
    if (url !== null && apiKey !== null && isRoom(kind))
      open.set(kind, ROOMS[kind].createGateway({ baseUrl: url, apiKey, clock, log }))
  const [first] = open.keys()
  const newKind = stored.newKind !== null && open.has(stored.newKind) ? stored.newKind : (first ?? null)
  const several = newKind === null ? null : createSeveralGateways({ db, open, newKind })
  const onChanged = onGatewayChanged ?? (() => undefined)
  return {
    gateway: given ?? several,
    kept,
    places: places.map(({ kind, source, url }) => ({ kind, source, url })),
    newKind,
    /** The gateways' addresses, for the check of outgoing addresses. */
    from: places.flatMap(({ url }) => url ?? []),
    onChanged,
    watch: () => (given ? () => undefined : kept.watch(stored.mark, onChanged)),
  }
}

export type GatewayLocation = Omit<Awaited<ReturnType<typeof findGateway>>, 'gateway'>

type MountOptions = {
  gatewayLocation: GatewayLocation
  rateLimit: RateLimit
  memberOf: FirstHourOptions['memberOf']
  backups?: Backups | undefined
  probes: { gateway: () => string; gateways: () => Readonly<Record<string, string>> }
  webhookBase: () => string
}

/** Mounts the routes of the gateways' addresses and of a new agency's first steps. */
export function mountGatewayLocation(app: Hono, { db, clock, log, settings }: Parts, options: MountOptions) {
  const { gatewayLocation, rateLimit, memberOf, backups, probes, webhookBase } = options
  const { places, newKind, from } = gatewayLocation
  app.route(
    '/api/gateway',
    createGatewayRoutes({
      ...gatewayLocation,
      db,
      clock,
      log,
      memberOf,
      rateLimit,
      healths: probes.gateways,
    }),
  )
  const used = places.find(({ kind }) => kind === newKind) ?? places.find(({ source }) => source !== 'none')
  app.route(
    '/api/first-hour',
    createFirstHour({
      db,
      memberOf,
      publicUrl: settings.publicUrl,
      backup: backups?.state,
      gateway: {
        source: used?.source ?? 'none',
        kind: used?.kind ?? null,
        url: used?.source === 'kept' ? used.url : null,
        health: probes.gateway,
      },
      reports: { from, to: webhookBase },
    }),
  )
}
