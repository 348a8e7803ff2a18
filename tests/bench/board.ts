// The board in a browser slowed down four times: its elements, scrolling, dragging, and the time until a move is
// painted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { inPage, serveBoard } from '#tests/support/browser/big-board.ts'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/runner/chromium.mjs'
import { carry, column, dragged, gripOf, middleOf, waitForDragging } from '#tests/support/browser/columns.ts'
import { startPortal } from '#tests/support/portal.ts'
import { enterAsBroker } from '#tests/support/browser/story.ts'
import {
  comeToRest,
  countFrames,
  firstCardMs,
  type Frames,
  movePaintedMs,
  passFrames,
  scrollSteadily,
  watchFirstCard,
} from './frames.ts'
import { startFloor } from './floor/floor.ts'
import { besideFloor, type Measure, median } from './measure.ts'
import { countStyled } from './styled.ts'
import { dragByTouch, type Swipe, swipe } from './swipe.ts'
import { longestInteractionMs, vitalsOf, watchVitals } from './vitals.ts'

const SIZES = [100, 2_000, 10_000]
const LARGEST = Math.max(...SIZES)
const SLOW_DOWN = 4
const MOVES = 5
const LIMITS = { cards: 100, nodes: 1_200, scrollPercent: 8, dragPercent: 5, moveMs: 100, styled: 250 }
/** For the largest board, from the typed address to the end of the last long task. */
const INTERACTIVE = { phone: { limit: 1_200, times: 1.37 }, desk: { limit: 1_300, times: 1.48 } }
/** The allowed multiple of the reference board's dropped frames or move time. */
const TIMES = { scroll: 1.33, drag: 2.5, move: 2.1 }
/** Long enough to tell a busy machine from a quiet one. */
const REST_FRAMES = 120
/** 3,000 px per second, like a mouse wheel. */
const SCROLL = { frames: 180, px: 50 }
const SCREENS: Record<string, BrowserContextOptions> = {
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
  const browser = await chromium.launch({ args: CHROMIUM_ARGS, executablePath })
  try {
    const measures: Measure[] = []
    for (const [screen, options] of Object.entries(SCREENS)) {
      for (const size of SIZES) {
        const page = await openBoard(browser, { ...options, baseURL: portal.origin }, size)
        const name = (what: string) => `board of ${size}, ${screen}: ${what}`
        const isPhone = options.isMobile === true
        const measured = [
          {
            ...(await measureOpening(page, name)),
            ...(size === LARGEST && INTERACTIVE[isPhone ? 'phone' : 'desk']),
          },
          ...(await measurePage(page, isPhone, name)),
          ...(isPhone ? await measureSwipes(page, name) : []),
        ]
        await page.context().close()
        measures.push(
          ...(size === LARGEST
            ? besideFloor(measured, await measureFloor(browser, options, name))
            : measured),
        )
      }
    }
    measures.push(...(await measureWall(browser, portal.origin)))
    return measures
  } finally {
    await browser.close()
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The reference board with as many leads, on the same screen. */
async function measureFloor(browser: Browser, options: BrowserContextOptions, name: Named) {
  const floor = await startFloor()
  try {
    const page = await openSlowly(browser, options)
    await page.goto(`${floor.origin}/?size=${LARGEST}`)
    await page.getByRole('article').first().waitFor()
    await comeToRest(page)
    const measures = [
      await measureOpening(page, name),
      ...(await measurePage(page, options.isMobile === true, name)),
    ]
    await page.context().close()
    return measures
  } finally {
    floor.stop()
  }
}

/** A page slowed down from the start, and observed. */
async function openSlowly(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  // A worker's requests would bypass the mocked portal.
  const context = await browser.newContext({ ...options, serviceWorkers: 'block' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
  await watchFirstCard(page)
  await watchVitals(page)
  return page
}

/** Signed in on an empty device, and idle until the board is stored. */
async function openBoard(browser: Browser, options: BrowserContextOptions, size: number): Promise<Page> {
  const page = await openSlowly(browser, options)
  await serveBoard(page, size)
  await enterAsBroker(page)
  await page.getByRole('article').first().waitFor()
  if (!options.isMobile) await waitForDragging(page)
  await comeToRest(page)
  return page
}

async function measureOpening(page: Page, name: Named): Promise<Measure> {
  const { interactiveMs } = await vitalsOf(page)
  return { name: name('interactive'), value: interactiveMs - (await standInMs(page)), unit: 'ms' }
}

async function measurePage(page: Page, isPhone: boolean, name: Named): Promise<Measure[]> {
  const firstMs = await firstCardMs(page)
  const rest = await countFrames(page)
  await passFrames(page, REST_FRAMES)
  const atRest = await rest()
  const area = isPhone ? '[role=tabpanel]' : '[data-stage=new] [data-cards]'
  const stop = await countFrames(page)
  await scrollSteadily(page, area, SCROLL)
  const scrolled = await stop()
  const { cards, nodes } = await inPage(page)
  await page.evaluate((selector) => document.querySelector(selector)?.scrollTo(0, 0), area)
  const dragFrames = isPhone ? await dragByTouch(page) : await dragAbout(page)
  const moves = isPhone ? [] : await measureDrops(page, name)
  return [
    { name: name('from asking for it to its first card'), value: firstMs, unit: 'ms' },
    ...ofPage({ cards, nodes }, name),
    // Shows how busy the machine is: frames dropped at rest are not the app's fault.
    { name: name('at rest, frames dropped'), value: atRest.droppedPercent, unit: '%' },
    ...ofFrames(name('scrolling'), scrolled, { limit: LIMITS.scrollPercent, times: TIMES.scroll }),
    ...ofFrames(name('dragging'), dragFrames, { limit: LIMITS.dragPercent, times: TIMES.drag }),
    ...moves,
  ]
}

/** The time that the test, acting as the portal, took to send the board; a portal has it ready. */
const standInMs = (page: Page) =>
  page.evaluate(() => {
    const asked = performance.getEntriesByType('resource').find(({ name }) => name.includes('sync_board'))
    return asked?.duration ?? 0
  })

/** On the largest screen, with every column scrolled to its middle. */
async function measureWall(browser: Browser, baseURL: string): Promise<Measure[]> {
  const page = await openBoard(browser, { ...WALL, baseURL }, LARGEST)
  for (const cards of await page.locator('[data-cards]').all())
    await cards.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2))
  await comeToRest(page)
  const measures = ofPage(await inPage(page), (what) => `board of ${LARGEST}, 4K: ${what}`)
  await page.context().close()
  return measures
}

type Named = (what: string) => string

function ofPage({ cards, nodes }: { cards: number; nodes: number }, name: Named): Measure[] {
  return [
    { name: name('cards in the page'), value: cards, unit: '', limit: LIMITS.cards },
    { name: name('nodes in the page'), value: nodes, unit: '', limit: LIMITS.nodes },
  ]
}

function ofFrames(
  name: string,
  { p95Ms, droppedPercent }: Frames,
  bound: { limit: number; times: number },
): Measure[] {
  return [
    { name: `${name}, p95 of a frame`, value: p95Ms, unit: 'ms' },
    { name: `${name}, frames dropped`, value: droppedPercent, unit: '%', ...bound },
  ]
}

const card = (page: Page) => column(page, 'Conversa').getByRole('article').first()

/** Over all columns and back. */
async function dragAbout(page: Page): Promise<Frames> {
  const home = await gripOf(card(page))
  await carry(page, card(page), home)
  const far = await middleOf(column(page, 'Arquivado'))
  const stop = await countFrames(page)
  await page.mouse.move(far.x, far.y, { steps: 90 })
  await page.mouse.move(home.x, home.y, { steps: 90 })
  const frames = await stop()
  await page.mouse.up()
  await dragged(page).waitFor({ state: 'detached' })
  return frames
}

async function measureDrops(page: Page, name: Named): Promise<Measure[]> {
  await carry(page, card(page), await middleOf(column(page, 'Negociação')))
  const styled = await countStyled(page, { act: () => page.mouse.up(), rest: () => comeToRest(page) })
  const times: number[] = []
  const longest: number[] = []
  await longestInteractionMs(page)
  for (let move = 0; move < MOVES; move++) {
    await carry(page, card(page), await middleOf(column(page, 'Negociação')))
    times.push(await movePaintedMs(page, '[data-stage=negociacao] h2', () => page.mouse.up()))
    await comeToRest(page)
    longest.push(await longestInteractionMs(page))
  }
  return [
    { name: name('elements styled anew by a drop'), value: styled, unit: '', limit: LIMITS.styled },
    { name: name('drop to painted move'), value: median(times), unit: 'ms', limit: LIMITS.moveMs },
    {
      name: name('longest interaction of a move'),
      value: median(longest),
      unit: 'ms',
      limit: LIMITS.moveMs,
      times: TIMES.move,
    },
  ]
}

async function measureSwipes(page: Page, name: Named): Promise<Measure[]> {
  const times: Swipe[] = []
  for (let move = 0; move < MOVES; move++) times.push(await swipe(page))
  const of = (part: keyof Swipe) => median(times.map((each) => each[part]))
  const limit = LIMITS.moveMs
  return [
    { name: name('swipe to its card seen leaving'), value: of('leaves'), unit: 'ms', limit },
    { name: name('end of its way out to painted counts'), value: of('counts'), unit: 'ms', limit },
    { name: name('swipe, way out and counts together'), value: of('whole'), unit: 'ms' },
  ]
}
