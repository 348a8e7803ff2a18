// The service worker put together: what it keeps on the device, and when it takes over from the one before. PWA.md 1; HOUSE 2.
import { clientsClaim } from 'workbox-core'
import { keepAssetsOnceSeen, keepShell } from './caching.ts'
import { sendInBackground } from './sync.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof keepShell>[0] }

// While the app is worked on, Vite serves it as it is now.
if (!import.meta.env.DEV) {
  // oxlint-disable-next-line no-underscore-dangle -- the name that workbox-build looks for
  keepShell(self.__WB_MANIFEST)
  keepAssetsOnceSeen()
}

/** What workbox-window's messageSkipWaiting() says. */
type PageMessage = { type?: unknown } | null

// Only on a person's word: the tabs that are open run the version before.
self.addEventListener('message', ({ data }: { data: PageMessage }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
})
// Also the tab that brought the first one, so that it works without a signal from then on.
clientsClaim()
sendInBackground()
