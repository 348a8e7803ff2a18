// The portal as an app on the home screen: accepted by the browser, kept on the device, updated when its person wishes. PWA.md 1; INTERACTIONS 8.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '#tests/support/chromium.mjs'
import { type House, startHouse } from '#tests/support/second-version.ts'
import {
  enterAsBroker,
  expect,
  expectAccessible,
  NO_NETWORK,
  PORTAL_AWAY,
  test,
} from '#tests/support/story.ts'

test.use({ leavesWaiting: true, expectedNoise: { patterns: [PORTAL_AWAY, NO_NETWORK] } })

test('o navegador aceita o portal como aplicativo, sem nenhuma ressalva', async ({ portalUrl, viewport }) => {
  // A window of its own profile: in a private one nothing can be installed.
  const profile = await mkdtemp(path.join(tmpdir(), 'portal-profile-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    args: CHROMIUM_ARGS,
    viewport,
  })
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(portalUrl)
    await expect(page.getByLabel('Usuário')).toBeVisible()
    const session = await context.newCDPSession(page)
    const manifest = await session.send('Page.getAppManifest')
    expect([manifest.url, manifest.errors]).toEqual([`${portalUrl}/manifest.webmanifest`, []])
    expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    expect((await session.send('Page.getAppId')).appId).toBe(`${portalUrl}/`)
    await expectPictures(page, JSON.parse(manifest.data ?? '{}') as Manifest)
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
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
  test.use({ serviceWorkers: 'block' })

  test('uma parte que não pôde ser buscada é dita, e vem na mesma página quando há sinal', async ({
    page,
    context,
  }) => {
    const late = '**/assets/{conversation-dialog,board-sheets,connection-strip,motion-features}*'
    const marina = page.getByRole('article').first()
    const missing = page.getByText('Erro ao abrir. Tente de novo quando houver sinal.')
    await page.route(late, (route) => route.abort())
    await enterAsBroker(page)
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
      ['board-sheets', 'connection-strip'].map(async (part) =>
        (await page.waitForResponse(`**/assets/${part}*`)).finished(),
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
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await page.evaluate(() => 'isSamePage' in window && window.isSamePage)).toBe(true)
  })
})

test.describe('com a casa inteira nas mãos', () => {
  test.skip(({ isMobile }) => !isMobile, 'o mesmo em qualquer tela')
  let house: House
  test.beforeAll(async () => {
    test.setTimeout(300_000)
    house = await startHouse()
  })
  test.afterAll(() => house.remove())

  test('um endereço qualquer abre com o servidor desligado, e nenhuma resposta da API fica guardada', async ({
    page,
    context,
  }) => {
    await page.goto(house.origin)
    await enterAtHouse(page, house)
    await controlled(page)
    await page.goto(`${house.origin}/broker?estagio=conversa`)
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.getByRole('button', { name: 'Abrir conversa' }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    for (const address of await keptAddresses(page))
      expect(address, 'kept by the worker').toMatch(
        /^\/(assets|icons)\/|^\/(index\.html|manifest\.webmanifest)$/,
      )

    await house.stop()
    await page.close()
    const later = await context.newPage()
    await later.goto(`${house.origin}/broker?estagio=conversa`)
    await expect(later.getByRole('link', { name: 'Conversas' })).toBeVisible()
    await expect(later.getByRole('article').first()).toBeVisible()
    await later.evaluate(() => document.fonts.ready)
    expect(await later.evaluate(() => document.fonts.check('16px "Figtree Variable"'))).toBe(true)
    expect(await later.evaluate(() => document.documentElement.lang)).toBe('pt-BR')
    await house.restart()
  })

  test('uma versão nova espera a sua vez, só a janela que pediu recarrega, e a antiga continua inteira', async ({
    page,
    context,
  }) => {
    test.setTimeout(300_000)
    await enterAtHouse(page, house)
    await controlled(page)
    const other = await context.newPage()
    await other.goto(`${house.origin}/broker`)
    await controlled(other)
    const offer = (tab: Page) => tab.getByText('Nova versão disponível')
    for (const tab of [page, other]) {
      await tab.evaluate(() => Object.assign(window, { isFirstLoad: true }))
      await expect(offer(tab)).toBeHidden()
    }
    const oldParts = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(
          'script[src], link[rel=modulepreload]',
        ),
      ].map((part) => ('src' in part ? part.src : part.href)),
    )

    await house.buildNext('src/ui/page-title.ts', (source) =>
      source.replace('Portal do Corretor', 'Portal Novo'),
    )
    await house.restart()
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    for (const tab of [page, other]) await expect(offer(tab)).toBeVisible()
    await expectAccessible(page)

    // A second look at an old page keeps the old version: nothing is taken over without a word.
    await page.reload()
    await expect(offer(page)).toBeVisible()
    await expect(page).not.toHaveTitle(/Portal Novo/)
    await page.evaluate(() => Object.assign(window, { isFirstLoad: true }))

    // Not while something is open.
    await page.getByRole('button', { name: /^Conta de/ }).click()
    await expect(offer(page)).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(offer(page)).toBeVisible()

    // Nor while a card is in the hand.
    await page.getByRole('article').first().focus()
    await page.keyboard.press('Space')
    await expect(offer(page)).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(offer(page)).toBeVisible()

    await other.bringToFront()
    const notes = other.getByRole('textbox', { name: 'Notas do Lead' })
    await other.getByRole('button', { name: 'Notas' }).first().click()
    await notes.fill('Prefere andar alto')
    await page.bringToFront()
    await page.goto(`${house.origin}/broker?estagio=arquivado`)
    await expect(offer(page)).toBeVisible()
    const place = await scrollDown(page, 'Arquivado')
    await page.getByRole('button', { name: 'Atualizar' }).click()
    await expect(page).toHaveTitle(/Portal Novo/)
    await expect(page).toHaveURL(/estagio=arquivado/)
    await expect.poll(() => placeIn(page, 'Arquivado')).toEqual(place)
    expect(await isFirstLoad(page)).toBe(false)
    await expect(offer(page)).toBeHidden()

    // The tab that did not ask stays as it is, in the middle of a sentence, and still finds its parts.
    await other.bringToFront()
    await expect(notes).toHaveValue('Prefere andar alto')
    await expect(offer(other)).toBeHidden()
    expect(await isFirstLoad(other)).toBe(true)
    expect(await other.evaluate(fetchAll, oldParts)).toEqual(oldParts.map(() => 200))
    await other.getByRole('button', { name: 'Salvar' }).click()
    await other.getByRole('button', { name: 'Recarregar quando puder' }).click()
    await expect(other).toHaveTitle(/Portal Novo/)
    await expect(other.getByText('Prefere andar alto').first()).toBeVisible()
  })
})

type Picture = { src: string; sizes: string }
type Manifest = { icons: Picture[]; screenshots: Picture[]; shortcuts: { icons: Picture[] }[] }

/** Each picture is there in the size that the manifest says. */
async function expectPictures(page: Page, { icons, screenshots, shortcuts }: Manifest) {
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return `${image.naturalWidth}x${image.naturalHeight}`
        }),
      ),
    pictures.map(({ src }) => src),
  )
  expect(sizes).toEqual(pictures.map((picture) => picture.sizes))
}

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

async function enterAtHouse(page: Page, { origin }: House) {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Usuário').fill('camila')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
}

/** The worker has kept the shell and stands before the page. */
async function controlled(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

const fetchAll = (addresses: string[]) =>
  Promise.all(addresses.map(async (address) => (await fetch(address)).status))

const isFirstLoad = (page: Page) => page.evaluate(() => 'isFirstLoad' in window)

const keptAddresses = (page: Page) =>
  page.evaluate(async () => {
    const kept = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })

/** The first card in sight, and how far it stands from the list's top. */
const placeIn = (page: Page, stage: string) =>
  page.getByRole('feed', { name: stage }).evaluate((feed) => {
    const top = scrollerOf(feed).getBoundingClientRect().top
    const card = [...feed.querySelectorAll('article')].find(
      (each) => each.getBoundingClientRect().bottom > top,
    )
    return [card?.getAttribute('aria-posinset'), Math.round((card?.getBoundingClientRect().top ?? 0) - top)]

    function scrollerOf(element: Element): Element {
      const parent = element.parentElement
      return !parent || parent.scrollHeight > parent.clientHeight + 1
        ? (parent ?? element)
        : scrollerOf(parent)
    }
  })

async function scrollDown(page: Page, stage: string) {
  const feed = page.getByRole('feed', { name: stage })
  await feed.evaluate((element) => {
    let scroller: Element | null = element
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    scroller?.scrollTo({ top: 1_130 })
  })
  // A list is drawn a moment after it was scrolled: with a card in sight that stays.
  let place = await placeIn(page, stage)
  await expect
    .poll(async () => {
      const before = place
      place = await placeIn(page, stage)
      return Number(place[0]) > 1 && before.join() === place.join()
    })
    .toBe(true)
  return place
}
