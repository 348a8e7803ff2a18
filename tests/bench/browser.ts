// The wire as a broker's phone sees it: an empty cache, sign-in, the first card, and whatever the app then fetches by itself.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/story.ts'
import type { Measure } from './measure.ts'

const LIMITS = { card: { kB: 180, requests: 12 }, quiet: { kB: 260, requests: 14 } }
/** Nothing was asked for so long: the app is quiet. */
const QUIET_MS = 6_000
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

export async function measureBrowser(): Promise<Measure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
  const portal = await startPortal(dataDir, { DEMO: '1' })
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath: await ensureChromium() })
  try {
    const page = await browser.newPage({ baseURL: portal.origin, ...PHONE })
    const wire = await watchWire(page)
    await enterAsBroker(page)
    const seenAtMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () =>
            document.querySelector('article') ? resolve(Date.now()) : requestAnimationFrame(look)
          look()
        }),
    )
    await wire.quiet()
    const card = wire.until(seenAtMs)
    const quiet = wire.until(Infinity)
    console.log(`fetched by the app until it is quiet:\n${quiet.asked.join('\n')}`)
    return [
      { name: 'sign-in to first card, on the wire', value: card.kB, unit: 'kB', limit: LIMITS.card.kB },
      {
        name: 'sign-in to first card, requests',
        value: card.asked.length,
        unit: '',
        limit: LIMITS.card.requests,
      },
      { name: 'until the app is quiet, on the wire', value: quiet.kB, unit: 'kB', limit: LIMITS.quiet.kB },
      {
        name: 'until the app is quiet, requests',
        value: quiet.asked.length,
        unit: '',
        limit: LIMITS.quiet.requests,
      },
    ]
  } finally {
    await browser.close()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * Counts from now on, by the browser's own account: heads and compressed bodies of what crossed the network, each once. The
 * service worker's own requests are another budget.
 */
async function watchWire(page: Page) {
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
  return {
    /** What was asked for by then, with its answers. */
    until: (untilMs: number) => {
      const those = [...asked.values()].filter(({ atMs }) => atMs <= untilMs)
      const bytes = those.reduce((total, request) => total + request.bytes, 0)
      return { kB: bytes / 1_000, asked: those.map(({ what }) => what) }
    },
    quiet: async () => {
      for (let left = QUIET_MS; left > 0; left = lastAtMs + QUIET_MS - Date.now())
        await page.waitForTimeout(left)
    },
  }
}
