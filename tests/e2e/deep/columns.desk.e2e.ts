// A card dragged on the board of columns, up to the portal and back; component tests cover the rest.
import type { Page } from '@playwright/test'
import {
  cardIn,
  column,
  countOf,
  dragged,
  firstIn,
  gripOf,
  middleOf,
  waitForDragging,
} from '#tests/support/browser/columns.ts'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

test('com o mouse: 4 px ainda não, 7 px sim; solto sobre um card vale a coluna; desfazer traz de volta', async ({
  page,
}) => {
  await enterAsBroker(page, 'rafael')
  await expect(column(page, 'Conversa').getByRole('article').first()).toBeVisible()
  await waitForDragging(page)
  const lead = await firstIn(page, 'Conversa')
  const card = cardIn(page, 'Conversa', lead)
  const before = await countOf(page, 'Negociação')
  const { x, y } = await gripOf(card)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 4, y)
  await expect(dragged(page)).toHaveCount(0)
  await page.mouse.move(x + 7, y)
  await expect(dragged(page)).toBeVisible()
  const other = await middleOf(column(page, 'Negociação').getByRole('article').first())
  await page.mouse.move(other.x, other.y, { steps: 5 })
  await expect(column(page, 'Negociação').locator('[data-slot]')).toBeVisible()
  await page.mouse.up()
  await expect(cardIn(page, 'Conversa', lead)).toHaveCount(0)
  expect(await countOf(page, 'Negociação')).toBe(before + 1)
  await expect(said(page, `${lead.name} movido para Negociação. Desfazer disponível.`)).toBeAttached()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(cardIn(page, 'Conversa', lead)).toBeVisible()
  expect(await countOf(page, 'Negociação')).toBe(before)
})
