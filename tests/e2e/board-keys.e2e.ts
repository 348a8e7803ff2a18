// The phone's board without a finger: every gesture has its key, and the focus is never lost (INTERACTIONS 7, DESIGN-SYSTEM 10).
import { card, NEW, p, tab, test, title } from '#tests/support/phone-board.ts'
import { expect, REFUSED } from '#tests/support/story.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })
// The finger brings the gestures along, and with them the keys.
test.beforeEach(({ finger }) => expect(finger).toBeDefined())

test('setas vão de card em card e de estágio em estágio', async ({ page }) => {
  await card(page, 'Marina Tavares').focus()
  await page.keyboard.press('ArrowDown')
  await expect(card(page, 'Rogério Bastos')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(title(page)).toHaveText('Conversa (8)')
  await expect(page.getByRole('article').first()).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(title(page)).toHaveText(NEW)
  await expect(card(page, 'Rogério Bastos')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(title(page)).toHaveText(NEW)
  await expect(card(page, 'Rogério Bastos')).toBeFocused()
})

test('Alt e seta movem um estágio, o foco fica no card seguinte, Ctrl+Z desfaz um a um', async ({ page }) => {
  await card(page, 'Rogério Bastos').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(card(page, 'Luciana Prado')).toBeFocused()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(title(page)).toHaveText('Novos Contatos (10)')
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(card(page, 'Luciana Prado')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText(NEW)
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText(NEW)
})

test('Ctrl+Z logo depois de mover desfaz esse movimento, e não o de antes', async ({ page }) => {
  await card(page, 'Rogério Bastos').focus()
  for (const key of ['Alt+ArrowRight', 'Alt+ArrowRight', 'Control+z']) await page.keyboard.press(key)
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(card(page, 'Luciana Prado')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText(NEW)
})

test('Espaço levanta, setas escolhem o estágio, Espaço solta, Esc desiste; tudo é dito', async ({ page }) => {
  const said = (words: string) => expect(page.getByRole('status').filter({ hasText: words })).toHaveCount(1)
  await card(page, 'Rogério Bastos').focus()
  await page.keyboard.press('Space')
  await said(
    'Rogério Bastos na mão. Use as setas para escolher o estágio, espaço para soltar, Esc para cancelar.',
  )
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await said('Sobre Negociação, estágio 3 de 5.')
  await page.keyboard.press('Escape')
  await said('Movimento cancelado.')
  await expect(title(page)).toHaveText(NEW)
  await expect.poll(() => p(page)).toBe(0)
  await expect(card(page, 'Rogério Bastos')).toBeFocused()

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await said('Solto em Conversa.')
  await expect(title(page)).toHaveText('Conversa (9)')
  await expect(card(page, 'Rogério Bastos')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText('Conversa (8)')
})

test('Mover para: o card se move, o foco vai para o vizinho', async ({ page }) => {
  await card(page, 'Rogério Bastos').focus()
  await page.keyboard.press('m')
  const sheet = page.getByRole('dialog', { name: 'Mover para' })
  await expect(sheet.getByRole('menuitemradio', { name: /^Novos Contatos/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(card(page, 'Luciana Prado')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(title(page)).toHaveText(NEW)
})

test('movido na conversa, o foco fica no vizinho quando ela fecha', async ({ page }) => {
  await card(page, 'Rogério Bastos').focus()
  await page.keyboard.press('Enter')
  const conversation = page.getByRole('dialog', { name: /Rogério/ })
  await conversation.getByRole('button', { name: /Novos Contatos/ }).click()
  await page.getByRole('menuitemradio', { name: 'Conversa' }).click()
  await expect(page.getByText('Rogério foi para Conversa')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(conversation).toBeHidden()
  await expect(title(page)).toHaveText('Novos Contatos (11)')
  await expect(card(page, 'Luciana Prado')).toBeFocused()
  await tab(page, 'Conversa').click()
  await card(page, 'Rogério Bastos').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(title(page)).toHaveText('Conversa (8)')
})
