// /api/leads/contacts: an administrator sets the number of a lead with only an e-mail, or decides one in
// doubt.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import type { createContactStore } from './intake-store.ts'
import { numbersIn } from '#domain/phone/read.ts'

type Parts = {
  clock: Clock
  store: ReturnType<typeof createContactStore>
  memberOf: (request: Request) => Promise<Member>
  /** Called when a lead's case was opened. */
  onTaken: () => void
}

const MAX_BODY_BYTES = 4 * 1024
const Completed = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  number: v.pipe(v.string(), v.maxLength(60)),
})

export function createContactRoutes({ clock, store, memberOf, onTaken }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  // Answers {contactId, isKnown}; isKnown: another lead had this number, and the two were merged.
  routes.post('/:id{[0-9]{1,15}}/number', async (context) => {
    const { number, operationId } = read(await jsonOf(context))
    const completed = await store.complete(context.var.claims, {
      contactId: Number(context.req.param('id')),
      number,
      operationId,
      nowMs: clock.now(),
    })
    onTaken()
    return context.json(completed)
  })
  routes.get('/doubts', async (context) => context.json({ doubts: await store.doubts(context.var.claims) }))
  // Answers the same. Messages to the lead are sent again from then on.
  routes.post('/:id{[0-9]{1,15}}/decision', async (context) => {
    const { number, operationId } = read(await jsonOf(context))
    const contactId = Number(context.req.param('id'))
    return context.json(await store.decide(context.var.claims, { contactId, number, operationId }))
  })
  return routes
}

function read(body: unknown): { number: string; operationId: string } {
  const asked = v.safeParse(Completed, body)
  const number = asked.success ? numbersIn([asked.output.number]).numbers[0]?.e164 : undefined
  if (!asked.success || number === undefined)
    throw new PortalError('lead.no-number', 'Informe o telefone com DDD, por exemplo (11) 95550-0142.', {
      status: 422,
    })
  return { number, operationId: asked.output.operationId }
}
