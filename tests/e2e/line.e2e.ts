// WhatsApp in and out, live: code, connection, a lead's message on the board and in the open conversation, a lost link
// (SPEC.md 2.10, 2.16, 2.17).
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { startDemo } from '#tests/support/e2e-portal.ts'
import { onOwnPortal } from '#tests/support/own-portal.ts'
import { call, signIn } from '#tests/support/portal.ts'
import { enterAsBroker, expect, expectAccessible, NO_NETWORK, REFUSED } from '#tests/support/story.ts'

const CAMILA = 'corretor_camila'
const PHONE = '5511955550101'
const OTHER_PHONE = '5511955550199'

type Line = { simulator: ListeningSimulator; origin: string }

/** A portal of these stories alone, over a gateway whose knobs they turn. */
const test = onOwnPortal<Line>(async (use) => {
  const simulator = await startSimulator({ clock: systemClock })
  const demo = await startDemo({ EVOLUTION_URL: simulator.url, EVOLUTION_API_KEY: simulator.apiKey })
  await use({ simulator, origin: demo.origin })
  await demo.stop()
  await simulator.stop()
})
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 502/] } })

test('do QR Code à mensagem que chega no quadro e na conversa aberta', async ({
  page,
  isMobile,
  line: { simulator },
}) => {
  await enterAsBroker(page)
  const cut = page.getByText('WhatsApp desconectado. Reconecte para enviar mensagens.')
  await expect(cut).toBeVisible()
  const connect = page.getByRole('button', { name: 'Conectar', exact: true })
  const dialog = page.getByRole('dialog')
  simulator.control.down({ on: true })
  await connect.click()
  await expect(page.getByText(/^Erro ao conectar WhatsApp: /)).toBeVisible()
  await expect(dialog).toBeHidden()
  simulator.control.down({ on: false })
  await connect.click()
  await expect(dialog.getByRole('heading', { name: 'Conectar WhatsApp' })).toBeVisible()
  await expect(dialog.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  await expect(dialog.getByText('Escaneie o QR Code com seu WhatsApp')).toBeVisible()
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Estou neste mesmo celular' }).click()
  await dialog.getByRole('button', { name: 'Gerar código' }).click()
  await expect(dialog.getByText(/^Informe o número com DDD/)).toBeVisible()
  await dialog.getByLabel('Número do seu WhatsApp, com DDD').fill('(11) 95555-0101')
  await dialog.getByRole('button', { name: 'Gerar código' }).click()
  await expect(dialog.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Usar o QR Code' }).click()
  await expect(dialog.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()

  simulator.control.scan({ instance: CAMILA, number: PHONE, name: 'Camila' })
  await expect(dialog).toBeHidden()
  await expect(cut).toBeHidden()

  simulator.control.receive({
    instance: CAMILA,
    from: '5511955550177',
    name: 'Noêmia',
    text: 'Vi a placa do Mirante. Ainda tem?',
  })
  const card = page.getByRole('article', { name: /^Noêmia/ })
  await expect(card).toContainText('Vi a placa do Mirante. Ainda tem?')
  await expect(card).toContainText('agora')
  await expect(page.getByRole('article').first()).toContainText('Noêmia')

  await card.getByRole('button', { name: /conversa/i }).click()
  const conversation = page.getByRole('dialog')
  const lines = conversation.getByRole('log', { name: 'Mensagens' })
  await expect(lines.getByText('Vi a placa do Mirante. Ainda tem?')).toBeVisible()
  simulator.control.receive({ instance: CAMILA, from: '5511955550177', text: 'Pode ser com varanda' })
  await expect(lines.getByText('Pode ser com varanda')).toBeVisible()
  simulator.control.receive({ instance: CAMILA, from: '5511955550177', kind: 'image', text: 'Esta aqui' })
  await expect(lines.getByText('Esta aqui')).toBeVisible()
  simulator.control.receive({
    instance: CAMILA,
    from: '5511955550177',
    text: 'Respondi pelo celular',
    fromMe: true,
  })
  await expect(lines.getByText('Respondi pelo celular')).toBeVisible()
  await expectAccessible(page)
  if (isMobile) await page.goBack()
  else await conversation.getByRole('button', { name: 'Fechar' }).click()
  await expect(conversation).toBeHidden()

  simulator.control.unlink({ instance: CAMILA })
  await expect(cut).toBeVisible()
  await connect.click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: CAMILA, number: OTHER_PHONE, name: 'Camila' })
  await expect(
    page.getByText('Outro WhatsApp foi conectado no lugar de (11) 95555-0101.', { exact: false }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Entendi' }).click()
  await expect(page.getByText('Outro WhatsApp foi conectado')).toBeHidden()

  await page.getByRole('button', { name: /^Conta de camila/ }).click()
  const account = page.getByRole('dialog', { name: 'camila' })
  await account.getByRole('button', { name: 'Desconectar' }).click()
  await page
    .getByRole('dialog', { name: 'Desconectar o WhatsApp?' })
    .getByRole('button', { name: 'Desconectar' })
    .click()
  await expect(account.getByText('(11) 95555-0199')).toBeVisible()
  await expect(account.getByRole('button', { name: 'Conectar' })).toBeVisible()
})

test('um WhatsApp que parou de responder é dito, e volta ao conectar de novo', async ({
  page,
  portalUrl,
  line: { simulator },
}) => {
  await enterAsBroker(page)
  const connect = page.getByRole('button', { name: 'Conectar', exact: true })
  await connect.click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: CAMILA, number: PHONE, name: 'Camila' })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(connect).toBeHidden()

  simulator.control.zombie({ instance: CAMILA, on: true })
  const token = await signIn(portalUrl, 'camila@corretor.local', 'demo-corretor')
  const { body: leads } = await call<{ id: number }[]>(
    `${portalUrl}/rest/v1/whatsapp_contacts?select=id&number=not.is.null&status=eq.new&limit=1`,
    { token },
  )
  const { status } = await call(`${portalUrl}/api/messages/text`, {
    token,
    body: { contactId: leads[0]?.id, text: 'Você viu a proposta?', operationId: crypto.randomUUID() },
  })
  expect(status).toBe(200)
  await expect(page.getByText('O WhatsApp parou de responder. Conecte de novo.')).toBeVisible()
  await expectAccessible(page)

  await connect.click()
  await expect(page.getByText('O WhatsApp parou de responder. Conecte de novo.')).toBeHidden()
  await expect(connect).toBeHidden()
  await expect(page.getByRole('article').first()).toContainText('Você viu a proposta?')
})

test('o status muda na conversa, que fica aberta e diz isso', async ({ page }) => {
  await enterAsBroker(page)
  const card = page.getByRole('article', { name: /^Luciana Prado/ })
  await card.getByRole('button', { name: /conversa/i }).click()
  const conversation = page.getByRole('dialog', { name: /Luciana Prado/ })
  await conversation.getByRole('button', { name: /Novos Contatos/ }).click()
  await page
    .getByRole('radio', { name: 'Negociação' })
    .or(page.getByRole('menuitemradio', { name: 'Negociação' }))
    .first()
    .click()
  await expect(page.getByText(/Luciana.* foi para Negociação/)).toBeVisible()
  await expect(conversation.getByRole('button', { name: /Negociação/ })).toBeVisible()
  await page.reload()
  await expect(
    page.getByRole('dialog', { name: /Luciana Prado/ }).getByRole('button', { name: /Negociação/ }),
  ).toBeVisible()
})
