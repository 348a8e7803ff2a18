// The wire as a broker's phone sees it: from an empty cache through sign-in to a board that can be used.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type CDPSession, type Page } from '@playwright/test'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/story.ts'
import type { Measure } from './measure.ts'

const LIMITS = { kB: 200, requests: 10 }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

export async function measureBrowser(): Promise<Measure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
  const portal = await startPortal(dataDir, { DEMO: '1' })
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath: await ensureChromium() })
  try {
    const page = await browser.newPage({ baseURL: portal.origin, ...PHONE })
    const wire = await watchWire(page)
    await enterAsBroker(page)
    await page.getByRole('article').first().waitFor()
    return [
      { name: 'sign-in to board, on the wire', value: wire.bytes / 1_000, unit: 'kB', limit: LIMITS.kB },
      { name: 'sign-in to board, requests', value: wire.requests, unit: '', limit: LIMITS.requests },
    ]
  } finally {
    await browser.close()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Counts from now on, by the browser's own account: heads and compressed bodies. */
async function watchWire(page: Page): Promise<{ bytes: number; requests: number }> {
  const wire = { bytes: 0, requests: 0 }
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) wire.requests++
  })
  session.on('Network.requestServedFromCache', () => wire.requests--)
  session.on('Network.responseReceived', ({ response }) => {
    if (response.fromDiskCache) wire.requests--
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (wire.bytes += encodedDataLength))
  return wire
}
