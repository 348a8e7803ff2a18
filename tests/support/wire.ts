// Measures the network traffic of one page by the browser's own figures.
import type { Page } from '@playwright/test'

/**
 * Counts from now on the headers and compressed bodies of each transfer. The service worker's own requests have
 * a separate budget.
 */
export async function watchWire(page: Page) {
  let lastAtMs = Date.now()
  const asked = new Map<string, { what: string; atMs: number; bytes: number }>()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, wallTime, request: { url, method } }) => {
    if (!url.startsWith('http')) return
    lastAtMs = Date.now()
    const what = `${method} ${url.replace(/^https?:\/\/[^/]+/, '')}`
    asked.set(requestId, { what, atMs: wallTime * 1_000, bytes: 0 })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => asked.delete(requestId))
  session.on('Network.responseReceived', ({ requestId, response: { fromDiskCache, fromServiceWorker } }) => {
    if (fromDiskCache || fromServiceWorker) asked.delete(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = asked.get(requestId)
    if (request) request.bytes = encodedDataLength
  })
  await page.addInitScript(noteFirstCard)
  return {
    /** The requests up to then, with their responses. */
    until: (untilMs: number) => {
      const those = [...asked.values()].filter(({ atMs }) => atMs <= untilMs)
      const bytes = those.reduce((total, request) => total + request.bytes, 0)
      return { kB: bytes / 1_000, asked: those.map(({ what }) => what) }
    },
    firstCardAtMs: () => page.evaluate(() => Number(Reflect.get(window, 'firstCardAtMs'))),
    /** Resolves after this long without a request. */
    quiet: async (forMs: number) => {
      for (let left = forMs; left > 0; left = lastAtMs + forMs - Date.now()) await page.waitForTimeout(left)
    },
  }
}

/** Observes from the start, because a later observer would record a later time. */
function noteFirstCard() {
  const watch = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    Reflect.set(window, 'firstCardAtMs', Date.now())
    watch.disconnect()
  })
  watch.observe(document, { subtree: true, childList: true })
}
