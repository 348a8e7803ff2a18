// The gateway's refusals while a broker is added, a password reset, and a broker's removal.
import { call } from '#tests/support/portal.ts'
import { ADMIN, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsAdmin, expect, expectAccessible } from '#tests/support/browser/story.ts'
import { gatewayMayFail, test } from '#tests/e2e/gateway.ts'
import { cardOf, openAdding, openAs, readInvite, shown } from '#tests/e2e/brokers.ts'

test.use(gatewayMayFail(/status of 50[23]/))
const REFUSAL = { error: { code: 'gateway.unreachable', message: 'O WhatsApp não respondeu.' } }

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
  // Another system's instance at the same gateway.
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
  const tatiane = await openAs(browser, whatsapp.origin, 'tatiane')
  await enterAsAdmin(page)
  const card = cardOf(page, 'Tatiane')
  await card.getByRole('button', { name: 'Resetar senha' }).click()
  const question = page.getByRole('dialog', { name: 'Resetar a senha de Tatiane?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Resetar senha' }).click()
  const link = await readInvite(page, 'tatiane')
  await expect(card).toContainText('Aguardando primeiro acesso')

  await expect(tatiane.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await expect(tatiane.getByRole('article')).toHaveCount(0)
  await tatiane.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await tatiane.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(tatiane.getByText('Sua senha foi resetada. Abra o link de primeiro acesso')).toBeVisible()
  await tatiane.goto(link)
  await tatiane.getByLabel('Nova senha', { exact: true }).fill('outra-senha')
  await tatiane.getByLabel('Confirme a nova senha').fill('outra-senha')
  await tatiane.getByRole('button', { name: 'Definir nova senha' }).click()
  await expect(tatiane.getByRole('article').first()).toBeVisible()
  await tatiane.close()
})

test('corretor removido: o acesso acaba na hora, e os leads vão para quem foi dito', async ({
  page,
  browser,
  whatsapp,
}) => {
  const leandro = await openAs(browser, whatsapp.origin, 'leandro')
  await enterAsAdmin(page)
  const card = cardOf(page, 'Leandro')
  const heir = cardOf(page, 'Camila')
  await expect(card).toContainText(/[1-9]\d* ?contatos/)
  // A person known to both brokers is one lead afterwards.
  const people = await peopleOf(whatsapp.origin, ['corretor_leandro', 'corretor_camila'])
  await card.getByRole('button', { name: 'Remover Leandro' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remover Leandro?' })
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
  // The phone's socket is dead: the broker is removed all the same.
  whatsapp.simulator.control.nextCall({ call: 'logout', effect: 'closed-500' })
  await remove.click()
  await expect(page.getByText('Corretor removido com sucesso!')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(heir.getByText(people.size.toLocaleString('pt-BR'), { exact: true })).toBeVisible()

  await expect(leandro.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await leandro.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await leandro.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(leandro.getByText('Usuário incorreto')).toBeVisible()
  await leandro.close()
})

async function peopleOf(origin: string, instances: readonly string[]): Promise<Set<number>> {
  const token = await tokenOf(origin, ADMIN)
  const { body } = await call<{ person_id: number }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=person_id&instanceName=in.(${instances.join()})`,
    { token },
  )
  return new Set(body.map((contact) => contact.person_id))
}
