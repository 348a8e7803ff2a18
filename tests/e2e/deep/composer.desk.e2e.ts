// Writing to a lead on a desktop: keyboard, voice messages, a message's menu.
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { expect, expectAccessible } from '#tests/support/browser/story.ts'
import { bubble, enter, openConversation, PAST_A_SECOND, test, WRITING } from '#tests/e2e/composer.ts'

test.use(WRITING)

test('escreve, envia uma vez e vê os sinais andarem', async ({ page }) => {
  const { lines, box } = await enter(page, 'Luciana Prado')
  await box.fill('Linha de cima')
  await box.press('Shift+Enter')
  await box.pressSequentially('linha de baixo')
  await expect(box).toHaveValue('Linha de cima\nlinha de baixo')
  await box.press('Enter')
  await expect(box).toHaveValue('')
  const sent = bubble(lines, 'linha de baixo')
  await expect(sent).toHaveCount(1)
  await expect(sent.getByText('lida')).toBeAttached()
  await expect(box).toBeFocused()
})

test('o áudio: um toque grava, ouve-se antes, e vai', async ({ page }) => {
  const { conversation, lines, send } = await enter(page, 'Luciana Prado')
  const before = await lines.getByRole('button', { name: /: Mensagem de voz$/ }).count()
  await conversation.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(conversation.getByRole('timer')).toContainText(PAST_A_SECOND)
  await expectAccessible(page)
  await conversation.getByRole('button', { name: 'Parar' }).click()
  await conversation.getByRole('button', { name: 'Ouvir', exact: true }).click()
  await expect(conversation.getByRole('button', { name: 'Pausar' })).toBeVisible()
  await send.click()
  await expect(lines.getByRole('button', { name: /: Mensagem de voz$/ })).toHaveCount(before + 1)

  await conversation.getByRole('button', { name: 'Gravar áudio' }).focus()
  await page.keyboard.press('Enter')
  await expect(conversation.getByRole('timer')).toBeVisible()
  await conversation.getByRole('button', { name: 'Descartar' }).click()
  await expect(conversation.getByRole('textbox', { name: 'Mensagem' })).toBeVisible()

  // A recording interrupted by leaving waits to be sent or discarded.
  await conversation.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(conversation.getByRole('timer')).toContainText(PAST_A_SECOND)
  await page.goBack()
  const { box } = await openConversation(page, 'Luciana Prado')
  await expect(conversation.getByRole('button', { name: 'Remover Mensagem de voz' })).toBeVisible()
  // Audio has no caption.
  await expect(box).toHaveAccessibleName('Mensagem')
  await conversation.getByRole('button', { name: 'Remover Mensagem de voz' }).click()
  await expect(lines.getByRole('button', { name: /: Mensagem de voz$/ })).toHaveCount(before + 1)
})

test('o nome muda onde está; setas andam pelas mensagens, e o mouse abre o menu de cada uma', async ({
  page,
  portalUrl,
}) => {
  const { conversation, lines } = await enter(page, 'Luciana Prado')
  await conversation.getByRole('button', { name: 'Editar nome' }).click()
  // During editing the dialog is named by the typed text.
  const field = page.getByRole('textbox', { name: 'Nome do lead' })
  await field.fill('Luciana P.')
  await field.press('Escape')
  await expect(conversation.getByRole('heading', { name: /Luciana Prado/ })).toBeVisible()
  await conversation.getByRole('button', { name: 'Editar nome' }).click()
  await field.fill('Luciana do Prado')
  await field.press('Enter')
  const renamed = page.getByRole('dialog', { name: /Luciana do Prado/ })
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Editar nome' }).click()
  await field.fill('Luciana Prado')
  await page.keyboard.press('Enter')
  await expect(conversation).toBeVisible()
  // Shown at once, sent a moment later; later tests use the name.
  await expect.poll(() => namesLike(portalUrl, 'Luciana*Prado')).toEqual(['Luciana Prado'])

  const menus = lines.getByRole('button', { name: 'Opções da mensagem' })
  await expect(lines.locator('[data-line-menu][tabindex="0"]')).toHaveCount(1)
  await menus.last().focus()
  await page.keyboard.press('ArrowUp')
  await expect(menus.nth(-2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'Opções da mensagem' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menus.nth(-2)).toBeFocused()
  await expect(conversation).toBeVisible()

  const last = bubble(lines, 'Obrigada! Vou conversar').last()
  await last.hover()
  await last.getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Copiar' }).click()
  await expect(page.getByText('Texto copiado')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Obrigada! Vou conversar')
})

/** The names of the broker's leads on the server. */
async function namesLike(origin: string, pattern: string): Promise<string[]> {
  const token = await tokenOf(origin, brokerNamed('camila'))
  const query = `select=name&name=like.${encodeURIComponent(pattern)}`
  const { body } = await call<{ name: string }[]>(`${origin}/rest/v1/whatsapp_contacts?${query}`, { token })
  return body.map(({ name }) => name)
}
