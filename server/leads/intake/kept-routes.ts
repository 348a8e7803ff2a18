// /api/leads/kept: bodies of the last thirty days, parsed again by this version; for administrators.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { id } from '#server/http/ids.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'
import type { createReader } from './raw/again.ts'
import { LEASE_MS, type RawMaker } from './raw/maker.ts'
import type { createUnreadStore } from './unread-store.ts'

type Parts = {
  clock: Clock
  reader: ReturnType<typeof createReader>
  unreadStore: ReturnType<typeof createUnreadStore>
  maker: RawMaker
  memberOf: (request: Request) => Promise<Member>
  /** Called when a lead's case was opened. */
  onTaken: () => void
}

const MAX_BODY_BYTES = 16 * 1024
const MAX_AT_ONCE = 200
const After = v.pipe(v.optional(v.string(), '0'), v.regex(/^\d{1,15}$/), v.transform(Number))
const Some = v.object({ ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_AT_ONCE)) })

export function createKeptRoutes({
  clock,
  reader,
  unreadStore,
  maker,
  memberOf,
  onTaken,
}: Parts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  // Answers {changes: [{id, keyName, receivedAt, leads: [{before, after}]}], next}; changes nothing.
  routes.get('/', async (context) => {
    const after = v.safeParse(After, context.req.query('after'))
    if (!after.success)
      throw new PortalError('request.invalid', 'Peça a lista desde o começo.', { status: 422 })
    return context.json(await reader.compare(context.var.claims, after.output))
  })
  // Answers {mended, spoken}: corrected leads, and leads left alone because of a conversation under the old
  // number.
  routes.post('/', async (context) => {
    const read = v.safeParse(Some, await jsonOf(context))
    if (!read.success)
      throw new PortalError('request.invalid', `Escolha de 1 a ${MAX_AT_ONCE} entregas.`, { status: 422 })
    let [mended, spoken] = [0, 0]
    const unread: number[] = []
    for (const one of read.output.ids) {
      const done = await reader.mend(context.var.claims, one)
      if (done === null) continue
      if ('isUnread' in done) unread.push(one)
      else {
        mended += done.mended
        spoken += done.spoken
      }
    }
    if (unread.length > 0)
      for (const raw of await unreadStore.readAgain(context.var.claims, unread, clock.now() + LEASE_MS))
        if ((await maker.readAgain(raw)).name !== null) mended += 1
    if (mended > 0) onTaken()
    return context.json({ mended, spoken })
  })
  return routes
}
