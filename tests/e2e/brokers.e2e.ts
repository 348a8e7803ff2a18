// 'Gerenciar Corretores' in a browser: added, invited, connected, with the gateway's failures (SPEC.md 2.5, 5, 8, 9).
import type { Browser, Locator, Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { startDemo } from '#tests/support/e2e-portal.ts'
import { boxOf } from '#tests/support/finger.ts'
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

type Line = { simulator: ListeningSimulator; origin: string }

/** A portal of these stories alone, invited brokers only, over a gateway whose knobs they turn. */
const test = onOwnPortal<Line>(async (use) => {
  const simulator = await startSimulator({ clock: systemClock })
  const demo = await startDemo({
    EVOLUTION_URL: simulator.url,
    EVOLUTION_API_KEY: simulator.apiKey,
    FIRST_ACCESS: 'invite',
  })
  await use({ simulator, origin: demo.origin })
  await demo.stop()
  await simulator.stop()
})
// A stand-in for an answer sees nothing of what passes by the worker.
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] }, serviceWorkers: 'block' })

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function openAdding(page: Page) {
  // The second click of an impatient hand meets the dialog of the first.
  await page.getByRole('button', { name: 'Adicionar Corretor' }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Adicionar Corretor' })
  const field = dialog.getByLabel('Nome do corretor')
  await expect(field).toBeFocused()
  return { dialog, field, create: dialog.getByRole('button', { name: 'Criar corretor' }) }
}

/** A step of a clock that stands. */
const STEP_MS = 50
/** Longer than a toast takes to leave. */
const LEAVING_MS = 1_000
const REFUSAL = { error: { code: 'gateway.unreachable', message: 'O WhatsApp não respondeu.' } }

/** Answers the one-time link. */
async function add(page: Page, username: string): Promise<string> {
  const { field, create } = await openAdding(page)
  await field.fill(username)
  await create.click()
  return readInvite(page, username)
}

async function readInvite(page: Page, username: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Link de primeiro acesso' })
  await expectWithin(dialog.getByText(`Envie este link para ${shown(username)}`), dialog)
  const link = await dialog.getByRole('textbox').inputValue()
  await dialog.getByRole('button', { name: 'Concluir' }).click()
  await expect(dialog).toBeHidden()
  return link
}

/** However long a name is, its words run out of nothing. */
async function expectWithin(words: Locator, dialog: Locator) {
  const overhang = await words.evaluate((text) => text.scrollWidth - text.clientWidth)
  expect(overhang).toBeLessThanOrEqual(0)
  expect((await words.boundingBox())?.width).toBeLessThan((await dialog.boundingBox())?.width ?? 0)
}

/** Letters that no other project of these stories takes. */
const own = (name: string, isMobile: boolean) => name + (isMobile ? 'fone' : 'mesa')
const shown = (username: string) => username.charAt(0).toUpperCase() + username.slice(1)

test('um corretor é adicionado, e o link abre o primeiro acesso em outro navegador', async ({
  page,
  browser,
  isMobile,
}) => {
  // As long as a name may be: 60 letters.
  const username = own('marina'.padEnd(56, 'ana'), isMobile)
  await enterAsAdmin(page)
  await expect(page.getByRole('heading', { name: 'Gerenciar Corretores' })).toBeVisible()
  await expect(cardOf(page, 'Camila')).toContainText(/\d+ ?contatos/)
  await expectAccessible(page)

  const { dialog, field, create } = await openAdding(page)
  await expect(
    dialog.getByText('Use apenas letras minúsculas, sem espaços ou caracteres especiais'),
  ).toBeVisible()
  await expect(create).toBeDisabled()
  await field.press('Enter')
  await expect(dialog.getByText('Nome do corretor é obrigatório')).toBeVisible()
  await field.pressSequentially('Ana 2')
  await expect(field).toHaveValue('na')
  await field.fill('camila')
  // Text is selected from its end to beyond the dialog's edge; only a press beside the dialog closes it.
  await page.mouse.move((await boxOf(field)).x + 90, (await boxOf(field)).y + 20)
  await page.mouse.down()
  await page.mouse.move(4, 4)
  await page.mouse.up()
  await create.click()
  await expect(dialog.getByText('Já existe um corretor com este nome')).toBeVisible()
  await expectAccessible(page)
  await field.fill(username)
  await create.click()
  const link = await readInvite(page, username)
  await expect(cardOf(page, shown(username))).toContainText('Desconectado')
  const search = await page.getByRole('searchbox', { name: 'Buscar corretor...' }).boundingBox()
  expect(search?.width).toBeGreaterThan(180)
  await expect(cardOf(page, shown(username))).toContainText('Aguardando primeiro acesso')

  const other = await browser.newPage()
  await other.goto(link)
  const name = other.getByLabel('Usuário')
  if ((await name.count()) > 0 && (await name.isVisible())) {
    await expect(name).toHaveValue(username)
    await other.getByRole('button', { name: 'Continuar' }).click()
  }
  await other.getByLabel('Nova Senha', { exact: true }).fill('segredo-novo')
  await other.getByLabel('Confirme a Nova Senha').fill('segredo-novo')
  await other.getByRole('button', { name: 'Definir Nova Senha' }).click()
  await expect(other).toHaveURL(/\/broker/)
  await expect(cardOf(page, shown(username))).not.toContainText('Aguardando primeiro acesso')
  await other.close()
})

test('o QR Code de um corretor abre no cartão dele, que fica conectado ao vivo', async ({
  page,
  isMobile,
  line: { simulator },
}) => {
  const username = own('vera', isMobile)
  await enterAsAdmin(page)
  await add(page, username)
  const card = cardOf(page, shown(username))
  await card.getByRole('button', { name: /^Conectar WhatsApp/ }).click()
  await expect(page.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  simulator.control.scan({ instance: `corretor_${username}`, number: `55119555501${isMobile ? '77' : '88'}` })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(card).toContainText('Conectado')
  await expect(card).toContainText(`(11) 95555-01${isMobile ? '77' : '88'}`)
})

test('o que o WhatsApp recusa é dito, e nada fica pela metade', async ({
  page,
  isMobile,
  line: { simulator },
}) => {
  const [username, taken] = [own('semid', isMobile), own('alheia', isMobile)]
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

/** The browser of a broker who has the portal open while the administrator acts. */
async function openAs(browser: Browser, { origin }: Line, username: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: origin, locale: 'pt-BR' })).newPage()
  await enterAsBroker(page, username)
  await expect(page.getByRole('article').first()).toBeVisible()
  return page
}

/** Under a clock that stands: `act` brings the toast, which stays as long as it may and then goes. */
async function expectToast(
  page: Page,
  { text, ms, act }: { text: string; ms: number; act: () => Promise<void> },
) {
  const words = page.getByText(text)
  await act()
  // A pointer that rests on it would hold it.
  await page.mouse.move(0, 0)
  await expect
    .poll(async () => {
      await page.clock.runFor(STEP_MS)
      return words.isVisible()
    })
    .toBe(true)
  await page.clock.runFor(ms - 2 * STEP_MS)
  await expect(words).toBeVisible()
  await page.clock.runFor(2 * STEP_MS + LEAVING_MS)
  await expect(words).toHaveCount(0)
}

test('senha resetada: o corretor sai de todos os aparelhos e volta pelo link', async ({
  page,
  browser,
  line,
  isMobile,
}) => {
  test.skip(isMobile, 'a mesma tela, mais estreita')
  const juliana = await openAs(browser, line, 'juliana')
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
  await juliana.getByLabel('Nova Senha', { exact: true }).fill('outra-senha')
  await juliana.getByLabel('Confirme a Nova Senha').fill('outra-senha')
  await juliana.getByRole('button', { name: 'Definir Nova Senha' }).click()
  await expect(juliana.getByRole('article').first()).toBeVisible()
  await juliana.context().close()
})

test('corretor removido: o acesso acaba na hora, e os leads vão para quem foi dito', async ({
  page,
  browser,
  line,
  isMobile,
}) => {
  test.skip(isMobile, 'a mesma tela, mais estreita')
  const rafael = await openAs(browser, line, 'rafael')
  await page.clock.install()
  await enterAsAdmin(page)
  const card = cardOf(page, 'Rafael')
  const heir = cardOf(page, 'Camila')
  await expect(card).toContainText(/[1-9]\d* ?contatos/)
  // Whoever both know is one lead afterwards.
  const people = await peopleOf(line.origin, ['corretor_rafael', 'corretor_camila'])
  await card.getByRole('button', { name: 'Remover Rafael' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remover Rafael?' })
  await expect(dialog.getByText('O acesso ao portal, em todos os aparelhos, agora.')).toBeVisible()
  await expectAccessible(page)
  const remove = dialog.getByRole('button', { name: 'Remover corretor' })
  await dialog.getByLabel('Passam para outro corretor').click()
  await expect(remove).toBeDisabled()
  await dialog.getByLabel('Corretor que recebe os leads').selectOption('Camila')

  // Spec 8, 9: a failure is read for five seconds, a success for three.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.route('**/remove', (route) => route.fulfill({ status: 503, json: REFUSAL }))
  await expectToast(page, {
    text: `Erro ao remover corretor: ${REFUSAL.error.message}`,
    ms: 5_000,
    act: () => remove.click(),
  })
  await page.unroute('**/remove')
  // The socket of his phone is dead: he goes all the same.
  line.simulator.control.nextCall({ call: 'logout', effect: 'closed-500' })
  await expectToast(page, { text: 'Corretor removido com sucesso!', ms: 3_000, act: () => remove.click() })
  await page.clock.resume()
  await expect(card).toHaveCount(0)
  await expect(heir.getByText(people.size.toLocaleString('pt-BR'), { exact: true })).toBeVisible()

  await expect(rafael.getByText('Sua sessão expirou. Entre de novo.')).toBeVisible()
  await rafael.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await rafael.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(rafael.getByText('Usuário incorreto')).toBeVisible()
  await rafael.context().close()
})

async function peopleOf(origin: string, instances: readonly string[]): Promise<Set<number>> {
  const token = await signIn(origin, 'admin@admin.local', 'demo-admin')
  const { body } = await call<{ person_id: number }[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=person_id&instanceName=in.(${instances.join()})`,
    { token },
  )
  return new Set(body.map((contact) => contact.person_id))
}
