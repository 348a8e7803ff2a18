// A campaign is paused, stopped and scheduled; failed recipients get it again, opted-out ones do not.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { call } from '#tests/support/portal.ts'
import { expect, expectAccessible, NO_NETWORK, REFUSED } from '#tests/support/browser/story.ts'
import {
  CAMILA,
  chooseKanban,
  ENDED,
  openRemarketing,
  start,
  test,
  tokenOfCamila,
} from '#tests/e2e/campaigns.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK] } })

/** Lets a command through and drops its response; collects the requests. */
async function loseAnswer(page: Page, intent: 'pause' | 'stop') {
  const asked: (string | null)[] = []
  await page.route(`**/api/campaigns/*/${intent}`, async (route) => {
    asked.push(route.request().postData())
    if (asked.length > 1) return route.continue()
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  return asked
}

/** The command is repeated once with the same operation id, and is no failure. */
async function expectAskedAgain(page: Page, asked: (string | null)[]) {
  await expect.poll(() => asked).toHaveLength(2)
  expect(asked[1]).toBe(asked[0])
  await expect(page.getByText(/^Erro: /)).toBeHidden()
}

test('pausada, ela espera; continuada, segue; parada, não volta; o que a tela diz é o que houve, mesmo sem a resposta', async ({
  page,
  origin,
}) => {
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
  await expect(page.getByText('Nada será enviado até você tocar em Continuar.')).toBeVisible()
  await expectAskedAgain(page, pauses)
  // A second campaign from another device is refused.
  const token = await tokenOfCamila(origin)
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
  // The message comes from the campaign's state, not from the response.
  await expect(page.getByText(/^Campanha parada · \d+ de \d+ enviadas$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nova campanha' })).toBeVisible()
  await expectAskedAgain(page, stops)
  const latest = page.getByRole('table', { name: 'Histórico de Campanhas' }).getByRole('row').nth(1)
  await expect(latest).toContainText('Parada')
})

test('sem sinal ela é escrita e guardada, e começa quando o sinal volta', async ({ page, context }) => {
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
  // A scheduled campaign waits, and can be cancelled.
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
  whatsapp: { simulator },
}) => {
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
  // Unknown results: one was seen on the phone, the other is to be sent again.
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
