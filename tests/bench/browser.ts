// The wire as a broker's phone sees it: an empty cache, sign-in, the first card, and whatever the app then fetches by itself.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { enterByForm } from '#tests/support/browser/story.ts'
import { watchWire } from '#tests/support/wire.ts'
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
    await enterByForm(page)
    await wire.quiet(QUIET_MS)
    const card = wire.until(await wire.firstCardAtMs())
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
