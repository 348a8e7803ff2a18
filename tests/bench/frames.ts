// A page's own measurements of its frames, its first card, and the time from a drop to the painted move.
import type { Page } from '@playwright/test'

const FRAME_MS = 1_000 / 60

export type Frames = {
  p95Ms: number
  /** Percentage of a 60 Hz screen's frames. */
  droppedPercent: number
}

/** Counts frames until the returned function is called. */
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

/** Scrolls the area by a number of px in each of a number of frames. */
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

/** From now on each page records when its first card was painted. */
export const watchFirstCard = (page: Page) => watchFirst(page, 'first-card', 'article')

/** Watches the first element that matches the selector, and records it under this name. */
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

/** Ms from the press made by `press` to the painted element. */
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

/** Waits until nothing moves in an area and the page is idle. */
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

/** Waits until the page was idle several times in a row. */
export function comeToRest(page: Page) {
  return page.evaluate(
    (moments) =>
      new Promise<void>((resolve) => {
        let calm = 0
        const poll = (deadline: IdleDeadline) => {
          const isCalm = deadline.didTimeout || deadline.timeRemaining() > 5
          // Without rendering, Chromium reports idle time only at the deadline.
          calm = isCalm ? calm + (deadline.didTimeout ? 5 : 1) : 0
          if (calm >= moments) resolve()
          else setTimeout(() => requestIdleCallback(poll, { timeout: 100 }), 20)
        }
        requestIdleCallback(poll, { timeout: 100 })
      }),
    25,
  )
}

/** Ms from the drop to the painted count of the target stage; `letGo` drops the card. */
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
