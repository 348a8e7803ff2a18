// The administrator's campaign report, the sending rules and the opt-outs.
import { enterAsAdmin, expect, expectAccessible, overGateway as test } from '#tests/support/browser/story.ts'

test('o relatório soma por corretor, guarda as regras e desfaz um pedido de saída', async ({ page }) => {
  await enterAsAdmin(page, '/remarketing')
  const summary = page.getByRole('table', { name: 'Resumo por Corretor' })
  await expect(summary.getByRole('row').filter({ hasText: 'Juliana' })).toContainText('100,0%')
  const history = page.getByRole('table', { name: 'Histórico de Campanhas' })
  await expect(history.getByRole('row').filter({ hasText: 'Marcelo' }).first()).toContainText('Erro')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar CSV: Resumo por Corretor' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^remarketing-resumo-\d{4}-\d\d-\d\d\.csv$/)
  await history
    .getByRole('button', { name: /^Ver resultado/ })
    .first()
    .click()
  await expect(
    page.getByRole('dialog', { name: 'Resultado por contato' }).getByRole('listitem').first(),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Regras de envio' }).click()
  const rules = page.getByRole('dialog', { name: 'Regras de envio' })
  await rules.getByLabel('Para às (hora)').fill('0')
  await rules.getByRole('button', { name: 'Salvar' }).click()
  await expect(rules.getByRole('alert').filter({ hasText: 'Confira os horários e limites' })).toBeVisible()
  await rules.getByLabel('Para às (hora)').fill('24')
  await rules.getByLabel('Limite por dia').fill('400')
  await rules.getByLabel('Limite no 1º dia').fill('401')
  await rules.getByRole('button', { name: 'Salvar' }).click()
  await expect(
    rules.getByText('O limite no 1º dia não pode passar do limite por dia.', { exact: true }),
  ).toBeVisible()
  await rules.getByLabel('Limite no 1º dia').fill('400')
  await rules.getByRole('button', { name: 'Salvar' }).click()
  await expect(rules).toBeHidden()
  await expect(page.getByText('Regras de envio salvas')).toBeVisible()

  await page.getByRole('button', { name: 'Pedidos de saída' }).click()
  const outs = page.getByRole('dialog', { name: 'Pedidos de saída' })
  await expect(outs.getByRole('listitem').first()).toBeVisible()
  const before = await outs.getByRole('listitem').count()
  await outs
    .getByRole('button', { name: /^Permitir de novo/ })
    .first()
    .click()
  await page
    .getByRole('dialog', { name: /^Permitir campanhas/ })
    .getByRole('button', { name: 'Permitir de novo' })
    .click()
  await expect(outs.getByRole('listitem')).toHaveCount(before - 1)
  await expectAccessible(page)
})
