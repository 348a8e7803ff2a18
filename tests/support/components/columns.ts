// Helpers for the board of columns: finds columns and cards by name, drags cards by mouse.
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { numberIn } from '../browser/number-in.ts'
import { CAMILA, openApp } from './app.tsx'
import { brokerPortal } from './broker-portal.ts'
import { boxOf, onDesk, painted, takeMouse } from './device.ts'

type Point = { x: number; y: number }

export const column = (stage: string) => page.getByRole('region', { name: new RegExp(`^${stage} \\(`) })
export const cardsIn = (stage: string) => column(stage).getByRole('article')
export const cardIn = (stage: string, name: string) => cardsIn(stage).filter({ hasText: name })

/** Counts boards with a drag; 0: nothing is being dragged. */
export const dragged = () => document.querySelectorAll('[data-dragging]').length
export const slotIn = (stage: string) => column(stage).element().querySelectorAll('[data-slot]').length

/** A board for one test, ready for dragging. */
export async function openColumns({ hasTouch = false, width = 1440, height = 900 } = {}) {
  const portal = brokerPortal()
  await onDesk({ hasTouch, width, height })
  await openApp('/broker', portal.network, CAMILA)
  await expect.element(cardsIn('Conversa').first()).toBeVisible()
  // Dragging is loaded after the cards; its live region shows that it is there.
  await expect.poll(() => document.querySelectorAll('[id^=DndLiveRegion]').length).toBe(1)
  await painted()
  return { portal, mouse: takeMouse(), name: nameOf(cardsIn('Conversa').first()) }
}

export const nameOf = (card: Locator) => card.getByRole('heading').element().textContent

export const countOf = (stage: string) =>
  numberIn(column(stage).getByRole('heading', { level: 2 }).element().textContent, /\(([\d.]+)\)/)

/** A point on a card to press: its message, which is no button. */
export function gripOf(card: Locator): Point {
  const { left, top } = boxOf(card)
  return { x: left + 100, y: top + 60 }
}

export function middleOf(area: Locator): Point {
  const { left, top, width, height } = boxOf(area)
  return { x: left + width / 2, y: top + Math.min(height / 2, 200) }
}

/** Starts to drag the card with the mouse and holds it over `to`. */
export async function carry(mouse: ReturnType<typeof takeMouse>, card: Locator, to: Point) {
  const from = gripOf(card)
  await mouse.to(from.x, from.y)
  await mouse.down()
  await mouse.to(from.x + 7, from.y)
  await expect.poll(dragged).toBe(1)
  await mouse.to(to.x, to.y, 8)
}
