// What the gateway refuses while a broker is added, and a password that is reset.
import {
  enterAsAdmin,
  expect,
  expectAccessible,
  NO_NETWORK,
  overGateway as test,
  REFUSED,
} from '#tests/support/browser/story.ts'
import { cardOf, openAdding, openAs, readInvite, shown } from '#tests/e2e/brokers.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] } })

test('o que o WhatsApp recusa é dito, e nada fica pela metade', async ({ page, whatsapp: { simulator } }) => {
  const [username, taken] = ['semid', 'alheia']
  const answer = { status: 'ok', database: 'ok', gateway: 'unreachable', version: '1' }
  await page.route('**/api/health', (route) => route.fulfill({ json: answer }))
  await enterAsAdmin(page)
  const down = page.getByText('O serviço de WhatsApp não responde: nada chega nem sai')
  await expect(down).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/health')
  await page.reload()
  await expect(cardOf(page, 'Camila')).toBeVisible()
  await expect(down).toBeHidden()
  const { dialog, field, create } = await openAdding(page)
  // Of someone else, at the same gateway.
  await fetch(`${simulator.url}/instance/create`, {
    method: 'POST',
    headers: { apikey: simulator.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ instanceName: `corretor_${taken}`, integration: 'WHATSAPP-BAILEYS' }),
  })
  await field.fill(taken)
  await create.click()
  await expect(
    dialog.getByText(
      'Erro ao criar corretor: Erro ao criar instância: este nome já está em uso no serviço de WhatsApp',
    ),
  ).toBeVisible()
  simulator.control.nextCall({ call: 'create', effect: 'no-id' })
  await field.fill(username)
  await create.click()
  await expect(
    dialog.getByText('Erro ao criar corretor: Erro ao criar instância: ID não retornado'),
  ).toBeVisible()
  simulator.control.nextCall({ call: 'webhook', effect: 'refused-400' })
  await create.click()
  await readInvite(page, username)
  await expect(cardOf(page, shown(username))).toBeVisible()
})

test('senha resetada: o corretor sai de todos os aparelhos e volta pelo link', async ({
  page,
  browser,
  whatsapp,
}) => {
  const juliana = await openAs(browser, whatsapp.origin, 'juliana')
  await enterAsAdmin(page)
  const card = cardOf(page, 'Juliana')
  await card.getByRole('button', { name: 'Resetar senha' }).click()
  const question = page.getByRole('dialog', { name: 'Resetar a senha de Juliana?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Resetar senha' }).click()
  const link = await readInvite(page, 'juliana')
  await expect(card).toContainText('Aguardando primeiro acesso')

  await expect(juliana.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await expect(juliana.getByRole('article')).toHaveCount(0)
  await juliana.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await juliana.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(juliana.getByText('Sua senha foi resetada. Abra o link de primeiro acesso')).toBeVisible()
  await juliana.goto(link)
  await juliana.getByLabel('Nova senha', { exact: true }).fill('outra-senha')
  await juliana.getByLabel('Confirme a nova senha').fill('outra-senha')
  await juliana.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(juliana.getByRole('article').first()).toBeVisible()
  await juliana.close()
})
