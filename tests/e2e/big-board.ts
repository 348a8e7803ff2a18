// With any number of leads the page contains only visible cards and a few more: checks for both devices.
import type { Page } from '@playwright/test'
import { inPage } from '#tests/support/browser/big-board.ts'
import { expect } from '#tests/support/browser/story.ts'

const MAX = { cards: 100, nodes: 1_200 }

/** `around`: elements outside the board. */
export async function expectFew(page: Page, around = 0) {
  const { cards, nodes } = await inPage(page)
  expect(cards).toBeGreaterThan(3)
  expect(cards).toBeLessThanOrEqual(MAX.cards)
  expect(nodes).toBeLessThanOrEqual(MAX.nodes + around)
}

/** Checks the number of rendered cards at rest, and again far down in the first stage. */
export async function expectFewScrolled(page: Page, around = 0) {
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectFew(page, around)
  const list = page.getByRole('feed').first()
  // Checked and scrolled at once, because the first cards are replaced by the whole list at any moment.
  const far = await page.evaluate(() => {
    const feed = document.querySelector('[role=feed]')
    const scroller = feed?.closest('[data-cards], [role=tabpanel]')
    scroller?.scrollTo(0, (feed?.clientHeight ?? 0) / 2)
    return scroller?.scrollTop ?? 0
  })
  expect(far).toBeGreaterThan(5_000)
  await expect(list.locator('[aria-posinset="1"]')).toHaveCount(0)
  await expect(list.getByRole('article').first()).toBeVisible()
  await expectFew(page, around)
}
