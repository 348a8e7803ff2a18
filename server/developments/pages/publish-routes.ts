// /api/developments/pages: administrators publish developments and listings, and set up the feed for portals; members
// make a lead's own address of a page.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import {
  jsonOf,
  limitBody,
  signedIn,
  signedInAdmin,
  type Member,
  type Signed,
} from '#server/http/requests.ts'
import { isState } from './feed-out.ts'
import { createLeftOut } from './left-out.ts'
import type { createPageStore } from './page-store.ts'

export type PublishParts = {
  clock: Clock
  store: ReturnType<typeof createPageStore>
  memberOf: (request: Request) => Promise<Member>
  address: () => string
}

const BODY_BYTES = 16 * 1024
/** How many published pages are read at once. */
const AT_ONCE = 1_000
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))
const Publish = v.pipe(
  v.object({
    developmentId: v.optional(v.nullable(id), null),
    listingId: v.optional(v.nullable(id), null),
    isPublished: v.boolean(),
  }),
  v.check(({ developmentId, listingId }) => (developmentId === null) !== (listingId === null)),
)
const Out = v.object({
  email: v.pipe(v.string(), v.trim(), v.email(), v.maxLength(254)),
  state: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.check(isState)),
})
const Visits = v.object({ isOn: v.boolean() })
const Link = v.object({
  contactId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  slug: v.pipe(v.string(), v.maxLength(90)),
})

export function createPublishRoutes({ clock, store, memberOf, address }: PublishParts): Hono {
  const routes = new Hono()
  const forMembers = new Hono<Signed<Member>>()
  forMembers.use(signedIn(memberOf), limitBody(BODY_BYTES))
  forMembers.post('/', async (context) => {
    const wanted = given(Link, await jsonOf(context), 'O pedido não pôde ser lido.')
    const token = await store.link(context.var.claims, wanted, clock.now())
    const url = new URL(`/i/${wanted.slug}`, address())
    if (token !== null) url.searchParams.set('t', token)
    return context.json({ url: url.href })
  })
  routes.route('/link', forMembers)

  const forAdmins = new Hono<Signed<Member>>()
  forAdmins.use(signedInAdmin(memberOf))
  const small = limitBody(BODY_BYTES)
  forAdmins.get('/', async (context) => context.json(await store.publishing(context.var.claims, clock.now())))
  forAdmins.post('/', small, async (context) => {
    const wanted = given(Publish, await jsonOf(context), 'O pedido não pôde ser lido.')
    return context.json(await store.publish(context.var.claims, wanted, clock.now()))
  })
  forAdmins.get('/left-out', async (context) => {
    const leftOut = createLeftOut()
    for (let after = 0; ;) {
      const asked = { after, limit: AT_ONCE, nowMs: clock.now() }
      const pages = await store.publishedFacts(context.var.claims, asked)
      for (const page of pages) leftOut.add(page)
      const last = pages.at(-1)
      if (!last || pages.length < AT_ONCE) return context.json(leftOut.answer())
      after = last.id
    }
  })
  forAdmins.put('/visits', small, async (context) => {
    const { isOn } = given(Visits, await jsonOf(context), 'O pedido não pôde ser lido.')
    await store.tellVisits(context.var.claims, isOn)
    return context.json({ isOn })
  })
  forAdmins.post('/out', small, async (context) => {
    const wanted = given(Out, await jsonOf(context), 'Informe um e-mail e o estado com duas letras, como SP.')
    const secret = await store.renewFeedOut(context.var.claims, wanted, clock.now())
    return context.json({ url: new URL(`/api/feeds/${secret}.xml`, address()).href })
  })
  forAdmins.delete('/out', async (context) => {
    await store.endFeedOut(context.var.claims)
    return context.json({ isEnded: true })
  })
  routes.route('/', forAdmins)
  return routes
}

function given<T extends v.GenericSchema>(schema: T, input: unknown, words: string): v.InferOutput<T> {
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return parsed.output
  throw new PortalError('page.invalid', words, { status: 422 })
}
