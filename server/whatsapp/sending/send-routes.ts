// POST /api/messages/text, /contact, /location, /media, /forward and /quick-reply queue a message, DELETE /:id cancels
// it, POST /:id/retry sends it again. Each answers {message}, a row of whatsapp_messages; its later states come by live
// events.
import { Hono, type Context } from 'hono'
import { MAX_BYTES } from '#domain/message/media.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { formOf, jsonOf, limitBody, signedIn, type Asking, type Signed } from '#server/http/requests.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import {
  readContact,
  readForward,
  readLocation,
  readMedia,
  readQuickReply,
  readRetry,
  readText,
  tooLarge,
  unconfigured,
  type MessageInput,
} from './send-input.ts'
import { createSendStore, type QueuedRow } from './send-store.ts'

const MAX_TEXT_BODY_BYTES = 256 * 1024
export const MAX_FILE_BYTES = Math.max(...Object.values(MAX_BYTES))
/** Size of a form without its file. */
export const FORM_BYTES = 64 * 1024

export const fileTooLarge = () => tooLarge(MAX_FILE_BYTES)

export function createSendRoutes(parts: {
  db: Database
  storage: MediaStore
  /** False: 'WhatsApp não configurado'. */
  isConfigured: boolean
  memberOf: (request: Request) => Promise<Asking>
  rateLimit: RateLimit
  onQueued: (instanceName: string) => void
}): Hono<Signed> {
  const store = createSendStore(parts.db)
  const routes = new Hono<Signed>()
  routes.use(signedIn(parts.memberOf))

  async function queue(claims: Claims, input: MessageInput): Promise<QueuedRow> {
    requireGateway()
    const { media } = input
    if (!media) return store.queue(claims, input, null)
    // Checked first, so that a refused file is not stored.
    await store.check(claims, input)
    const mediaId = await parts.storage.put(media.bytes)
    return store.queue(claims, input, { mediaId, ...media.content })
  }

  function requireGateway() {
    if (!parts.isConfigured) throw unconfigured()
  }

  const answer = (context: Context, message: QueuedRow) => {
    parts.onQueued(message.instanceName)
    return context.json({ message })
  }

  for (const [path, readIt] of Object.entries({
    text: readText,
    contact: readContact,
    location: readLocation,
  }))
    routes.post(`/${path}`, limitBody(MAX_TEXT_BODY_BYTES), async (context) =>
      answer(context, await queue(context.var.claims, readIt(await jsonOf(context)))),
    )
  routes.post('/forward', limitBody(MAX_TEXT_BODY_BYTES), async (context) => {
    requireGateway()
    return answer(context, await store.forward(context.var.claims, readForward(await jsonOf(context))))
  })
  routes.post('/quick-reply', limitBody(MAX_TEXT_BODY_BYTES), async (context) => {
    requireGateway()
    const input = readQuickReply(await jsonOf(context))
    return answer(context, await store.queueQuickReply(context.var.claims, input))
  })
  // A form with `message` (JSON of send-input.ts) and `file`.
  routes.post(
    '/media',
    parts.rateLimit('upload'),
    limitBody(MAX_FILE_BYTES + FORM_BYTES, fileTooLarge),
    async (context) => {
      const { message, bytes } = await formOf(context)
      return answer(context, await queue(context.var.claims, readMedia(message, bytes)))
    },
  )
  routes.post('/:id{[0-9]{1,15}}/retry', limitBody(MAX_TEXT_BODY_BYTES), async (context) => {
    requireGateway()
    const { operationId } = readRetry(await jsonOf(context))
    return answer(
      context,
      await store.retry(context.var.claims, Number(context.req.param('id')), operationId),
    )
  })
  routes.delete('/:id{[0-9]{1,15}}', async (context) => {
    await store.cancel(context.var.claims, Number(context.req.param('id')))
    return context.json({})
  })
  return routes
}
