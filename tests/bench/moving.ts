// Moving a card: by mouse from column to column, and by a swipe on a phone. On the reference board a swipe is a drag.
import type { Page } from '@playwright/test'
import { carry, column, dragged, gripOf, middleOf } from '#tests/support/browser/columns.ts'
import { comeToRest, countFrames, movePaintedMs } from './frames.ts'
import type { Measure } from './measure.ts'
import { dragByTouch, type Swipe, swipe } from './swipe.ts'
import { trace } from './trace.ts'
import { longestInteractionMs } from './vitals.ts'

/** Elements that a drop may style anew. */
const STYLED = 250
/** The allowed multiple of the reference board's times. */
const MOVE_TIMES = 1.5
/** How many more percent of the frames may be dropped than on the reference board. */
const DRAG_POINTS = 5
/** By design a swiped card is on its way out within this time, and counts change within as long. */
const SWIPE_MS = 100

export type Moved = Record<'styled' | 'dragDropped' | 'paintedMs' | 'longestMs', number>
export type Swiped = { dragDropped: number } & Partial<Swipe>

/** Over all columns and back, and then one card to another column. */
export async function moveOnce(page: Page): Promise<Moved> {
  const dragDropped = await dragAbout(page)
  await comeToRest(page)
  const target = await middleOf(column(page, 'Negociação'))
  await carry(page, card(page), target)
  const { styled } = await trace(page, async () => {
    await page.mouse.up()
    await comeToRest(page)
  })
  await carry(page, card(page), target)
  await longestInteractionMs(page)
  const paintedMs = await movePaintedMs(page, '[data-stage=negociacao] h2', () => page.mouse.up())
  await comeToRest(page)
  return { styled, dragDropped, paintedMs, longestMs: await longestInteractionMs(page) }
}

export async function swipeOnce(page: Page, who: 'ours' | 'floor'): Promise<Swiped> {
  const { droppedPercent: dragDropped } = await dragByTouch(page)
  return who === 'floor' ? { dragDropped } : { dragDropped, ...(await swipe(page)) }
}

const card = (page: Page) => column(page, 'Conversa').getByRole('article').first()

async function dragAbout(page: Page): Promise<number> {
  const home = await gripOf(card(page))
  await carry(page, card(page), home)
  const far = await middleOf(column(page, 'Arquivado'))
  const stop = await countFrames(page)
  await page.mouse.move(far.x, far.y, { steps: 90 })
  await page.mouse.move(home.x, home.y, { steps: 90 })
  const { droppedPercent } = await stop()
  await page.mouse.up()
  await dragged(page).waitFor({ state: 'detached' })
  return droppedPercent
}

type Named = (what: string) => string

export function moveMeasures(of: (part: keyof Moved) => number, name: Named): Measure[] {
  return [
    { name: name('dragging, frames dropped'), value: of('dragDropped'), unit: '%', points: DRAG_POINTS },
    { name: name('elements styled anew by a drop'), value: of('styled'), unit: '', limit: STYLED },
    { name: name('drop to painted move'), value: of('paintedMs'), unit: 'ms', times: MOVE_TIMES },
    { name: name('longest interaction of a move'), value: of('longestMs'), unit: 'ms', times: MOVE_TIMES },
  ]
}

export function swipeMeasures(of: (part: keyof Swiped) => number, name: Named): Measure[] {
  return [
    { name: name('dragging, frames dropped'), value: of('dragDropped'), unit: '%', points: DRAG_POINTS },
    { name: name('swipe to its card seen leaving'), value: of('leaves'), unit: 'ms', limit: SWIPE_MS },
    { name: name('end of its way out to painted counts'), value: of('counts'), unit: 'ms', limit: SWIPE_MS },
    { name: name('swipe, way out and counts together'), value: of('whole'), unit: 'ms' },
  ]
}
