// The service worker put together: what it keeps on the device, and when it takes over from the one before.
import { clientsClaim } from 'workbox-core'
import { keepAssetsOnceSeen, keepShell } from './caching.ts'
import { forgetPerson, showPushes } from './push.ts'
import { sendInBackground } from './sync.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof keepShell>[0] }

// While the app is worked on, Vite serves it as it is now.
if (!import.meta.env.DEV) {
  // oxlint-disable-next-line no-underscore-dangle -- the name that workbox-build looks for
  keepShell(self.__WB_MANIFEST)
  keepAssetsOnceSeen()
}

/** What workbox-window's messageSkipWaiting() says, and the page when its person left. */
type PageMessage = { type?: unknown } | null

self.addEventListener('message', (event) => {
  const data = event.data as PageMessage
  // Only on a person's word: the tabs that are open run the version before.
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
  if (data?.type === 'LEFT') event.waitUntil(forgetPerson())
})
// Also the tab that brought the first one, so that it works without a signal from then on.
clientsClaim()
sendInBackground()
showPushes()
