// Reopening the app, and 'Hoje', with 5,000 leads on the device: offline on a slow phone, and on a very slow one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { openPglite } from '#server/db/pglite/pglite.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/browser/story.ts'
import { LIFT, startWeakSignal } from '#tests/support/browser/weak-signal.ts'
import { comeToRest, pressPaintedMs, watchFirst, watchFirstCard } from './frames.ts'
import { startFloor } from './floor/floor.ts'
import { besideFloor, type Measure, median } from './measure.ts'

const LEADS = 5_000
const ACTIONS = 2_000
/** The first row of 'Hoje': a waiting lead, a late or due action. */
const ROW = '[data-row]'
const SLOW_DOWN = 4
const TIMES = 5
type Holder = { username: string; leads: number }
type Tabs = Holder & { limitMs: number; times: number }

/** New tabs by the number of stored leads; the smaller board is another broker's. */
const TABS: readonly [Tabs, ...Tabs[]] = [
  { username: 'camila', leads: LEADS, limitMs: 850, times: 1.31 },
  { username: 'rafael', leads: 50, limitMs: 800, times: 1.23 },
]
const LIMITS = { offlineMs: 700, weakMs: 1_000, todayMs: 700, todayTabMs: 900 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

export async function measureRestart(): Promise<Measure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
  await fillDemo(dataDir)
  const portal = await startPortal(dataDir, { DEMO: '1' })
  const line = await startWeakSignal(portal.origin)
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath: await ensureChromium() })
  try {
    const floors = await measureFloor(browser)
    const tabs: Measure[] = []
    for (const { username, leads, limitMs, times } of TABS.slice(1)) {
      const { context } = await openDevice(browser, line.origin, { username, leads })
      await context.setOffline(true)
      tabs.push(...newTab(leads, await openTabs(context, '/broker', 'article'), { limit: limitMs, times }))
      await context.close()
    }
    const [all] = TABS
    const { context, page } = await openDevice(browser, line.origin, all)
    await context.setOffline(true)
    tabs.push(
      ...newTab(all.leads, await openTabs(context, '/broker', 'article'), {
        limit: all.limitMs,
        times: all.times,
      }),
    )
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    const offlineMs = await restart(page)
    const todayMs = await openToday(page)
    const todayTab = await openTabs(context, '/broker/hoje', ROW)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await context.setOffline(false)
    line.shape(LIFT)
    const weakMs = await restart(page)
    return [
      ...besideFloor(tabs, floors),
      {
        name: `restart offline, ${LEADS} leads, ${SLOW_DOWN}x CPU: first card`,
        value: offlineMs,
        unit: 'ms',
        limit: LIMITS.offlineMs,
      },
      {
        name: `'Hoje' offline, ${LEADS} leads, ${ACTIONS} actions, ${SLOW_DOWN}x CPU: tap to first row`,
        value: todayMs,
        unit: 'ms',
        limit: LIMITS.todayMs,
      },
      {
        name: `'Hoje' offline, the same, in a new tab: first row`,
        value: todayTab.seenMs,
        unit: 'ms',
        limit: LIMITS.todayTabMs,
      },
      { name: `'Hoje' offline, the same, in a new tab: answers a touch`, value: todayTab.liveMs, unit: 'ms' },
      {
        name: `restart at ${LIFT.kbitPerSecond} kbit/s, ${LIFT.rttMs} ms: first card`,
        value: weakMs,
        unit: 'ms',
        limit: LIMITS.weakMs,
      },
    ]
  } finally {
    await browser.close()
    await line.stop()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The median of several starts. */
async function restart(page: Page): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    await page.goto('/broker')
    times.push(await openingMs(page))
  }
  return median(times)
}

/** The median of several, each from a board that was just opened and is idle. */
async function openToday(page: Page): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    await page.goto('/broker')
    await openingMs(page)
    await comeToRest(page)
    times.push(await pressPaintedMs(page, ROW, () => page.getByRole('link', { name: /^Hoje/ }).tap()))
  }
  return median(times)
}

type Opened = { seenMs: number; liveMs: number }

/** The medians of several new tabs on the slow phone: the first snapshot, and the first render of the app. */
async function openTabs(context: BrowserContext, address: string, first: string): Promise<Opened> {
  const seen: number[] = []
  const live: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const tab = await context.newPage()
    const session = await context.newCDPSession(tab)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    await watchFirst(tab, 'first', first)
    await watchFirst(tab, 'live', `#root ${first}`)
    await tab.goto(address)
    seen.push(await openingMs(tab, 'first'))
    live.push(await openingMs(tab, 'live'))
    // The board is still being stored, and the next tab would wait for that.
    await comeToRest(tab)
    await tab.close()
  }
  return { seenMs: median(seen), liveMs: median(live) }
}

function newTab(
  leads: number,
  { seenMs, liveMs }: Opened,
  bound: Pick<Measure, 'limit' | 'times'>,
): Measure[] {
  const name = (what: string) => `new tab offline, ${leads} leads, ${SLOW_DOWN}x CPU: ${what}`
  return [
    { name: name('first card'), value: seenMs, unit: 'ms', ...bound },
    { name: name('answers a touch'), value: liveMs, unit: 'ms' },
  ]
}

/** The same for the reference board. */
async function measureFloor(browser: Browser): Promise<Measure[]> {
  const floor = await startFloor()
  try {
    const measures: Measure[] = []
    for (const { leads } of TABS) {
      const context = await browser.newContext(PHONE)
      const page = await context.newPage()
      await page.goto(`${floor.origin}/?size=${leads}`)
      await page.locator('article').first().waitFor()
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
      await comeToRest(page)
      await context.setOffline(true)
      measures.push(...newTab(leads, await openTabs(context, `${floor.origin}/`, 'article'), {}))
      await context.close()
    }
    return measures
  } finally {
    floor.stop()
  }
}

/** A phone that has stored a broker's whole board and all chunks of the app. */
async function openDevice(browser: Browser, baseURL: string, { username, leads }: Holder) {
  const context = await browser.newContext({ baseURL, ...PHONE })
  const page = await context.newPage()
  await watchFirstCard(page)
  await enterAsBroker(page, username)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.waitForFunction(holdsAll, leads)
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

/** Runs in the page: whether the device has stored this many leads. */
async function holdsAll(count: number): Promise<boolean> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
    })
  const db = await done(indexedDB.open('portal'))
  try {
    return (await done(db.transaction('leads').objectStore('leads').count())) >= count
  } finally {
    db.close()
  }
}
