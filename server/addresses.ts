// Every address of the portal, in the order in which routes are matched.
import { Hono, type Context } from 'hono'
import { createAuditRoutes } from '#server/audit/audit-routes.ts'
import { createInvites } from '#server/auth/accounts/invite.ts'
import type { Auth } from '#server/auth/auth.ts'
import { TokenError } from '#server/auth/tokens/token.ts'
import type { createConversions } from '#server/conversions/conversions.ts'
import type { createEvents } from '#server/events/events.ts'
import { plainAddress } from '#server/http/address/plain.ts'
import { createBoardCache } from '#server/http/board-cache.ts'
import type { Branding } from '#server/http/brand.ts'
import { compression } from '#server/http/compression.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import type { Reading } from '#server/db/replica.ts'
import { createHealth, type Vitals } from '#server/http/health.ts'
import type { Leaving } from '#server/http/leaving.ts'
import type { Meters } from '#server/http/metrics/meters.ts'
import { createMetrics } from '#server/http/metrics/metrics.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { requestId } from '#server/http/request-id.ts'
import { requestLine } from '#server/http/request-line.ts'
import { secureHeaders } from '#server/http/secure-headers.ts'
import { CLOSED_PATHS, closedPath, SERVED_PATHS } from '#server/http/served-paths.ts'
import { createShareRoutes } from '#server/http/share.ts'
import { serveApp } from '#server/http/static.ts'
import type { createLeads } from '#server/leads/leads.ts'
import { createMachineRoutes } from '#server/machine/machine-routes.ts'
import type { Backups } from '#server/ops/backup/backups.ts'
import type { Parts } from '#server/parts.ts'
import type { Push } from '#server/push/push.ts'
import { invalidToken } from '#server/rest/errors.ts'
import { createWire } from '#server/rest/wire.ts'
import { createTeamRoutes } from '#server/teams/team-routes.ts'
import type { Visits } from '#server/visits/visits.ts'
import { mountGatewayLocation, type GatewayLocation } from '#server/whatsapp/gateway-location.ts'
import type { Whatsapp } from '#server/whatsapp/whatsapp.ts'
import type { createAgentModule } from '#server/agents/module.ts'
import { createBrokerRoutes } from '#server/brokers/broker-routes.ts'
import type { Brokers } from '#server/brokers/brokers.ts'
import type { Campaigns } from '#server/campaigns/campaigns.ts'
import type { Developments } from '#server/developments/developments.ts'
import type { createLive } from '#server/live/live.ts'
import type { createPeople } from '#server/privacy/people.ts'

type AddressOptions = {
  jwtSecret: string
  client?: { current: string; earlier: string }
  version: string
  backups?: Backups | undefined
  webhookBase: () => string
  onGatewayChanged?: () => void
}

/** The parts that portal.ts creates. */
type Made = {
  auth: Auth
  leads: Awaited<ReturnType<typeof createLeads>>
  whatsapp: Whatsapp
  campaigns: Campaigns
  developments: Developments
  agents: Awaited<ReturnType<typeof createAgentModule>>
  brokers: Brokers
  people: ReturnType<typeof createPeople>
  live: Awaited<ReturnType<typeof createLive>>
  push: Push
  events: ReturnType<typeof createEvents>
  conversions: ReturnType<typeof createConversions>
  visits: Visits
  vitals: Vitals
  reading: Reading
  branding: Branding
  rateLimit: RateLimit
  meters: Meters
  leaving: Leaving
  gatewayLocation: GatewayLocation
}

export async function mountAddresses(parts: Parts, options: AddressOptions & Made): Promise<Hono> {
  const { db, clock, log, settings } = parts
  const { auth, leads, whatsapp, live, push, events, visits, branding, vitals } = options
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
    live.stampHeard,
  )
  mountWire(app, parts, options)
  // Errors under /api/v1 are problems (RFC 9457), also those of unknown addresses.
  app.route('/api/v1', createMachine(parts, options))
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
      model: options.agents.model,
      isAdmin: live.isAdmin,
      pushes: push.counts,
      backup: backups?.state,
      pushPublicKey: push.publicKey,
      isLeaving: leaving.hasBegun,
      brand: branding.read,
      vitals,
      version,
    }),
  )
  mountGatewayLocation(app, parts, { ...options, memberOf: auth.memberOf, probes: whatsapp.probes })
  app.route('/api/push', push.routes)
  app.route('/api/calendar', visits.routes)
  app.route('/api/webhooks', events.routes)
  app.route('/api/conversions', options.conversions.routes)
  app.route('/api/leads', leads.intake)
  app.route('/api/roleta', leads.rotations)
  app.route('/api/imports', leads.imports)
  app.route('/api/exports', leads.exports)
  app.route(
    '/api/teams',
    createTeamRoutes({ db, clock, inviteOf: createInvites(options.jwtSecret), memberOf: auth.memberOf }),
  )
  mountMessaging(app, options)
  app.route(
    '/',
    createMetrics(parts, {
      version,
      counted: meters.registry,
      listeners: live.count,
      backup: backups?.state,
    }),
  )
  app.route('/', createShareRoutes())
  for (const below of SERVED_PATHS) app.all(below, notFound)
  for (const below of CLOSED_PATHS) app.all(below, closedPath)
  if (client !== undefined) app.use(await serveApp(client.current, client.earlier, branding))
  return app
}

/** Mounts /rest/v1, with the board cache in front of it. */
function mountWire(
  app: Hono,
  parts: Parts,
  { auth, whatsapp, campaigns, reading, version }: Made & { version: string },
) {
  const wire = new Hono<{ Bindings: { requestId?: unknown }; Variables: { requestId: unknown } }>()
  wire.use((context, next) => {
    // Passes the request id on if the request came through the middleware above.
    if (context.env.requestId !== undefined) context.set('requestId', context.env.requestId)
    return next()
  })
  wire.route(
    '/rest/v1',
    createWire({
      ...parts,
      reading,
      version,
      // Tables that clients may not write directly.
      ownTables: {
        whatsapp_messages: whatsapp.wireTexts,
        remarketing_campaigns: campaigns.wireCampaigns,
      },
      principalOf: (request) => auth.principalOf(request).catch(toRestError),
    }),
  )
  const boards = createBoardCache()
  app.use('/rest/v1/rpc/sync_board', (context: Context, next) => {
    if (context.req.method !== 'POST') return next()
    const requestId: unknown = context.get('requestId')
    return boards(context.req.raw, (request) => wire.fetch(request, { requestId }))
  })
  app.use('/rest/v1/rpc/material_send', (context: Context, next) => {
    if (context.req.method !== 'POST') return next()
    const requestId: unknown = context.get('requestId')
    return whatsapp.sendMaterial(() => wire.fetch(context.req.raw, { requestId }))
  })
  app.route('/', wire)
}

/** Mounts conversations, and all modules that write into them. */
function mountMessaging(app: Hono, made: Made) {
  const { auth, whatsapp, campaigns, developments, agents, brokers, people, live } = made
  app.route('/webhook', whatsapp.routes.webhook)
  app.route('/api/brokers', createBrokerRoutes(brokers, auth.memberOf))
  app.route('/api/instance', whatsapp.routes.instance)
  app.route('/api/messages', whatsapp.routes.messages)
  app.route('/api/quick-replies', whatsapp.routes.quickReplies)
  app.route('/api/campaigns', campaigns.routes)
  app.route('/api/developments', developments.routes)
  app.route('/api/feeds', developments.feedOut)
  app.route('/i', developments.pages)
  app.route('/api/agents', agents.routes.agents)
  app.route('/api/prompts', agents.routes.prompts)
  app.route('/api/assist', agents.routes.assist)
  app.route('/api/media', whatsapp.routes.media)
  app.route('/api/people', people.routes)
  app.route('/api', live.routes)
}

/** Creates /api/v1 with the modules that it needs. */
const createMachine = (
  parts: Parts,
  { auth, leads, developments, whatsapp, version, reading }: AddressOptions & Made,
) =>
  createMachineRoutes({
    ...parts,
    reading,
    version,
    claimsOf: (request) => claimsOf(auth, request),
    toNewLead: leads.toNewLead,
    toWanted: developments.toWanted,
    onTaken: leads.onTaken,
    onQueued: whatsapp.wake,
  })

/** The claims of a request's token. Null for an invalid token. */
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
