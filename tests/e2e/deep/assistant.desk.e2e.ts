// An agent that answers leads by itself: tested first, silent while a person has the conversation, and calling a broker
// on request.
import { call } from '#tests/support/portal.ts'
import { connect } from '#tests/support/browser/e2e-portal.ts'
import { ADMIN, brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, expectAccessible, goTo, REFUSED } from '#tests/support/browser/story.ts'
import { AGENT, agentId, ask, openSettings } from '#tests/e2e/agents.ts'
import { bubble } from '#tests/e2e/composer.ts'
import { test } from '#tests/e2e/assistant.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

const CENTRAL = 'corretor_novato'
const YASMIN = { from: '5511955577001', name: 'Yasmin Pinheiro' }

test('o agente responde, cala quando alguém assume, volta quando devolvido e chama o corretor, que o devolve', async ({
  page,
  browser,
  whatsapp,
}) => {
  const { origin, simulator } = whatsapp
  const token = await tokenOf(origin, ADMIN)
  const put = async (address: string, body: object) =>
    expect((await call(`${origin}/api/${address}`, { token, body })).status).toBe(200)
  await connect(whatsapp, { username: 'novato', number: '5511955550199', by: ADMIN })
  await put('roleta/central', { instanceName: CENTRAL, isCentral: true })
  await put(`agents/${await agentId(origin)}/instance`, { instanceName: CENTRAL })
  const writes = (text: string) => simulator.control.receive({ instance: CENTRAL, ...YASMIN, text })

  await openSettings(page)
  await page.getByRole('tab', { name: 'Funcionamento e testes' }).click()
  await expect(page.getByText('lago-mini').first()).toBeVisible()
  await page.getByRole('button', { name: 'Rodar os testes' }).click()
  await expect(page.getByText(/^\d+ de 30 passam$/)).toBeVisible()
  // A month limit stops an agent only where its model has a price.
  await page.getByLabel('R$ por 1 milhão de tokens lidos').fill('1')
  await page.getByLabel('R$ por 1 milhão de tokens escritos').fill('4')
  await page.getByRole('button', { name: 'Salvar' }).first().click()
  await expect(page.getByText('sem preço neste mês')).toHaveCount(0)
  const answering = page.getByRole('radio', { name: /^Responde/ })
  await answering.click()
  await page
    .getByRole('dialog', { name: 'Deixar responder mesmo assim?' })
    .getByRole('button', { name: 'Deixar responder' })
    .click()
  await page.getByRole('button', { name: /^Ligar com R\$/ }).click()
  await expect(answering).toBeChecked()

  writes('Oi')
  writes('Tem vaga para dois carros?')
  await goTo(page, '/prompts')
  await page.getByRole('link', { name: `Chat de ${AGENT}` }).click()
  await page.getByRole('link', { name: /Yasmin Pinheiro/ }).click()
  const log = page.getByRole('log')
  await expect(
    log.getByText(`Sou o assistente da equipe do ${AGENT}. Temos duas vagas. É para morar?`),
  ).toBeVisible()
  await log.getByRole('button', { name: /^Turno 1/ }).click()
  const turns = page.getByRole('region', { name: 'Turnos do agente' })
  await expect(turns.getByText('2 mensagens juntas')).toBeVisible()
  await expect(turns.getByText('Enviado')).toBeVisible()
  await expectAccessible(page)

  // After a takeover it is silent until the conversation is given back; writing counts as a takeover.
  const conducts = page.getByText('O agente conduz esta conversa.')
  await page.getByRole('button', { name: 'Assumir' }).click()
  await page.getByRole('menuitem', { name: 'Por 24 horas' }).click()
  await expect(page.getByText(/^Pausado até .*, por admin\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Devolver ao agente' }).click()
  await expect(conducts).toBeVisible()
  await page.getByRole('textbox', { name: 'Mensagem' }).fill('Aqui é a administração.')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByText(/^Pausado até .*, porque admin respondeu pelo portal\.$/)).toBeVisible()
  await expect(bubble(log, 'Aqui é a administração.').getByText('lida')).toBeAttached()
  writes('E piscina?')
  await expect(log.getByText('E piscina?')).toBeVisible()
  await page.getByRole('button', { name: 'Devolver ao agente' }).click()
  // Messages written meanwhile are answered, once.
  await expect(log.getByText('Tem piscina aquecida.')).toHaveCount(1)
  await expect(conducts).toBeVisible()

  writes('Quero falar com um corretor')
  await expect(log.getByText('Claro. Vou chamar um corretor para falar com você por aqui.')).toBeVisible()
  await expect(page.getByText(/^Pediu corretor .*\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'À espera 1' }).click()
  await expect(page.getByRole('link', { name: /Yasmin Pinheiro/ })).toBeVisible()

  // The broker who gets it finds earlier messages folded, and gives the conversation back.
  const { body: leads } = await call<{ id: number }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id&number=eq.${YASMIN.from}`,
    { token },
  )
  const leadId = leads[0]?.id ?? 0
  const toCamila = { p_contact_ids: [leadId], p_broker_name: 'corretor_camila' }
  await ask(origin, 'rpc/transferir_leads', toCamila)
  // On the broker's own number only the broker can turn it on.
  const asCamila = { token: await tokenOf(origin, brokerNamed('camila')), body: { isOn: true } }
  expect((await call(`${origin}/api/assist/own`, asCamila)).status).toBe(200)
  const hers = await browser.newPage({ baseURL: origin, serviceWorkers: 'block' })
  await enterAsBroker(hers, 'camila', `/broker?lead=${leadId}`)
  const passing = hers.getByRole('region', { name: 'Passagem do assistente' })
  await expect(passing.getByRole('heading')).toContainText('O assistente passou para você')
  const first = hers.getByRole('paragraph').filter({ hasText: 'E piscina?' })
  await expect(first).toHaveCount(0)
  await passing.getByRole('button', { name: /^Ver as \d+ mensagens$/ }).click()
  await expect(first).toBeVisible()
  await expectAccessible(hers)
  await passing.getByRole('button', { name: 'Devolver ao assistente' }).click()
  await expect(hers.getByText(/^Devolvido/)).toBeVisible()
  await expect(passing).toHaveCount(0)
  await hers.close()

  await goTo(page, '/auditoria')
  await expect(page.getByText(/Mudou como o agente .* para responde, com \d+ testes? falhando/)).toBeVisible()
})
