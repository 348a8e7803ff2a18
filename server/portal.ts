// Composes the portal from its modules, and runs its workers. The server's modules meet only here and in
// addresses.ts.
import type { Hono } from 'hono'
import { mountAddresses } from '#server/addresses.ts'
import { createAgentModule } from '#server/agents/module.ts'
import { createInvites } from '#server/auth/accounts/invite.ts'
import { createAuth, type Auth } from '#server/auth/auth.ts'
import { createBrokers } from '#server/brokers/brokers.ts'
import { createCampaigns } from '#server/campaigns/campaigns.ts'
import { createDevelopments } from '#server/developments/developments.ts'
import { createLive } from '#server/live/live.ts'
import { createPeople } from '#server/privacy/people.ts'
import type { Backups } from '#server/ops/backup/backups.ts'
import { capWaits, startMaintenance } from '#server/ops/maintenance.ts'
import { createVitals } from '#server/ops/health/vitals.ts'
import { createReplicaReads } from '#server/db/replica.ts'
import { migrate } from '#server/db/migrate.ts'
import { dataDirOf } from '#server/db/open.ts'
import { createRetention } from '#server/ops/retention.ts'
import { createConversions } from '#server/conversions/conversions.ts'
import { createEvents } from '#server/events/events.ts'
import { createBranding } from '#server/http/brand.ts'
import type { Gateway, GatewayKind } from '#server/gateway.ts'
import { createLeaving } from '#server/http/leaving.ts'
import { createMeters } from '#server/http/metrics/meters.ts'
import { createRateLimit } from '#server/http/rate-limit.ts'
import type { ReadLeadgen } from '#server/leads/intake/meta/graph.ts'
import { createLeads } from '#server/leads/leads.ts'
import type { BodyLimits } from '#server/whatsapp/webhook/body.ts'
import { findGateway } from '#server/whatsapp/gateway-location.ts'
import { createWhatsapp } from '#server/whatsapp/whatsapp.ts'
import { readAttachment } from '#server/whatsapp/sending/send-input.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { makeWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import type { Parts } from '#server/parts.ts'
import { createPush } from '#server/push/push.ts'
import { createPlans } from '#server/plans/plans.ts'
import { createVisits } from '#server/visits/visits.ts'

export type Portal = {
  fetch: Hono['fetch']
  /** Every mounted route; tests compare them with the guards. */
  routes: readonly { method: string; path: string }[]
  /** The first administrator's password if it was created now, to be shown once. */
  firstAdmin: { username: string; password: string } | null
  /** Starts the workers; nothing runs before. */
  start(): void
  /** Health reports that the portal is stopping, and connections are closed after their answer. */
  leave(): void
  /** Asks event streams to reconnect, and accepts no new ones. */
  endEvents(): void
  /** Stops the workers after their current steps. */
  stop(): Promise<void>
}

type PortalOptions = {
  /** Signs access tokens, and decrypts the secrets in the database. */
  jwtSecret: string
  /** The folder supabase. */
  schemaFolder: string
  /** Folders of the built app and of earlier releases' assets. Undefined: tests run the server alone. */
  client?: { current: string; earlier: string }
  version: string
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  /** The backups of the embedded database. Undefined with a database server. */
  backups?: Backups | undefined
  /** Called when an administrator has changed the WhatsApp service: the portal must be created anew. */
  onGatewayChanged?: () => void
  /** The demonstration's gateways. */
  simulated?: ReadonlyMap<GatewayKind, Gateway>
  /** Fetches leads from Meta; tests pass their own. */
  readLeadgen?: ReadLeadgen
  /** Maximum size of a delivery that is stored whole. Tests pass less. */
  deliverySizes?: BodyLimits | undefined
}

type Stop = () => void | Promise<void>

/** Migrates the database and composes the portal; nothing listens yet. */
export async function createPortal(given: Parts, options: PortalOptions): Promise<Portal> {
  const meters = createMeters({ isRead: given.settings.metricsToken !== undefined })
  const replicaDb = given.replica && meters.over(given.replica)
  const known = { ...given, db: meters.over(given.db), replica: replicaDb }
  const { db, clock, log, settings } = known
  const replica = createReplicaReads({ ...known, primary: db })
  const { reading } = replica
  const rateLimit = createRateLimit(db, clock)
  const leaving = createLeaving()
  await prepareDatabase(known, options.schemaFolder)
  const { gateway, ...gatewayLocation } = await findGateway(known, options)
  const parts = { ...known, gateway }
  // A campaign's message with its typing time.
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
  const { memberOf } = auth
  const { timeZone, webhookPrivateHosts: privateHosts } = settings
  const reports = { reading, timeZone, privateHosts }
  const leads = await createLeads({ ...parts, ...options, ...reports, rateLimit, memberOf })
  const address = () => settings.publicUrl ?? options.webhookBase()
  const branding = createBranding(parts)
  const readBrand = branding.read
  const messaging = await createMessaging(parts, { ...options, auth, rateLimit, meters, address, readBrand })
  const { live, ...messengers } = messaging
  const { jwtSecret, version } = options
  const { vapidSubject, publicUrl, isDemo: allowsLoopback } = settings
  const sender = { jwtSecret, vapidSubject, publicUrl, address, allowsLoopback }
  const push = await createPush({ ...parts, ...sender, memberOf })
  const events = createEvents({ ...parts, jwtSecret, privateHosts, version, memberOf })
  const conversions = createConversions({ ...parts, jwtSecret, graphUrl: settings.metaGraphUrl, memberOf })
  const visits = createVisits({ ...parts, address })
  const vitals = createVitals({
    ...known,
    folder: db.engine === 'pglite' ? dataDirOf(settings) : null,
    backup: settings.isDemo ? undefined : options.backups?.state,
  })
  const doors = { auth, leads, push, events, conversions, visits }
  const made = { ...messaging, ...doors, branding, vitals, reading, gatewayLocation }
  const app = await mountAddresses(parts, { ...options, ...made, rateLimit, meters, leaving })
  const firstAdmin = await auth.ensureFirstAdmin(settings.adminUsername, settings.adminPassword)
  const stops: Stop[] = []
  return {
    fetch: app.fetch,
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    firstAdmin,
    start: () => {
      const house = [vitals, replica, createRetention({ db, clock, log, keeps: settings.keeps })]
      const workers = [leads, push, events, conversions, visits, createPlans(parts)]
      const modules = [...Object.values(messengers), ...workers]
      stops.push(startMaintenance(maintenance), auth.maintenance(), gatewayLocation.watch())
      for (const module of [...house, ...modules]) stops.push(module.start())
      if (options.backups) stops.push(options.backups.start(vitals.listFaults))
    },
    leave: leaving.begin,
    endEvents: live.end,
    stop: async () => {
      await Promise.all(stops.splice(0).map(async (stop) => stop()))
      live.end()
      await live.stop()
    },
  }
}

type MessagingOptions = PortalOptions & {
  auth: Auth
  rateLimit: ReturnType<typeof createRateLimit>
  meters: ReturnType<typeof createMeters>
  address: () => string
  readBrand: ReturnType<typeof createBranding>['read']
}

/** Composes the conversations and all modules that write into them. */
async function createMessaging(parts: Parts, { auth, rateLimit, ...options }: MessagingOptions) {
  const { settings, gateway } = parts
  const { memberOf } = auth
  const onSettled = () => campaigns.wake()
  const whatsapp = createWhatsapp(parts, { ...options, auth, rateLimit, onSettled })
  const onQueued = whatsapp.wake
  const campaigns = createCampaigns({
    ...parts,
    zone: settings.timeZone,
    delayMs: settings.campaignDelayMs,
    isConfigured: parts.gateway !== null,
    isAway: whatsapp.isAway,
    showTyping:
      gateway === null ? undefined : (instanceName, input) => gateway.showTyping(instanceName, input),
    memberOf,
    rateLimit,
    readAttachment,
    onQueued,
  })
  const agents = await createAgentModule(parts, {
    memberOf,
    rateLimit,
    findMedia: whatsapp.findMedia,
    onQueued,
  })
  const inviteOf = createInvites(options.jwtSecret)
  const { webhookBase } = options
  const brokers = createBrokers({ ...parts, webhookBase, makeWebhookSecret, inviteOf })
  const { forgetElsewhere } = agents
  const people = createPeople({
    ...parts,
    timeZone: settings.timeZone,
    forgetElsewhere,
    memberOf,
    takeLock,
    rateLimit,
  })
  const live = await createLive(parts, auth)
  const developments = createDevelopments(parts, {
    ...options,
    memberOf,
    rateLimit,
    linkOf: whatsapp.linkOf,
    privateHosts: settings.webhookPrivateHosts,
  })
  return { whatsapp, campaigns, agents, brokers, people, live, developments }
}

async function prepareDatabase({ db, log, settings }: Parts, schemaFolder: string) {
  const { versions, objects, dropped } = await migrate(db, schemaFolder)
  if (versions.length + objects.length + dropped.length > 0)
    log.info('schema.applied', {
      versions: versions.join(' '),
      objects: objects.length,
      dropped: dropped.join(', '),
    })
  const known = {
    time_zone: settings.timeZone,
    public_url: settings.publicUrl ? new URL(settings.publicUrl).origin : null,
  }
  await db.query(
    `insert into portal.settings as s (key, value)
    select k.key, k.value from jsonb_each($1::jsonb) as k
    on conflict (key) do update set value = excluded.value where s.value <> excluded.value`,
    [JSON.stringify(known)],
  )
}
