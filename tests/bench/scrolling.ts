// Scrolling through a long list: by wheel on a desk, by one finger on a phone, with the page's work and its frames.
import type { Page } from '@playwright/test'
import { touchOn } from '#tests/support/browser/columns.ts'
import { countFrames, type Frames, scrollSteadily } from './frames.ts'
import type { Measure } from './measure.ts'
import { type Part, trace, type Work } from './trace.ts'

/** In 60 Hz frames this is 3,000 px a second, as a mouse wheel scrolls. */
const SCROLL = { frames: 180, px: 50 }
const SCROLL_SECONDS = SCROLL.frames / 60
const AREA = { phone: '[role=tabpanel]', desk: '[data-stage=new] [data-cards]' }
/** The list must not glide on after the finger is lifted. */
const STILL_MS = 150
/** Work may take this multiple of the reference board's; frames dropped may be this many points more. */
const LIMITS = { work: 1.15, points: 5 }
const PARTS: Record<Part, string> = {
  script: 'script',
  style: 'style',
  layout: 'layout',
  paint: 'paint',
  hitTests: 'hit tests',
}

export type Scrolled = Work & Pick<Frames, 'droppedPercent'>
export type Device = keyof typeof AREA

/** Scrolls from the top to the end and back. */
export async function scroll(page: Page, device: Device): Promise<Scrolled> {
  const area = page.locator(AREA[device]).first()
  if (device === 'desk') await area.hover()
  let frames: Frames = { p95Ms: NaN, droppedPercent: NaN }
  const work = await trace(page, async () => {
    const stop = await countFrames(page)
    await (device === 'desk' ? scrollSteadily(page, AREA.desk, SCROLL) : pushUp(page))
    frames = await stop()
  })
  await area.evaluate((list) => list.scrollTo(0, 0))
  return { ...work, droppedPercent: frames.droppedPercent }
}

/** Chromium follows a finger beyond the screen. */
async function pushUp(page: Page) {
  const touch = await touchOn(page)
  const [x, y] = [200, 700]
  await touch.down({ x, y })
  for (let step = 1; step <= SCROLL.frames; step++) await touch.move({ x, y: y - step * SCROLL.px })
  await page.waitForTimeout(STILL_MS)
  await touch.up()
}

export function scrollMeasures(
  of: (part: keyof Scrolled) => number,
  name: (what: string) => string,
): Measure[] {
  const aSecond = (part: keyof Work) => of(part) / SCROLL_SECONDS
  return [
    { name: name('scrolling, work a second'), value: aSecond('all'), unit: 'ms', times: LIMITS.work },
    ...Object.entries(PARTS).map(([part, word]): Measure => ({
      name: name(`scrolling, ${word} a second`),
      value: aSecond(part as Part),
      unit: 'ms',
    })),
    {
      name: name('scrolling, frames dropped'),
      value: of('droppedPercent'),
      unit: '%',
      points: LIMITS.points,
    },
  ]
}
