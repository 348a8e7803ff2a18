// A page's own loading times, and Lighthouse's score of them for a phone.
import type { Page } from '@playwright/test'

export type Vitals = {
  fcpMs: number
  lcpMs: number
  /** The part of long tasks beyond 50 ms, from the first paint on. */
  tbtMs: number
  /** The end of the last long task, or the first paint. */
  interactiveMs: number
  shift: number
}

type Seen = { lcpMs: number; shift: number; tasks: { startMs: number; ms: number }[]; longestMs: number }

/** From now on each page records its times from its start. */
export function watchVitals(page: Page) {
  return page.addInitScript(() => {
    const seen: Seen = { lcpMs: 0, shift: 0, tasks: [], longestMs: 0 }
    Object.assign(window, { seen })
    const watch = (options: PerformanceObserverInit, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        ...options,
        buffered: true,
      })
    watch({ type: 'largest-contentful-paint' }, ({ startTime }) => (seen.lcpMs = startTime))
    watch({ type: 'longtask' }, ({ startTime, duration }) =>
      seen.tasks.push({ startMs: startTime, ms: duration }),
    )
    watch({ type: 'layout-shift' }, (entry) => {
      if ('hadRecentInput' in entry && !entry.hadRecentInput && 'value' in entry)
        seen.shift += Number(entry.value)
    })
    const interaction = { type: 'event', durationThreshold: 16 }
    watch(interaction, (entry) => {
      if ('interactionId' in entry && entry.interactionId !== 0)
        seen.longestMs = Math.max(seen.longestMs, entry.duration)
    })
  })
}

/** Call it on an idle page. */
export function vitalsOf(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const { lcpMs, shift, tasks } = (window as unknown as { seen: Seen }).seen
    const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN
    const after = tasks.filter(({ startMs, ms }) => startMs + ms > fcpMs)
    return {
      fcpMs,
      lcpMs,
      shift,
      tbtMs: after.reduce(
        (sum, { startMs, ms }) => sum + Math.max(0, ms - 50 - Math.max(0, fcpMs - startMs)),
        0,
      ),
      interactiveMs: Math.max(fcpMs, ...after.map(({ startMs, ms }) => startMs + ms)),
    }
  })
}

/** The longest time from a press, a key or a lifted pointer to its next frame since the last call, in steps of 8 ms. */
export function longestInteractionMs(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { seen } = window as unknown as { seen: Seen }
    const { longestMs } = seen
    seen.longestMs = 0
    return longestMs
  })
}

/**
 * Lighthouse's weight of each figure on a phone, and its values for the best tenth and the median
 * (googlechrome.github.io/lighthouse/scorecalc, version 10 on). Its speed index, a tenth of the score, is left out
 * because it needs
 * screenshots.
 */
const CURVES = {
  fcpMs: { share: 10, best: 1_800, middle: 3_000 },
  lcpMs: { share: 25, best: 2_500, middle: 4_000 },
  tbtMs: { share: 30, best: 200, middle: 600 },
  shift: { share: 25, best: 0.1, middle: 0.25 },
} satisfies Partial<Record<keyof Vitals, unknown>>

/** From 0 to 100. */
export function scoreOf(vitals: Vitals): number {
  const parts = Object.entries(CURVES).map(([name, { share, best, middle }]) => {
    const value = Math.max(vitals[name as keyof typeof CURVES], Number.EPSILON)
    const deviation = Math.log(middle / best) / 1.281_551_565_545
    return { share, score: 1 - normal(Math.log(value / middle) / deviation) }
  })
  const shares = parts.reduce((sum, { share }) => sum + share, 0)
  return (100 * parts.reduce((sum, { share, score }) => sum + share * score, 0)) / shares
}

/** The share of a normal distribution below this many deviations (Abramowitz and Stegun 26.2.17). */
function normal(deviations: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(deviations))
  const terms = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429]
  const sum = terms.reduceRight((total, term) => t * (term + total), 0)
  const upper = (Math.exp(-(deviations ** 2) / 2) / Math.sqrt(2 * Math.PI)) * sum
  return deviations < 0 ? upper : 1 - upper
}
