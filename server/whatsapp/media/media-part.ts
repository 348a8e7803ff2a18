// Composes what messages' media need: who may see them, their addresses, and their bytes.
import type { Claims } from '#server/db/as-user.ts'
import type { Parts } from '#server/parts.ts'
import { createMediaLinks, type MediaLink } from './media-link.ts'
import { createMediaRoutes } from './media-routes.ts'
import { createFindMedia } from './media.ts'

type Asking = { accountId: string; sessionId: string; claims: Claims }

type Options = {
  auth: {
    memberOf: (request: Request) => Promise<Asking>
    isAlive: (link: MediaLink) => Promise<boolean>
  }
  jwtSecret: string
}

export function createMedia(parts: Parts, { auth, jwtSecret }: Options) {
  const find = createFindMedia(parts)
  const links = createMediaLinks(jwtSecret, parts.clock)
  const routes = createMediaRoutes({
    links,
    storage: parts.storage,
    memberOf: auth.memberOf,
    find: ({ claims }, messageId) => find(claims, messageId),
    isAlive: auth.isAlive,
  })
  return { find, routes, linkOf: links.make }
}
