// The portal as one thing: its routes and its workers, made from parts. Here, and only here, the server's modules meet.
import { Hono } from 'hono'
import { PortalError } from '#domain/errors.ts'
import { createAgentRoutes } from '#server/agents/agent-routes.ts'
import { createAgents } from '#server/agents/agents.ts'
import { createAuditRoutes } from '#server/audit/audit-routes.ts'
import { createInvites } from '#server/auth/invite.ts'
import { createAuth, type Auth } from '#server/auth/routes.ts'
import { TokenError } from '#server/auth/token.ts'
import { createBrokerRoutes } from '#server/brokers/broker-routes.ts'
import { createBrokers } from '#server/brokers/brokers.ts'
import { createLinkLife } from '#server/brokers/link-life.ts'
import { createLinks } from '#server/brokers/link.ts'
import { createInstanceRoutes } from '#server/brokers/routes.ts'
import { createWatch } from '#server/brokers/watch.ts'
import { witnessSends } from '#server/brokers/witness.ts'
import { createCampaigns } from '#server/campaigns/campaigns.ts'
import { startMaintenance } from '#server/db/maintenance.ts'
import { migrate } from '#server/db/migrate.ts'
import { compression } from '#server/http/compression.ts'
import { createErrorHandler, notFound } from '#server/http/errors.ts'
import { createHealth } from '#server/http/health.ts'
import { createLeaving } from '#server/http/leaving.ts'
import { createPace, type Pace } from '#server/http/pace.ts'
import { requestId } from '#server/http/request-id.ts'
import { secureHeaders } from '#server/http/secure-headers.ts'
import { serveApp } from '#server/http/static.ts'
import type { ReadLeadgen } from '#server/leads/graph.ts'
import { createLeads } from '#server/leads/leads.ts'
import { createHeal } from '#server/messages/heal.ts'
import { createMediaLinks } from '#server/messages/media-link.ts'
import { createMediaRoutes } from '#server/messages/media-routes.ts'
import { findMedia } from '#server/messages/media.ts'
import { readAttachment } from '#server/messages/send-input.ts'
import { countQueues } from '#server/messages/send-store.ts'
import { createSending } from '#server/messages/sending.ts'
import { openBus } from '#server/notify/bus.ts'
import { createEvents, type Listener } from '#server/notify/sse.ts'
import type { Parts } from '#server/parts.ts'
import { createPeople } from '#server/people/people.ts'
import { createPush } from '#server/push/push.ts'
import { invalidToken } from '#server/rest/errors.ts'
import { createWire } from '#server/rest/wire.ts'
import { takeTurn, type News } from '#server/webhook/apply.ts'
import { createWebhook } from '#server/webhook/routes.ts'
import { makeWebhookSecret, mintWebhookSecret } from '#server/webhook/secret.ts'

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
  /** How leads are read at Meta; tests hand in their own. */
  readLeadgen?: ReadLeadgen
}

type Stop = () => void | Promise<void>

/** Brings the database up to date and makes the portal over it; nothing listens yet. */
export async function createPortal(parts: Parts, options: PortalOptions): Promise<Portal> {
  const { db, clock, log, settings } = parts
  const pace = createPace(db, clock)
  await prepareDatabase(parts, options.migrations)
  const auth = createAuth({
    db,
    clock,
    log,
    jwtSecret: options.jwtSecret,
    firstAccess: settings.firstAccess,
    hasPublicUrl: settings.publicUrl !== undefined,
  })
  const leads = await createLeads({ ...parts, ...options, memberOf: auth.memberOf })
  const line = await createLine(parts, { ...options, auth, pace })
  const push = await createPush({
    ...parts,
    vapidSubject: settings.vapidSubject,
    publicUrl: settings.publicUrl,
    address: () => settings.publicUrl ?? options.webhookBase(),
    allowsLoopback: settings.isDemo,
    memberOf: auth.memberOf,
  })

  const app = new Hono()
  app.onError(createErrorHandler(log))
  app.notFound(notFound)
  const leaving = createLeaving()
  app.use(requestId, secureHeaders(settings.publicUrl), compression, leaving.middleware)
  app.route(
    '/rest/v1',
    createWire({ ...parts, principalOf: (request) => auth.principalOf(request).catch(toRestError) }),
  )
  app.route('/auth/v1', auth.gotrue)
  app.route('/api/login', auth.login)
  app.route('/api', auth.account)
  app.route(
    '/api/audit',
    createAuditRoutes({ db, timeZone: settings.timeZone, memberOf: auth.memberOf, pace }),
  )
  app.route(
    '/api',
    createHealth(parts, {
      ...line.probes,
      pushes: push.counts,
      pushPublicKey: push.publicKey,
      isLeaving: leaving.hasBegun,
      version: options.version,
    }),
  )
  app.route('/api/push', push.routes)
  app.route('/api/leads', leads.intake)
  app.route('/api/roleta', leads.roleta)
  app.route('/', line.routes)
  for (const wire of ['/api/*', '/auth/*', '/rest/*', '/webhook/*']) app.all(wire, notFound)
  if (options.client !== undefined) app.use(await serveApp(options.client.current, options.client.earlier))

  const firstAdmin = await auth.ensureFirstAdmin(settings.adminUsername, settings.adminPassword)
  const stops: Stop[] = []
  return {
    fetch: app.fetch,
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    firstAdmin,
    start: () =>
      void stops.push(
        startMaintenance(db, clock, log),
        auth.upkeep(),
        line.start(),
        leads.start(),
        push.start(),
      ),
    leave: leaving.begin,
    endEvents: line.endEvents,
    stop: async () => {
      await Promise.all(stops.splice(0).map(async (stop) => stop()))
      line.endEvents()
      await line.stop()
    },
  }
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

/** WhatsApp in and out: links, what comes in, media, and the news of it all. */
async function createLine(parts: Parts, options: PortalOptions & { auth: Auth; pace: Pace }) {
  const { db, clock, log, gateway, storage } = parts
  const { auth, pace } = options
  /** What news began; a portal that stops lets it end. */
  const hearing = new Set<Promise<void>>()
  const hear = (news: News) => {
    if (heal) note(heal.hear(news))
    if (news.kind === 'linked') note(sending.resume(news.instanceName))
  }
  const note = (begun: Promise<void>) => {
    const work: Promise<void> = begun.finally(() => hearing.delete(work))
    hearing.add(work)
  }
  const webhook = createWebhook({ db, log, clock, storage, onNews: hear })
  const heal = gateway && createHeal({ db, clock, log, gateway, ingest: webhook.ingestRecords })
  const watch =
    gateway &&
    createWatch({
      db,
      clock,
      log,
      gateway,
      onOpened: (instanceName) => hear({ instanceName, kind: 'linked' }),
    })
  const { sending, campaigns } = createOutgoing(parts, auth, pace)
  const links = createLinks({ db, clock, log, gateway, webhookBase: options.webhookBase, mintWebhookSecret })
  const brokers = createBrokers({
    ...parts,
    webhookBase: options.webhookBase,
    makeWebhookSecret,
    inviteOf: createInvites(options.jwtSecret),
  })
  const agents = createAgents({ ...parts, backend: parts.settings.agentsBackend })
  const people = createPeople({ ...parts, ...agents, memberOf: auth.memberOf, takeTurn, pace })
  const bus = await openBus(db, log)
  const events = createEvents({ bus, clock, identify: (request) => identify(auth, request) })
  const media = createMediaRoutes({
    links: createMediaLinks(options.jwtSecret, clock),
    storage,
    memberOf: auth.memberOf,
    find: ({ claims }, messageId) => findMedia(parts, claims, messageId),
    isAlive: auth.isAlive,
  })

  const routes = new Hono()
  routes.route('/webhook', webhook.routes)
  routes.route('/api/brokers', createBrokerRoutes(brokers, auth.memberOf))
  routes.route('/api/instance', createInstanceRoutes(links, { memberOf: auth.memberOf, pace }))
  routes.route('/api/messages', media.messages)
  routes.route('/api/messages', sending.routes)
  routes.route('/api/campaigns', campaigns.routes)
  routes.route('/api/agents', createAgentRoutes(agents, auth.memberOf))
  routes.route('/api/media', media.media)
  routes.route('/api/people', people.routes)
  routes.route('/api', events.routes)
  return {
    routes,
    probes: {
      gateway: () => watch?.health() ?? 'none',
      deliveries: webhook.counts,
      links: createLinkLife(db).count,
      queues: () => countQueues(db),
      isAdmin: async (request: Request) => (await identify(auth, request))?.isAdmin ?? false,
    },
    start: () => {
      const stops: Stop[] = [webhook, watch, heal, sending, campaigns, brokers, people].flatMap((worker) =>
        worker ? [worker.start()] : [],
      )
      return async () => {
        for (const stop of stops) await stop()
        await Promise.all(hearing)
      }
    },
    endEvents: events.stop,
    stop: () => bus.stop(),
  }
}

/** What goes out: what persons write, and campaigns behind it in the same queues. */
function createOutgoing(parts: Parts, { memberOf }: Auth, pace: Pace) {
  const { gateway, settings } = parts
  const sending = createSending({
    ...parts,
    gateway: gateway && witnessSends(gateway, parts),
    takeTurn,
    memberOf,
    pace,
    onSettled: () => campaigns.wake(),
  })
  const campaigns = createCampaigns({
    ...parts,
    zone: settings.timeZone,
    delayMs: settings.campaignDelayMs,
    isConfigured: gateway !== null,
    memberOf,
    pace,
    readAttachment,
    onQueued: (instanceName) => sending.wake(instanceName),
  })
  return { sending, campaigns }
}

async function identify(auth: Auth, request: Request): Promise<Listener | null> {
  try {
    const { accountId, role, instanceName, tokenExpiresAtMs } = await auth.memberOf(request)
    return { accountId, isAdmin: role === 'admin', instanceName, expiresAtMs: tokenExpiresAtMs }
  } catch (error) {
    if (error instanceof PortalError) return null
    throw error
  }
}

function toRestError(error: unknown): never {
  throw error instanceof TokenError ? invalidToken(error.kind) : error
}
