// WhatsApp in and out, put together: links, what comes in, what is sent, media, and the events of it all.
import { Hono } from 'hono'
import { PortalError } from '#domain/errors.ts'
import { createAgentRoutes } from '#server/agents/agent-routes.ts'
import { createDraftRoutes } from '#server/agents/draft-routes.ts'
import { createAgents } from '#server/agents/agents.ts'
import { createBench } from '#server/agents/bench/bench.ts'
import { createEngine, type Engine } from '#server/agents/engine/engine.ts'
import { createRulesModel } from '#server/agents/engine/rules-model.ts'
import { createTranscripts } from '#server/agents/turns/transcripts.ts'
import { createAssistRoutes } from '#server/agents/turns/assist-routes.ts'
import { noteModel } from '#server/agents/setup-store.ts'
import { createTranscriber, type Transcriber } from '#server/agents/engine/transcriber.ts'
import { createAnswers } from '#server/agents/turns/answer-worker.ts'
import { createAssist } from '#server/agents/turns/suggest.ts'
import type { Auth } from '#server/auth/auth.ts'
import { createInvites } from '#server/auth/accounts/invite.ts'
import { createBrokerRoutes } from '#server/brokers/broker-routes.ts'
import { createBrokers } from '#server/brokers/brokers.ts'
import { createLinkLife } from '#server/whatsapp/connection/link-life.ts'
import { createInstanceRoutes } from '#server/whatsapp/connection/connection-routes.ts'
import { createLinks } from '#server/whatsapp/connection/connection.ts'
import { createWatch } from '#server/whatsapp/connection/link-watch.ts'
import { createWebhookRenewal } from '#server/whatsapp/connection/webhook-renewal.ts'
import { monitorSends } from '#server/whatsapp/connection/monitored-sends.ts'
import { createCampaigns } from '#server/campaigns/campaigns.ts'
import type { Meters } from '#server/http/metrics/meters.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { createReconcile } from '#server/whatsapp/reconcile/reconcile.ts'
import { createMediaLinks } from '#server/whatsapp/media/media-link.ts'
import { createMediaRoutes } from '#server/whatsapp/media/media-routes.ts'
import { createFindMedia } from '#server/whatsapp/media/media.ts'
import { readAttachment } from '#server/whatsapp/sending/send-input.ts'
import { countQueues } from '#server/whatsapp/sending/send-store.ts'
import { createSending } from '#server/whatsapp/sending/sending.ts'
import { openBus } from '#server/live/event-bus.ts'
import { createEvents } from '#server/live/event-stream.ts'
import type { Listener } from '#server/live/streams.ts'
import type { Parts } from '#server/parts.ts'
import { createPeople } from '#server/privacy/people.ts'
import { takeLock, type AppliedEvent } from '#server/whatsapp/webhook/apply.ts'
import type { BodyLimits } from '#server/whatsapp/webhook/body.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { createSecretCheck, makeWebhookSecret, mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'

export type Whatsapp = Awaited<ReturnType<typeof createWhatsapp>>

type WhatsappOptions = {
  auth: Auth
  rateLimit: RateLimit
  meters: Meters
  jwtSecret: string
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  deliverySizes?: BodyLimits | undefined
}

type Stop = () => void | Promise<void>

/** WhatsApp in and out: links, what comes in, media, and the events of it all. */
export async function createWhatsapp(parts: Parts, options: WhatsappOptions) {
  const { db, clock, log, gateway, storage } = parts
  const { auth, rateLimit, meters } = options
  /** What an applied event began; a portal that stops lets it end. */
  const hearing = new Set<Promise<void>>()
  const hear = (event: AppliedEvent) => {
    if (reconcile) note(reconcile.hear(event))
    if (event.kind === 'linked') note(sending.resume(event.instanceName))
  }
  const note = (begun: Promise<void>) => {
    const work: Promise<void> = begun.finally(() => hearing.delete(work))
    hearing.add(work)
  }
  const { deliverySizes: sizes } = options
  const webhook = createWebhook({ db, log, clock, storage, onEvent: hear, tally: meters, sizes })
  const reconcile = gateway && createReconcile({ db, clock, log, gateway, ingest: webhook.ingestRecords })
  const onOpened = (instanceName: string) => hear({ instanceName, kind: 'linked' })
  const watch = gateway && createWatch({ db, clock, log, gateway, onOpened })
  const { webhookBase } = options
  const isKnown = createSecretCheck(db, clock)
  const renewal = gateway && createWebhookRenewal({ db, clock, log, gateway, webhookBase, isKnown })
  const { sending, campaigns, ownTables } = createOutgoing(parts, auth, rateLimit)
  const isAway = () => watch?.isAway() ?? false
  const links = createLinks({ ...parts, webhookBase, mintWebhookSecret, isAway })
  const inviteOf = createInvites(options.jwtSecret)
  const brokers = createBrokers({ ...parts, webhookBase, makeWebhookSecret, inviteOf })
  const find = createFindMedia(parts)
  const onQueued = (name: string) => sending.wake(name)
  const { agents, answers, mount } = await createAgentParts(parts, { auth, rateLimit, find, onQueued })
  const people = createPeople({
    ...parts,
    ...agents,
    memberOf: auth.memberOf,
    takeLock,
    rateLimit,
  })
  const bus = await openBus(db, log)
  const events = createEvents({ bus, clock, ...listenersOf(auth) })
  const media = createMediaRoutes({
    links: createMediaLinks(options.jwtSecret, clock),
    storage,
    memberOf: auth.memberOf,
    find: ({ claims }, messageId) => find(claims, messageId),
    isAlive: auth.isAlive,
  })

  const routes = new Hono()
  routes.route('/webhook', webhook.routes)
  routes.route('/api/brokers', createBrokerRoutes(brokers, auth.memberOf))
  routes.route('/api/instance', createInstanceRoutes(links, { memberOf: auth.memberOf, rateLimit }))
  routes.route('/api/messages', media.messages)
  routes.route('/api/messages', sending.routes)
  routes.route('/api/campaigns', campaigns.routes)
  mount(routes)
  routes.route('/api/media', media.media)
  routes.route('/api/people', people.routes)
  routes.route('/api', events.routes)
  return {
    routes,
    /** Another part of the portal queued a message. */
    onQueued,
    ownTables,
    listeners: events.count,
    stampHeard: events.stampHeard,
    probes: {
      gateway: () => watch?.health() ?? 'none',
      deliveries: webhook.counts,
      links: createLinkLife(db).count,
      queues: () => countQueues(db),
      isAdmin: async (request: Request) => (await identify(auth, request))?.isAdmin ?? false,
    },
    start: () => {
      const workers = [webhook, watch, renewal, reconcile, sending, campaigns, answers, brokers, people]
      const stops: Stop[] = workers.flatMap((worker) => (worker ? [worker.start()] : []))
      return async () => {
        for (const stop of stops) await stop()
        await Promise.all(hearing)
      }
    },
    endEvents: events.stop,
    stop: () => bus.stop(),
  }
}

/** Agents as they are managed, what they suggest, and what they answer by themselves. */
async function createAgentParts(parts: Parts, { auth: { memberOf }, rateLimit, find, onQueued }: AgentNeeds) {
  const { db } = parts
  const engine = openEngine(parts)
  await noteModel(db, engine)
  const transcriber = openTranscriber(parts)
  const voiceModel = transcriber?.model ?? null
  const agents = createAgents({ ...parts, backend: parts.settings.agentsBackend, engine, voiceModel })
  const bench = createBench({ ...parts, engine })
  const assist = createAssist({ ...parts, engine })
  const transcripts = createTranscripts({ ...parts, find, transcriber })
  return {
    agents,
    answers: createAnswers({ ...parts, engine, onQueued }),
    mount: (routes: Hono) => {
      routes.route('/api/agents', createAgentRoutes(agents, bench, memberOf))
      routes.route('/api/prompts', createDraftRoutes(db, memberOf))
      routes.route('/api/assist', createAssistRoutes({ assist, transcripts }, { memberOf, rateLimit }))
    },
  }
}

type AgentNeeds = {
  auth: Auth
  rateLimit: RateLimit
  find: ReturnType<typeof createFindMedia>
  onQueued: (instanceName: string) => void
}

function openTranscriber({ settings: { agentModel }, clock }: Parts): Transcriber | null {
  if (!agentModel?.transcribeModel) return null
  return createTranscriber({ ...agentModel, model: agentModel.transcribeModel, clock })
}

/** The model of the settings, the rules of the demonstration, or none. */
function openEngine({ settings: { agentModel, isDemo }, clock, log }: Parts): Engine | null {
  if (agentModel) return createEngine({ ...agentModel, clock, log })
  return isDemo ? createRulesModel() : null
}

/** What goes out: what persons write, and campaigns behind it in the same queues. */
function createOutgoing(parts: Parts, { memberOf }: Auth, rateLimit: RateLimit) {
  const { gateway, settings } = parts
  const sending = createSending({
    ...parts,
    gateway: gateway && monitorSends(gateway, parts),
    takeLock,
    memberOf,
    rateLimit,
    gapMs: settings.campaignDelayMs,
    onSettled: () => campaigns.wake(),
  })
  const campaigns = createCampaigns({
    ...parts,
    zone: settings.timeZone,
    delayMs: settings.campaignDelayMs,
    isConfigured: gateway !== null,
    memberOf,
    rateLimit,
    readAttachment,
    onQueued: (instanceName) => sending.wake(instanceName),
  })
  /** Tables of /rest/v1 whose rows come about by these alone. */
  const ownTables = {
    whatsapp_messages: sending.wireTexts,
    remarketing_campaigns: campaigns.wireCampaigns,
  }
  return { sending, campaigns, ownTables }
}

const listenersOf = (auth: Auth) => ({
  identify: (request: Request) => identify(auth, request),
  living: auth.living,
})

async function identify(auth: Auth, request: Request): Promise<Listener | null> {
  try {
    const { accountId, sessionId, role, instanceName, tokenExpiresAtMs } = await auth.memberOf(request)
    return { accountId, sessionId, isAdmin: role === 'admin', instanceName, expiresAtMs: tokenExpiresAtMs }
  } catch (error) {
    if (error instanceof PortalError) return null
    throw error
  }
}
