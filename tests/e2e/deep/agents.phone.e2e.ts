// Agents on a phone: a development gets one, and nothing overflows the sides.
import { expect, expectAccessible, test } from '#tests/support/browser/story.ts'
import { card, editor, openAgents, settingsOf } from '#tests/e2e/agents.ts'

test('um empreendimento ganha seu agente, que é pausado por inteiro; no celular nada sobra dos lados', async ({
  page,
}) => {
  const name = 'Quinta do Sol'
  await openAgents(page)
  await page.getByRole('button', { name: 'Adicionar Empreendimento' }).click()
  const dialog = page.getByRole('dialog', { name: 'Adicionar Empreendimento' })
  const field = dialog.getByLabel('Nome do empreendimento')
  const create = dialog.getByRole('button', { name: 'Criar agente' })
  await create.click()
  await expect(dialog.getByText('Nome do empreendimento é obrigatório')).toBeVisible()
  await field.fill('jardim das acacias')
  await create.click()
  await expect(dialog.getByText('Já existe um agente para este empreendimento')).toBeVisible()
  await field.fill(name)
  await dialog.getByLabel('Copiar prompts de').selectOption({ label: 'Vista Serrana' })
  await expectAccessible(page)
  await create.click()
  await expect(page.getByText(`Agente ${name} criado com sucesso!`)).toBeVisible()
  const made = page.getByRole('article', { name })
  await expect(made.getByText('Sugere')).toBeVisible()

  await made.getByRole('button', { name: `Informações de ${name}` }).click()
  const info = page.getByRole('dialog', { name })
  await expect(info.getByText('Versão 6')).toBeVisible()
  await expect(info.getByText('Nenhuma roleta com este empreendimento')).toBeVisible()
  await expectAccessible(page)
  await info.getByRole('button', { name: 'Pausar agente' }).click()
  await page
    .getByRole('dialog', { name: `Pausar o agente ${name}?` })
    .getByRole('button', { name: 'Pausar agente' })
    .click()
  await expect(info.getByText(/^Pausado por admin em /)).toBeVisible()
  await info.getByRole('button', { name: 'Fechar' }).click()
  await expect(made.getByText('Pausado')).toBeVisible()

  // A phone's window grows with overflowing content, so its own width proves nothing.
  const room = page.viewportSize()?.width ?? 0
  const fits = async () => (await page.evaluate(() => document.documentElement.scrollWidth)) <= room
  expect(await fits()).toBe(true)
  await made.getByRole('link', { name: `Chat de ${name}` }).click()
  await expect(page.getByText('Nenhuma conversa ativa')).toBeVisible()
  await expect(page.getByText('Aguarde leads iniciarem conversas')).toBeVisible()
  expect(await fits()).toBe(true)
  await page.getByRole('link', { name: 'Voltar aos agentes' }).click()
  await page.getByRole('link', { name: 'Chat de Mirante do Lago' }).click()
  const talk = page.getByRole('listitem').getByRole('link').first()
  await expect(talk).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 })
  await talk.click()
  await expect(page.getByRole('log')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prompts')
  await page.getByRole('link', { name: `Configurar ${name}` }).click()
  await expect(settingsOf(page, name)).toBeVisible()
  expect(await fits()).toBe(true)
  await card(page, 'Atendimento', 'Regras').click()
  await expect(editor(page)).toHaveValue(/Quem vem por indicação/)
  expect(await fits()).toBe(true)
  await expectAccessible(page)
})
