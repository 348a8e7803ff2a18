// /i/:slug, the public page of a development or a listing, with its photos; and /api/feeds/:secret.xml, the feed for
// portals. Both are for everybody who has the address.
import { Hono, type Context } from 'hono'
import type { Clock } from '#server/clock.ts'
import { compress, preferredEncoding } from '#server/http/compression.ts'
import { notFound } from '#server/http/errors.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { FEED_END, feedListings, feedStart } from './feed-out.ts'
import { toMissingPage, toPage, type PageBrand } from './page-html.ts'
import type { createPageStore } from './page-store.ts'

export type PublicParts = {
  clock: Clock
  store: ReturnType<typeof createPageStore>
  storage: MediaStore
  readBrand: () => Promise<PageBrand>
  address: () => string
}

const SLUG = '[a-z0-9][a-z0-9-]{0,89}'
const TOKEN = /^[\w-]{22}$/
/** Programs that fetch the page for a preview or an index. Their requests are no visits of the lead. */
const PREVIEWER = /whatsapp|facebookexternalhit|telegrambot|twitterbot|slackbot|bot\b|crawler|spider|preview/i
const PAGE_SECONDS = 300
const PHOTO_SECONDS = 86_400
const FEED_SECONDS = 600
const AT_ONCE = 100

export function createPublicPageRoutes(parts: PublicParts): Hono {
  const { clock, store, storage, readBrand, address } = parts
  const routes = new Hono()
  const missing = async (context: Context) =>
    answerPage(context, { ...toMissingPage(await readBrand()), status: 404, cache: 'no-store' })

  routes.get(`/:slug{${SLUG}}`, async (context) => {
    const slug = context.req.param('slug')
    const page = await store.page(slug, clock.now())
    if (page === null) return missing(context)
    const token = context.req.query('t') ?? ''
    if (
      TOKEN.test(token) &&
      context.req.method === 'GET' &&
      !PREVIEWER.test(context.req.header('user-agent') ?? '')
    )
      await store.noteVisit(token, slug, clock.now())
    const { central, ...content } = page
    const made = toPage({ content, brand: await readBrand(), central, origin: originOf(address()) })
    const cache = token === '' ? `public, max-age=${PAGE_SECONDS}` : 'private, no-store'
    return answerPage(context, { ...made, status: 200, cache })
  })
  routes.get(`/:slug{${SLUG}}/:photo{[0-9a-f]{64}\\.jpg}`, async (context) => {
    const { slug, photo } = context.req.param()
    const mediaId = await store.photo(slug, photo.slice(0, -'.jpg'.length))
    const stored = mediaId === null ? null : await storage.find(mediaId)
    if (stored === null) return missing(context)
    return context.body(stored.read(), 200, {
      'content-type': 'image/jpeg',
      'content-length': String(stored.sizeBytes),
      'cache-control': `public, max-age=${PHOTO_SECONDS}`,
    })
  })
  routes.get(`/:slug{${SLUG}}/:paper{(?:book|memorial)\\.pdf}`, async (context) => {
    const { slug, paper } = context.req.param()
    const found = await store.paper(slug, paper.slice(0, -'.pdf'.length))
    const stored = found && (await storage.find(found.mediaId))
    if (!found || !stored) return missing(context)
    return context.body(stored.read(), 200, {
      'content-type': 'application/pdf',
      'content-length': String(stored.sizeBytes),
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(found.fileName)}`,
      'cache-control': `public, max-age=${PAGE_SECONDS}`,
    })
  })
  routes.all('*', missing)
  return routes
}

const originOf = (address: string) => new URL(address).origin

type Made = { html: string; styles: string; status: 200 | 404; cache: string }

async function answerPage(context: Context, { html, styles, status, cache }: Made) {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': cache,
    vary: 'accept-encoding',
    // No script of any kind: the page is text and pictures. Connections let crawlers' tools read robots.txt from the
    // page.
    'content-security-policy': `default-src 'none'; connect-src 'self'; img-src 'self'; style-src 'sha256-${styles}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ...(status === 404 && { 'x-robots-tag': 'noindex' }),
  }
  const bytes = Buffer.from(html)
  const encoding = preferredEncoding(context.req.header('accept-encoding') ?? '')
  if (!encoding) return context.body(bytes, status, headers)
  const packed = new Uint8Array(await compress(bytes, encoding))
  return context.body(packed, status, { ...headers, 'content-encoding': encoding })
}

export function createFeedOutRoutes({ clock, store, readBrand, address }: PublicParts): Hono {
  const routes = new Hono()
  routes.get('/:file{[0-9a-f]{64}\\.xml}', async (context) => {
    const settings = await store.feedOut(context.req.param('file').slice(0, -'.xml'.length))
    if (settings === null) return notFound(context)
    const { name } = await readBrand()
    const office = {
      ...settings,
      name: name ?? 'Imobiliária',
      phone: await store.centralNumber(),
      origin: originOf(address()),
    }
    const nowMs = clock.now()
    async function* pieces() {
      yield feedStart(office, nowMs)
      let after = 0
      for (;;) {
        const pages = await store.feedOutPages(after, AT_ONCE, nowMs)
        for (const { content } of pages) if (content !== null) yield feedListings(content, office)
        if (pages.length < AT_ONCE) break
        after = pages.at(-1)?.id ?? after
      }
      yield FEED_END
    }
    return context.body(toStream(pieces()), 200, {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': `private, max-age=${FEED_SECONDS}`,
      'x-robots-tag': 'noindex',
    })
  })
  return routes
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(sink) {
      const { done, value } = await pieces.next()
      if (done) sink.close()
      else sink.enqueue(encoder.encode(value))
    },
    cancel: () => void pieces.return(undefined),
  })
}
