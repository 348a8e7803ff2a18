// Selected leads are transferred to another broker, and returned.
import type { Page } from '@playwright/test'
import { cardIn, column } from '#tests/support/browser/columns.ts'
import { expect, expectAccessible, REFUSED, test } from '#tests/support/browser/story.ts'
import { openBroker, openCrm } from '#tests/e2e/crm.ts'

test.use({ expectedNoise: { patterns: [REFUSED, /status of 500/] } })

const boxOf = (page: Page, stage: string, name: string) =>
  cardIn(page, stage, name).getByRole('checkbox', { name: `Selecionar ${name}` })

/**
 * Names of three cards in a row that are unique on both boards, because the demonstration's people share first names.
 */
async function threeByName(page: Page, receiver: Page): Promise<[string, string, string]> {
  const namesIn = (board: Page) =>
    column(board, 'Conversa').getByRole('article').getByRole('heading').allInnerTexts()
  const [own, others] = await Promise.all([namesIn(page), namesIn(receiver)])
  const isOnlyOne = (name: string) => [...own, ...others].filter((one) => one === name).length === 1
  for (const [at, first] of own.entries()) {
    const [second = '', third = ''] = own.slice(at + 1)
    if ([first, second, third].every(isOnlyOne)) return [first, second, third]
  }
  throw new Error(`no three names in a row of their own: ${own.join(', ')}`)
}

test('leads escolhidos por caixa, intervalo e teclado passam para outro corretor e voltam', async ({
  page,
  browser,
  portalUrl,
}) => {
  const receiver = await openBroker(browser, portalUrl, 'juliana')
  await openCrm(page, 'camila')
  const [first, second, third] = await threeByName(page, receiver)
  await cardIn(page, 'Conversa', first).hover()
  await boxOf(page, 'Conversa', first).click()
  await boxOf(page, 'Conversa', third).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: '3 selecionados' })
  await expect(bar).toBeVisible()
  await expect(boxOf(page, 'Conversa', second)).toBeChecked()
  await expectAccessible(page)
  await cardIn(page, 'Conversa', third).focus()
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: '2 selecionados' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: /selecionado/ })).toBeHidden()
  await cardIn(page, 'Conversa', first).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')

  await page.getByRole('button', { name: 'Passar para...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await expect(dialog.getByRole('button', { name: 'Passar 2 leads' })).toBeDisabled()
  await expect(dialog.getByRole('radio', { name: /Camila/ })).toHaveCount(0)
  await dialog.getByPlaceholder('Buscar corretor...').fill('juli')
  await dialog.getByRole('radio', { name: /Juliana/ }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Passar 2 leads' }).click()
  await expect(dialog).toBeHidden()
  // Hovering keeps the toast until its button is pressed.
  await page.getByText('2 leads passaram para Juliana').hover()
  for (const name of [first, second]) {
    await expect(cardIn(page, 'Conversa', name)).toHaveCount(0)
    await expect(cardIn(receiver, 'Conversa', name)).toBeAttached()
  }
  // The pressed button is gone; the focus returns to the board.
  await expect(page.locator('article[data-lead]:focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('2 leads voltaram para quem estava.')).toBeVisible()
  for (const name of [first, second]) {
    await expect(cardIn(page, 'Conversa', name)).toBeAttached()
    await expect(cardIn(receiver, 'Conversa', name)).toHaveCount(0)
  }
  await cardIn(page, 'Conversa', first).focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Passar para...' }).click()
  await dialog.getByText('Quem já atendeu (2)').click()
  await expect(dialog.getByText(/admin passou de Camila para Juliana/)).toBeVisible()
  await receiver.close()
})
