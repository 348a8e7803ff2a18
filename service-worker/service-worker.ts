// The service worker's entry: what it caches, and when it replaces the previous version.
import { clientsClaim } from 'workbox-core'
import { keepAssetsOnceSeen, keepShell } from './caching.ts'
import { forgetPerson, showPushes } from './push.ts'
import { takeOver, takeShares } from './share.ts'
import { sendInBackground } from './sync.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof keepShell>[0] }

// In development Vite serves the app, so the worker caches nothing.
if (!import.meta.env.DEV) {
  // oxlint-disable-next-line no-underscore-dangle -- the name that workbox-build looks for
  keepShell(self.__WB_MANIFEST)
  keepAssetsOnceSeen()
}

/** What the page sends: workbox-window's messageSkipWaiting(), and 'LEFT' after a sign-out. */
type PageMessage = { type?: unknown } | null

self.addEventListener('message', (event) => {
  const data = event.data as PageMessage
  // Takes over only when the user asks for it, because open tabs still run the previous version.
  if (data?.type === 'SKIP_WAITING') event.waitUntil(takeOver())
  if (data?.type === 'LEFT') event.waitUntil(forgetPerson())
})
// Also controls the tab that installed the first version, so that this tab works offline from then on.
clientsClaim()
sendInBackground()
showPushes()
takeShares()
