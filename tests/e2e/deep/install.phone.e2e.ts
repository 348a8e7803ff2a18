// The home screen is offered when it is welcome, and explained where only hands can do it; what could not be fetched is said.
import type { Page } from '@playwright/test'
import {
  enterAsBroker,
  expect,
  expectAccessible,
  NO_NETWORK,
  PORTAL_AWAY,
  test,
} from '#tests/support/browser/story.ts'

test.use({
  serviceWorkers: 'allow',
  leavesWaiting: true,
  expectedNoise: { patterns: [PORTAL_AWAY, NO_NETWORK] },
})

test('a tela de início é oferecida na terceira visita, e "Agora não" vale', async ({ page }) => {
  await page.addInitScript(fakeInstallPrompt)
  await enterAsBroker(page)
  await settled(page)
  const sheet = page.getByRole('dialog', { name: 'Instale o Portal RHS' })
  await expect.poll(() => record(page)).toMatchObject({ sessions: 1, declines: 0 })
  await expect(sheet).toBeHidden()

  await rewriteRecord(page, { sessions: 3 })
  await page.reload()
  await expect(sheet).toBeVisible()
  await expect(sheet.getByText('Abre direto da tela inicial e funciona mesmo sem sinal.')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Agora não' }).click()
  await expect(sheet).toBeHidden()
  await expect.poll(() => record(page)).toMatchObject({ declines: 1 })
  await page.reload()
  await settled(page)
  await expect(sheet).toBeHidden()

  // Asked for, it is there at once, and the browser's own question follows.
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: 'Instalar o aplicativo' }).click()
  await sheet.getByRole('button', { name: 'Instalar', exact: true }).click()
  await expect(sheet).toBeHidden()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect(page.getByRole('button', { name: 'Sair' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Instalar o aplicativo' })).toBeHidden()
})

test.describe('num iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })

  test('os três passos são mostrados, e na tela de início não há mais o que oferecer', async ({ page }) => {
    await enterAsBroker(page)
    await settled(page)
    await page.getByRole('button', { name: /^Conta de/ }).click()
    await page.getByRole('button', { name: 'Instalar o aplicativo' }).click()
    const sheet = page.getByRole('dialog', { name: 'Instale o Portal RHS' })
    await expect(sheet.getByRole('listitem')).toHaveText([
      'Toque em Compartilhar na barra do Safari',
      'Escolha Adicionar à Tela de Início',
      'Abra pelo ícone e ative os avisos de mensagem',
    ])
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'Entendi' }).click()
    await expect(sheet).toBeHidden()

    // As Safari tells an app that was opened from the home screen.
    await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
    await page.reload()
    await page.getByRole('button', { name: /^Conta de/ }).click()
    await expect(page.getByRole('button', { name: 'Sair' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Instalar o aplicativo' })).toBeHidden()
  })
})

test.describe('sem o que o aparelho guarda', () => {
  test.use({
    serviceWorkers: 'block',
    expectedNoise: { patterns: [PORTAL_AWAY, NO_NETWORK, /^Couldn't load preload assets/] },
  })

  test('uma parte que não pôde ser buscada é dita, e vem na mesma página quando há sinal', async ({
    page,
    context,
  }) => {
    const late = '**/assets/{arrivals,presses}-*'
    const marina = page.getByRole('article').first()
    const missing = page.getByText('Erro ao abrir. Tente de novo quando a internet voltar.')
    await page.route(late, (route) => route.abort())
    // What looks after the worker comes by itself, and fails nothing where it does not.
    const keeping = page.waitForRequest('**/assets/arrivals-*')
    await enterAsBroker(page)
    await keeping
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await marina.getByRole('button', { name: 'Abrir conversa' }).click()
    await expect(missing).toBeVisible()
    await expect(marina).toBeVisible()

    // Whatever else is missing, that there is no signal is said.
    await context.setOffline(true)
    await expect(page.getByText('Sem conexão', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await marina.getByRole('button', { name: /Mover/ }).click()
    await expect(missing).toBeVisible()
    await page.unroute(late)
    const arrived = Promise.all(
      ['arrivals', 'presses'].map(async (part) =>
        (await page.waitForResponse(`**/assets/${part}-*`)).finished(),
      ),
    )
    await context.setOffline(false)
    await expect(page.getByText('Sem conexão')).toBeHidden()
    await arrived
    // Nothing that was pressed before opens by itself.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await context.setOffline(true)
    await expect(page.getByText(/^Sem conexão · mostrando dados de/)).toBeVisible()
    await marina.getByRole('button', { name: /Mover/ }).click()
    await expect(page.getByRole('dialog', { name: 'Mover para' })).toBeVisible()
    await page.keyboard.press('Escape')
    await context.setOffline(false)
    await marina.getByRole('button', { name: 'Abrir conversa' }).click()
    await expect(page.getByRole('dialog', { name: /Marina Tavares/ })).toBeVisible()
    expect(await page.evaluate(() => 'isSamePage' in window && window.isSamePage)).toBe(true)
  })
})

/** What Chromium says once on a page that can be installed, in a window where it would not. */
function fakeInstallPrompt() {
  addEventListener('load', () => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    dispatchEvent(Object.assign(event, { prompt: () => Promise.resolve({ outcome: 'accepted' }) }))
  })
}

/** The part that looks after the app has come and counted this visit. */
async function settled(page: Page) {
  await page.waitForFunction(() => sessionStorage.getItem('session-counted') !== null)
}

const record = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('install') ?? '{}') as Record<string, unknown>)

async function rewriteRecord(page: Page, change: Record<string, unknown>) {
  await page.evaluate((changed) => {
    const before = JSON.parse(localStorage.getItem('install') ?? '{}') as Record<string, unknown>
    localStorage.setItem('install', JSON.stringify({ ...before, ...changed }))
  }, change)
}
