// The board in a slow browser, beside the reference board in the same minutes: opening, scrolling, dragging, moving;
// and how much of a board of any size is in the page.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { inPage, serveBoard, whenStored } from '#tests/support/browser/big-board.ts'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { waitForDragging } from '#tests/support/browser/columns.ts'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/browser/story.ts'
import { comeToRest, watchFirstCard } from './frames.ts'
import { startFloor } from './floor/floor.ts'
import { besideFloor, type Measure, median } from './measure.ts'
import { type Moved, moveMeasures, moveOnce, type Swiped, swipeMeasures, swipeOnce } from './moving.ts'
import { type Device, scroll, type Scrolled, scrollMeasures } from './scrolling.ts'
import { vitalsOf, watchVitals } from './vitals.ts'

const SIZES = [100, 2_000, 10_000]
const LARGEST = Math.max(...SIZES)
/** Of the processor: a common phone, and a cheap one. */
const SLOW_DOWNS = [4, 12]
const ROUNDS = 5
/** For one step in the slowest browser. */
const MAX_WAIT_MS = 180_000
const LIMITS = { cards: 100, nodes: 1_200 }
/** The allowed multiple of the reference board's time from the typed address to the end of the last long task. */
const INTERACTIVE_TIMES = 1.5
const SCREENS: Record<Device, BrowserContextOptions> = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
}
/** The largest screen, with the most visible cards. */
const WALL = { viewport: { width: 3840, height: 2160 } }

export async function measureBoard(): Promise<Measure[]> {
  // First, because without it nothing else can start.
  const executablePath = await ensureChromium()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-bench-'))
  const portal = await startPortal(dataDir, { DEMO: '1' })
  const floor = await startFloor()
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath })
  const boards = { ours: portal.origin, floor: floor.origin }
  try {
    const measures: Measure[] = []
    for (const device of ['desk', 'phone'] as const) {
      const screen = { browser, boards, device }
      for (const size of SIZES) measures.push(...(await measureSize(screen, size)))
      for (const rate of SLOW_DOWNS) measures.push(...(await measureSpeed(screen, rate)))
    }
    measures.push(...(await measureWall(screenOf(browser, boards))))
    return measures
  } finally {
    await browser.close()
    floor.stop()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Who = 'ours' | 'floor'
type Screen = { browser: Browser; boards: Record<Who, string>; device: Device }

const screenOf = (browser: Browser, boards: Screen['boards']): Screen => ({ browser, boards, device: 'desk' })

/** How much of the board is in the page. */
async function measureSize(screen: Screen, size: number): Promise<Measure[]> {
  const page = await openBoard(screen, { who: 'ours', rate: 1, size })
  const measures = ofPage(await inPage(page), (what) => `board of ${size}, ${screen.device}: ${what}`)
  await close(page)
  return measures
}

/** Our board and the reference board take turns, so that both meet the same machine. */
async function measureSpeed(screen: Screen, rate: number): Promise<Measure[]> {
  const name = (what: string) => `board of ${LARGEST}, ${screen.device}, ${rate}x CPU: ${what}`
  const rounds: Record<Who, Round[]> = { ours: [], floor: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const who of ['ours', 'floor'] as const) rounds[who].push(await measureRound(screen, { who, rate }))
  const { ours, floor } = rounds
  // The reference board has no swipe.
  const floors = measuresOf(floor, name).filter(({ value }) => !Number.isNaN(value))
  return besideFloor(measuresOf(ours, name), floors)
}

type Round = { interactiveMs: number; scrolled: Scrolled; moved?: Moved; swiped?: Swiped }

async function measureRound(screen: Screen, { who, rate }: { who: Who; rate: number }): Promise<Round> {
  const page = await openBoard(screen, { who, rate, size: LARGEST })
  const interactiveMs = Math.max((await vitalsOf(page)).interactiveMs, await firstCardAtMs(page))
  const standIn = await standInMs(page)
  if (who === 'ours') await whenStored(page, LARGEST)
  await comeToRest(page)
  const round: Round = { interactiveMs: interactiveMs - standIn, scrolled: await scroll(page, screen.device) }
  await comeToRest(page)
  if (screen.device === 'desk') round.moved = await moveOnce(page)
  else round.swiped = await swipeOnce(page, who)
  await close(page)
  return round
}

function measuresOf(rounds: readonly Round[], name: (what: string) => string): Measure[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  return [
    {
      name: name('interactive'),
      value: middle(({ interactiveMs }) => interactiveMs),
      unit: 'ms',
      times: INTERACTIVE_TIMES,
    },
    ...scrollMeasures((part) => middle(({ scrolled }) => scrolled[part]), name),
    ...(rounds[0]?.moved ? moveMeasures((part) => middle(({ moved }) => moved?.[part] ?? NaN), name) : []),
    ...(rounds[0]?.swiped
      ? swipeMeasures((part) => middle(({ swiped }) => swiped?.[part] ?? NaN), name)
      : []),
  ]
}

type Board = { who: Who; rate: number; size: number }

/** Slow from the start, on an empty device, and observed; idle at the end. */
async function openBoard(
  { browser, boards, device }: Screen,
  { who, rate, size }: Board,
  screen = SCREENS[device],
) {
  // A worker's requests would bypass the mocked portal.
  const context = await browser.newContext({ ...screen, baseURL: boards[who], serviceWorkers: 'block' })
  const page = await context.newPage()
  page.setDefaultTimeout(MAX_WAIT_MS)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await watchFirstCard(page)
  await watchVitals(page)
  if (who === 'ours') {
    await serveBoard(page, size)
    await enterAsBroker(page)
  } else await page.goto(`/?size=${size}`)
  await page.getByRole('article').first().waitFor()
  if (who === 'ours' && device === 'desk') await waitForDragging(page)
  await comeToRest(page)
  return page
}

async function close(page: Page) {
  // The board may just be asking for changes.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

/** When the first card was painted; a quick page has no long task after it. */
const firstCardAtMs = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-card')[0]?.startTime ?? 0)

/** The time that the test, acting as the portal, took to send the board; a portal has it ready. */
const standInMs = (page: Page) =>
  page.evaluate(() => {
    const asked = performance.getEntriesByType('resource').find(({ name }) => name.includes('sync_board'))
    return asked?.duration ?? 0
  })

/** On the largest screen, with every column scrolled to its middle. */
async function measureWall(screen: Screen): Promise<Measure[]> {
  const page = await openBoard(screen, { who: 'ours', rate: 1, size: LARGEST }, WALL)
  for (const cards of await page.locator('[data-cards]').all())
    await cards.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2))
  await comeToRest(page)
  const measures = ofPage(await inPage(page), (what) => `board of ${LARGEST}, 4K: ${what}`)
  await close(page)
  return measures
}

function ofPage(
  { cards, nodes }: { cards: number; nodes: number },
  name: (what: string) => string,
): Measure[] {
  return [
    { name: name('cards in the page'), value: cards, unit: '', limit: LIMITS.cards },
    { name: name('nodes in the page'), value: nodes, unit: '', limit: LIMITS.nodes },
  ]
}
