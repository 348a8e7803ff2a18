// Composes the developments module: the record, its files and their addresses, the feed of listings, and public pages.
import { Hono } from 'hono'
import { createGet } from '#server/http/address/get.ts'
import type { Parts } from '#server/parts.ts'
import { startInOrder } from '#server/worker.ts'
import { createDevelopmentRoutes, type DevelopmentRouteParts } from './development-routes.ts'
import { createDevelopmentStore } from './development-store.ts'
import { createFeedWorker, createReadFeed } from './feed/feed-reader.ts'
import { createFeedRoutes, type FeedRouteParts } from './feed/feed-routes.ts'
import { createFeedRuns, createFeedStore } from './feed/feed-store.ts'
import { createPhotoWorker } from './feed/photo-worker.ts'
import { createPictures } from './files.ts'
import { toWanted } from './other-systems.ts'
import { createFeedOutRoutes, createPublicPageRoutes, type PublicParts } from './pages/page-routes.ts'
import { createPageStore } from './pages/page-store.ts'
import { createPublishRoutes } from './pages/publish-routes.ts'

export type Developments = {
  /** Serves /api/developments. */
  routes: Hono
  /** Serves /i. */
  pages: Hono
  /** Serves /api/feeds. */
  feedOut: Hono
  /** Applies a change that another system sends by /api/v1. */
  toWanted: typeof toWanted
  /** Starts the reading of the feed; the returned function stops it. */
  start: () => () => Promise<void>
}

type Options = Pick<DevelopmentRouteParts, 'rateLimit' | 'linkOf'> &
  Pick<FeedRouteParts, 'privateHosts'> &
  Pick<PublicParts, 'readBrand' | 'address'> & {
    memberOf: (request: Request) => Promise<MemberOf>
    version: string
  }
type MemberOf = Awaited<ReturnType<DevelopmentRouteParts['memberOf']>> &
  Awaited<ReturnType<FeedRouteParts['memberOf']>>

export function createDevelopments(parts: Parts, options: Options): Developments {
  const { db } = parts
  const makePicture = createPictures()
  const runs = createFeedRuns(db)
  const get = createGet({ ...parts, ...options })
  const read = createReadFeed({ ...parts, runs })
  const feed = createFeedWorker({ ...parts, runs, get, read })
  const photos = createPhotoWorker({ ...parts, runs, get, makePicture })
  const pages = { ...parts, ...options, store: createPageStore(db) }
  const routes = new Hono()
  routes.route(
    '/feed',
    createFeedRoutes({
      ...parts,
      ...options,
      store: createFeedStore(db),
      read,
      onAsked: feed.wake,
      onApplied: photos.wake,
    }),
  )
  routes.route('/pages', createPublishRoutes(pages))
  routes.route(
    '/',
    createDevelopmentRoutes({ ...parts, ...options, makePicture, store: createDevelopmentStore(db) }),
  )
  return {
    routes,
    pages: createPublicPageRoutes(pages),
    feedOut: createFeedOutRoutes(pages),
    toWanted,
    start: () => startInOrder([feed, photos]),
  }
}
