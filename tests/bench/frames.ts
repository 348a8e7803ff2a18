// What a page itself tells of its frames, of its first card, and of the time between letting go of a card and seeing it moved.
import type { Page } from '@playwright/test'

const FRAME_MS = 1_000 / 60

export type Frames = {
  p95Ms: number
  /** Of all that a 60 Hz screen would have shown. */
  droppedPercent: number
}

/** Counts the frames from now on, until what it answers is called. */
export async function countFrames(page: Page): Promise<() => Promise<Frames>> {
  const counting = await page.evaluateHandle(() => {
    const stamps: number[] = []
    let isOn = true
    const count = (at: number) => {
      stamps.push(at)
      if (isOn) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    return {
      stop: () => {
        isOn = false
        return stamps
      },
    }
  })
  return async () => toFrames(await counting.evaluate((frames) => frames.stop()))
}

function toFrames(stamps: readonly number[]): Frames {
  const times = stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? stamp))
  const missed = times.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0)
  return {
    p95Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN,
    droppedPercent: (100 * missed) / (times.length + missed),
  }
}

/** Scrolls the area by so many px at each of so many frames. */
export function scrollSteadily(page: Page, area: string, { frames, px }: { frames: number; px: number }) {
  return page.evaluate(
    ([selector, count, step]) =>
      new Promise<void>((resolve) => {
        const list = document.querySelector(selector)
        let left = count
        const scroll = () => {
          if (left-- === 0) return resolve()
          list?.scrollBy(0, step)
          requestAnimationFrame(scroll)
        }
        scroll()
      }),
    [area, frames, px] as const,
  )
}

/** Until the page has had so many frames. */
export function passFrames(page: Page, count: number) {
  return page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        let left = frames
        const pass = () => (left-- === 0 ? resolve() : requestAnimationFrame(pass))
        pass()
      }),
    count,
  )
}

/** Each page that is opened from now on remembers when its first card was painted. */
export const watchFirstCard = (page: Page) => watchFirst(page, 'first-card', 'article')

/** The same of the first of whatever is looked for, under a name of its own. */
export function watchFirst(page: Page, name: string, selector: string) {
  return page.addInitScript(
    ([mark, wanted]) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector(wanted)) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => performance.mark(mark)))
      }).observe(document, { subtree: true, childList: true })
    },
    [name, selector] as const,
  )
}

/** Ms from a press, which `press` makes, to the first of what is looked for painted. */
export async function pressPaintedMs(page: Page, selector: string, press: () => Promise<unknown>) {
  const painted = await page.evaluateHandle((wanted) => {
    const ms = new Promise<number>((resolve) => {
      const wait = ({ timeStamp }: Event) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(wanted)) return
          observer.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
        })
        observer.observe(document, { subtree: true, childList: true })
      }
      addEventListener('pointerdown', wait, { once: true, capture: true })
    })
    return { ms }
  }, selector)
  await press()
  return painted.evaluate(({ ms }) => ms)
}

/** Ms since the board was asked for. */
export async function firstCardMs(page: Page): Promise<number> {
  const ms = await page.waitForFunction(() => {
    const painted = performance.getEntriesByName('first-card')[0]
    const asked = performance.getEntriesByType('resource').find(({ name }) => name.includes('sync_board'))
    return painted && asked && painted.startTime - asked.startTime
  })
  return Number(await ms.jsonValue())
}

/** Until nothing moves in an area, and nothing has kept the page busy. */
export async function comeToRestIn(page: Page, area: string) {
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].every(
        (element) => element.getAnimations({ subtree: true }).length === 0,
      ),
    area,
  )
  await comeToRest(page)
}

/** Until nothing has kept the page busy for so many moments, one after the other. */
export function comeToRest(page: Page) {
  return page.evaluate(
    (moments) =>
      new Promise<void>((resolve) => {
        let calm = 0
        const poll = (deadline: IdleDeadline) => {
          const isCalm = deadline.didTimeout || deadline.timeRemaining() > 5
          // Chromium calls a page that draws nothing after a press idle only when it must.
          calm = isCalm ? calm + (deadline.didTimeout ? 5 : 1) : 0
          if (calm >= moments) resolve()
          else setTimeout(() => requestIdleCallback(poll, { timeout: 100 }), 20)
        }
        requestIdleCallback(poll, { timeout: 100 })
      }),
    25,
  )
}

/** Ms from letting go to the painted count of the stage it went to; `letGo` is what the person does. */
export async function movePaintedMs(page: Page, counter: string, letGo: () => Promise<unknown>) {
  const painted = await page.evaluateHandle((selector) => {
    const shown = document.querySelector(selector)
    if (!shown) throw new Error(`no ${selector}`)
    const ms = new Promise<number>((resolve) => {
      const wait = ({ timeStamp }: Event) => {
        const observer = new MutationObserver(() => {
          observer.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
        })
        observer.observe(shown, { subtree: true, childList: true, characterData: true })
      }
      addEventListener('pointerup', wait, { once: true, capture: true })
    })
    return { ms }
  }, counter)
  await letGo()
  return painted.evaluate(({ ms }) => ms)
}
