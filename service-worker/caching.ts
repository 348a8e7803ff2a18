// What the service worker caches: the app shell that the build lists, and other screens once they were opened. It never
// caches an API answer.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

const PAGE = '/index.html'
/** Only the server answers these paths, so a navigation to them never gets the cached shell. */
const WIRES =
  /^\/(api|i|auth|rest|webhook|metrics|healthz?|storage|functions|realtime|graphql|\.well-known)\//
const ASSETS = '/assets/'
const SEEN = 'seen-assets'
/**
 * Outside the shell, at most this many files are cached, enough for some releases. Beyond it the oldest are deleted.
 */
const MAX_SEEN = 100

/** Caches this version's shell, which every deep link opens, also offline. */
export function keepShell(shell: (PrecacheEntry | string)[]) {
  cleanupOutdatedCaches()
  precacheAndRoute(shell)
  registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [WIRES] }))
}

/**
 * Caches files outside the shell, such as administrator screens and charts, at their first request. Their names contain
 * a hash, so their content never changes.
 */
export function keepAssetsOnceSeen() {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(ASSETS),
    async ({ request, event }) => {
      const cache = await caches.open(SEEN)
      const cached = await cache.match(request, { ignoreVary: true })
      if (cached) return cached
      const answer = await fetch(request)
      if (answer.ok) event.waitUntil(keep(cache, request, answer.clone()))
      return answer
    },
  )
}

/** Caches a response. If the disk is full, the file is fetched again next time. */
async function keep(cache: Cache, request: Request, answer: Response) {
  await cache.put(request, answer).catch(() => undefined)
  const cached = await cache.keys()
  await Promise.all(cached.slice(0, -MAX_SEEN).map((oldest) => cache.delete(oldest)))
}
