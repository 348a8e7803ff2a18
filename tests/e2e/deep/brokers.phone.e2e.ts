// The longest name, and the dialog of its link, on a phone.
import { enterAsAdmin, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { gatewayMayFail, test } from '#tests/e2e/gateway.ts'
import { boxOf } from '#tests/support/browser/pointer.ts'
import { cardOf, openAdding, readInvite, shown } from '#tests/e2e/brokers.ts'

test.use(gatewayMayFail(/status of 50[23]/))

test('o nome mais comprido e o link dele cabem, e o que não é um nome é recusado', async ({ page }) => {
  // The maximum length: 60 letters.
  const username = 'marina'.padEnd(60, 'ana')
  await enterAsAdmin(page)
  await expect(page.getByRole('heading', { name: 'Gerenciar Corretores' })).toBeVisible()
  await expect(cardOf(page, 'Camila')).toContainText(/\d+ ?contatos/)
  await expectAccessible(page)

  const { dialog, field, create } = await openAdding(page)
  await expect(
    dialog.getByText('Use apenas letras minúsculas, sem espaços ou caracteres especiais'),
  ).toBeVisible()
  await expect(create).toBeDisabled()
  await field.press('Enter')
  await expect(dialog.getByText('Nome do corretor é obrigatório')).toBeVisible()
  await field.pressSequentially('Ana 2')
  await expect(field).toHaveValue('ana')
  await field.fill('camila')
  // A text selection that ends outside does not close the dialog; a press outside does.
  await page.mouse.move((await boxOf(field)).x + 90, (await boxOf(field)).y + 20)
  await page.mouse.down()
  await page.mouse.move(4, 4)
  await page.mouse.up()
  await create.click()
  await expect(dialog.getByText('Já existe um corretor com este nome')).toBeVisible()
  await expectAccessible(page)
  await field.fill(username)
  await create.click()
  await readInvite(page, username)
  await expect(cardOf(page, shown(username))).toContainText('Desconectado')
  const search = await page.getByRole('searchbox', { name: 'Buscar corretor...' }).boundingBox()
  expect(search?.width).toBeGreaterThan(180)
  await expect(cardOf(page, shown(username))).toContainText('Aguardando primeiro acesso')
})
