// What the service worker caches: the app shell listed by the build, and other screens once opened; never an API
// answer.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

const PAGE = '/index.html'
/** Paths that only the server answers; a navigation to them never gets the cached shell. */
const WIRES =
  /^\/(api|i|auth|rest|webhook|metrics|healthz?|storage|functions|realtime|graphql|\.well-known)\//
const ASSETS = '/assets/'
const SEEN = 'seen-assets'
/** Maximum cached files of screens outside the shell, enough for some releases; beyond it the oldest are deleted. */
const MAX_SEEN = 100

/** Caches the shell of this version. Every deep link opens it, also offline. */
export function keepShell(shell: (PrecacheEntry | string)[]) {
  cleanupOutdatedCaches()
  precacheAndRoute(shell)
  registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [WIRES] }))
}

/**
 * Caches files outside the shell (administrator screens, charts) at their first request. Their names contain a hash, so
 * their content never changes.
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

/** A full disk only means that the file is fetched again next time. */
async function keep(cache: Cache, request: Request, answer: Response) {
  await cache.put(request, answer).catch(() => undefined)
  const cached = await cache.keys()
  await Promise.all(cached.slice(0, -MAX_SEEN).map((oldest) => cache.delete(oldest)))
}
