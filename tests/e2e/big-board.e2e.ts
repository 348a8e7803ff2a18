// However many leads there are, the page holds those in sight and a few around (PRODUCT.md 5).
import type { Page } from '@playwright/test'
import { inPage, serveBoard } from '#tests/support/big-board.ts'
import { carry, column, countOf, dragged, middleOf, waitForDragging } from '#tests/support/columns.ts'
import { enterAsAdmin, enterAsBroker, expect, test } from '#tests/support/story.ts'

// The worker's requests would pass by what stands in for the portal.
test.use({ serviceWorkers: 'block' })

const MOST = { cards: 100, nodes: 1_200 }
/** The sixteen of the demonstration. */
const EVERYONE =
  'camila rafael juliana eduardo priscila marcelo tatiane gustavo fernanda leandro simone bruno carolina diego vanessa henrique'
/** Around the CRM's board stand the list of brokers and who is chosen of them. */
const AROUND = 800

const scenes = [
  { what: 'um quadro de 1000 contatos', size: 1_000, enter: enterAsBroker, around: 0 },
  { what: 'um quadro de 10000 contatos', size: 10_000, enter: enterAsBroker, around: 0 },
  {
    what: 'o CRM com dezesseis corretores de 1000 contatos cada',
    size: 1_000,
    enter: async (page: Page) => {
      await enterAsAdmin(page)
      await page.goto(`/crm?corretores=${EVERYONE.replaceAll(' ', '+')}`)
      // What stands in for the portal is slow to hand so much over.
      await expect.poll(() => countOf(page, 'Novos Contatos'), { timeout: 40_000 }).toBe(6_400)
    },
    around: AROUND,
  },
]

for (const { what, size, enter, around } of scenes) {
  test(`${what} cabe em poucos elementos, parado, rolado e com um card na mão`, async ({
    page,
    isMobile,
  }) => {
    test.skip(isMobile && around > 0, 'o administrador trabalha na mesa')
    await serveBoard(page, size)
    await enter(page)
    const cards = page.getByRole('article')
    await expect(cards.first()).toBeVisible()
    const expectFew = async () => {
      const { cards: shown, nodes } = await inPage(page)
      expect(shown).toBeGreaterThan(3)
      expect(shown).toBeLessThanOrEqual(MOST.cards)
      expect(nodes).toBeLessThanOrEqual(MOST.nodes + around)
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
    if (around > 0) return
    // As tall and wide as screens come, every column in the middle of its cards.
    await page.setViewportSize({ width: 3840, height: 2160 })
    for (const area of await page.locator('[data-cards]').all())
      await area.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2))
    await expect.poll(async () => (await inPage(page)).cards).toBeGreaterThan(60)
    await expectFew()
  })
}
