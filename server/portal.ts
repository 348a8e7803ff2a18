// The portal as one thing: its routes and its workers, made from parts. Here and in whatsapp.ts alone the server's modules meet.
import { Hono, type Context } from 'hono'
import { createAuditRoutes } from '#server/audit/audit-routes.ts'
import { createAuth, type Auth } from '#server/auth/auth.ts'
import { TokenError } from '#server/auth/tokens/token.ts'
import type { Backups } from '#server/ops/backup/backups.ts'
import { capWaits, startMaintenance } from '#server/ops/maintenance.ts'
import { migrate } from '#server/db/migrate.ts'
import { createRetention } from '#server/ops/retention.ts'
import { createEvents } from '#server/events/events.ts'
import { compression } from '#server/http/compression.ts'
import { createBoardCache } from '#server/http/board-cache.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import { createBranding, type Branding } from '#server/http/brand.ts'
import { createHealth } from '#server/http/health.ts'
import { createLeaving, type Leaving } from '#server/http/leaving.ts'
import { createMeters, type Meters } from '#server/http/metrics/meters.ts'
import { createMetrics } from '#server/http/metrics/metrics.ts'
import { createRateLimit, type RateLimit } from '#server/http/rate-limit.ts'
import { plainAddress } from '#server/http/address/plain.ts'
import { requestId } from '#server/http/request-id.ts'
import { requestLine } from '#server/http/request-line.ts'
import { secureHeaders } from '#server/http/secure-headers.ts'
import { serveApp } from '#server/http/static.ts'
import { CLOSED_PATHS, closedPath, SERVED_PATHS } from '#server/http/served-paths.ts'
import type { ReadLeadgen } from '#server/leads/intake/meta/graph.ts'
import { createLeads } from '#server/leads/leads.ts'
import type { BodyLimits } from '#server/whatsapp/webhook/body.ts'
import { findGateway, mountGatewayLocation, type GatewayLocation } from '#server/whatsapp/gateway-location.ts'
import { createWhatsapp, type Whatsapp } from '#server/whatsapp/whatsapp.ts'
import { createMachineRoutes } from '#server/machine/machine-routes.ts'
import type { Parts } from '#server/parts.ts'
import { createPush, type Push } from '#server/push/push.ts'
import { invalidToken } from '#server/rest/errors.ts'
import { createVisits, type Visits } from '#server/visits/visits.ts'
import { createWire } from '#server/rest/wire.ts'

export type Portal = {
  fetch: Hono['fetch']
  /** Every address that is answered, as it is mounted: what tests hold against the guards. */
  routes: readonly { method: string; path: string }[]
  /** The first administrator's password when one was made now, to be shown once. */
  firstAdmin: { username: string; password: string } | null
  /** Starts the workers; nothing runs by itself before. */
  start(): void
  /** Health says that it is going, and no connection is kept; what is asked is still answered. */
  leave(): void
  /** Tells those who listen to come back, and takes no new ones. */
  endEvents(): void
  /** Stops the workers, each once the step under way is done. */
  stop(): Promise<void>
}

type PortalOptions = {
  /** Signs access tokens. */
  jwtSecret: string
  /** Folder of supabase/migrations. */
  migrations: string
  /** Folders of the built app and of earlier releases' assets; none in tests of the server alone. */
  client?: { current: string; earlier: string }
  version: string
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  /** Of the embedded database; none where a server keeps the data. */
  backups?: Backups | undefined
  /** An administrator said where the WhatsApp service is: the portal is to be made again over it. */
  onGatewayChanged?: () => void
  /** How leads are read at Meta; tests hand in their own. */
  readLeadgen?: ReadLeadgen
  /** How large a delivery is taken whole; tests hand in less. */
  deliverySizes?: BodyLimits | undefined
}

type Stop = () => void | Promise<void>

/** Brings the database up to date and makes the portal over it; nothing listens yet. */
export async function createPortal(given: Parts, options: PortalOptions): Promise<Portal> {
  const meters = createMeters({ isRead: given.settings.metricsToken !== undefined })
  const known = { ...given, db: meters.over(given.db) }
  const { db, clock, log, settings } = known
  const rateLimit = createRateLimit(db, clock)
  const leaving = createLeaving()
  await prepareDatabase(known, options.migrations)
  const { gateway, ...place } = await findGateway(known, options)
  const parts = { ...known, gateway }
  // A line and the typing time before it.
  const maintenance = { db, clock, log, longestGapMs: 2 * settings.campaignDelayMs.max }
  await capWaits(maintenance)
  const auth = createAuth({
    db,
    clock,
    log,
    jwtSecret: options.jwtSecret,
    firstAccess: settings.firstAccess,
    hasPublicUrl: settings.publicUrl !== undefined,
  })
  const leads = await createLeads({
    ...parts,
    ...options,
    timeZone: settings.timeZone,
    rateLimit,
    memberOf: auth.memberOf,
  })
  const whatsapp = await createWhatsapp(parts, { ...options, auth, rateLimit, meters })
  const address = () => settings.publicUrl ?? options.webhookBase()
  const push = await createPush({
    ...parts,
    jwtSecret: options.jwtSecret,
    vapidSubject: settings.vapidSubject,
    publicUrl: settings.publicUrl,
    address,
    allowsLoopback: settings.isDemo,
    memberOf: auth.memberOf,
  })

  const events = createEvents({
    ...parts,
    jwtSecret: options.jwtSecret,
    privateHosts: settings.webhookPrivateHosts,
    memberOf: auth.memberOf,
  })

  const visits = createVisits({ ...parts, address })
  const branding = createBranding(parts)
  const rooms = { auth, leads, whatsapp, push, events, visits, branding, place }
  const app = await mount(parts, { ...options, ...rooms, rateLimit, meters, leaving })
  const firstAdmin = await auth.ensureFirstAdmin(settings.adminUsername, settings.adminPassword)
  const stops: Stop[] = []
  return {
    fetch: app.fetch,
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    firstAdmin,
    start: () =>
      void stops.push(
        startMaintenance(maintenance),
        createRetention({ db, clock, log, keeps: settings.keeps }).start(),
        auth.maintenance(),
        whatsapp.start(),
        place.watch(),
        leads.start(),
        push.start(),
        events.start(),
        visits.start(),
        ...(options.backups ? [options.backups.start()] : []),
      ),
    leave: leaving.begin,
    endEvents: whatsapp.endEvents,
    stop: async () => {
      await Promise.all(stops.splice(0).map(async (stop) => stop()))
      whatsapp.endEvents()
      await whatsapp.stop()
    },
  }
}

type Rooms = {
  auth: Auth
  leads: Awaited<ReturnType<typeof createLeads>>
  whatsapp: Whatsapp
  push: Push
  events: ReturnType<typeof createEvents>
  visits: Visits
  branding: Branding
  rateLimit: RateLimit
  meters: Meters
  leaving: Leaving
  place: GatewayLocation
}

/** Every address of the portal. */
async function mount(parts: Parts, options: PortalOptions & Rooms): Promise<Hono> {
  const { db, clock, log, settings } = parts
  const { auth, leads, whatsapp, push, events, visits, branding } = options
  const { rateLimit, meters, leaving, version, backups, client } = options
  const app = new Hono()
  app.onError(createErrorHandler(log))
  app.notFound(notFound)
  app.use(
    requestId,
    requestLine({ clock, log }, meters.answered),
    secureHeaders(settings.publicUrl),
    compression,
    leaving.middleware,
    whatsapp.stampHeard,
  )
  const wire = new Hono<{ Bindings: { requestId?: unknown }; Variables: { requestId: unknown } }>()
  wire.use((context, next) => {
    // Handed on where the way here led past the middleware above.
    if (context.env.requestId !== undefined) context.set('requestId', context.env.requestId)
    return next()
  })
  wire.route(
    '/rest/v1',
    createWire({
      ...parts,
      ownTables: whatsapp.ownTables,
      principalOf: (request) => auth.principalOf(request).catch(toRestError),
    }),
  )
  const boards = createBoardCache()
  app.use('/rest/v1/rpc/sync_board', (context: Context, next) => {
    if (context.req.method !== 'POST') return next()
    const requestId: unknown = context.get('requestId')
    return boards(context.req.raw, (request) => wire.fetch(request, { requestId }))
  })
  app.route('/', wire)
  app.use(plainAddress)
  app.route('/auth/v1', auth.gotrue)
  app.route('/api/login', auth.login)
  app.route('/api', auth.account)
  app.route('/api/service-tokens', auth.serviceTokens)
  app.route(
    '/api/audit',
    createAuditRoutes({ db, timeZone: settings.timeZone, memberOf: auth.memberOf, rateLimit }),
  )
  app.route(
    '/api',
    createHealth(parts, {
      ...whatsapp.probes,
      pushes: push.counts,
      backup: backups?.state,
      pushPublicKey: push.publicKey,
      isLeaving: leaving.hasBegun,
      brand: branding.read,
      version,
    }),
  )
  mountGatewayLocation(app, parts, { ...options, memberOf: auth.memberOf, health: whatsapp.probes.gateway })
  app.route('/api/push', push.routes)
  app.route('/api/calendar', visits.routes)
  app.route('/api/webhooks', events.routes)
  app.route('/api/leads', leads.intake)
  app.route('/api/v1', createMachine(parts, options))
  app.route('/api/roleta', leads.roleta)
  app.route('/api/imports', leads.imports)
  app.route('/api/exports', leads.exports)
  app.route('/', whatsapp.routes)
  app.route(
    '/',
    createMetrics(parts, {
      version,
      counted: meters.registry,
      listeners: whatsapp.listeners,
      backup: backups?.state,
    }),
  )
  for (const below of SERVED_PATHS) app.all(below, notFound)
  for (const below of CLOSED_PATHS) app.all(below, closedPath)
  if (client !== undefined) app.use(await serveApp(client.current, client.earlier, branding))
  return app
}

async function prepareDatabase({ db, log, settings }: Parts, migrations: string) {
  const applied = await migrate(db, migrations)
  if (applied.length > 0) log.info('migrations.applied', { count: applied.length, last: applied.at(-1) })
  await db.query(
    `insert into portal.settings (key, value) values ('time_zone', to_jsonb($1::text))
    on conflict (key) do update set value = excluded.value`,
    [settings.timeZone],
  )
}

/** What other systems ask, with the doors that it goes through. */
const createMachine = (parts: Parts, { auth, leads, whatsapp, version }: PortalOptions & Rooms) =>
  createMachineRoutes({
    ...parts,
    version,
    claimsOf: (request) => claimsOf(auth, request),
    toNewLead: leads.toNewLead,
    onTaken: leads.onTaken,
    onQueued: whatsapp.onQueued,
  })

/** Null for nobody. */
async function claimsOf(auth: Auth, request: Request) {
  const { role, claims } = await auth.principalOf(request).catch((error: unknown) => {
    if (error instanceof TokenError) return { role: 'anon', claims: null } as const
    throw error
  })
  return role === 'anon' ? null : claims
}

function toRestError(error: unknown): never {
  throw error instanceof TokenError ? invalidToken(error.kind) : error
}
