// From an empty data folder to the first answered lead, as administrator and broker. With DOCS_PICTURES=1 the
// administrators' page gets new screenshots.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { devices, type Page } from '@playwright/test'
import { systemClock } from '#server/clock.ts'
import { startSimulator } from '#server/whatsapp/gateway/simulator/simulator.ts'
import { ADMIN_PASSWORD, startPortal } from '#tests/support/portal.ts'
import { expect, expectAccessible, PORTAL_AWAY, REFUSED, test as base } from '#tests/support/browser/story.ts'

type Empty = { portal: Awaited<ReturnType<typeof startPortal>> }
const test = base.extend<Empty>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
  portal: async ({}, use) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'portal-first-hour-'))
    const portal = await startPortal(dataDir)
    await use(portal)
    await portal.process.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  },
  portalUrl: async ({ portal }, use) => use(portal.origin),
})
// While the portal restarts with the gateway, the event stream ends and reconnects.
test.use({ expectedNoise: { patterns: [REFUSED, PORTAL_AWAY, /status of 422/] } })

const picture = async (page: Page, name: string) => {
  if (process.env['DOCS_PICTURES'] === '1')
    await page.screenshot({ path: `docs/images/primeira-hora-${name}.jpg`, quality: 46, scale: 'css' })
}

test('do zero ao primeiro lead respondido', async ({ page, browser, portalUrl }) => {
  const simulator = await startSimulator({ clock: systemClock })
  await page.setViewportSize({ width: 1200, height: 760 })
  await page.goto('/panel')
  await page.getByLabel('Usuário').fill('admin')
  await page.getByLabel('Senha', { exact: true }).fill(ADMIN_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Do zero ao primeiro lead respondido' })).toBeVisible()
  const step = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const gateway = step('Ligue o serviço de WhatsApp')
  await expect(page.getByText('1 de 5 feito')).toBeVisible()
  await expectAccessible(page)
  await picture(page, '1-vazio')

  // The exact fault is shown, and valid values stay.
  await gateway.getByLabel('Endereço').fill(simulator.url)
  await gateway.getByLabel('Chave', { exact: true }).fill('errada')
  await gateway.getByRole('button', { name: 'Conferir e ligar' }).click()
  await expect(gateway.getByRole('alert')).toContainText('a chave do serviço de WhatsApp foi recusada')
  await picture(page, '2-chave-recusada')
  await gateway.getByLabel('Chave', { exact: true }).fill(simulator.apiKey)
  await gateway.getByRole('button', { name: 'Conferir e ligar' }).click()
  await expect(gateway.getByText('Pronto')).toBeVisible()
  await expect(page.getByText('2 de 5 feito')).toBeVisible()

  // The first broker, from the invitation to the linked phone.
  const broker = step('Cadastre o primeiro corretor')
  await broker.getByRole('button', { name: 'Adicionar Corretor' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('camila')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Criar/ })
    .click()
  const link = page.getByRole('dialog').getByRole('textbox')
  await expect(link).toHaveValue(/convite=|invite=|\/login/)
  const invite = new URL(await link.inputValue())
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).first().click()
  await expect(broker.getByText('Camila ainda não abriu o convite.')).toBeVisible()
  await picture(page, '3-convite')

  const phone = await browser.newContext({ ...devices['Pixel 7'], baseURL: portalUrl })
  const hers = await phone.newPage()
  await hers.goto(invite.pathname + invite.search + invite.hash)
  await hers.getByLabel('Nova senha', { exact: true }).fill('chave-da-casa')
  await hers.getByLabel('Confirme a nova senha').fill('chave-da-casa')
  await hers.getByRole('button', { name: 'Definir nova senha' }).click()
  await hers.getByRole('button', { name: /^Conectar/ }).click()
  await expect(hers.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  await expect(broker.getByText('Camila já entrou; falta conectar o WhatsApp pelo celular.')).toBeVisible()
  simulator.control.scan({ instance: 'corretor_camila', number: '5511955550101', name: 'Camila' })
  await expect(broker.getByText('Camila está com o WhatsApp conectado.')).toBeVisible()
  await picture(page, '4-conectado')

  // A source, and back to the steps.
  await step('Ligue uma fonte de leads').getByRole('button', { name: 'Ligar uma fonte' }).click()
  await expect(page.getByRole('heading', { name: 'Gerenciamento de Roletas' })).toBeVisible()
  await page.getByRole('button', { name: 'Ligar uma fonte' }).click()
  const making = page.getByRole('dialog', { name: 'Ligar uma fonte' })
  await making.getByRole('button', { name: /^Site ou outro sistema/ }).click()
  await making.getByLabel('Nome da fonte').fill('Site')
  await making.getByRole('button', { name: 'Ligar', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Site' })).toBeVisible()
  await page.getByRole('link', { name: 'WhatsApp' }).first().click()
  await expect(page.getByText('4 de 5 feito')).toBeVisible()

  // The first lead writes and is answered from the phone; then the guide is finished.
  simulator.control.receive({
    instance: 'corretor_camila',
    from: '5511955550177',
    name: 'Marta Queiroz',
    text: 'Vi a placa do Mirante. Ainda tem?',
  })
  await expect(page.getByText('Marta Queiroz chegou e espera resposta.')).toBeVisible()
  await picture(page, '5-primeiro-lead')
  await hers
    .getByRole('article', { name: /^Marta Queiroz/ })
    .getByText('Vi a placa')
    .click()
  await hers.getByRole('textbox', { name: 'Mensagem' }).fill('Tem sim! Quando quer visitar?')
  await hers.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(hers.getByText('Tem sim! Quando quer visitar?').first()).toBeVisible()
  await expect(page.getByText(/^Respondido em \d+ (?:s|min)/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Do zero ao primeiro lead respondido' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Gerenciar Corretores' })).toBeVisible()
  await picture(hers, '6-respondido')
  await phone.close()
  await simulator.stop()
})
