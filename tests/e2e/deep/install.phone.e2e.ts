// The app's installation is offered at a good moment, and explained if only the user can do it; parts that fail to load
// are reported.
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

  // On request it is shown at once, followed by the browser's own prompt.
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
    // The picture for the app's start has the size of this screen.
    expect(await startImage(page)).toEqual({ width: 780, height: 1688 })
    await sheet.getByRole('button', { name: 'Entendi' }).click()
    await expect(sheet).toBeHidden()

    // Safari's property in an app opened from the home screen.
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
    const late = '**/assets/{arrivals,conversation,presses}-*'
    const marina = page.getByRole('article').first()
    const missing = page.getByText('Erro ao abrir. Tente de novo quando a internet voltar.')
    await page.route(late, (route) => route.abort())
    // The worker's maintenance loads by itself, and a failure has no effect.
    const keeping = page.waitForRequest('**/assets/arrivals-*')
    await enterAsBroker(page)
    await keeping
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await marina.getByRole('button', { name: 'Abrir conversa' }).click()
    await expect(missing).toBeVisible()
    await expect(marina).toBeVisible()

    // The offline message needs no other part.
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
    // The invitation does not open again by an earlier press.
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

/** Chromium's event on an installable page, for a window where it would not fire. */
function fakeInstallPrompt() {
  addEventListener('load', () => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    dispatchEvent(Object.assign(event, { prompt: () => Promise.resolve({ outcome: 'accepted' }) }))
  })
}

/** The app's maintenance is loaded and has counted this visit. */
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

const startImage = (page: Page) =>
  page.evaluate(async () => {
    const picture = new Image()
    picture.src = document.querySelector<HTMLLinkElement>('[rel=apple-touch-startup-image]')?.href ?? ''
    await picture.decode()
    return { width: picture.naturalWidth, height: picture.naturalHeight }
  })
