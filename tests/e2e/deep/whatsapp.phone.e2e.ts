// A WhatsApp link that stops working, and a lead's stage changed in its conversation.
import { call } from '#tests/support/portal.ts'
import { brokerNamed, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { gatewayMayFail, test } from '#tests/e2e/gateway.ts'

test.use(gatewayMayFail(/status of 502/))

test('um WhatsApp que parou de responder é dito, e volta ao conectar de novo', async ({
  page,
  portalUrl,
  whatsapp: { simulator },
}) => {
  await enterAsBroker(page, 'fernanda')
  const connect = page.getByRole('button', { name: 'Conectar', exact: true })
  await connect.click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: 'corretor_fernanda', number: '5511955550102', name: 'Fernanda' })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(connect).toBeHidden()

  simulator.control.zombie({ instance: 'corretor_fernanda', on: true })
  const token = await tokenOf(portalUrl, brokerNamed('fernanda'))
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
  const card = page.getByRole('article', { name: /^Wesley Nogueira/ })
  await card.getByRole('button', { name: /conversa/i }).click()
  const conversation = page.getByRole('dialog', { name: /Wesley Nogueira/ })
  await conversation.getByRole('button', { name: /Novos Contatos/ }).click()
  await page
    .getByRole('radio', { name: 'Negociação' })
    .or(page.getByRole('menuitemradio', { name: 'Negociação' }))
    .first()
    .click()
  await expect(page.getByText(/Wesley.* foi para Negociação/)).toBeVisible()
  await expect(conversation.getByRole('button', { name: /Negociação/ })).toBeVisible()
  await page.reload()
  await expect(
    page.getByRole('dialog', { name: /Wesley Nogueira/ }).getByRole('button', { name: /Negociação/ }),
  ).toBeVisible()
})
