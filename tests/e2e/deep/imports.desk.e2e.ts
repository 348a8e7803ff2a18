// An administrator imports a workbook, undoes it, and exports leads.
import { readFile } from 'node:fs/promises'
import { enterAsAdmin, expect, expectAccessible, NO_NETWORK, test } from '#tests/support/browser/story.ts'
import { number, text, workbook } from '#tests/support/workbook.ts'

test('o administrador importa uma planilha, confere, desfaz e exporta', async ({ page }) => {
  await enterAsAdmin(page, '/roleta?vista=captacao')
  await page.getByRole('button', { name: 'Importar lista' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar lista' })
  const rows =
    `<row r="1">${text('A1', 'Nome')}${text('B1', 'Celular')}</row>` +
    `<row r="2">${text('A2', 'Sandra Lemos')}${number('B2', '11905550148')}</row>` +
    `<row r="3">${text('A3', 'Rui Prado')}${text('B3', 'sem número')}</row>`
  // So large that the library would unpack it in its own worker, which the portal's policy forbids.
  const large = new TextEncoder().encode(' '.repeat(2_000_000))
  await expect(dialog.getByRole('button', { name: 'Escolher arquivo' })).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'feirao.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(workbook(rows, { 'xl/large.xml': large })),
  })
  await expect(dialog.getByRole('row', { name: /Sandra Lemos.*11905550148/ })).toBeVisible()
  await expect(dialog.getByRole('region', { name: '1 linha recusada' })).toContainText('sem número')
  await dialog.getByLabel('Para onde vão os leads').selectOption('Rafael')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Importar 1 lead' }).click()
  const list = page.getByRole('region', { name: 'Listas importadas' })
  await expect(list.getByText('1 novo · 1 recusada')).toBeVisible()
  const refused = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Baixar recusadas: feirao.xlsx' }).click()
  expect(await readFile(await (await refused).path(), 'utf8')).toContain(
    '3;O telefone não é válido;Rui Prado',
  )

  await page.goto('/crm?corretores=rafael')
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  expect(await readFile(await (await exported).path(), 'utf8')).toContain('Sandra Lemos;(11) 90555-0148;')

  await page.goto('/roleta?vista=captacao')
  await list.getByRole('button', { name: 'Desfazer: feirao.xlsx' }).click()
  await page
    .getByRole('dialog', { name: 'Desfazer esta importação?' })
    .getByRole('button', { name: 'Desfazer' })
    .click()
  await expect(list.getByText('Desfeita: 1 lead saiu')).toBeVisible()
})

test('a lista de outro CRM mostra o que vira cada corretor e etapa, e só entra o que foi escolhido', async ({
  page,
}) => {
  await enterAsAdmin(page, '/roleta?vista=captacao')
  await page.getByRole('button', { name: 'Importar lista' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar lista' })
  const lines = [
    'Nome;Celular;Corretor;Etapa;Valor;Tags;Data de cadastro;Último contato',
    'Ana Lima;11 97316-0171;Camila Souza;Negociação;R$ 450.000,00;Quente;01/10/2026;20/10/2026',
    'Célia Dias;11 97316-0173;Sumida;Proposta;520000;;03/10/2026;',
    'Davi Melo;11 97316-0174;Outra Sumida;;;;04/10/2026;',
    'Edna Prado;11 97316-0175;;;a combinar;;05/10/2026;',
  ]
  await expect(dialog.getByRole('button', { name: 'Escolher arquivo' })).toBeVisible()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  const brokerOf = (name: string) => dialog.getByLabel(`Corretores da planilha: ${name}`, { exact: true })
  await expect(brokerOf('Camila Souza')).toHaveValue('corretor_camila')
  await expect(brokerOf('Sumida')).toHaveValue('')
  await expect(dialog.getByRole('region', { name: '1 linha recusada' })).toContainText('a combinar')
  await expectAccessible(page)
  await brokerOf('Sumida').selectOption('Rafael')
  await dialog.getByLabel('Etapas da planilha: Proposta').selectOption('Conversa')
  await brokerOf('Outra Sumida').selectOption('Não importar estas linhas')
  await expect(dialog.getByRole('region', { name: '2 linhas recusadas' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Importar 2 leads' }).click()
  const list = page.getByRole('region', { name: 'Listas importadas' })
  await expect(list.getByText('2 novos · 2 recusadas')).toBeVisible()
  await page.goto('/crm?corretores=rafael')
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  const rows = (await readFile(await (await exported).path(), 'utf8')).split('\n')
  expect(rows.find((row) => row.includes('Célia Dias'))).toMatch(/Conversa.*520\.?000.*03\/10\/2026/)
})

test.describe('com a internet que cai no meio', () => {
  test.use({ expectedNoise: { patterns: [NO_NETWORK] } })

  test('uma lista continua sendo enviada depois de recarregar a página', async ({ page }) => {
    await enterAsAdmin(page, '/roleta?vista=captacao')
    let isAway = true
    let begun = 0
    await page.route('**/api/imports/*/rows', (route) => {
      begun += 1
      return isAway && begun > 1 ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Importar lista' }).click()
    const dialog = page.getByRole('dialog', { name: 'Importar lista' })
    await expect(dialog.getByRole('button', { name: 'Escolher arquivo' })).toBeVisible()
    const rows = Array.from({ length: 1_200 }, (_, n) => `Lead ${n};(11) 9${60_100_000 + n}`)
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'grande.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Nome;Telefone', ...rows].join('\n')),
    })
    await dialog.getByRole('button', { name: 'Importar 1.200 leads' }).click()
    await expect.poll(() => begun).toBeGreaterThan(1)
    await page.reload()
    isAway = false
    const list = page.getByRole('region', { name: 'Listas importadas' })
    await expect(list.getByText('1.200 novos')).toBeVisible({ timeout: 60_000 })
  })
})
