// Helpers for the board of columns: finds columns and cards by name, drags cards by mouse and touch.
import { expect, type CDPSession, type Locator, type Page } from '@playwright/test'
import { numberIn } from './number-in.ts'

type Point = { x: number; y: number }

export const column = (page: Page, stage: string) =>
  page.getByRole('region', { name: new RegExp(`^${stage} \\(`) })

/** A name may occur twice in the demonstration, an id does not. */
type ShownLead = { id: string; name: string }

export const cardIn = (page: Page, stage: string, lead: string | ShownLead) =>
  typeof lead === 'string'
    ? column(page, stage)
        .getByRole('article')
        .filter({ has: page.getByRole('heading').getByText(lead, { exact: true }) })
    : column(page, stage).locator(`article[data-lead="${lead.id}"]`)

/** The board during a drag; without one, nothing is being dragged. */
export const dragged = (page: Page) => page.locator('[data-dragging]')

/** Dragging is loaded after the cards; its live region shows that it is there. */
export const waitForDragging = (page: Page) =>
  page.locator('[id^=DndLiveRegion]').waitFor({ state: 'attached' })

/** The first lead in a column. */
export async function firstIn(page: Page, stage: string): Promise<ShownLead> {
  const card = column(page, stage).getByRole('article').first()
  const [id, name] = await Promise.all([
    card.getAttribute('data-lead'),
    card.getByRole('heading').innerText(),
  ])
  if (id === null) throw new Error('a card without its lead')
  return { id, name }
}

export async function countOf(page: Page, stage: string): Promise<number> {
  const heading = await column(page, stage).getByRole('heading', { level: 2 }).innerText()
  return numberIn(heading, /\(([\d.]+)\)/)
}

/** A point on a card to press: its message, which is no button. */
export async function gripOf(card: Locator): Promise<Point> {
  const box = await card.boundingBox()
  if (!box) throw new Error('the card is out of sight')
  return { x: box.x + 100, y: box.y + 60 }
}

export async function middleOf(area: Locator): Promise<Point> {
  const box = await area.boundingBox()
  if (!box) throw new Error('out of sight')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 200) }
}

/** Starts to drag the card with the mouse and holds it over `to`. */
export async function carry(page: Page, card: Locator, to: Point) {
  const from = await gripOf(card)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 7, from.y)
  await expect(dragged(page)).toBeVisible()
  await page.mouse.move(to.x, to.y, { steps: 8 })
}

/** One touch pointer, as the device reports it. */
export async function touchOn(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  return {
    down: (at: Point) => send('touchStart', at),
    move: (at: Point) => send('touchMove', at),
    up: () => send('touchEnd'),
  }
}
