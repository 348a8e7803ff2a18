// An administrator keeps the developments: prices with their last day, cells of a sheet, photos in order.
import sharp from 'sharp'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { enterAsAdmin, expect, expectAccessible, REFUSED } from '#tests/support/browser/story.ts'

const test = onOwnDemo()
test.use({ expectedNoise: { patterns: [REFUSED] } })

const photo = async (background: string) => ({
  name: `${background.slice(1)}.png`,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .png()
    .toBuffer(),
})

test('cria um empreendimento, cola a tabela da planilha e só salva preço com validade', async ({ page }) => {
  await enterAsAdmin(page, '/empreendimentos')
  await expect(page.getByRole('row').filter({ hasText: 'Vista Serrana' })).toContainText(/venceu em/)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Preço vencido/ }).click()
  await expect(page).toHaveURL(/preco=vencido/)
  await expect(page.getByRole('button', { name: /^Abrir / })).toHaveCount(2)
  await page.getByRole('button', { name: /^Todos/ }).click()

  // The head sorts, and the count of leads opens its list.
  await page.getByRole('button', { name: 'Leads abertos', exact: true }).click()
  await expect(page).toHaveURL(/ordem=leads/)
  const counts = page.getByRole('button', { name: /Ver leads$/ })
  const shown = (await counts.allTextContents()).map(Number)
  expect(shown).toEqual(shown.toSorted((a, b) => b - a))
  await counts.first().click()
  const leads = page.getByRole('dialog', { name: 'Leads abertos' })
  await expect(leads.getByRole('row')).toHaveCount(Math.min(shown[0]!, 200) + 1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leads abertos', exact: true }).click()
  await expect(page).not.toHaveURL(/ordem=/)

  await page.getByRole('button', { name: 'Novo empreendimento' }).click()
  await page.getByLabel('Nome do empreendimento').fill('MIRANTE DO LAGO')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Já existe um empreendimento com este nome: Mirante do Lago.')).toBeVisible()
  await page.getByLabel('Nome do empreendimento').fill('Villa Bela')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Villa Bela' })).toBeVisible()

  await page.getByRole('button', { name: 'Planta', exact: true }).click()
  await page.getByLabel('Planta, Linha 1').evaluate((cell) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '2 quartos\t62\t412.000\n3 quartos\t92,5\t640 mil\t30/11/2099\t11')
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.getByLabel('Unidades, 3 quartos')).toHaveValue('11')
  await expect(page.getByText('Alterações não salvas')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'Falta a validade.' }).first()).toBeVisible()
  await page.getByLabel('Vale até, 2 quartos').fill('30/11/99')
  await page.getByLabel('Vale até, 2 quartos').press('Tab')
  await page.getByLabel('Estado').selectOption('Lançamento')
  await expect(page.getByText('2 preços mudam no material, com a data de hoje.')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Empreendimento salvo.')).toBeVisible()
  await expect(page.getByLabel('A partir de, 3 quartos')).toHaveValue('R$ 640.000')
  await expectAccessible(page)

  await page.getByText('Histórico de preços').click()
  await expect(page.getByText('R$ 640.000 até 30/11/2099')).toBeVisible()

  await page.getByRole('button', { name: 'Empreendimentos', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Villa Bela' })).toContainText('R$ 412 mil')
})

test('quem salva por cima de outra pessoa vê o que mudou e escolhe', async ({ page, context }) => {
  await enterAsAdmin(page, '/empreendimentos')
  await page.getByRole('button', { name: 'Abrir Jardim das Acácias' }).click()
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByLabel('Bairro').fill('Centro')
  await other.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(other.getByText('Empreendimento salvo.')).toBeVisible()
  await other.close()

  await page.getByLabel('Incorporadora').fill('Lago Incorporações')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText(/^Admin salvou às \d\d:\d\d/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ver o que mudou' }).click()
  const changes = page.getByRole('dialog')
  await expect(changes.getByText('Centro')).toBeVisible()
  await expectAccessible(page)
  await changes.getByRole('button', { name: 'Ficar com o meu' }).click()
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText('Empreendimento salvo.')).toBeVisible()
  await expect(page.getByLabel('Incorporadora')).toHaveValue('Lago Incorporações')
  await expect(page.getByLabel('Bairro')).not.toHaveValue('Centro')
})

test('fotos entram na hora, em ordem; sair sem salvar pergunta antes', async ({ page }) => {
  await enterAsAdmin(page, '/empreendimentos')
  await page.getByRole('button', { name: 'Novo empreendimento' }).click()
  await page.getByLabel('Nome do empreendimento').fill('Vila das Fotos')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Vila das Fotos' })).toBeVisible()
  const picker = page.getByLabel('Fotos', { exact: true }).and(page.locator('input'))
  await picker.setInputFiles([await photo('#113355'), await photo('#885511')])
  const tiles = page.getByRole('button', { name: /Setas mudam a ordem/ })
  await expect(tiles).toHaveCount(2)
  await expect(tiles.first()).toHaveAccessibleName(/^113355\.jpg, 1ª de 2, capa/)
  await tiles.nth(1).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tiles.first()).toHaveAccessibleName(/^885511\.jpg, 1ª de 2, capa/)
  await expect(tiles.first().locator('img')).toHaveJSProperty('naturalWidth', 320)

  await page.getByRole('button', { name: 'Empreendimentos', exact: true }).click()
  await expect(page.getByText('Sair sem salvar?')).toBeVisible()
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(page.getByText('Empreendimento salvo.')).toBeVisible()
  await page.reload()
  await expect(tiles.first()).toHaveAccessibleName(/^885511\.jpg/)
})
