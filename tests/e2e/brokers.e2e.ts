// 'Gerenciar Corretores' in a browser: added, invited, connected, with the gateway's failures (SPEC.md 2.5, 5, 8, 9).
import type { Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator, type ListeningSimulator } from '#server/gateway/simulator/simulator.ts'
import { startDemo } from '#tests/support/e2e-portal.ts'
import {
  enterAsAdmin,
  expect,
  expectAccessible,
  NO_NETWORK,
  REFUSED,
  test as base,
} from '#tests/support/story.ts'

type Line = { simulator: ListeningSimulator; origin: string }

/** A portal of these stories alone, invited brokers only, over a gateway whose knobs they turn. */
const test = base.extend<object, { line: Line }>({
  line: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const simulator = await startSimulator({ clock: systemClock })
      const demo = await startDemo({
        EVOLUTION_URL: simulator.url,
        EVOLUTION_API_KEY: simulator.apiKey,
        FIRST_ACCESS: 'invite',
      })
      await use({ simulator, origin: demo.origin })
      await demo.stop()
      await simulator.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  portalUrl: async ({ line }, use) => use(line.origin),
})
test.use({ expectedNoise: { patterns: [REFUSED, NO_NETWORK, /status of 50[23]/] } })

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function openAdding(page: Page) {
  await page.getByRole('button', { name: 'Adicionar Corretor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Adicionar Corretor' })
  return {
    dialog,
    field: dialog.getByLabel('Nome do corretor'),
    create: dialog.getByRole('button', { name: 'Criar corretor' }),
  }
}

/** Answers the one-time link. */
async function add(page: Page, username: string): Promise<string> {
  const { field, create } = await openAdding(page)
  await field.fill(username)
  await create.click()
  return readInvite(page)
}

async function readInvite(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Link de primeiro acesso' })
  const link = await dialog.getByRole('textbox').inputValue()
  await dialog.getByRole('button', { name: 'Concluir' }).click()
  await expect(dialog).toBeHidden()
  return link
}

/** Letters that no other project of these stories takes. */
const own = (name: string, isMobile: boolean) => name + (isMobile ? 'fone' : 'mesa')
const shown = (username: string) => username.charAt(0).toUpperCase() + username.slice(1)

test('um corretor é adicionado, e o link abre o primeiro acesso em outro navegador', async ({
  page,
  browser,
  isMobile,
}) => {
  const username = own('marina', isMobile)
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
  await create.click()
  await expect(dialog.getByText('Já existe um corretor com este nome')).toBeVisible()
  await expectAccessible(page)
  await field.fill(username)
  await create.click()
  const link = await readInvite(page)
  await expect(cardOf(page, shown(username))).toContainText('Desconectado')
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
  const username = own('semid', isMobile)
  await enterAsAdmin(page)
  simulator.control.nextCall({ call: 'create', effect: 'no-id' })
  const { dialog, field, create } = await openAdding(page)
  await field.fill(username)
  await create.click()
  await expect(
    dialog.getByText('Erro ao criar corretor: Erro ao criar instância: ID não retornado'),
  ).toBeVisible()
  simulator.control.nextCall({ call: 'webhook', effect: 'refused-400' })
  await create.click()
  await readInvite(page)
  await expect(cardOf(page, shown(username))).toBeVisible()
})
