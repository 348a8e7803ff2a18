// /api/leads/mailboxes: the mailbox of an e-mail source, for administrators; its password is never shown.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { jsonOf, limitBody, signedInAdmin, UUID, type Member, type Signed } from '#server/http/requests.ts'
import type { createMailboxSettings } from './store.ts'

type Parts = {
  clock: Clock
  store: ReturnType<typeof createMailboxSettings>
  memberOf: (request: Request) => Promise<Member>
  /** Called when a mailbox may be due. */
  onChanged: () => void
}

const MAX_BODY_BYTES = 4 * 1024
const line = (most: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most), v.regex(/^[^\p{Cc}]+$/u))
const Box = v.object({
  host: v.pipe(line(253), v.toLowerCase(), v.regex(/^[a-z0-9.:-]+$/)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  username: line(254),
  folder: v.optional(line(200), 'INBOX'),
  isOn: v.boolean(),
  password: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
})

export function createMailboxRoutes({ clock, store, memberOf, onChanged }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  // Answers {mailbox}: null without one.
  routes.get(`/:id{${UUID}}`, async (context) =>
    context.json({ mailbox: await store.find(context.var.claims, context.req.param('id')) }),
  )
  routes.put(`/:id{${UUID}}`, async (context) => {
    const read = v.safeParse(Box, await jsonOf(context))
    if (!read.success)
      throw new PortalError('request.invalid', 'Confira o servidor, a porta e o usuário da caixa.', {
        status: 422,
      })
    const mailbox = await store.set(context.var.claims, context.req.param('id'), {
      box: read.output,
      nowMs: clock.now(),
    })
    onChanged()
    return context.json({ mailbox })
  })
  routes.delete(`/:id{${UUID}}`, async (context) =>
    context.json(await store.remove(context.var.claims, context.req.param('id'))),
  )
  return routes
}
