// Remarketing in a browser: written, sent, followed, looked back on; the administrator's report, rules and opt-outs
// (SPEC.md 2.8, 2.18, 5, 8; PRODUCT.md 4.4, 4.5).
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { keptOn } from '#tests/support/device.ts'
import { startDemo } from '#tests/support/e2e-portal.ts'
import { onOwnPortal } from '#tests/support/own-portal.ts'
import { call, signIn } from '#tests/support/portal.ts'
import {
  enterAsAdmin,
  enterAsBroker,
  expect,
  expectAccessible,
  NO_NETWORK,
  REFUSED,
} from '#tests/support/story.ts'

const CAMILA = 'corretor_camila'
/** Every message of a campaign waits for a look, for its typing and for the gap after the one before. */
const ENDED = { timeout: 45_000 }

type Line = { simulator: ListeningSimulator; origin: string }

/** A portal of these stories alone, whose campaigns hurry and send at any hour, over a gateway whose knobs they turn. */
const test = onOwnPortal<Line>(async (use) => {
  const simulator = await startSimulator({ clock: systemClock })
  const { origin, stop } = await startDemo({
    EVOLUTION_URL: simulator.url,
    EVOLUTION_API_KEY: simulator.apiKey,
    CAMPAIGN_DELAY_MS: '300-500',
  })
  await linkCamila(origin, simulator)
  await atAnyHour(origin)
  await use({ simulator, origin })
  await stop()
  await simulator.stop()
})
// A stand-in for an answer sees nothing of what passes by the worker.
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK] }, serviceWorkers: 'block' })

const camilaToken = (origin: string) => signIn(origin, 'camila@corretor.local', 'demo-corretor')

async function linkCamila(origin: string, { control }: ListeningSimulator) {
  const token = await camilaToken(origin)
  await call(`${origin}/api/instance/connect`, { token, body: {} })
  control.scan({ instance: CAMILA, number: '5511955550101', name: 'Camila' })
  await expect
    .poll(async () => (await call<{ state: string }>(`${origin}/api/instance?fresh=1`, { token })).body.state)
    .toBe('open')
}

const RULES = {
  p_opens_at: 0,
  p_closes_at: 24,
  p_sends_on_sundays: true,
  p_daily_cap: 500,
  p_warm_up_from: 500,
  p_warm_up_days: 1,
  p_rest_days: 0,
}

async function atAnyHour(origin: string) {
  const token = await signIn(origin, 'admin@admin.local', 'demo-admin')
  await call(`${origin}/rest/v1/rpc/save_campaign_settings`, { token, body: RULES })
}

async function openRemarketing(page: Page) {
  await enterAsBroker(page)
  await page.getByRole('link', { name: 'Remarketing' }).click()
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
}

async function chooseKanban(page: Page, name: RegExp) {
  await page.getByRole('button', { name: /^Kanban/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

async function start(page: Page) {
  await page.getByRole('button', { name: /^Iniciar Remarketing/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar', exact: true }).click()
}

/** Lets a wish through and loses the answer to it; what was asked, request by request. */
async function loseAnswer(page: Page, wish: 'pause' | 'stop') {
  const asked: (string | null)[] = []
  await page.route(`**/api/campaigns/*/${wish}`, async (route) => {
    asked.push(route.request().postData())
    if (asked.length > 1) return route.continue()
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  return asked
}

/** The wish is asked once more, as the same operation, and is no failure. */
async function expectAskedAgain(page: Page, asked: (string | null)[]) {
  await expect.poll(() => asked).toHaveLength(2)
  expect(asked[1]).toBe(asked[0])
  await expect(page.getByText(/^Erro: /)).toBeHidden()
}

/** Ends what a story left under way, so that the next one finds the composer. */
test.afterEach(async ({ line: { origin } }) => {
  const token = await camilaToken(origin)
  const { body } = await call<{ campaign: { id: number } | null }>(`${origin}/api/campaigns/active`, {
    token,
  })
  if (body.campaign)
    await call(`${origin}/api/campaigns/${body.campaign.id}/stop`, {
      token,
      body: { operationId: randomUUID() },
    })
})

test('uma campanha é escrita, guardada ao recarregar, enviada e vista por contato', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'the broker writes campaigns on the phone')
  test.slow()
  await openRemarketing(page)
  const startButton = page.getByRole('button', { name: /^Iniciar Remarketing/ })
  await expect(startButton).toBeDisabled()
  await expect(page.getByText('Escolha um kanban.', { exact: true })).toBeVisible()
  await chooseKanban(page, /^Negociação/)
  await expect(page.getByRole('button', { name: /^Kanban/ })).toContainText(/Negociação\d+ contatos/)
  const box = page.getByLabel('Mensagem')
  await box.fill('Oi, ! Saiu a nova tabela.')
  await box.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4))
  await page.getByRole('button', { name: 'Inserir Nome' }).click()
  await expect(box).toHaveValue('Oi, {nome}! Saiu a nova tabela.')
  await page.keyboard.type('?')
  await expect(box).toHaveValue('Oi, {nome}?! Saiu a nova tabela.')
  await page.keyboard.press('Backspace')

  // Who is deselected is out; who is called wrong is set right where she stands.
  const rows = page.getByRole('region', { name: 'Contatos Selecionados' }).getByRole('listitem')
  await expect(rows.nth(2)).toBeVisible()
  await expect(startButton).toHaveText(/^Iniciar Remarketing \(\d+ contatos\)$/)
  const total = await rows.count()
  const first = (await rows.first().getByRole('checkbox').getAttribute('aria-label'))?.replace('Incluir ', '')
  // A tap on her name is enough.
  await rows.nth(1).click({ position: { x: 120, y: 20 } })
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
  await expect(startButton).toHaveText(`Iniciar Remarketing (${total - 1} contatos)`)
  await page.getByRole('button', { name: `Editar nome de ${first}` }).click()
  await page.getByLabel('Nome do contato').fill('Heloísa Duarte')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  const preview = page.getByRole('region', { name: 'Como vai chegar' })
  await expect(preview).toContainText('Oi, Heloísa! Saiu a nova tabela.')

  await page.locator('input[type=file]').setInputFiles({
    name: 'planta.pages',
    mimeType: 'application/x-iwork',
    buffer: Buffer.from('x'),
  })
  await expect(page.getByRole('alert').filter({ hasText: 'Tipo de arquivo não suportado' })).toHaveText(
    'Tipo de arquivo não suportado. Por favor, selecione uma imagem, PDF, documento, áudio ou vídeo.',
  )
  const attachTable = () =>
    page.locator('input[type=file]').setInputFiles({
      name: 'tabela.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%\n'),
    })
  await attachTable()
  await expect(page.getByText('1 KB')).toBeVisible()
  await expect.poll(() => keptOn(page)).toContain('tabela.pdf')

  // A phone ends the page without a word: what was written is there again, and the file is missed.
  await page.reload()
  await expect(box).toHaveValue('Oi, {nome}! Saiu a nova tabela.')
  await expect(page.getByText('tabela.pdf não ficou guardado.')).toBeVisible()
  await expect(startButton).toHaveText(`Iniciar Remarketing (${total - 1} contatos)`)
  await expect(startButton).toBeDisabled()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Enviar sem o anexo' }).click()
  await expect(startButton).toBeEnabled()
  await attachTable()
  await expect(page.getByText('tabela.pdf').first()).toBeVisible()
  await expect(page.getByText('1 KB')).toBeVisible()
  await expectAccessible(page)

  await start(page)
  await expect(page.getByRole('heading', { name: 'Campanha em Andamento' })).toBeVisible()
  await expect(page.getByLabel('Mensagem')).toBeHidden()
  await expect(page.getByText(`Campanha concluída · ${total - 1} de ${total - 1} enviadas`)).toBeVisible(
    ENDED,
  )
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
  await expect(page.getByLabel('Mensagem')).toHaveValue('')
  const latest = page.getByRole('table', { name: 'Histórico de Campanhas' }).getByRole('row').nth(1)
  await expect(latest).toContainText('Concluída')
  await expect(latest).toContainText(`${total - 1} / ${total - 1}`)

  await latest.getByRole('button', { name: /^Ver resultado/ }).click()
  const results = page.getByRole('dialog', { name: 'Resultado por contato' })
  await expect(results.getByRole('listitem')).toHaveCount(total - 1)
  await expect(results.getByRole('listitem').filter({ hasText: 'Heloísa Duarte' })).toContainText(
    /entregue|lida/,
  )
  await expectAccessible(page)
  await page.goBack()
  await expect(results).toBeHidden()

  // The conversation has it, with her name in it, and the card says so.
  await page.goto('/broker?estagio=negociacao')
  const card = page.getByRole('article', { name: /^Heloísa Duarte/ })
  await expect(card).toContainText('Remarketing · agora')
  await expect(card).toContainText('Oi, Heloísa! Saiu a nova tabela.')
})

test('pausada, ela espera; continuada, segue; parada, não volta; o que a tela diz é o que houve, mesmo sem a resposta', async ({
  page,
  isMobile,
  line: { origin },
}) => {
  test.skip(!isMobile, 'the broker follows campaigns on the phone')
  await openRemarketing(page)
  await chooseKanban(page, /^Arquivado/)
  await page.getByLabel('Mensagem').fill('Oi, {nome}! Ainda procura?')
  await start(page)
  await expect(page.getByRole('heading', { name: 'Campanha em Andamento' })).toBeVisible()
  await expect(page.getByText(/^Enviando para/)).toBeVisible()
  await expectAccessible(page)
  const pauses = await loseAnswer(page, 'pause')
  await page.getByRole('button', { name: 'Pausar' }).click()
  await expect(page.getByRole('heading', { name: 'Campanha pausada' })).toBeVisible()
  await expect(page.getByText('Nada sai até alguém continuar.')).toBeVisible()
  await expectAskedAgain(page, pauses)
  // Another device of hers is refused a second one.
  const token = await camilaToken(origin)
  const second = await call<{ error: { message: string } }>(`${origin}/api/campaigns`, {
    token,
    body: { operationId: randomUUID(), stage: 'new', message: 'Oi' },
  })
  expect(second).toMatchObject({
    status: 409,
    body: { error: { message: 'Esta campanha já está sendo processada' } },
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByRole('heading', { name: 'Campanha em Andamento' })).toBeVisible()
  await page.getByRole('button', { name: 'Parar campanha' }).click()
  const question = page.getByRole('dialog', { name: 'Parar a campanha?' })
  await expect(question).toContainText(/contatos? não vão? receber\./)
  const stops = await loseAnswer(page, 'stop')
  await question.getByRole('button', { name: 'Parar', exact: true }).click()
  // Told by what became of it, and not by the answer.
  await expect(page.getByText(/^Campanha parada · \d+ de \d+ enviadas$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
  await expectAskedAgain(page, stops)
  const latest = page.getByRole('table', { name: 'Histórico de Campanhas' }).getByRole('row').nth(1)
  await expect(latest).toContainText('Parada')
})

test('sem sinal ela é escrita e guardada, e começa quando o sinal volta', async ({
  page,
  context,
  isMobile,
}) => {
  test.skip(!isMobile, 'a phone loses its signal')
  await openRemarketing(page)
  await chooseKanban(page, /^Conversa/)
  await context.setOffline(true)
  await page.getByLabel('Mensagem').fill('Oi, {nome}! Tudo bem?')
  await expect(page.getByText('Sem conexão. A campanha começa quando você estiver online.')).toBeVisible()
  const startButton = page.getByRole('button', { name: /^Iniciar Remarketing/ })
  await expect(startButton).toBeDisabled()
  await context.setOffline(false)
  await expect(startButton).toBeEnabled()
  await expect(page.getByLabel('Mensagem')).toHaveValue('Oi, {nome}! Tudo bem?')
  // For later it waits, and can be called off.
  await page.getByText('Agendar', { exact: true }).click()
  await expect(page.getByText(/^Começa /)).toBeVisible()
  await start(page)
  await expect(page.getByRole('heading', { name: 'Campanha agendada' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancelar campanha' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Parar', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
})

test('quem falhou é mostrado com o motivo e recebe de novo; quem não tem confirmação, o corretor resolve; quem pede para sair não recebe mais', async ({
  page,
  isMobile,
  line: { simulator },
}) => {
  test.skip(!isMobile, 'the broker reads results on the phone')
  test.slow()
  simulator.control.nextSend({ instance: CAMILA, effect: 'not-on-whatsapp' })
  simulator.control.nextSend({ instance: CAMILA, effect: 'timed-out-unsent', times: 2 })
  await openRemarketing(page)
  await chooseKanban(page, /^Fechado/)
  await page.getByLabel('Mensagem').fill('Oi, {nome}! Obrigada pela confiança.')
  await start(page)
  await expect(page.getByText(/^Campanha concluída/)).toBeVisible(ENDED)
  const latest = page.getByRole('table', { name: 'Histórico de Campanhas' }).getByRole('row').nth(1)
  await latest.getByRole('button', { name: /^Ver resultado/ }).click()
  const results = page.getByRole('dialog', { name: 'Resultado por contato' })
  // Sent or not, nobody knows: one was seen on the phone, the other is to be sent again.
  await results.getByRole('button', { name: 'Sem confirmação 2' }).click()
  await expect(results.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await results
    .getByRole('button', { name: /^Marcar como enviada: / })
    .first()
    .click()
  await expect(results.getByRole('listitem')).toHaveCount(1)
  await results.getByRole('button', { name: /^Enviar de novo: / }).click()
  const question = page.getByRole('dialog', { name: 'Enviar de novo?' })
  await expect(question).toContainText('pode ter sido enviada')
  await question.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect(results.getByRole('button', { name: /^Sem confirmação/ })).toBeHidden()
  await results.getByRole('button', { name: 'Falharam 1' }).click()
  await expect(results.getByRole('listitem')).toHaveCount(1)
  await expect(results.getByRole('listitem')).toContainText('Este número não tem WhatsApp.')
  await results.getByRole('button', { name: 'Enviar de novo para quem falhou' }).click()
  await expect(results).toBeHidden()
  await expect(latest).toContainText(/(\d+) \/ \1(?!\d)/)

  simulator.control.receive({
    instance: CAMILA,
    from: '5511955500164',
    text: 'não quero mais receber mensagens',
  })
  await chooseKanban(page, /^Negociação/)
  const out = page.getByText(/fica de fora|ficam de fora/)
  await out.click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Caio Figueiredo' })).toContainText(
    'Pediu para não receber',
  )
  await page.goto('/broker?estagio=negociacao')
  await expect(page.getByRole('article', { name: /^Caio Figueiredo/ })).toContainText('Não quer campanhas')
})

test('o relatório soma por corretor, guarda as regras e desfaz um pedido de saída', async ({
  page,
  isMobile,
}) => {
  await enterAsAdmin(page)
  await page.goto('/remarketing')
  const summary = page.getByRole('table', { name: 'Resumo por Corretor' })
  await expect(summary.getByRole('row').filter({ hasText: 'Juliana' })).toContainText('100,0%')
  const history = page.getByRole('table', { name: 'Histórico de Campanhas' })
  await expect(history.getByRole('row').filter({ hasText: 'Marcelo' }).first()).toContainText('Erro')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  if (isMobile) return

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
