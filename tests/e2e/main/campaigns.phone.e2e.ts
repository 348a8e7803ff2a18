// A campaign is written, stored, sent and reviewed.
import { storedTextOf } from '#tests/support/browser/device.ts'
import { expect, expectAccessible, REFUSED } from '#tests/support/browser/story.ts'
import { searchField } from '#tests/e2e/cards.ts'
import { chooseKanban, ENDED, openRemarketing, start, test } from '#tests/e2e/campaigns.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

test('uma campanha é escrita, guardada ao recarregar, enviada e vista por contato', async ({ page }) => {
  await openRemarketing(page)
  const startButton = page.getByRole('button', { name: /^Iniciar Remarketing/ })
  await expect(startButton).toBeDisabled()
  await expect(page.getByText('Escolha um kanban.', { exact: true })).toBeVisible()
  await chooseKanban(page, /^Negociação/)
  await expect(page.getByRole('button', { name: /^Kanban/ })).toContainText(/Negociação\d+ contatos/)
  const box = page.getByLabel('Mensagem')
  await box.fill('Oi, ! Saiu a nova tabela.')
  await box.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4))
  await page.getByRole('button', { name: 'Inserir Nome' }).click()
  await expect(box).toHaveValue('Oi, {nome}! Saiu a nova tabela.')
  await page.keyboard.type('?')
  await expect(box).toHaveValue('Oi, {nome}?! Saiu a nova tabela.')
  await page.keyboard.press('Backspace')

  // A deselected contact is left out; a wrong name is corrected in place.
  const rows = page.getByRole('region', { name: 'Contatos Selecionados' }).getByRole('listitem')
  await expect(rows.nth(2)).toBeVisible()
  await expect(startButton).toHaveText(/^Iniciar Remarketing \(\d+ contatos\)$/)
  const total = Number(/\d+/.exec(await startButton.innerText())?.[0])
  const first = (await rows.first().getByRole('checkbox').getAttribute('aria-label'))?.replace('Incluir ', '')
  // A tap on the name is enough.
  await rows.nth(1).click({ position: { x: 120, y: 20 } })
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
  await expect(startButton).toHaveText(`Iniciar Remarketing (${total - 1} contatos)`)
  await page.getByRole('button', { name: `Editar nome de ${first}` }).click()
  await page.getByLabel('Nome do contato').fill('Heloísa Duarte')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  const preview = page.getByRole('region', { name: 'Como vai chegar' })
  await expect(preview).toContainText('Oi, Heloísa! Saiu a nova tabela.')

  await page.locator('input[type=file]').setInputFiles({
    name: 'planta.pages',
    mimeType: 'application/x-iwork',
    buffer: Buffer.from('x'),
  })
  await expect(page.getByRole('alert').filter({ hasText: 'Tipo de arquivo não suportado' })).toHaveText(
    'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
  )
  const attachTable = () =>
    page.locator('input[type=file]').setInputFiles({
      name: 'tabela.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%\n'),
    })
  await attachTable()
  await expect(page.getByText('1 KB')).toBeVisible()
  await expect.poll(() => storedTextOf(page)).toContain('tabela.pdf')

  // A phone may end the page at any time: the text is restored, and the lost file is reported.
  await page.reload()
  await expect(box).toHaveValue('Oi, {nome}! Saiu a nova tabela.')
  await expect(page.getByText('tabela.pdf não ficou guardado.')).toBeVisible()
  await expect(startButton).toHaveText(`Iniciar Remarketing (${total - 1} contatos)`)
  await expect(startButton).toBeDisabled()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Enviar sem o anexo' }).click()
  await expect(startButton).toBeEnabled()
  await attachTable()
  await expect(page.getByText('tabela.pdf').first()).toBeVisible()
  await expect(page.getByText('1 KB')).toBeVisible()
  await expectAccessible(page)

  await start(page)
  await expect(page.getByRole('heading', { name: 'Campanha em Andamento' })).toBeVisible()
  await expect(page.getByLabel('Mensagem')).toBeHidden()
  await expect(page.getByText(`Campanha concluída · ${total - 1} de ${total - 1} enviadas`)).toBeVisible(
    ENDED,
  )
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
  await expect(page.getByLabel('Mensagem')).toHaveValue('')
  const latest = page.getByRole('table', { name: 'Histórico de Campanhas' }).getByRole('row').nth(1)
  await expect(latest).toContainText('Concluída')
  await expect(latest).toContainText(`${total - 1} / ${total - 1}`)

  await latest.getByRole('button', { name: /^Ver resultado/ }).click()
  const results = page.getByRole('dialog', { name: 'Resultado por contato' })
  await expect(results.getByRole('listitem')).toHaveCount(total - 1)
  await expect(results.getByRole('listitem').filter({ hasText: 'Heloísa Duarte' })).toContainText(
    /entregue|lida/,
  )
  await expectAccessible(page)
  await page.goBack()
  await expect(results).toBeHidden()

  // The message is in the conversation with the lead's name, and on the card. Searched, because other tests add leads
  // to this stage, and a list renders only visible cards.
  await page.goto('/broker?estagio=negociacao')
  await page.getByRole('button', { name: 'Buscar contato' }).click()
  await searchField(page).fill('Heloísa Duarte')
  const found = page.getByRole('feed', { name: 'Resultados da busca' })
  const card = found.getByRole('article', { name: /^Heloísa Duarte/ })
  await expect(card).toContainText('Remarketing · agora')
  await expect(card).toContainText('Oi, Heloísa! Saiu a nova tabela.')
})
