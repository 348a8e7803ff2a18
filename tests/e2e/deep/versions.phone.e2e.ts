// A new version, and a stopped portal: the app on the device keeps working.
import type { Page } from '@playwright/test'
import { type Checkout, startCheckout } from '#tests/support/browser/second-version.ts'
import { expect, expectAccessible, NO_NETWORK, PORTAL_AWAY, test } from '#tests/support/browser/story.ts'

test.use({
  serviceWorkers: 'allow',
  leavesWaiting: true,
  expectedNoise: { patterns: [PORTAL_AWAY, NO_NETWORK] },
})

let checkout: Checkout

test.beforeAll(async () => {
  test.setTimeout(300_000)
  checkout = await startCheckout()
})

test.afterAll(() => checkout.remove())

test('um endereço qualquer abre com o servidor desligado, e nenhuma resposta da API fica guardada', async ({
  page,
  context,
}) => {
  await page.goto(checkout.origin)
  await enterAtCheckout(page, checkout)
  await controlled(page)
  await page.goto(`${checkout.origin}/broker?estagio=conversa`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('button', { name: 'Abrir conversa' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  for (const address of await cachedAddresses(page))
    expect(address, 'kept by the worker').toMatch(
      /^\/(assets|icons)\/|^\/(index\.html|manifest\.webmanifest|share\.js)$/,
    )

  await checkout.stop()
  await page.close()
  const later = await context.newPage()
  await later.goto(`${checkout.origin}/broker?estagio=conversa`)
  await expect(later.getByRole('link', { name: 'Conversas' })).toBeVisible()
  await expect(later.getByRole('article').first()).toBeVisible()
  await later.evaluate(() => document.fonts.ready)
  expect(await later.evaluate(() => document.fonts.check('16px "Figtree Variable"'))).toBe(true)
  expect(await later.evaluate(() => document.documentElement.lang)).toBe('pt-BR')
  await checkout.restart()
})

test('uma versão nova espera a sua vez, só a janela que pediu recarrega, e a antiga continua inteira', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000)
  await enterAtCheckout(page, checkout)
  await controlled(page)
  const other = await context.newPage()
  await other.goto(`${checkout.origin}/broker`)
  await controlled(other)
  const offer = (tab: Page) => tab.getByText('Nova versão disponível')
  for (const tab of [page, other]) {
    await tab.evaluate(() => Object.assign(window, { isFirstLoad: true }))
    await expect(offer(tab)).toBeHidden()
  }
  const oldParts = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(
        'script[src], link[rel=preload][as=script]',
      ),
    ].map((part) => ('src' in part ? part.src : part.href)),
  )

  await checkout.buildNext('index.html', (source) =>
    source.replace('<title>Portal do Corretor<', '<title>Portal Novo<'),
  )
  await checkout.restart()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  for (const tab of [page, other]) await expect(offer(tab)).toBeVisible()
  await expectAccessible(page)

  // Reloading an old page keeps the old version: nothing is updated silently.
  await page.reload()
  await expect(offer(page)).toBeVisible()
  await expect(page).not.toHaveTitle(/Portal Novo/)
  await page.evaluate(() => Object.assign(window, { isFirstLoad: true }))

  // The app does not update itself while a menu is open.
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await expect(offer(page)).toBeHidden()
  // The offer closes before the sheet opens that handles the key.
  await expect(page.getByRole('dialog', { name: 'camila' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(offer(page)).toBeVisible()

  // Nor during a drag.
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
  await page.goto(`${checkout.origin}/broker?estagio=arquivado`)
  await expect(offer(page)).toBeVisible()
  const place = await scrollDown(page, 'Arquivado')
  await page.getByRole('button', { name: 'Atualizar' }).click()
  await expect(page).toHaveTitle(/Portal Novo/)
  await expect(page).toHaveURL(/estagio=arquivado/)
  await expect.poll(() => placeIn(page, 'Arquivado')).toEqual(place)
  expect(await isFirstLoad(page)).toBe(false)
  await expect(offer(page)).toBeHidden()

  // The other tab stays unchanged while the user types, and still finds its chunks.
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

async function enterAtCheckout(page: Page, { origin }: Checkout) {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Usuário').fill('camila')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Senha', { exact: true }).fill('demo-corretor')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
}

/** The worker has cached the shell and controls the page. */
async function controlled(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

const fetchAll = (addresses: string[]) =>
  Promise.all(addresses.map(async (address) => (await fetch(address)).status))

const isFirstLoad = (page: Page) => page.evaluate(() => 'isFirstLoad' in window)

const cachedAddresses = (page: Page) =>
  page.evaluate(async () => {
    const stored = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return stored.flat().map(({ url }) => new URL(url).pathname)
  })

/** The first visible card, and its distance from the list's top. */
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
  // A list renders a moment after scrolling: waits for a visible card that stays.
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
