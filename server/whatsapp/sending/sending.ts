// Composes sending: the routes that queue messages, and the worker.
import type { Hono } from 'hono'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Asking, Signed } from '#server/http/requests.ts'
import { errorFields } from '#server/log.ts'
import type { Sends } from '#server/gateway.ts'
import { createMaterialCall } from './material-call.ts'
import { createQuickReplyRoutes } from './quick-reply-routes.ts'
import { createScheduledTexts, type ScheduledParts } from './scheduled-worker.ts'
import { createSendRoutes } from './send-routes.ts'
import type { SendParts } from './message-send.ts'
import { createSender } from './send-worker.ts'
import { createWireTexts } from './wire-texts.ts'

type Options = Omit<SendParts, 'gateway'> & {
  /** Null: 'WhatsApp não configurado'. */
  gateway: Sends | null
  memberOf: (request: Request) => Promise<Asking>
  rateLimit: RateLimit
  /** Gap between two scheduled texts of an instance. */
  gapMs: ScheduledParts['gapMs']
}

export type Sending = {
  /** Serves /api/messages. */
  routes: Hono<Signed>
  /** Serves /api/quick-replies. */
  quickReplies: Hono<Signed>
  /** Handles writes of /rest/v1/whatsapp_messages. */
  wireTexts: ReturnType<typeof createWireTexts>
  /** Handles calls of the function material_send. */
  sendMaterial: ReturnType<typeof createMaterialCall>
  /** Other modules call this when they queued a message for the instance. */
  wake(instanceName: string): void
  /** Called when the gateway has answered a poll. `isBack`: it did so for the first time after an outage. */
  gatewayAnswered(isBack: boolean, lookUp: (instanceName: string) => Promise<unknown>): Promise<void>
  /** Called when the link of an instance has opened. */
  resume(instanceName: string): Promise<void>
  /** Starts the worker; the returned function stops it. */
  start(): () => Promise<void>
}

export function createSending({ gateway, memberOf, rateLimit, gapMs, ...parts }: Options): Sending {
  const { db, storage, log } = parts
  const sender = gateway && createSender({ ...parts, gateway })
  const scheduled =
    sender && createScheduledTexts({ ...parts, ...parts.presence, gapMs, onQueued: sender.wake })
  const queueing = {
    db,
    isConfigured: sender !== null,
    onQueued: (instanceName: string) => sender?.wake(instanceName),
  }
  return {
    routes: createSendRoutes({ ...queueing, storage, memberOf, rateLimit }),
    quickReplies: createQuickReplyRoutes({ db, storage, memberOf, rateLimit }),
    wireTexts: createWireTexts(queueing),
    sendMaterial: createMaterialCall(queueing),
    wake: (instanceName) => sender?.wake(instanceName),
    resume: async (instanceName) => {
      await sender
        ?.resume(instanceName)
        // If this fails, the next poll finds the queue once its hold is over.
        .catch((error: unknown) => log.warn('message.resume-failed', errorFields(error)))
    },
    gatewayAnswered: async (isBack, lookUp) => {
      await sender
        ?.gatewayAnswered(isBack, lookUp)
        .catch((error: unknown) => log.warn('message.doubt-stays', errorFields(error)))
    },
    start: () => {
      const stops = [scheduled?.start(), sender?.start()]
      return async () => {
        for (const stop of stops) await stop?.()
      }
    },
  }
}
