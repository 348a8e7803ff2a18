// However many leads a broker has, the phone's page holds few.
import { expectFewScrolled } from '#tests/e2e/big-board.ts'
import { serveBoard } from '#tests/support/browser/big-board.ts'
import { enterAsBroker, test } from '#tests/support/browser/story.ts'

for (const size of [1_000, 10_000])
  test(`um quadro de ${size} contatos cabe em poucos elementos, parado e rolado`, async ({ page }) => {
    await serveBoard(page, size)
    await enterAsBroker(page)
    await expectFewScrolled(page)
  })
