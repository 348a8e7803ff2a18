// Reopening the app, and 'Hoje', with 5,000 leads on the device: offline on a slow phone, and on a very slow one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { whenStored } from '#tests/support/browser/big-board.ts'
import { enterAsBroker } from '#tests/support/browser/story.ts'
import { LIFT, startWeakSignal, type WeakSignal } from '#tests/support/browser/weak-signal.ts'
import { comeToRest, pressPaintedMs, watchFirst, watchFirstCard } from './frames.ts'
import { startFloor } from './floor/floor.ts'
import { besideFloor, type Measure, median } from './measure.ts'

const LEADS = 5_000
const ACTIONS = 2_000
/** The first row of 'Hoje': a waiting lead, a late or due action. */
const ROW = '[data-row]'
/** Of the processor: a common phone, and a cheap one. */
const SLOW_DOWNS = [4, 12]
const ROUNDS = 5
/** For one step in the slowest browser. */
const MAX_WAIT_MS = 180_000
type Holder = { username: string; leads: number }
/** New tabs by the number of stored leads; the smaller board is another broker's. */
const SMALL: Holder = { username: 'rafael', leads: 50 }
const LARGE: Holder = { username: 'camila', leads: LEADS }
/** The allowed multiple of the reference board's times in a new tab. */
const TIMES = { seen: 1.15, live: 1.3 }
/** On a processor slowed down four times. The reference board has no 'Hoje'. */
const LIMITS = { offlineMs: 700, weakMs: 1_000, todayMs: 464, todaySeenMs: 662, todayLiveMs: 1_635 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

export async function measureRestart(): Promise<Measure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
  await fillDemo(dataDir)
  const portal = await startPortal(dataDir, { DEMO: '1' })
  const line = await startWeakSignal(portal.origin)
  const floor = await startFloor()
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath: await ensureChromium() })
  try {
    const measures: Measure[] = []
    for (const holder of [SMALL, LARGE]) {
      const ours = await openDevice(browser, line.origin, holder)
      const theirs = await openFloor(browser, floor.origin, holder.leads)
      await ours.context.setOffline(true)
      await theirs.setOffline(true)
      for (const rate of SLOW_DOWNS)
        measures.push(...(await measureTabs({ ours: ours.context, floor: theirs }, holder, rate)))
      if (holder === LARGE) for (const rate of SLOW_DOWNS) measures.push(...(await measureToday(ours, rate)))
      if (holder === LARGE) measures.push(...(await measureWeak(ours, line)))
      await ours.context.close()
      await theirs.close()
    }
    return measures
  } finally {
    await browser.close()
    floor.stop()
    await line.stop()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Device = { context: BrowserContext; page: Page }
type Opened = { seenMs: number; liveMs: number }

/** Our tabs and the reference board's take turns, so that both meet the same machine. */
async function measureTabs(
  contexts: Record<'ours' | 'floor', BrowserContext>,
  { leads }: Holder,
  rate: number,
): Promise<Measure[]> {
  const ours: Opened[] = []
  const floor: Opened[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await openTab(contexts.ours, { address: '/broker', first: 'article', rate }))
    floor.push(await openTab(contexts.floor, { address: '/', first: 'article', rate }))
  }
  const name = `new tab offline, ${leads} leads, ${rate}x CPU`
  return besideFloor(tabMeasures(ours, name), tabMeasures(floor, name)).map((measure) => ({
    ...measure,
    times: measure.name.endsWith('touch') ? TIMES.live : TIMES.seen,
  }))
}

function tabMeasures(opened: readonly Opened[], name: string): [Measure, Measure] {
  return [
    { name: `${name}: first sight`, value: median(opened.map(({ seenMs }) => seenMs)), unit: 'ms' },
    { name: `${name}: answers a touch`, value: median(opened.map(({ liveMs }) => liveMs)), unit: 'ms' },
  ]
}

async function measureToday({ context, page }: Device, rate: number): Promise<Measure[]> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  const offlineMs = await restart(page)
  const todayMs = await openToday(page)
  const tabs: Opened[] = []
  for (let round = 0; round < ROUNDS; round++)
    tabs.push(await openTab(context, { address: '/broker/hoje', first: ROW, rate }))
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const [seen, live] = tabMeasures(tabs, `'Hoje' in a new tab offline, ${ACTIONS} actions, ${rate}x CPU`)
  const limited = (measure: Measure, limit: number) => (rate === 4 ? { ...measure, limit } : measure)
  const ms = (name: string, value: number): Measure => ({ name: `${name}, ${rate}x CPU`, value, unit: 'ms' })
  return [
    limited(ms(`restart offline, ${LEADS} leads: first card`, offlineMs), LIMITS.offlineMs),
    limited(ms(`'Hoje' offline, ${ACTIONS} actions: tap to first row`, todayMs), LIMITS.todayMs),
    limited(seen, LIMITS.todaySeenMs),
    limited(live, LIMITS.todayLiveMs),
  ]
}

async function measureWeak({ context, page }: Device, line: WeakSignal): Promise<Measure[]> {
  await context.setOffline(false)
  line.shape(LIFT)
  return [
    {
      name: `restart at ${LIFT.kbitPerSecond} kbit/s, ${LIFT.rttMs} ms: first card`,
      value: await restart(page),
      unit: 'ms',
      limit: LIMITS.weakMs,
    },
  ]
}

/** The median of several starts. */
async function restart(page: Page): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto('/broker')
    times.push(await openingMs(page))
  }
  return median(times)
}

/** The median of several, each from a board that was just opened and is idle. */
async function openToday(page: Page): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto('/broker')
    await openingMs(page)
    await comeToRest(page)
    times.push(await pressPaintedMs(page, ROW, () => page.getByRole('link', { name: /^Hoje/ }).tap()))
  }
  return median(times)
}

type Tab = { address: string; first: string; rate: number }

/** A new tab on the slow phone: when the first one is seen, maybe in a snapshot, and when the app has rendered it. */
async function openTab(context: BrowserContext, { address, first, rate }: Tab): Promise<Opened> {
  const tab = await context.newPage()
  tab.setDefaultTimeout(MAX_WAIT_MS)
  const session = await context.newCDPSession(tab)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await watchFirst(tab, 'first', first)
  await watchFirst(tab, 'live', `#root ${first}`)
  await tab.goto(address)
  const opened = { seenMs: await openingMs(tab, 'first'), liveMs: await openingMs(tab, 'live') }
  // The board is still being stored, and the next tab would wait for that.
  await comeToRest(tab)
  await tab.close()
  return opened
}

/** A phone that has stored the reference board. */
async function openFloor(browser: Browser, baseURL: string, leads: number): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, ...PHONE })
  const page = await context.newPage()
  await page.goto(`/?size=${leads}`)
  await page.locator('article').first().waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await comeToRest(page)
  return context
}

/** A phone that has stored a broker's whole board and all chunks of the app. */
async function openDevice(browser: Browser, baseURL: string, { username, leads }: Holder): Promise<Device> {
  const context = await browser.newContext({ baseURL, ...PHONE })
  const page = await context.newPage()
  await watchFirstCard(page)
  await enterAsBroker(page, username)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await whenStored(page, leads)
  // A second load with an active worker, so that all chunks of the app are stored.
  await page.goto('/broker/hoje')
  await page.locator(ROW).first().waitFor()
  await page.goto('/broker')
  await openingMs(page)
  await comeToRest(page)
  return { context, page }
}

/** From the start of navigation to the first painted card. */
async function openingMs(page: Page, first = 'first-card'): Promise<number> {
  const mark = await page.waitForFunction((name) => performance.getEntriesByName(name)[0]?.startTime, first)
  return Number(await mark.jsonValue())
}

/** From two days ago to twelve days ahead, without past visits, which would ask for an outcome. */
const ADD_ACTIONS = `
  insert into portal.actions (contact_id, kind, due_at, seen_at)
  select c.id,
    case when n % 4 = 0 and n % 336 > 48 then 'visit' else (array['call', 'message', 'task'])[1 + n % 3] end,
    now() + make_interval(hours => n::integer % 336 - 48), now()
  from (
    select id, row_number() over (order by id desc) as n
    from public.whatsapp_contacts where "instanceName" = 'corretor_camila'
  ) c
  where n <= $1`

/** The demonstration with many more leads for its broker. */
async function fillDemo(dataDir: string) {
  const portal = await startPortal(dataDir, { DEMO: '1' })
  await portal.process.kill('SIGTERM')
  const db = await openPglite({ dataDir: path.join(dataDir, 'demo', 'database') })
  try {
    await seedLeads(db, { instanceName: 'corretor_camila', count: LEADS, seed: 1 })
    await db.query(ADD_ACTIONS, [ACTIONS])
  } finally {
    await db.close()
  }
}
