// Composes the WhatsApp module: links, incoming messages, sending, media.
import { Hono } from 'hono'
import type { Auth } from '#server/auth/auth.ts'
import type { Meters } from '#server/http/metrics/meters.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Parts } from '#server/parts.ts'
import { createRunning } from '#server/running.ts'
import { startInOrder } from '#server/worker.ts'
import { createConnection } from './connection/connection-part.ts'
import { monitorSends } from './connection/monitored-sends.ts'
import { deliveriesOf, titleOf } from './gateway/rooms.ts'
import { createMedia } from './media/media-part.ts'
import { createReconcile } from './reconcile/reconcile.ts'
import { countQueues } from './sending/send-store.ts'
import { createSending } from './sending/sending.ts'
import { takeLock, type AppliedEvent } from './webhook/apply.ts'
import type { BodyLimits } from './webhook/body.ts'
import { createWebhook } from './webhook/routes.ts'
import { createSecretCheck, makeWebhookSecret, mintWebhookSecret } from './webhook/secret.ts'

export type Whatsapp = ReturnType<typeof createWhatsapp>

type Options = {
  auth: Pick<Auth, 'memberOf' | 'isAlive'>
  rateLimit: RateLimit
  meters: Meters
  jwtSecret: string
  /** Address under which the gateway reaches this portal. */
  webhookBase: () => string
  deliverySizes?: BodyLimits | undefined
  /** Called when a queued message was sent, or has failed. */
  onSettled: () => void
}

export function createWhatsapp(parts: Parts, options: Options) {
  const { db, clock, log, gateway, settings } = parts
  const { rateLimit, meters, webhookBase, deliverySizes: sizes, onSettled } = options
  const { memberOf } = options.auth
  const begun = createRunning()
  const hear = (event: AppliedEvent) => {
    if (reconcile) begun.add(reconcile.hear(event))
    if (event.kind === 'linked') begun.add(sending.resume(event.instanceName))
  }
  const webhook = createWebhook({ ...parts, deliveriesOf, sizes, onEvent: hear, tally: meters })
  const reconcile = gateway && createReconcile({ db, clock, log, gateway, ingest: webhook.ingestRecords })
  const onOpened = (instanceName: string) => hear({ instanceName, kind: 'linked' })
  const onAnswered = (isBack: boolean) => {
    if (reconcile) begun.add(sending.gatewayAnswered(isBack, reconcile.sweep))
  }
  const secrets = { isKnown: createSecretCheck(db, clock), makeWebhookSecret, mintWebhookSecret }
  const linking = { webhookBase, secrets, titleOf, onOpened, onAnswered }
  const connection = createConnection(parts, { memberOf, rateLimit, ...linking })
  const { watch, renewal, moves } = connection.workers
  const sending = createSending({
    ...parts,
    gateway: gateway && monitorSends(gateway, parts),
    presence: connection.presence,
    takeLock,
    memberOf,
    rateLimit,
    gapMs: settings.campaignDelayMs,
    onSettled,
  })
  const media = createMedia(parts, options)
  return {
    /** Serves /webhook, /api/instance, /api/messages, /api/quick-replies and /api/media. */
    routes: {
      webhook: webhook.routes,
      instance: connection.routes,
      messages: new Hono().route('/', media.routes.messages).route('/', sending.routes),
      quickReplies: sending.quickReplies,
      media: media.routes.media,
    },
    /** Handles writes of /rest/v1/whatsapp_messages. */
    wireTexts: sending.wireTexts,
    sendMaterial: sending.sendMaterial,
    /** Other modules call this when they queued a message for the instance. */
    wake: (instanceName: string) => sending.wake(instanceName),
    findMedia: media.find,
    /** The signed address of a stored file. */
    linkOf: media.linkOf,
    /** True: the gateway is down, and nothing may be handed over to it. */
    isAway: connection.presence.isAway,
    probes: {
      ...connection.probes,
      deliveries: webhook.counts,
      queues: () => countQueues(db),
    },
    /** Starts the workers; the returned function stops them in order. */
    start: () => {
      const stop = startInOrder([webhook, watch, renewal, reconcile, sending, moves])
      return async () => {
        await stop()
        await begun.settled()
      }
    },
  }
}
