// A new broker: added, signed in by the link, connected from the card.
import {
  enterAsAdmin,
  expect,
  NO_NETWORK,
  overGateway as test,
  REFUSED,
} from '#tests/support/browser/story.ts'
import { cardOf, openAdding, readInvite } from '#tests/e2e/brokers.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] } })

test('um corretor é adicionado, entra pelo link em outro navegador, e o cartão dele mostra o WhatsApp que se conecta', async ({
  page,
  browser,
  whatsapp: { simulator },
}) => {
  await enterAsAdmin(page)
  await expect(page.getByRole('heading', { name: 'Gerenciar Corretores' })).toBeVisible()
  await expect(cardOf(page, 'Camila')).toContainText(/\d+ ?contatos/)
  const { field, create } = await openAdding(page)
  await field.fill('vera')
  await create.click()
  const link = await readInvite(page, 'vera')
  const card = cardOf(page, 'Vera')
  await expect(card).toContainText('Desconectado')
  await expect(card).toContainText('Aguardando primeiro acesso')

  const other = await browser.newPage({ serviceWorkers: 'block' })
  await other.goto(link)
  await other.getByLabel('Nova senha', { exact: true }).fill('segredo-novo')
  await other.getByLabel('Confirme a nova senha').fill('segredo-novo')
  await other.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(other).toHaveURL(/\/broker/)
  await expect(card).not.toContainText('Aguardando primeiro acesso')
  await other.close()

  await card.getByRole('button', { name: /^Conectar WhatsApp/ }).click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: 'corretor_vera', number: '5511955550188' })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(card).toContainText('Conectado')
  await expect(card).toContainText('(11) 95555-0188')
})
