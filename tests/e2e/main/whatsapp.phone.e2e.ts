// WhatsApp live: code, connection, a lead's message on the board and in the open conversation, a lost link.
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { gatewayMayFail, test } from '#tests/e2e/gateway.ts'

test.use(gatewayMayFail(/status of 502/))

const USERNAME = 'gustavo'
const INSTANCE = `corretor_${USERNAME}`
const PHONE = '5511955550101'

const OTHER_PHONE = '5511955550199'

test('do QR Code à mensagem que chega no quadro e na conversa aberta', async ({
  page,
  whatsapp: { simulator },
}) => {
  await enterAsBroker(page, USERNAME)
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
  await expect(dialog.getByText('Escaneie este código')).toBeVisible()
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

  simulator.control.scan({ instance: INSTANCE, number: PHONE, name: 'Gustavo' })
  await expect(dialog).toBeHidden()
  await expect(cut).toBeHidden()

  simulator.control.receive({
    instance: INSTANCE,
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
  simulator.control.receive({ instance: INSTANCE, from: '5511955550177', text: 'Pode ser com varanda' })
  await expect(lines.getByText('Pode ser com varanda')).toBeVisible()
  simulator.control.receive({ instance: INSTANCE, from: '5511955550177', kind: 'image', text: 'Esta aqui' })
  await expect(lines.getByText('Esta aqui')).toBeVisible()
  simulator.control.receive({
    instance: INSTANCE,
    from: '5511955550177',
    text: 'Respondi pelo celular',
    fromMe: true,
  })
  await expect(lines.getByText('Respondi pelo celular')).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(conversation).toBeHidden()

  simulator.control.unlink({ instance: INSTANCE })
  await expect(cut).toBeVisible()
  await connect.click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: INSTANCE, number: OTHER_PHONE, name: 'Gustavo' })
  await expect(
    page.getByText('Outro WhatsApp foi conectado no lugar de (11) 95555-0101.', { exact: false }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Entendi' }).click()
  await expect(page.getByText('Outro WhatsApp foi conectado')).toBeHidden()

  await page.getByRole('button', { name: /^Conta de gustavo/ }).click()
  const account = page.getByRole('dialog', { name: USERNAME })
  await account.getByRole('button', { name: 'Desconectar' }).click()
  await page
    .getByRole('dialog', { name: 'Desconectar o WhatsApp?' })
    .getByRole('button', { name: 'Desconectar' })
    .click()
  await expect(account.getByText('(11) 95555-0199')).toBeVisible()
  await expect(account.getByRole('button', { name: 'Conectar' })).toBeVisible()
})
