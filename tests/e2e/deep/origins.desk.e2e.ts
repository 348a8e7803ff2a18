// Costs by origin on the demonstration: a file is imported, an amount is typed, and each figure opens as many leads.
import { numberIn } from '#tests/support/browser/number-in.ts'
import { enterAsAdmin, expect, expectAccessible, test } from '#tests/support/browser/story.ts'

test('gasto importado e digitado vira custo, e cada número abre a lista com a mesma conta', async ({
  page,
}) => {
  await enterAsAdmin(page, '/reports')
  await page.getByRole('tab', { name: 'Origens' }).click()
  await expect(page).toHaveURL('/origens')
  const table = page.getByRole('table', { name: 'Custo por origem' })
  await expect(table).toBeVisible()
  // The demonstration has leads of ninety days, which include the whole month before.
  const months = page.getByRole('combobox', { name: 'Mês' })
  await months.selectOption({ index: 1 })
  await expect(page).toHaveURL(/mes=/)
  const month = await months.inputValue()
  const google = table.getByRole('row', { name: /Google Ads/ })
  await expect(google).toContainText('Sem gasto informado')

  const file = (value: string) => ({
    name: 'gastos.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`mes;origem;campanha;gasto\n${month};google;;${value}\n${month};;x;1,00\n`),
  })
  const load = async (value: string) => {
    await page.getByRole('button', { name: 'Importar gastos (CSV)' }).click()
    await page.getByLabel('Escolher arquivo').setInputFiles(file(value))
    await expect(page.getByText('1 linha recusada')).toBeVisible()
    await page.getByRole('button', { name: 'Importar 1 gasto' }).click()
    const done = page.getByText('1 gasto importado.')
    await expect(done).toBeVisible()
    // Or the next import would take this notice for its own.
    await expect(done).toBeHidden()
  }
  await load('1.000,00')
  const field = google.getByRole('textbox', { name: /^Gasto de Google Ads/ })
  await expect(field).toHaveValue('R$ 1.000')
  // The same file again changes nothing.
  await load('1.000,00')
  await expect(field).toHaveValue('R$ 1.000')

  await field.fill('2.500,50')
  await field.press('Enter')
  await expect(page.getByText('Salvo', { exact: true }).first()).toBeVisible()
  await expect(field).toHaveValue('R$ 2.500,50')
  await expect(page.getByRole('region', { name: 'Total' })).toContainText('R$ 2.500,50')
  const leads = google.getByRole('button', { name: /^Leads: Google Ads/ })
  const count = numberIn(await leads.getAttribute('aria-label'), /: ([\d.]+)/)
  await expectAccessible(page)

  await leads.click()
  const list = page.getByRole('dialog', { name: 'Leads · Google Ads' })
  const listed = list.getByText(/^[\d.]+ leads? · /)
  await expect(listed).toBeVisible()
  expect(numberIn(await listed.textContent(), /^([\d.]+)/)).toBe(count)
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()

  await field.fill('')
  await field.press('Enter')
  await expect(google).toContainText('Sem gasto informado')
})
