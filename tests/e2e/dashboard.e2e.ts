// The dashboard in a browser: figures that open what they count, a filter that is an address, and the rotations' leads as a file (SPEC.md 2.6, 2.7, 4, 9).
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { numberIn } from '#tests/support/number-in.ts'
import { enterAsAdmin, expect, expectAccessible, NO_NETWORK, test } from '#tests/support/story.ts'

/** What a button of a figure says: 'Novo Lead: 226, 31,4%. Ver leads' → 226. */
async function countOf(figure: Locator): Promise<number> {
  const said = (await figure.getAttribute('aria-label')) ?? (await figure.locator('.sr-only').textContent())
  return numberIn(said, /: ([\d.]+)/)
}

const kpi = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}:`) })
const details = (page: Page) => page.getByRole('group').filter({ hasText: 'Detalhamento de Leads' })
test.use({ expectedNoise: { patterns: [NO_NETWORK] } })

/** Without the row of titles. */
const rowsOf = (table: Locator) => table.getByRole('row').filter({ has: table.page().getByRole('cell') })

async function openReports(page: Page, search = '') {
  await enterAsAdmin(page)
  await page.goto(`/reports${search}`)
}

/** Opens the leads behind each and holds the count beside the figure. */
async function expectListed(page: Page, name: RegExp) {
  const figure = page.getByRole('button', { name }).first()
  const count = await countOf(figure)
  await figure.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(new RegExp(`^${count.toLocaleString('pt-BR')} leads? ·`))).toBeVisible()
  await expect(rowsOf(dialog.getByRole('table'))).toHaveCount(Math.min(count, 20))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('os números da visão geral abrem exatamente os leads que contam', async ({ page, isMobile }) => {
  test.skip(isMobile, 'administradores trabalham na mesa')
  await openReports(page)
  await expect(kpi(page, 'Total Leads')).toBeVisible()
  await expect(page.getByText(/^Atualizado às \d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText('nos últimos 30 dias')).toBeVisible()
  await expect(page.locator('.apexcharts-svg')).toHaveCount(4)
  // Slices say their part from 10 % on.
  await expect(page.locator('.apexcharts-pie-label').first()).toHaveText(/^\d\d%$/)

  for (const name of [/^Total Leads:/, /^Novo Lead:/, /^Instagram:/, /^Segunda-feira:/, /^Sem resposta:/])
    await expectListed(page, name)

  // Each chart has its numbers as a table too.
  const statuses = page.getByRole('table', { name: 'Distribuição por Status' })
  const total = await countOf(kpi(page, 'Total Leads'))
  const counted = await statuses.locator('tbody td:nth-child(2)').allTextContents()
  expect(counted.reduce((sum, count) => sum + Number(count.replace('.', '')), 0)).toBe(total)

  // A slice opens its leads by a press as well: near its start, on the ring.
  await page
    .locator('.apexcharts-pie-area')
    .first()
    .click({ position: { x: 14, y: 14 } })
  await expect(page.getByRole('dialog', { name: /^Status: / })).toBeVisible()
  await expect(page).toHaveURL(/figura=status/)
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()

  await expect(details(page).getByText(`${total.toLocaleString('pt-BR')} leads no período`)).toBeVisible()
  await page.getByText('Detalhamento de Leads', { exact: true }).click()
  const table = page.getByRole('table', { name: 'Detalhamento de Leads' })
  await expect(rowsOf(table)).toHaveCount(20)
  await expect(page.getByText('Mostrando 20 leads - clique para carregar mais')).toBeVisible()
  await page.getByRole('button', { name: 'Carregar mais leads' }).click()
  await expect(rowsOf(table)).toHaveCount(40)
  await expectAccessible(page)
})

test('o filtro é um endereço: aplicado, aberto de novo, partilhado, fechado', async ({ page, isMobile }) => {
  test.skip(isMobile, 'administradores trabalham na mesa')
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

  // Only the brokers of the chosen development are left to choose.
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

test.describe('o que sai do portal', () => {
  // The worker's requests would pass by what stands in for the portal.
  test.use({ serviceWorkers: 'block' })

  test('a Roleta mostra o que foi distribuído e exporta exatamente isso', async ({
    page,
    context,
    isMobile,
  }) => {
    test.skip(isMobile, 'administradores trabalham na mesa')
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

    // What leaves the portal stands in the audit log: where that cannot be, nothing leaves.
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
})

test('no celular e no escuro o painel cabe na tela e espera o sinal', async ({ page, context, isMobile }) => {
  test.skip(!isMobile, 'um olhar na largura do celular')
  await page.emulateMedia({ colorScheme: 'dark' })
  await openReports(page)
  await expect(page.locator('.apexcharts-svg')).toHaveCount(4)
  // A phone's window grows with what sticks out of it, so that its own width says nothing.
  const content = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(content).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Total Leads:/ }).click()
  await expect(page.getByRole('dialog').getByText('Mostrando 20 leads')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByRole('button', { name: 'Carregar mais leads' })).toBeDisabled()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Carregar mais leads' }).click()
  await expect(page.getByText('Mostrando 40 leads - clique para carregar mais')).toBeVisible()
})
