// Stages are added, renamed, sorted, marked and deleted, live on a broker's board.
import { cardIn, column, firstIn } from '#tests/support/browser/columns.ts'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { expect, expectAccessible, REFUSED } from '#tests/support/browser/story.ts'
import { openBroker, openCrm } from '#tests/e2e/crm.ts'

const test = onOwnDemo()

test.use({ expectedNoise: { patterns: [REFUSED, /status of 500/] } })

test('estágios são criados, nomeados, ordenados, marcados e excluídos, ao vivo no quadro do corretor', async ({
  page,
  browser,
  portalUrl,
}) => {
  const broker = await openBroker(browser, portalUrl, 'priscila')
  await openCrm(page)
  await page.getByRole('button', { name: 'Gerenciar Kanbans' }).click()
  await expect(page.getByRole('heading', { name: 'Gerenciar Estágios do Kanban' })).toBeVisible()
  const rows = page.getByRole('listitem')
  const orderNow = async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0])
  await expect(rows).toHaveCount(5)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await expect(page.getByRole('button', { name: 'Excluir Novos Contatos' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Mover Novos Contatos para cima' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Mover Arquivado para baixo' })).toBeDisabled()

  const add = page.getByRole('button', { name: 'Adicionar' })
  const field = page.getByLabel('Novo estágio')
  await expect(add).toBeDisabled()
  await field.fill('   ')
  await expect(add).toBeDisabled()
  await field.fill('Visita')
  // A double click is one request.
  await add.evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(rows).toHaveCount(6)
  await expect(field).toHaveValue('')
  await expect(page.getByText('Erro ao adicionar novo estágio')).toHaveCount(0)
  await expect(column(broker, 'Visita')).toBeAttached()
  await field.fill('visita')
  await add.click()
  const fault = page.getByRole('status').filter({ hasText: 'Erro ao adicionar novo estágio' })
  await expect(fault).toContainText('Já existe um estágio com este nome.')
  await fault.getByRole('button', { name: 'Fechar' }).click()

  await page.getByRole('button', { name: 'Mover Visita para cima' }).click()
  await page.getByRole('button', { name: 'Mover Visita para cima' }).click()
  await expect
    .poll(orderNow)
    .toEqual(['Novos Contatos', 'Conversa', 'Negociação', 'Visita', 'Fechado', 'Arquivado'])
  await page.getByRole('button', { name: 'Editar Visita' }).click()
  await page.getByLabel('Nome do estágio').fill('  ')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Editar Visita' }).click()
  await page.getByLabel('Nome do estágio').fill('Visita marcada')
  await page.keyboard.press('Enter')
  await expect(column(broker, 'Visita marcada')).toBeAttached()
  await page.getByLabel('Tipo de Visita marcada').selectOption('Ganho')
  await expect(page.getByLabel('Tipo de Novos Contatos')).toBeDisabled()

  const lead = await firstIn(broker, 'Negociação')
  await cardIn(broker, 'Negociação', lead).focus()
  const moved = broker.waitForResponse('**/rpc/atualizar_status_lead')
  await broker.keyboard.press('Alt+ArrowRight')
  await moved
  await expect(cardIn(broker, 'Visita marcada', lead)).toBeAttached()
  await page.getByRole('button', { name: 'Excluir Visita marcada' }).click()
  const question = page.getByRole('dialog', { name: 'Tem certeza que deseja excluir este estágio?' })
  await expect(question).toContainText('Todos os contatos neste estágio serão movidos para "Novos Contatos".')
  await question.getByRole('button', { name: 'Excluir' }).click()
  await expect(rows).toHaveCount(5)
  await expect(column(broker, 'Visita marcada')).toHaveCount(0)
  // With other tests' leads it may be below the visible cards.
  const cards = column(broker, 'Novos Contatos').locator('[data-cards]')
  await expect
    .poll(async () => {
      await cards.evaluate((list) => list.scrollBy(0, list.clientHeight / 2))
      return cardIn(broker, 'Novos Contatos', lead).count()
    })
    .toBe(1)
  await broker.close()

  await page.route('**/rest/v1/rpc/*_stage', (route) =>
    route.fulfill({ status: 500, json: { message: 'x' } }),
  )
  const said = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
  await page.getByRole('button', { name: 'Mover Conversa para baixo' }).click()
  await said('Erro ao reordenar estágios')
  await page.getByLabel('Tipo de Conversa').selectOption('Ganho')
  await said('Erro ao editar estágio')
  await page.getByRole('button', { name: 'Excluir Conversa' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await said('Erro ao deletar estágio')
  await field.fill('Proposta')
  await add.click()
  await said('Erro ao adicionar novo estágio')
  await expect(field).toHaveValue('Proposta')
  await expect.poll(orderNow).toEqual(['Novos Contatos', 'Conversa', 'Negociação', 'Fechado', 'Arquivado'])
  await page.route('**/rest/v1/kanban_stages*', (route) =>
    route.fulfill({ status: 500, json: { message: 'x' } }),
  )
  await page.reload()
  // Stored stages stay visible.
  await expect(page.getByText(/^Não foi possível atualizar\..*Mostrando dados de /)).toBeVisible()
  await expect.poll(orderNow).toEqual(['Novos Contatos', 'Conversa', 'Negociação', 'Fechado', 'Arquivado'])
  await page.getByRole('button', { name: 'Voltar ao CRM' }).click()
  await expect(page.getByRole('heading', { name: 'Visão Geral do CRM' })).toBeVisible()
})
