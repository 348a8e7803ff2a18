// Network use of a broker's phone: empty cache, sign-in, first card, and later fetches; and how long a slow phone on a
// slow network is busy with both first loads.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { heldAnswers } from '#tests/support/browser/device.ts'
import { enterByForm, expect } from '#tests/support/browser/story.ts'
import { watchWire } from '#tests/support/wire.ts'
import { startFloor } from './floor/floor.ts'
import { comeToRest } from './frames.ts'
import { besideFloor, type Measure, median } from './measure.ts'
import { scoreOf, type Vitals, vitalsOf, watchVitals } from './vitals.ts'

const LIMITS = { card: { kB: 185, requests: 12 }, quiet: { kB: 270, requests: 14 } }
/** The app is quiet after this time without a request. */
const QUIET_MS = 6_000
/** Lighthouse's settings for a phone. */
const SLOW = {
  cpu: 4,
  network: { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 },
}
const TIMES_LOADED = 3
const LOAD_LIMITS = {
  'sign-in page': { score: 98, lcpMs: 1_700, tbtMs: 200 },
  board: { score: 95, lcpMs: 2_000, tbtMs: 200 },
}
/** The allowed multiple of the reference board's times. */
const TIMES = { lcpMs: 1.53, tbtMs: 2.7 }
/** As many leads as the demonstration's broker has. */
const FLOOR_LEADS = 50
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
    await page.close()
    return [
      ...(await measureLoads(browser, portal.origin)),
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

async function measureLoads(browser: Browser, baseURL: string): Promise<Measure[]> {
  const floor = await startFloor()
  const openSignIn = async (page: Page) => {
    await page.goto('/login')
    await page.getByLabel('Usuário').waitFor()
  }
  const openBoard = async (page: Page) => {
    await page.goto('/broker')
    await page.getByRole('article').first().waitFor()
  }
  const openFloor = async (page: Page) => {
    await page.goto(`${floor.origin}/?size=${FLOOR_LEADS}`)
    await page.getByRole('article').first().waitFor()
  }
  try {
    const floors = await measureLoad(browser, { baseURL, name: 'board', open: openFloor })
    return [
      ...(await measureLoad(browser, { baseURL, name: 'sign-in page', open: openSignIn })),
      ...besideFloor(
        await measureLoad(browser, { baseURL, name: 'board', before: enterAndRest, open: openBoard }),
        floors,
      ),
    ]
  } finally {
    floor.stop()
  }
}

type Load = {
  baseURL: string
  name: keyof typeof LOAD_LIMITS
  /** Preparation on the device, at full speed. */
  before?: (page: Page) => Promise<unknown>
  /** Resolves once the opened page is there. */
  open: (page: Page) => Promise<unknown>
}

async function measureLoad(browser: Browser, load: Load): Promise<Measure[]> {
  const loads: Vitals[] = []
  for (let time = 0; time < TIMES_LOADED; time++) loads.push(await loadSlowly(browser, load))
  const of = (part: keyof Vitals) => median(loads.map((each) => each[part]))
  const limits = LOAD_LIMITS[load.name]
  const named = (what: string) => `${load.name}, empty cache, ${SLOW.cpu}x CPU, 1.6 Mbit/s: ${what}`
  return [
    {
      name: named('performance'),
      value: median(loads.map(scoreOf)),
      unit: '',
      limit: limits.score,
      isLeast: true,
    },
    { name: named('first paint'), value: of('fcpMs'), unit: 'ms' },
    { name: named('largest paint'), value: of('lcpMs'), unit: 'ms', limit: limits.lcpMs, times: TIMES.lcpMs },
    { name: named('blocked'), value: of('tbtMs'), unit: 'ms', limit: limits.tbtMs, times: TIMES.tbtMs },
    { name: named('interactive'), value: of('interactiveMs'), unit: 'ms' },
    {
      name: named('shift of the layout, in thousandths'),
      value: of('shift') * 1_000,
      unit: '',
      limit: 100,
    },
  ]
}

/** Signs in and sees the board, as every returning user did. */
async function enterAndRest(page: Page) {
  await enterByForm(page)
  await page.getByRole('article').first().waitFor()
  await expect.poll(() => heldAnswers(page), { timeout: 60_000 }).toContain('page /broker')
}

/** Each time in a new browser; for the board, one that has seen it and whose cache was cleared. */
async function loadSlowly(browser: Browser, { baseURL, before, open }: Load): Promise<Vitals> {
  const context = await browser.newContext({ baseURL, ...PHONE, serviceWorkers: 'block' })
  if (before) {
    const earlier = await context.newPage()
    await before(earlier)
    await earlier.close()
  }
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpu })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW.network)
  await watchVitals(page)
  await open(page)
  await comeToRest(page)
  const vitals = await vitalsOf(page)
  await context.close()
  return vitals
}
