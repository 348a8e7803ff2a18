// With any number of leads of a broker or a team, the desktop page contains few elements, also during a drag.
import type { Page } from '@playwright/test'
import { expectFew, expectFewScrolled } from '#tests/e2e/big-board.ts'
import { inPage, serveBoard } from '#tests/support/browser/big-board.ts'
import { carry, column, countOf, dragged, middleOf, waitForDragging } from '#tests/support/browser/columns.ts'
import { comeToRest } from '#tests/bench/frames.ts'
import { enterAsAdmin, enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

/** The demonstration's sixteen brokers. */
const EVERYONE =
  'camila rafael juliana eduardo priscila marcelo tatiane gustavo fernanda leandro simone bruno carolina diego vanessa henrique'
/** Elements around the CRM's board: the list of brokers, and the selected ones. */
const AROUND = 800

async function expectFewCarried(page: Page, around = 0) {
  await waitForDragging(page)
  const card = column(page, 'Conversa').getByRole('article').first()
  await carry(page, card, await middleOf(column(page, 'Fechado')))
  await expect(column(page, 'Fechado').locator('[data-slot]')).toBeVisible()
  await expectFew(page, around)
  await page.mouse.up()
  await expect(dragged(page)).toHaveCount(0)
  await expectFew(page, around)
}

for (const size of [1_000, 10_000])
  test(`um quadro de ${size} contatos cabe em poucos elementos, parado, rolado e com um card na mão`, async ({
    page,
  }) => {
    await serveBoard(page, size)
    await enterAsBroker(page)
    await expectFewScrolled(page)
    await expectFewCarried(page)
    // On the largest screen, with every column scrolled to its middle.
    await page.setViewportSize({ width: 3840, height: 2160 })
    for (const area of await page.locator('[data-cards]').all())
      await area.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2))
    await expect.poll(async () => (await inPage(page)).cards).toBeGreaterThan(60)
    // After measuring, the visible cards are rendered again.
    await comeToRest(page)
    await expectFew(page)
  })

test('o CRM com dezesseis corretores de 1000 contatos cada também', async ({ page }) => {
  await serveBoard(page, 1_000)
  await enterAsAdmin(page)
  await page.goto(`/crm?corretores=${EVERYONE.replaceAll(' ', '+')}`)
  // The mocked portal is slow with this much data.
  await expect.poll(() => countOf(page, 'Novos Contatos'), { timeout: 40_000 }).toBe(6_400)
  await expectFewScrolled(page, AROUND)
  await expectFewCarried(page, AROUND)
})
