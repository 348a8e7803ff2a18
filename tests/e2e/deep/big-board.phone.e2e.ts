// With any number of leads the phone's page contains few elements.
import { expectFewScrolled } from '#tests/e2e/big-board.ts'
import { serveBoard } from '#tests/support/browser/big-board.ts'
import { createLatch } from '#tests/support/latch.ts'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

for (const size of [1_000, 10_000])
  test(`um quadro de ${size} contatos cabe em poucos elementos, parado e rolado`, async ({ page }) => {
    await serveBoard(page, size)
    await enterAsBroker(page)
    await expectFewScrolled(page)
  })

test('quem rola antes de a lista inteira estar ali fica onde está', async ({ page }) => {
  await serveBoard(page, 1_000)
  const rest = createLatch()
  await page.route('**/assets/{arrivals,presses}-*', async (route) => {
    await rest.opened
    await route.continue()
  })
  await enterAsBroker(page)
  const list = page.getByRole('feed').first()
  await expect(list.getByRole('article')).toHaveCount(8)
  const placeOf = () => page.getByRole('tabpanel').evaluate((panel) => panel.scrollTop)
  await page.getByRole('tabpanel').evaluate((panel) => panel.scrollTo(0, 10_000))
  await expect.poll(placeOf).toBe(10_000)
  rest.open()
  await expect(list.locator('[aria-posinset="1"]')).toHaveCount(0)
  await expect(list.getByRole('article').first()).toBeVisible()
  // Measured cards are somewhat higher or lower than estimated.
  expect(await placeOf()).toBeGreaterThan(9_000)
})
