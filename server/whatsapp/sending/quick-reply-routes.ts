// POST /api/quick-replies/:id/file gives a quick reply its file, DELETE removes it; each answers {file}.
import { Hono } from 'hono'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { formOf, limitBody, signedIn, type Asking, type Signed } from '#server/http/requests.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { readAttachment } from './send-input.ts'
import { fileTooLarge, FORM_BYTES, MAX_FILE_BYTES } from './send-routes.ts'

export function createQuickReplyRoutes(parts: {
  db: Database
  storage: MediaStore
  memberOf: (request: Request) => Promise<Asking>
  rateLimit: RateLimit
}): Hono<Signed> {
  const { one: ask } = createAsking(parts.db)
  const routes = new Hono<Signed>()
  routes.use(signedIn(parts.memberOf))
  const setFile = (claims: Claims, id: string, file: object | null) =>
    ask<object | null>(claims, 'select portal.set_quick_reply_file($1, $2::jsonb) as answer', [
      id,
      file && JSON.stringify(file),
    ])
  const at = '/:id{[0-9a-f-]{36}}/file'

  // A form with `message` ({kind, fileName, seconds, width, height}) and `file`.
  routes.post(
    at,
    parts.rateLimit('upload'),
    limitBody(MAX_FILE_BYTES + FORM_BYTES, fileTooLarge),
    async (context) => {
      const { claims } = context.var
      const id = context.req.param('id')
      const { message, bytes } = await formOf(context)
      const { kind, content } = readAttachment(message, bytes)
      // Checked first, so that a refused file is not stored.
      await ask(claims, 'select portal.quick_reply_to_change($1) as answer', [id])
      const mediaId = await parts.storage.put(bytes)
      return context.json({ file: await setFile(claims, id, { kind, content: { ...content, mediaId } }) })
    },
  )
  routes.delete(at, async (context) => {
    await setFile(context.var.claims, context.req.param('id'), null)
    return context.json({ file: null })
  })
  return routes
}
