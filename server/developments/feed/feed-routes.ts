// /api/developments/feed: the feed of listings for administrators: its address, readings, what they would change,
// listings.
import { Hono } from 'hono'
import * as v from 'valibot'
import { cleanText } from '#domain/clean-text.ts'
import { PortalError } from '#domain/errors.ts'
import type { Role } from '#domain/session.ts'
import type { Clock } from '#server/clock.ts'
import { mayBeNotified } from '#server/http/address/public.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedInAdmin, type Asking, type Signed } from '#server/http/requests.ts'
import type { ReadFeed } from './feed-reader.ts'
import type { createFeedStore } from './feed-store.ts'
import { MAX_PHOTO_BYTES } from './photo-worker.ts'
import { MAX_FEED_BYTES } from './vrsync.ts'

type Member = Asking & { role: Role; username: string }
export type FeedRouteParts = {
  clock: Clock
  store: ReturnType<typeof createFeedStore>
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
  privateHosts: readonly string[]
  read: ReadFeed
  /** Called when the address is due. */
  onAsked: () => void
  /** Called when photos may wait to be fetched. */
  onApplied: () => void
}

const SMALL_BYTES = 16 * 1024
const LISTING_BYTES = 64 * 1024
/** Enough for the codes of all listings of the largest feed. */
const APPLY_BYTES = 1024 * 1024
const PAGE = 200
const MAX_CODES = 20_000

const Wanted = v.object({
  address: v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(2_000))),
  isHourly: v.boolean(),
})
const Apply = v.object({
  except: v.pipe(v.array(v.pipe(v.string(), v.maxLength(50))), v.maxLength(MAX_CODES)),
  confirmed: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
})
const Page = v.object({
  kind: v.optional(v.picklist(['new', 'changed', 'gone'])),
  after: v.optional(v.pipe(v.string(), v.maxLength(50))),
})
const ListingPage = v.object({
  search: v.optional(v.pipe(v.string(), v.transform(cleanText), v.trim(), v.maxLength(100))),
  filter: v.optional(v.picklist(['left', 'published'])),
  after: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})

const MAX_CENTS = 100_000_000_000
const whole = (min: number, max: number) =>
  v.nullable(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)))
const words = v.pipe(v.string(), v.transform(cleanText), v.trim())
/** The fields that an administrator may edit by hand. */
const EditedListing = v.strictObject({
  title: v.pipe(words, v.minLength(1), v.maxLength(200)),
  description: v.nullable(v.pipe(words, v.maxLength(10_000))),
  saleCents: whole(1, MAX_CENTS),
  rentCents: whole(1, MAX_CENTS),
  area: v.nullable(v.pipe(v.number(), v.minValue(0.01), v.maxValue(9_999_999))),
  bedrooms: whole(0, 999),
  suites: whole(0, 999),
  bathrooms: whole(0, 999),
  parking: whole(0, 999),
})

export function createFeedRoutes(parts: FeedRouteParts): Hono<Signed<Member>> {
  const { clock, store, memberOf, rateLimit, privateHosts, read, onAsked, onApplied } = parts
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf))
  const small = limitBody(SMALL_BYTES)

  routes.get('/', async (context) =>
    context.json(await store.state(context.var.claims, clock.now(), MAX_PHOTO_BYTES)),
  )
  routes.put('/', small, async (context) => {
    const { address, isHourly } = given(Wanted, await jsonOf(context))
    const wanted = { address: address === '' ? null : address, isHourly }
    if (wanted.address !== null && !mayBeNotified(wanted.address, privateHosts))
      throw new PortalError('feed.address', 'Use um endereço que comece com https:// e seja público.', {
        status: 422,
      })
    await store.save(context.var.claims, wanted, clock.now())
    onAsked()
    return context.json({ isSaved: true })
  })
  routes.post('/read', small, rateLimit('errand'), async (context) => {
    await store.askRead(context.var.claims, clock.now())
    onAsked()
    return context.json({ isAsked: true })
  })
  // The body is the file itself, which the portal reads while it arrives.
  routes.post(
    '/file',
    rateLimit('upload'),
    limitBody(
      MAX_FEED_BYTES,
      () => new PortalError('feed.too-large', 'O arquivo passa de 30 MB. Nada mudou.', { status: 413 }),
    ),
    async (context) => {
      const { body } = context.req.raw
      if (body === null)
        throw new PortalError('feed.unreadable', 'Escolha o arquivo do feed.', { status: 422 })
      const { username } = context.var.member
      const bytes = body as unknown as AsyncIterable<Uint8Array>
      return context.json(await read({ source: 'file', isHourly: false, by: username }, bytes))
    },
  )
  routes.get('/runs/:id{[0-9]{1,15}}/changes', async (context) => {
    const { kind = null, after = null } = given(Page, context.req.query())
    const run = Number(context.req.param('id'))
    return context.json({
      changes: await store.changes(context.var.claims, run, { kind, after, limit: PAGE }),
    })
  })
  routes.post('/runs/:id{[0-9]{1,15}}/apply', limitBody(APPLY_BYTES), async (context) => {
    const wanted = given(Apply, await jsonOf(context))
    const run = Number(context.req.param('id'))
    const applied = await store.apply(context.var.claims, run, { ...wanted, nowMs: clock.now() })
    onApplied()
    return context.json(applied)
  })
  routes.get('/listings', async (context) => {
    const { search = '', filter = null, after = null } = given(ListingPage, context.req.query())
    const page = { search: search === '' ? null : search, filter, after, limit: PAGE }
    return context.json({ listings: await store.listings(context.var.claims, page) })
  })
  routes.post('/listings/:id{[0-9]{1,9}}', limitBody(LISTING_BYTES), async (context) => {
    const wanted = given(EditedListing, await jsonOf(context))
    const id = Number(context.req.param('id'))
    await store.saveListing(context.var.claims, { ...wanted, id, nowMs: clock.now() })
    return context.json({ isSaved: true })
  })
  return routes
}

function given<T extends v.GenericSchema>(schema: T, input: unknown): v.InferOutput<T> {
  const parsed = v.safeParse(schema, input)
  if (parsed.success) return parsed.output
  throw new PortalError('feed.invalid', 'Confira os campos e tente de novo.', { status: 422 })
}
