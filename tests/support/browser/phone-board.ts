// Helpers for the phone's board under a touch pointer.
import type { Locator, Page } from '@playwright/test'
import { boxOf, type Pointer, pointerOn } from './pointer.ts'
import { enterAsBroker, expect, test as base } from './story.ts'

/** The tests must leave the board as they found it. */
export const test = base.extend<{ pointer: Pointer }>({
  pointer: async ({ page }, use) => {
    await page.addInitScript(() => {
      const felt: unknown[] = []
      Object.assign(window, { felt })
      navigator.vibrate = (pattern) => felt.push(pattern) > 0
    })
    await enterAsBroker(page)
    await expect(page.getByRole('article').first()).toBeVisible()
    // The gestures are loaded.
    await expect(page.locator('[data-pill]')).toHaveCount(2)
    // The neighbouring stages are rendered after the gestures are loaded.
    await expect(page.locator('[data-page]').nth(1)).toBeAttached()
    await use(await pointerOn(page))
  },
})
export const title = (page: Page) => page.getByRole('heading', { level: 1 })
export const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(`^${name}`) })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
export const felt = (page: Page) => page.evaluate(() => (window as unknown as { felt: unknown[] }).felt)
export const undo = (page: Page) => page.getByRole('button', { name: 'Desfazer' })
/** The position of the strip of pages, in stages. */
export const p = (page: Page) =>
  page
    .locator('[data-strip]')
    .evaluate((strip) => 0 - new DOMMatrix(getComputedStyle(strip).transform).m41 / strip.clientWidth)

/** Presses a card, beside its buttons. */
export async function touchCard(pointer: Pointer, locator: Locator, x = 150) {
  const box = await boxOf(locator)
  await pointer.down(x, box.y + 30)
  return box
}

export const NEW = 'Novos Contatos (12)'
