// /api/leads/unread: bodies that could not be parsed, for administrators: view, parse again, discard.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { id } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import { readSent } from './raw/body.ts'
import { LEASE_MS, type RawMaker } from './raw/maker.ts'
import type { createUnreadStore } from './unread-store.ts'

type Parts = {
  clock: Clock
  store: ReturnType<typeof createUnreadStore>
  maker: RawMaker
  memberOf: (request: Request) => Promise<Member>
}

const MAX_BODY_BYTES = 16 * 1024
/** The portal keeps at most this many bodies for one key. */
const MAX_AT_ONCE = 200
const Some = v.object({
  ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_AT_ONCE)),
})

export function createUnreadRoutes({ clock, store, maker, memberOf }: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.get('/', async (context) => context.json({ unread: await store.list(context.var.claims) }))
  /** Answers the body as received, and its named values if the body has a readable form. */
  routes.get('/:id{[0-9]{1,15}}', async (context) => {
    const unread = await store.find(context.var.claims, Number(context.req.param('id')))
    return context.json({ ...unread, values: readSent(unread) })
  })
  // Answers {read: [{id, name, fault}]}: `name` of the new lead, `fault` if it failed again, both null if it
  // is parsed later.
  routes.post('/read', async (context) => {
    const ids = await idsOf(context)
    const raws = await store.readAgain(context.var.claims, ids, clock.now() + LEASE_MS)
    const read = []
    for (const raw of raws) read.push({ id: raw.id, ...(await maker.readAgain(raw)) })
    return context.json({ read })
  })
  routes.post('/discard', async (context) =>
    context.json({ count: await store.discard(context.var.claims, await idsOf(context)) }),
  )
  return routes

  async function idsOf(context: Context): Promise<number[]> {
    const read = v.safeParse(Some, await jsonOf(context))
    if (!read.success)
      throw new PortalError('request.invalid', `Escolha de 1 a ${MAX_AT_ONCE} entregas.`, { status: 422 })
    return read.output.ids
  }
}
