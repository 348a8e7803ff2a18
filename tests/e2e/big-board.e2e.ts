// However many leads there are, the page holds those in sight and a few around (PRODUCT.md 5).
import { inPage, serveBoard } from '#tests/support/big-board.ts'
import { carry, column, dragged, middleOf, waitForDragging } from '#tests/support/columns.ts'
import { enterAsBroker, expect, test } from '#tests/support/story.ts'

// The worker's requests would pass by what stands in for the portal.
test.use({ serviceWorkers: 'block' })

const MOST = { cards: 100, nodes: 1_200 }

for (const size of [1_000, 10_000]) {
  test(`um quadro de ${size} contatos cabe em poucos elementos, parado, rolado e com um card na mão`, async ({
    page,
    isMobile,
  }) => {
    await serveBoard(page, size)
    await enterAsBroker(page)
    const cards = page.getByRole('article')
    await expect(cards.first()).toBeVisible()
    const expectFew = async () => {
      const { cards: shown, nodes } = await inPage(page)
      expect(shown).toBeGreaterThan(3)
      expect(shown).toBeLessThanOrEqual(MOST.cards)
      expect(nodes).toBeLessThanOrEqual(MOST.nodes)
    }
    await expectFew()
    const list = page.getByRole('feed').first()
    const far = await list.evaluate((feed) => {
      const scroller = feed.closest('[data-cards], [role=tabpanel]')
      scroller?.scrollTo(0, feed.clientHeight / 2)
      return scroller?.scrollTop ?? 0
    })
    expect(far).toBeGreaterThan(5_000)
    await expect(list.locator('[aria-posinset="1"]')).toHaveCount(0)
    await expect(list.getByRole('article').first()).toBeVisible()
    await expectFew()
    if (isMobile) return
    await waitForDragging(page)
    const card = column(page, 'Conversa').getByRole('article').first()
    await carry(page, card, await middleOf(column(page, 'Fechado')))
    await expect(column(page, 'Fechado').locator('[data-slot]')).toBeVisible()
    await expectFew()
    await page.mouse.up()
    await expect(dragged(page)).toHaveCount(0)
    await expectFew()
  })
}
