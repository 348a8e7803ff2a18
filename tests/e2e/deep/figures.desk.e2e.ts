// Figures that open the leads they count.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '#tests/support/browser/story.ts'
import { countOf, kpi, openReports, rowsOf } from '#tests/e2e/dashboard.ts'

const details = (page: Page) => page.getByRole('group').filter({ hasText: 'Detalhamento de Leads' })

/** Opens the leads behind each figure and compares the counts. */
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

test('os números da visão geral abrem exatamente os leads que contam', async ({ page }) => {
  await openReports(page)
  await expect(kpi(page, 'Total Leads')).toBeVisible()
  await expect(page.getByText(/^Atualizado às \d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText('nos últimos 30 dias')).toBeVisible()
  await expect(page.locator('.apexcharts-svg')).toHaveCount(5)
  // Slices show their share from 10 % on.
  await expect(page.locator('.apexcharts-pie-label').first()).toHaveText(/^\d\d%$/)

  for (const name of [
    /^Total Leads:/,
    /^Novo Lead:/,
    /^Instagram:/,
    /^Segunda-feira:/,
    /^Sem resposta:/,
    /^Parou de responder:/,
  ])
    await expectListed(page, name)

  // A row opens the lead's conversation, and Back returns to the list.
  await page
    .getByRole('button', { name: /^Sem resposta:/ })
    .first()
    .click()
  const first = rowsOf(page.getByRole('dialog').getByRole('table')).first()
  for (const column of ['CORRETOR', 'NÚMERO', 'RESPOSTA'])
    await expect(page.getByRole('dialog').getByRole('columnheader', { name: column })).toBeVisible()
  await expect(first).toContainText(/espera há \d/)
  const lead = await first.getByRole('cell').first().textContent()
  await first.getByRole('button', { name: `Abrir conversa com ${lead}` }).click()
  await expect(page.getByRole('dialog', { name: lead ?? '' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Sem resposta' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()

  // The value of open leads is that of their stages, whenever the leads came.
  const worth = page.getByRole('region', { name: 'Valor e perdas' })
  await worth.getByRole('button', { name: /^Negociação: R\$/ }).click()
  await expect(page.getByRole('dialog', { name: 'Valor em aberto: Negociação' })).toContainText(
    /leads · de qualquer data/,
  )
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()

  // Each chart has its numbers as a table, too.
  const statuses = page.getByRole('table', { name: 'Distribuição por Status' })
  const total = await countOf(kpi(page, 'Total Leads'))
  const counted = await statuses.locator('tbody td:nth-child(2)').allTextContents()
  expect(counted.reduce((sum, count) => sum + Number(count.replace('.', '')), 0)).toBe(total)

  // A press on a slice opens its leads, here near its start on the ring.
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
