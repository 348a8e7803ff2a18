// An agent must be tested with its conversations before it may answer by itself.
import { expect, expectAccessible, REFUSED, test } from '#tests/support/browser/story.ts'
import { openSettings } from '#tests/e2e/agents.ts'

// A refusal is shown.
test.use({ expectedNoise: { patterns: [REFUSED, /status of 422/] } })

test('o agente só responde sozinho depois dos testes, e com falhas o portal pergunta antes', async ({
  page,
}) => {
  // An agent that no other test has tested.
  await openSettings(page, 'Vista Serrana')
  await page.getByRole('tab', { name: 'Funcionamento e testes' }).click()
  await expect(page.getByText('Modelo de demonstração: responde por regras')).toBeVisible()
  const mode = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
  await expect(mode('Sugere')).toBeChecked()
  await mode('Responde').click()
  await expect(page.getByText('Antes, rode os testes.')).toBeVisible()
  await expect(mode('Sugere')).toBeChecked()

  await page.getByRole('button', { name: 'Rodar os testes' }).click()
  // Thirty conversations in sequence may take long on a busy machine.
  await expect(page.getByText(/^\d+ de 30 passam$/)).toBeVisible({ timeout: 120_000 })
  await page.getByText('Reclama do atendimento').click()
  await expect(page.getByText('não chamou o corretor').first()).toBeVisible()
  await expectAccessible(page)

  await mode('Responde').click()
  const question = page.getByRole('dialog', { name: 'Deixar responder mesmo assim?' })
  await question.getByRole('button', { name: 'Deixar responder' }).click()
  // Answering at any hour requires a limit: one is suggested.
  await page.getByRole('button', { name: /^Ligar com R\$/ }).click()
  await expect(mode('Responde')).toBeChecked()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(mode('Sugere')).toBeChecked()

  await page.getByRole('button', { name: 'Adicionar fato' }).click()
  const form = page.getByRole('dialog', { name: 'Adicionar fato' })
  await form.getByLabel('Nome').fill('Preço')
  await form.getByLabel('O que ele pode dizer').fill('a partir de R$ 389 mil')
  await form.getByText('É um preço').click()
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form.getByLabel('Vale até')).toHaveAccessibleDescription(
    'Um preço precisa do último dia em que vale.',
  )
  await form.getByLabel('Vale até').fill('2090-12-31')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText('até 31/12/2090')).toBeVisible()
  await page.getByRole('button', { name: 'Excluir Preço' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await expect(page.getByText('até 31/12/2090')).toBeHidden()
  // Facts from the development's record stay.
  await expect(page.getByText('Do empreendimento')).toBeVisible()
})
