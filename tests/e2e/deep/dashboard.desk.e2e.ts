// A filter in the address, and the export of the rotations' leads.
import { readFile } from 'node:fs/promises'
import { numberIn } from '#tests/support/browser/number-in.ts'
import { expect, expectAccessible, NO_NETWORK, test } from '#tests/support/browser/story.ts'
import { kpi, openReports, rowsOf } from '#tests/e2e/dashboard.ts'

test.use({ expectedNoise: { patterns: [NO_NETWORK] } })

test('o filtro é um endereço: aplicado, aberto de novo, partilhado, fechado', async ({ page }) => {
  await openReports(page)
  await expect(kpi(page, 'Total Leads')).toBeVisible()
  await page.getByRole('button', { name: 'Filtro personalizado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filtro Personalizado' })
  await dialog.getByText('Período Personalizado').click()
  await dialog.getByLabel('Data Início').fill('2026-11-10')
  await dialog.getByLabel('Data Fim').fill('2026-11-01')
  await expect(dialog.getByText('A data final vem antes da inicial.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Aplicar Filtro' })).toBeDisabled()
  await dialog.getByLabel('Data Fim').fill('9999-12-31')
  await expect(dialog.getByLabel('Data Fim')).toHaveAccessibleDescription(
    'Escolha uma data entre os anos 2000 e 2100.',
  )
  await expect(dialog.getByRole('button', { name: 'Aplicar Filtro' })).toBeDisabled()
  await dialog.getByText('Última Semana').click()

  // Only brokers of the chosen development can be chosen.
  const everyone = dialog
    .getByRole('region', { name: 'Corretores' })
    .getByRole('button', { name: /^Todos \(\d+\)$/ })
  const before = (await everyone.textContent()) ?? ''
  await dialog.getByRole('button', { name: /^Recanto da Garça/ }).click()
  await expect(everyone).not.toHaveText(before)
  await dialog.getByRole('button', { name: /^Recanto da Garça/ }).click()
  await dialog.getByRole('button', { name: /^Mirante do Lago/ }).click()
  await dialog.getByRole('button', { name: 'Juliana' }).click()
  await expect(dialog.getByText('1 empreendimento · 1 corretor')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Aplicar Filtro' }).click()

  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/periodo=ultima-semana/)
  const banner = page.getByRole('region', { name: 'Filtros Aplicados' })
  await expect(banner).toContainText('1 empreendimento · 1 corretor')
  await expect(page.getByRole('button', { name: 'Filtro personalizado Ativo' })).toBeVisible()
  await expect(page.getByText(/^\d+ leads? filtrados?$/)).toBeVisible()
  const total = await kpi(page, 'Total Leads').getAttribute('aria-label')

  await page.reload()
  await expect(banner).toContainText('1 empreendimento · 1 corretor')
  await expect(kpi(page, 'Total Leads')).toHaveAttribute('aria-label', total ?? '')
  await banner.getByRole('button', { name: 'Editar Filtro' }).click()
  await expect(dialog.getByRole('button', { name: 'Juliana' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: 'Limpar Filtros' }).click()
  await expect(dialog.getByRole('button', { name: 'Juliana' })).toHaveAttribute('aria-pressed', 'false')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(banner).toContainText('1 empreendimento · 1 corretor')

  await page.goBack()
  await expect(page.getByText('nos últimos 30 dias')).toBeVisible()
  await page.goForward()
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Fechar filtro' }).click()
  await expect(banner).toBeHidden()
  await expect(page).toHaveURL('/reports')

  await page.goto('/reports?secao=outra')
  await expect(page.getByText('Selecione uma seção')).toBeVisible()
  await expect(page.getByText('Escolha uma das opções acima para visualizar os dados.')).toBeVisible()
})

test('a Roleta mostra o que foi distribuído e exporta exatamente isso', async ({ page, context }) => {
  await openReports(page)
  await page.getByRole('tab', { name: 'Roleta' }).click()
  await expect(page).toHaveURL(/secao=roleta/)
  const table = page.getByRole('table', { name: 'Leads distribuídos' })
  await expect(table).toBeVisible()
  const chip = page.getByRole('button', { name: /^Mirante do Lago \d+$/ })
  const count = numberIn(await chip.textContent(), /(\d+)$/)
  await chip.click()
  await expect(rowsOf(table)).toHaveCount(count)
  await expectAccessible(page)

  // Exports are written to the audit log: if that fails, nothing is exported.
  const files: string[] = []
  page.on('download', (file) => files.push(file.suggestedFilename()))
  const exporting = page.getByRole('button', { name: 'EXPORTAR PERÍODO SELECIONADO' })
  await context.setOffline(true)
  await expect(exporting).toBeDisabled()
  await context.setOffline(false)
  await page.route('**/rest/v1/rpc/note_export', (route) => route.abort('internetdisconnected'))
  await exporting.click()
  await expect(page.getByText('Erro ao exportar. Tente de novo.')).toBeVisible()
  await page.unroute('**/rest/v1/rpc/note_export')

  const downloading = page.waitForEvent('download')
  await exporting.click()
  const file = await downloading
  expect(files).toEqual([file.suggestedFilename()])
  expect(file.suggestedFilename()).toMatch(/^leads-distribuidos-[\d-]+-a-[\d-]+\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('\uFEFFNOME;CORRETOR;EMPREENDIMENTO;DATA;NÚMERO')
  const first = await rowsOf(table).first().getByRole('cell').allTextContents()
  expect(lines[1]).toBe(first.join(';'))
  expect(lines).toHaveLength(count + 1)

  await page.getByText('Hoje').click()
  await expect(page).toHaveURL(/periodo=hoje/)
})
