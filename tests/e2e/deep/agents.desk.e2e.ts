// Editing prompts against another person and offline, forgetting chats, conversations with and without the agent.
import { enterAsAdmin, expect, expectAccessible, NO_NETWORK, test } from '#tests/support/browser/story.ts'
import {
  agentId,
  ask,
  card,
  editor,
  openAgents,
  openSettings,
  saveButton,
  saveDraft,
} from '#tests/e2e/agents.ts'

test.use({ expectedNoise: { patterns: [NO_NETWORK] } })

test('quem salva por cima de outra pessoa vê a diferença e escolhe', async ({ page, portalUrl }) => {
  await openSettings(page)
  const id = await agentId(portalUrl)
  const saveElsewhere = (text: string) => saveDraft(portalUrl, { id, field: 'atendimento_agendamento', text })
  const conflict = page.getByRole('dialog', { name: 'Outra pessoa salvou este texto' })

  await card(page, 'Agendamento', 'Atendimento').click()
  await editor(page).fill('Marque só aos sábados.\nConfirme na véspera.')
  await saveElsewhere('Marque só aos domingos.\nConfirme na véspera.')
  await saveButton(page).click()
  await expect(conflict.getByText(/^admin salvou em .*compare e escolha qual fica/)).toBeVisible()
  await expect(conflict.getByText('Marque só aos domingos.')).toBeVisible()
  await expect(conflict.getByText('Marque só aos sábados.')).toBeVisible()
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Salvar o meu' }).click()
  await expect(conflict).toBeHidden()
  await expect(page.getByText('Salvo', { exact: true })).toBeVisible()

  await saveElsewhere('Marque todos os dias.')
  // Unedited, the text follows others' changes.
  await expect(editor(page)).toHaveValue('Marque todos os dias.')
  await editor(page).fill('Marque nunca.')
  await saveElsewhere('Marque de manhã.')
  await editor(page).press('ControlOrMeta+s')
  await conflict.getByRole('button', { name: 'Ficar com o salvo' }).click()
  await expect(editor(page)).toHaveValue('Marque de manhã.')
  await expect(page.getByText('Alterações não salvas')).toBeHidden()
})

test('o que se digita sem conexão fica no aparelho e é salvo depois', async ({ page, context }) => {
  // Closing or reloading with unsaved text asks, too.
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.accept()
  })
  await openSettings(page)
  await card(page, 'Atendimento', 'Introdução').click()
  await expect(editor(page)).toHaveValue(/Nina/)
  await context.setOffline(true)
  await editor(page).fill('Escrito no elevador.')
  await expect(page.getByText('Sem conexão. Rascunho guardado.')).toBeVisible()
  await expect(saveButton(page)).toBeDisabled()
  await context.setOffline(false)
  await expect(saveButton(page)).toBeEnabled()
  await page.reload()
  expect(questions).toEqual(['beforeunload'])
  await expect(editor(page)).toHaveValue('Escrito no elevador.')
  await saveButton(page).click()
  await expect(page.getByRole('button', { name: 'Salvo!' })).toBeVisible()
  await page.reload()
  await expect(editor(page)).toHaveValue('Escrito no elevador.')
  await expect(page.getByText('Alterações não salvas')).toBeHidden()
  expect(questions).toHaveLength(1)
})

test('o histórico de um número é deletado, e o resultado diz quantas mensagens eram', async ({
  page,
  portalUrl,
}) => {
  await openSettings(page)
  const id = await agentId(portalUrl)
  const remember = (...jids: string[]) =>
    Promise.all(
      jids.map((remotejid) =>
        ask(portalUrl, 'agent_chat_messages', { agent_id: id, remotejid, message: { content: 'Oi' } }),
      ),
    )
  const number = page.getByLabel('Número de telefone')
  const forget = async (typed: string) => {
    await number.fill(typed)
    await page.getByRole('button', { name: 'Deletar' }).click()
  }
  /** Confirmed, because it is permanent. */
  const forgetForGood = async (typed: string, asked: string) => {
    await forget(typed)
    const question = page.getByRole('dialog', { name: `Deletar o histórico de chat de ${asked}?` })
    await question.getByRole('button', { name: 'Deletar' }).click()
  }
  // In one line.
  const [field, button] = await Promise.all([
    number.boundingBox(),
    page.getByRole('button', { name: 'Deletar' }).boundingBox(),
  ])
  expect(button?.x ?? 0).toBeGreaterThan((field?.x ?? 0) + (field?.width ?? 0))
  await forget('')
  await expect(page.getByText('Por favor, informe um número de telefone válido.')).toBeVisible()
  await forget('5550-018')
  await expect(page.getByText('Número muito curto. Digite pelo menos 8 dígitos.')).toBeVisible()
  await forget('5550-0187')
  await expect(
    page.getByText('Falta o DDD do estado. Adicione o DDD antes do número (ex: 11, 21, 41).'),
  ).toBeVisible()
  await expect(number).toHaveValue('5550-0187')
  await forgetForGood('(11) 97777-8888', '(11) 97777-8888')
  await expect(
    page.getByText(
      'Nenhuma mensagem encontrada para o número 551177778888. Histórico já estava vazio ou número não existe.',
    ),
  ).toBeVisible()
  await expect(number).toHaveValue('')
  await remember('5511977778888@s.whatsapp.net')
  await forgetForGood('11977778888', '(11) 97777-8888')
  await expect(page.getByText('✅ 1 mensagem deletada com sucesso para 551177778888')).toBeVisible()
  await remember('5511977778888@s.whatsapp.net', '551177778888@s.whatsapp.net')
  await forgetForGood('1177778888', '(11) 7777-8888')
  await expect(page.getByText('✅ 2 mensagens deletadas com sucesso para 551177778888')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Fechar aviso' }).click()
  await expect(page.getByText('✅ 2 mensagens')).toBeHidden()
})

test('no chat o agente é pausado e retomado à vista de todos, e quem escreve o pausa', async ({
  page,
  browser,
  portalUrl,
}) => {
  await openAgents(page)
  await page.getByRole('link', { name: 'Chat de Mirante do Lago' }).click()
  const search = page.getByRole('searchbox', { name: 'Buscar por número ou nome...' })
  await search.fill('zzz ninguém')
  await expect(page.getByText('Nenhuma conversa encontrada')).toBeVisible()
  await expect(page.getByText('Tente buscar por outro número ou nome')).toBeVisible()
  await search.fill('silvia PACHECO')
  await page.getByRole('link', { name: /Silvia Pacheco/ }).click()
  await expect(page.getByRole('log')).toBeVisible()
  await expectAccessible(page)

  const other = await browser.newPage({ baseURL: portalUrl, serviceWorkers: 'block' })
  await enterAsAdmin(other, page.url())
  await expect(
    other.getByText('O agente sugere respostas ao corretor. Ninguém responde aqui sozinho.'),
  ).toBeVisible()
  // The open conversation stays and is updated, although the list has lost it.
  await other.getByRole('searchbox').fill('zzz ninguém')
  await expect(other.getByText('Nenhuma conversa encontrada')).toBeVisible()
  await page.getByRole('button', { name: 'Pausar' }).click()
  await page.getByRole('menuitem', { name: 'Até eu retomar' }).click()
  await expect(page.getByText('Pausado até ser retomado, por admin.')).toBeVisible()
  await expect(other.getByText('Pausado até ser retomado, por admin.')).toBeVisible()
  await other.getByRole('button', { name: 'Devolver ao agente' }).click()
  await expect(
    page.getByText('O agente sugere respostas ao corretor. Ninguém responde aqui sozinho.'),
  ).toBeVisible()

  await page.getByRole('textbox', { name: 'Mensagem' }).fill('Aqui é a administração.')
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByRole('log').getByText('Aqui é a administração.')).toBeVisible()
  await expect(other.getByText(/^Pausado até .* porque admin respondeu pelo portal\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Devolver ao agente' })).toBeVisible()
  await other.close()
})
