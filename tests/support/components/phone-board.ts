// Helpers for the phone's board: finding, touching and reading it.
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { CAMILA, openApp } from './app.tsx'
import { brokerPortal, type Row } from './broker-portal.ts'
import { boxOf, type Pointer, pointerOn, onPhone, painted, tap } from './device.ts'

export const NEW = 'Novos Contatos (12)'

export const title = page.getByRole('heading', { level: 1 })
export const undo = page.getByRole('button', { name: 'Desfazer' })
export const list = page.getByRole('tabpanel')
export const card = (name: string) => page.getByRole('article', { name: new RegExp(`^${name}`) })
export const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

/** A board for one test, with its gestures loaded. */
export async function openBoard(leads?: readonly Row[], address = '/broker') {
  const portal = brokerPortal(leads)
  await onPhone()
  await openApp(address, portal.network, CAMILA)
  await expect.poll(() => countOf('[data-pill]')).toBe(2)
  // The neighbouring stages are rendered after the gestures are loaded.
  await expect.poll(() => countOf('[data-page]')).toBeGreaterThan(1)
  // navigator.vibrate needs a gesture of the user first.
  if (!navigator.userActivation.hasBeenActive) await tap(title)
  // The browser decides the owner of a touch by what it has painted.
  await painted()
  return { portal, pointer: pointerOn() }
}

export const countOf = (selector: string) => document.querySelectorAll(selector).length

/** The position of the strip of pages, in stages. */
export function p(): number {
  const strip = document.querySelector('[data-strip]')
  if (!strip) throw new Error('no strip')
  return 0 - shiftOf(strip) / strip.clientWidth
}

/** The distance in px by which a transform moves it to the right. */
export const shiftOf = (element: Element) => new DOMMatrix(getComputedStyle(element).transform).m41

/** Presses a card, beside its buttons. */
export async function touchCard(
  pointer: Pointer,
  locator: Locator,
  { x = 150, pressedMs = 0, heldMs = 0 } = {},
) {
  const box = boxOf(locator)
  await pointer.down(x, box.top + 30, { pressedMs, heldMs })
  return box
}
