// The results over the demonstration: each figure opens a list of as many leads, and the file has what is seen.
import { readFile } from 'node:fs/promises'
import { numberIn } from '#tests/support/browser/number-in.ts'
import { enterAsAdmin, expect, expectAccessible, test } from '#tests/support/browser/story.ts'
import { countOf } from '#tests/e2e/dashboard.ts'

test('no Resultado cada número abre a lista com a mesma conta, e o CSV tem o que se vê', async ({ page }) => {
  await enterAsAdmin(page, '/reports')
  await page.getByRole('tab', { name: 'Resultado' }).click()
  await expect(page).toHaveURL('/resultado')
  const table = page.getByRole('table', { name: 'Resultado por corretor' })
  await expect(table).toBeVisible()
  await expectAccessible(page)

  // The demonstration has leads of ninety days.
  await page.goto(`/resultado?de=2000-01-01&ate=2100-12-31&comparar=nao`)
  await expect(table).toBeVisible()
  for (const [column, title] of [
    ['Recebidos', 'Recebidos'],
    ['Respondidos', 'Respondidos'],
    ['Visitas feitas', 'Visitas feitas'],
    ['Fechados e valor', 'Fechados'],
    ['Conversão em 30 dias', 'Convertidos'],
    ['Perdidos', 'Perdidos'],
  ] as const) {
    const figure = table.getByRole('button', { name: new RegExp(`^${column}: Camila: \\d`) }).first()
    if ((await figure.count()) === 0) continue
    const count = numberIn(await figure.getAttribute('aria-label'), /: ([\d.]+)/)
    const isPercent = /%/.test((await figure.getAttribute('aria-label')) ?? '')
    await figure.click()
    const list = page.getByRole('dialog', { name: `${title} · Camila` })
    const listed = list.getByText(/^[\d.]+ (leads?|visitas?) · /)
    await expect(listed).toBeVisible()
    if (!isPercent) expect(numberIn(await listed.textContent(), /^([\d.]+)/)).toBe(count)
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
  }

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('Corretor;Recebidos;Respondidos')
  const received = await countOf(table.getByRole('button', { name: /^Recebidos: Camila: \d/ }).first())
  expect(text).toContain(`Camila;${received};`)
})
