// What is kept on the device: the app's shell as the build lists it, other screens once seen; never an answer of the API.
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

const PAGE = '/index.html'
/** Addresses of the server alone. */
const WIRES = /^\/(api|auth|rest|webhook|metrics|healthz?|storage|functions|realtime|graphql|\.well-known)\//
const ASSETS = '/assets/'
const SEEN = 'seen-assets'
/** Some releases of every screen outside the shell; the oldest make room. */
const MAX_SEEN = 100

/** Keeps the shell of this version; every deep link opens it, without a signal too. */
export function keepShell(shell: (PrecacheEntry | string)[]) {
  cleanupOutdatedCaches()
  precacheAndRoute(shell)
  registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [WIRES] }))
}

/** Files outside the shell (the administrator's screens, charts) never change under their name: kept when first asked for. */
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

/** Where there is no room for it, it is fetched again the next time. */
async function keep(cache: Cache, request: Request, answer: Response) {
  await cache.put(request, answer).catch(() => undefined)
  const cached = await cache.keys()
  await Promise.all(cached.slice(0, -MAX_SEEN).map((oldest) => cache.delete(oldest)))
}
