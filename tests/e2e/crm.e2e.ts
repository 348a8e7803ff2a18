// The CRM and the stages in a browser: several brokers' leads on one board, moved, answered and handed over live (SPEC.md 2.11, 2.12, 4, 5, 8).
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { keptOn } from '#tests/support/device.ts'
import { cardIn, carry, column, countOf, firstIn, middleOf, waitForDragging } from '#tests/support/columns.ts'
import { onOwnDemo } from '#tests/support/own-portal.ts'
import { enterAsAdmin, enterAsBroker, expect, expectAccessible, REFUSED } from '#tests/support/story.ts'
import { unzip } from '#tests/support/zip.ts'

/** A portal of these stories alone: stages that change would change under everyone else's. */
const test = onOwnDemo()
test.skip(({ isMobile }) => isMobile, 'o administrador trabalha na mesa; a tela estreita tem a sua história')
// The worker's requests would pass by what stands in for the portal.
test.use({ expectedNoise: { patterns: [REFUSED, /status of 500/] }, serviceWorkers: 'block' })

const side = (page: Page) => page.getByRole('navigation', { name: 'Corretores' })
const chips = (page: Page) => page.getByRole('list', { name: 'Corretores selecionados' })
const boxOf = (page: Page, stage: string, name: string) =>
  cardIn(page, stage, name).getByRole('checkbox', { name: `Selecionar ${name}` })

async function openCrm(page: Page, brokers = '') {
  await enterAsAdmin(page)
  await page.goto(`/crm${brokers && `?corretores=${brokers}`}`)
  if (brokers) await expect(page.getByRole('article').first()).toBeVisible()
}

async function openBroker(browser: Browser, portalUrl: string, username: string) {
  const page = await browser.newPage({ baseURL: portalUrl })
  await enterAsBroker(page, username)
  await expect(page.getByRole('article').first()).toBeVisible()
  return page
}

test('os corretores são buscados, escolhidos e tirados; o endereço guarda quem', async ({ page }) => {
  await openCrm(page)
  await expect(page.getByText('Nenhum corretor selecionado')).toBeVisible()
  await expect(
    page.getByText('Selecione um ou mais corretores na lista lateral para visualizar seus leads no kanban.'),
  ).toBeVisible()
  await expect(side(page).getByRole('button', { name: /^Camila \d+ leads/ })).toBeVisible()
  await expect(side(page).getByRole('button', { name: 'Novato' })).toHaveCount(0)
  await expectAccessible(page)

  await page.getByPlaceholder('Buscar corretor...').fill('JULI')
  await expect(side(page).getByRole('button')).toHaveCount(1)
  await side(page).getByRole('button', { name: 'Juliana' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  const alone = await countOf(page, 'Conversa')
  await page.getByPlaceholder('Buscar corretor...').fill('')
  await side(page).getByRole('button', { name: 'Camila' }).click()
  await expect.poll(() => countOf(page, 'Conversa')).toBeGreaterThan(alone)
  await expect(page).toHaveURL(/corretores=juliana(\+|%20)camila/)
  await expect(column(page, 'Novos Contatos').getByText('camila').first()).toBeVisible()

  await page.reload()
  await expect(chips(page).getByRole('listitem')).toHaveText([/Juliana$/, /Camila$/])
  await expect(page.getByRole('article').first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
  }
  const wanted = await firstIn(page, 'Negociação')
  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Buscar contato' })).toBeFocused()
  await page.keyboard.type(wanted.toUpperCase())
  await expect(cardIn(page, 'Negociação', wanted)).toBeVisible()
  await expect(page.getByRole('article').filter({ hasNotText: wanted })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await chips(page).getByRole('button', { name: 'Remover Camila' }).click()
  await expect.poll(() => countOf(page, 'Conversa')).toBe(alone)
  await page.getByRole('button', { name: 'Ocultar Corretores' }).click()
  await expect(side(page)).toBeHidden()
  await page.getByRole('button', { name: 'Mostrar Corretores' }).click()
  await page.getByRole('button', { name: 'Limpar', exact: true }).click()
  await expect(page.getByText('Nenhum corretor selecionado')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  // The bar of screens is wider than a phone.
  await expect(
    page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'CRM' }),
  ).toBeInViewport({ ratio: 1 })
  await side(page).getByRole('button', { name: 'Camila' }).click()
  await expect(side(page)).toBeHidden()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
})

test('um quadro que falha fica vermelho e é tentado de novo; os outros seguem', async ({ page }) => {
  let isDown = true
  await page.route('**/rest/v1/rpc/sync_board', (route) =>
    isDown && route.request().postDataJSON().p_instance === 'corretor_juliana'
      ? route.fulfill({ status: 500, json: { message: 'fora do ar' } })
      : route.continue(),
  )
  await openCrm(page, 'camila+juliana')
  const retry = chips(page).getByRole('button', {
    name: 'Não foi possível atualizar Juliana. Tentar de novo',
  })
  await expect(retry).toBeVisible()
  const alone = await countOf(page, 'Conversa')
  await expectAccessible(page)
  // Its own first try still fails: whatever else reads meanwhile cannot take the button away.
  await retry.click()
  isDown = false
  await expect(retry).toBeHidden()
  await expect.poll(() => countOf(page, 'Conversa')).toBeGreaterThan(alone)
})

test('o que o administrador move aparece no quadro do corretor, e o do corretor no CRM', async ({
  page,
  browser,
  portalUrl,
}) => {
  const broker = await openBroker(browser, portalUrl, 'rafael')
  await openCrm(page, 'rafael+camila')
  await waitForDragging(page)
  const name = await firstIn(broker, 'Conversa')
  const before = await countOf(broker, 'Negociação')
  await carry(page, cardIn(page, 'Conversa', name), await middleOf(column(page, 'Negociação')))
  await page.mouse.up()
  // By live events alone: the board's own reading comes every five minutes.
  await expect(cardIn(broker, 'Conversa', name)).toHaveCount(0)
  await expect.poll(() => countOf(broker, 'Negociação')).toBe(before + 1)

  const other = await firstIn(broker, 'Novos Contatos')
  await cardIn(broker, 'Novos Contatos', other).focus()
  await broker.keyboard.press('Alt+ArrowRight')
  await expect(cardIn(page, 'Novos Contatos', other)).toHaveCount(0)

  const noted = cardIn(page, 'Conversa', await firstIn(page, 'Conversa'))
  await noted.focus()
  await page.keyboard.press('n')
  const notes = page.getByRole('dialog', { name: 'Notas do Lead' })
  await notes.getByRole('textbox').fill('Ligar na segunda')
  await notes.getByRole('button', { name: 'Salvar' }).click()
  await expect(noted).toContainText('Ligar na segunda')

  // Who looks on has not read for the broker: what comes after has come to the board, and the count stands.
  const first = broker
    .getByRole('article')
    .filter({ hasText: /\d+ novas?/ })
    .first()
  const lead = await first.getAttribute('data-lead')
  const unread = broker.locator(`article[data-lead="${lead}"]`)
  const waiting = await unread.getByText(/^\d+ novas?$/).innerText()
  await page.goto(`/crm?corretores=rafael&lead=${lead}`)
  await expect(page.getByRole('dialog').getByRole('log', { name: 'Mensagens' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()

  const talked = await firstIn(broker, 'Negociação')
  await cardIn(page, 'Negociação', talked).getByRole('button', { name: 'Abrir conversa' }).click()
  const talk = page.getByRole('dialog')
  await expect(page).toHaveURL(/lead=\d+/)
  // It is never the administrator's own talk: everything says whose.
  await expect(talk.getByText('Lead de Rafael')).toBeVisible()
  await expect(talk.getByText('Responde pelo WhatsApp de Rafael')).toBeVisible()
  await talk.getByRole('textbox').fill('Bom dia! Aqui é da administração.')
  await page.keyboard.press('Enter')
  await expect(talk.getByText('Bom dia! Aqui é da administração.')).toBeVisible()
  await expect(talk.getByText(/^Rafael, \d\d:\d\d:$/).last()).toBeAttached()
  await expect(page.getByText(/^Você[:,]/)).toHaveCount(0)
  await expect(broker.getByText('Bom dia! Aqui é da administração.')).toBeVisible()
  await expect(unread.getByText(/^\d+ novas?$/)).toHaveText(waiting)
  await page.goBack()
  await expect(talk).toBeHidden()
  await broker.close()
})

test('leads escolhidos por caixa, intervalo e teclado passam para outro corretor e voltam', async ({
  page,
  browser,
  portalUrl,
}) => {
  const receiver = await openBroker(browser, portalUrl, 'juliana')
  await openCrm(page, 'camila')
  const cards = column(page, 'Conversa').getByRole('article')
  const names = await cards.getByRole('heading').allInnerTexts()
  const [first = '', second = '', third = ''] = names
  await cardIn(page, 'Conversa', first).hover()
  await boxOf(page, 'Conversa', first).click()
  await boxOf(page, 'Conversa', third).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: '3 selecionados' })
  await expect(bar).toBeVisible()
  await expect(boxOf(page, 'Conversa', second)).toBeChecked()
  await expectAccessible(page)
  await cardIn(page, 'Conversa', third).focus()
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: '2 selecionados' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: /selecionado/ })).toBeHidden()
  await cardIn(page, 'Conversa', first).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')

  await page.getByRole('button', { name: 'Passar para...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await expect(dialog.getByRole('button', { name: 'Passar 2 leads' })).toBeDisabled()
  await expect(dialog.getByRole('radio', { name: /Camila/ })).toHaveCount(0)
  await dialog.getByPlaceholder('Buscar corretor...').fill('juli')
  await dialog.getByRole('radio', { name: /Juliana/ }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Passar 2 leads' }).click()
  await expect(dialog).toBeHidden()
  // Held under the pointer, it does not leave before it is pressed.
  await page.getByText('2 leads passaram para Juliana').hover()
  for (const name of [first, second]) {
    await expect(cardIn(page, 'Conversa', name)).toHaveCount(0)
    await expect(cardIn(receiver, 'Conversa', name)).toBeAttached()
  }
  // What was pressed is gone; the keyboard goes on with the board.
  await expect(page.locator('article[data-lead]:focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(page.getByText('2 leads voltaram para quem estava.')).toBeVisible()
  for (const name of [first, second]) {
    await expect(cardIn(page, 'Conversa', name)).toBeAttached()
    await expect(cardIn(receiver, 'Conversa', name)).toHaveCount(0)
  }
  await cardIn(page, 'Conversa', first).focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Passar para...' }).click()
  await dialog.getByText('Quem já atendeu (2)').click()
  await expect(dialog.getByText(/admin passou de Camila para Juliana/)).toBeVisible()
  await receiver.close()
})

test('os leads de um corretor removido ficam em "Sem corretor" até serem passados', async ({ page }) => {
  await openCrm(page)
  await expect(side(page).getByRole('button', { name: 'Sem corretor' })).toHaveCount(0)
  await page.getByRole('link', { name: 'WhatsApp' }).click()
  await page.getByRole('button', { name: 'Remover Bruno' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remover corretor' }).click()
  await expect(page.getByText('Corretor removido com sucesso!')).toBeVisible()
  await page.getByRole('link', { name: 'CRM' }).click()
  const nobody = side(page).getByRole('button', { name: /^Sem corretor \d+ leads/ })
  await nobody.click()
  await expect(page).toHaveURL(/corretores=sem-corretor/)
  const name = await firstIn(page, 'Conversa')
  await cardIn(page, 'Conversa', name).focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Passar para...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passar para outro corretor' })
  await dialog.getByRole('radio', { name: /Camila/ }).check()
  await dialog.getByRole('button', { name: 'Passar 1 lead' }).click()
  await expect(page.getByText('1 lead passou para Camila')).toBeVisible()
  await expect(cardIn(page, 'Conversa', name)).toHaveCount(0)

  // Nothing that could only be refused is written there; handed over, the conversation goes on.
  const next = await firstIn(page, 'Conversa')
  await cardIn(page, 'Conversa', next).getByRole('button', { name: 'Abrir conversa' }).click()
  const talk = page.getByRole('dialog').filter({ has: page.getByRole('log', { name: 'Mensagens' }) })
  await expect(talk.getByText('Sem corretor', { exact: true })).toBeVisible()
  await expect(
    talk.getByText('Este lead está sem corretor. Entregue-o a um corretor para responder.'),
  ).toBeVisible()
  await expect(talk.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await talk.getByRole('button', { name: 'Passar para...' }).click()
  await dialog.getByRole('radio', { name: /Camila/ }).check()
  await dialog.getByRole('button', { name: 'Passar 1 lead' }).click()
  await expect(dialog).toBeHidden()
  await expect(talk.getByText('Responde pelo WhatsApp de Camila')).toBeVisible()
  await talk.getByRole('textbox').fill('Bom dia! A Camila segue com você.')
  await page.keyboard.press('Enter')
  await expect(talk.getByRole('log').getByText('Bom dia! A Camila segue com você.')).toBeVisible()
  await talk.getByRole('button', { name: 'Fechar' }).click()
  await expect(talk).toBeHidden()
  await expect(cardIn(page, 'Conversa', next)).toHaveCount(0)
})

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
  // A double click is one wish.
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

  const name = await firstIn(broker, 'Negociação')
  await cardIn(broker, 'Negociação', name).focus()
  const moved = broker.waitForResponse('**/rpc/atualizar_status_lead')
  await broker.keyboard.press('Alt+ArrowRight')
  await expect(cardIn(broker, 'Visita marcada', name)).toBeAttached()
  await moved
  await page.getByRole('button', { name: 'Excluir Visita marcada' }).click()
  const question = page.getByRole('dialog', { name: 'Tem certeza que deseja excluir este estágio?' })
  await expect(question).toContainText('Todos os contatos neste estágio serão movidos para "Novos Contatos".')
  await question.getByRole('button', { name: 'Excluir' }).click()
  await expect(rows).toHaveCount(5)
  await expect(column(broker, 'Visita marcada')).toHaveCount(0)
  await expect(cardIn(broker, 'Novos Contatos', name)).toBeAttached()
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
  await said('Erro ao carregar estágios do kanban')
  await page.getByRole('button', { name: 'Voltar ao CRM' }).click()
  await expect(page.getByRole('heading', { name: 'Visão Geral do CRM' })).toBeVisible()
})

test('os dados de uma pessoa saem como arquivo e são apagados de todos: o quadro do corretor perde o card ao vivo', async ({
  page,
  browser,
  portalUrl,
}) => {
  const camila = await openBroker(browser, portalUrl, 'camila')
  await openCrm(page, 'camila')
  const name = await firstIn(page, 'Negociação')
  const theirs = camila.getByRole('article', { name: new RegExp(`^${name}`) })
  await theirs.getByRole('button', { name: 'Abrir conversa' }).click()
  await expect(camila.getByRole('log', { name: 'Mensagens' })).toBeVisible()
  // Without a signal: something waits for her there, and something more is typed.
  await camila.context().setOffline(true)
  const box = camila.getByRole('textbox', { name: 'Mensagem' })
  await box.fill(`Oi, ${name}!`)
  await camila.getByRole('button', { name: 'Enviar', exact: true }).click()
  await box.fill(`${name}, e a visita?`)
  await camila.keyboard.press('Escape')
  await expect.poll(() => keptOn(camila)).toContain(`Oi, ${name}!`)

  await cardIn(page, 'Negociação', name).getByRole('button', { name: 'Abrir conversa' }).click()
  await page.getByRole('link', { name: 'Dados de uma pessoa' }).click()
  const contacts = page.getByRole('table', { name: 'Contatos' })
  await expect(contacts.getByRole('row').nth(1)).toContainText('Camila')
  const number =
    (await contacts
      .getByText(/^\(\d\d\) 9?\d{4}-\d{4}$/)
      .first()
      .textContent()) ?? ''
  await expect(page.getByRole('table', { name: 'O que está guardado' })).toContainText('Mensagens')
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar tudo' }).click()
  const files = unzip(await readFile(await (await saving).path()))
  expect(String(files.get('contatos.json'))).toContain(name)

  await page.getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
  const question = page.getByRole('dialog', { name: 'Apagar os dados desta pessoa?' })
  await expect(question).toContainText('não volta')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Apagar tudo' }).click()
  await expect(page.getByText(/^Dados apagados: 1 contato, /)).toBeVisible()
  await camila.context().setOffline(false)
  // Nor is anything kept on the device, which says so without a name.
  await expect(
    camila.getByText(
      'Os dados de 1 lead foram apagados. O que esperava para ser enviado saiu deste aparelho.',
    ),
  ).toBeVisible()
  await expect(theirs).toHaveCount(0)
  await expect.poll(() => keptOn(camila)).not.toContain(name)

  const asked = page.getByRole('textbox', { name: 'Número de telefone' })
  await asked.fill(number)
  await page.getByRole('button', { name: 'Buscar' }).click()
  const nothing = page.getByText('O portal não tem dados desta pessoa.')
  await expect(nothing).toBeVisible()
  await expect(page.getByText('Nenhuma campanha chega a este número.')).toBeVisible()
  // What was found of one person stands under no other number.
  await asked.fill('98888-0002')
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page.getByText('Informe o número com DDD.')).toBeVisible()
  await expect(nothing).toHaveCount(0)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.goto('/auditoria')
  await expect(
    page.getByText(/^Apagou todos os dados de uma pessoa de número final \d\d: 1 contato, /),
  ).toBeVisible()
  await camila.close()
})
