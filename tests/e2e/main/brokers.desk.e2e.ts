// A broker comes and goes: added, entered by the link, connected from the card, removed.
import { call } from '#tests/support/portal.ts'
import { ADMIN, tokenOf } from '#tests/support/browser/session.ts'
import {
  enterAsAdmin,
  expect,
  expectAccessible,
  NO_NETWORK,
  overGateway as test,
  REFUSED,
} from '#tests/support/browser/story.ts'
import { cardOf, openAdding, openAs, readInvite } from '#tests/e2e/brokers.ts'

test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] } })
const REFUSAL = { error: { code: 'gateway.unreachable', message: 'O WhatsApp não respondeu.' } }

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

test('corretor removido: o acesso acaba na hora, e os leads vão para quem foi dito', async ({
  page,
  browser,
  whatsapp,
}) => {
  const rafael = await openAs(browser, whatsapp.origin, 'rafael')
  await enterAsAdmin(page)
  const card = cardOf(page, 'Rafael')
  const heir = cardOf(page, 'Camila')
  await expect(card).toContainText(/[1-9]\d* ?contatos/)
  // Whoever both know is one lead afterwards.
  const people = await peopleOf(whatsapp.origin, ['corretor_rafael', 'corretor_camila'])
  await card.getByRole('button', { name: 'Remover Rafael' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remover Rafael?' })
  await expect(dialog.getByText('O acesso ao portal, em todos os aparelhos, agora.')).toBeVisible()
  await expectAccessible(page)
  const remove = dialog.getByRole('button', { name: 'Remover corretor' })
  await dialog.getByLabel('Passam para outro corretor').click()
  await expect(remove).toBeDisabled()
  await dialog.getByLabel('Corretor que recebe os leads').selectOption('Camila')

  await page.route('**/remove', (route) => route.fulfill({ status: 503, json: REFUSAL }))
  await remove.click()
  await expect(page.getByText(`Erro ao remover corretor: ${REFUSAL.error.message}`)).toBeVisible()
  await page.unroute('**/remove')
  // The socket of his phone is dead: he goes all the same.
  whatsapp.simulator.control.nextCall({ call: 'logout', effect: 'closed-500' })
  await remove.click()
  await expect(page.getByText('Corretor removido com sucesso!')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(heir.getByText(people.size.toLocaleString('pt-BR'), { exact: true })).toBeVisible()

  await expect(rafael.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await rafael.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await rafael.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(rafael.getByText('Usuário incorreto')).toBeVisible()
  await rafael.close()
})

async function peopleOf(origin: string, instances: readonly string[]): Promise<Set<number>> {
  const token = await tokenOf(origin, ADMIN)
  const { body } = await call<{ person_id: number }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=person_id&instanceName=in.(${instances.join()})`,
    { token },
  )
  return new Set(body.map((contact) => contact.person_id))
}
