// From the list of agents to a prompt and back: unsaved text is asked about, drafts are tested and published, versions
// restored.
import type { Page } from '@playwright/test'
import { expect, expectAccessible, goTo, REFUSED, test } from '#tests/support/browser/story.ts'
import { agentId, AGENT, card, editor, openAgents, saveButton, settingsOf } from '#tests/e2e/agents.ts'

// Publishing is refused until the user confirms.
test.use({ expectedNoise: { patterns: [REFUSED] } })

const asks = (page: Page) =>
  page.getByRole('dialog', { name: 'Você tem alterações não salvas. Deseja sair mesmo assim?' })

test('da lista ao editor e de volta ao mesmo agente; sair sem salvar pergunta, e as versões voltam', async ({
  page,
  portalUrl,
}) => {
  await openAgents(page)
  const lia = page.getByRole('article', { name: AGENT })
  await expect(lia.getByText('Sugere')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Vista Serrana' }).getByText('Sugere')).toBeVisible()
  await expectAccessible(page)
  await lia.getByRole('link', { name: `Configurar ${AGENT}` }).click()
  await expect(page.getByText('Campo bloqueado para edição...')).toHaveCount(2)
  await expectAccessible(page)

  await card(page, 'Agendamento', 'Regras').click()
  await expect(page).toHaveURL(/\/prompts\/\d+\/regras_agendamento$/)
  await expect(page.getByRole('heading', { name: 'Regras - Agendamento' })).toBeVisible()
  await expect(page.getByText(`${AGENT} · `)).toBeVisible()
  await expect(saveButton(page)).toBeDisabled()
  await expect(page.getByText('Salvo', { exact: true })).toBeVisible()
  const before = await editor(page).inputValue()
  await editor(page).fill('Uma visita por pessoa.')
  await expect(page.getByText('Alterações não salvas')).toBeVisible()
  await expect(page.getByText('Modificado')).toBeVisible()
  await expect(page.getByText('22 caracteres')).toBeVisible()
  await expectAccessible(page)

  // Escape, the browser's Back and a tab all ask; staying loses nothing.
  await page.keyboard.press('Escape')
  await asks(page).getByRole('button', { name: 'Continuar editando' }).click()
  await expect(asks(page)).toBeHidden()
  await page.goBack()
  await asks(page).getByRole('button', { name: 'Continuar editando' }).click()
  await expect(asks(page)).toBeHidden()
  await expect(editor(page)).toHaveValue('Uma visita por pessoa.')
  await page.getByRole('link', { name: 'CRM' }).click()
  await asks(page).getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/crm')
  await expect(page.getByRole('heading', { name: 'Visão Geral do CRM' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Este texto é um rascunho deste aparelho e ainda não foi salvo.')).toBeVisible()
  await expect(editor(page)).toHaveValue('Uma visita por pessoa.')

  await editor(page).press('ControlOrMeta+s')
  await expect(page.getByRole('button', { name: 'Salvo!' })).toBeVisible()
  await expect(saveButton(page)).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(settingsOf(page)).toBeVisible()
  await expect(card(page, 'Agendamento', 'Regras')).toContainText('Uma visita por pessoa.')
  await expect(card(page, 'Agendamento', 'Regras')).toContainText('Rascunho')

  await page.getByRole('button', { name: 'Testar e publicar' }).click()
  await expect(page.getByText(/^Rascunho v\d+ contra a publicada v\d+$/)).toBeVisible()
  await page.getByRole('button', { name: /^Publicar v/ }).click()
  await page
    .getByRole('dialog', { name: 'Publicar sem testar?' })
    .getByRole('button', { name: 'Voltar e ver' })
    .click()
  await page.getByRole('button', { name: 'Rodar os testes' }).click()
  await expect(page.getByText(/^\d+ de 30 passam$/)).toBeVisible()
  await expect(page.getByText(/^\d+ na publicada$/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Publicar v/ }).click()
  await page
    .getByRole('dialog', { name: 'Publicar com falhas?' })
    .getByRole('button', { name: 'Publicar assim mesmo' })
    .click()
  await expect(page.getByText('Publicado. O agente já usa os textos novos.')).toBeVisible()
  await expect(page.getByText('Testes antes de atender')).toBeVisible()
  await page.getByRole('tab', { name: 'Textos' }).click()
  await expect(page.getByText('Rascunho', { exact: true })).toBeHidden()

  await card(page, 'Agendamento', 'Regras').click()
  await page.getByRole('button', { name: 'Histórico' }).click()
  const history = page.getByRole('dialog', { name: 'Histórico de versões' })
  const versions = history.getByRole('list', { name: 'Histórico de versões' }).getByRole('button')
  await expect(versions.first()).toContainText('admin')
  await expect(versions.first()).toContainText('Publicada')
  await versions.nth(1).click()
  await expect(history.getByText('Esta versão', { exact: true })).toBeVisible()
  await expect(history.getByText('Uma visita por pessoa.')).toBeVisible()
  await expectAccessible(page)
  await history.getByRole('button', { name: 'Restaurar esta versão' }).click()
  await page
    .getByRole('dialog', { name: 'Restaurar esta versão?' })
    .getByRole('button', { name: 'Restaurar esta versão' })
    .click()
  await expect(page.getByText('Versão restaurada com sucesso!')).toBeVisible()
  await expect(editor(page)).toHaveValue(before)

  await goTo(page, `/prompts/${await agentId(portalUrl)}/agendamento`)
  await expect(page.getByText('Prompt ou campo não encontrado')).toBeVisible()
  await page.getByRole('button', { name: 'Voltar' }).click()
  await expect(settingsOf(page)).toBeVisible()
})
