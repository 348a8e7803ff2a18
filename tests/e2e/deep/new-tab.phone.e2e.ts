// A new tab shows the saved page before the app is loaded, unless something has changed since.
import type { BrowserContext, Page } from '@playwright/test'
import { askDevice, heldAnswers } from '#tests/support/browser/device.ts'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { onOwnDemo } from '#tests/support/browser/own-portal.ts'
import { ADMIN } from '#tests/support/browser/session.ts'
import { enterAsBroker, expect, REFUSED, test } from '#tests/support/browser/story.ts'
import { leave } from '#tests/e2e/local-data.ts'

const APP = '**/assets/app-*.js'
const seen = (page: Page) => page.locator('body > [inert]')
const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(`^${name}`) })

/** Waits until the device has saved the current page. */
const expectKept = (page: Page, pathname: string) =>
  expect.poll(() => heldAnswers(page)).toContain(`page ${pathname}`)

type Kept = { state: string }

/** Changes the saved page on the device. */
async function changeKept(page: Page, change: (kept: Kept) => Kept) {
  const answers = (await askDevice(page, { store: 'answers', work: 'getAll' })) as {
    name: string
    data: Kept
  }[]
  const kept = answers.find(({ name }) => name === 'page /broker')
  if (!kept) throw new Error('nothing is kept')
  await page.evaluate(
    (row) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('portal')
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction('answers', 'readwrite')
          writing.objectStore('answers').put(row)
          writing.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
    { ...kept, data: change(kept.data) },
  )
}

/** A tab whose app chunk is held until `arrive` is called. */
async function openBeforeApp(context: BrowserContext, address: string) {
  const tab = await context.newPage()
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  await tab.route(APP, async (route) => {
    await held
    await route.continue()
  })
  await tab.addInitScript(() => {
    Object.assign(window, { wasSeen: false })
    new MutationObserver(() => {
      if (document.querySelector('body > [inert]')) Object.assign(window, { wasSeen: true })
    }).observe(document, { childList: true, subtree: true })
  })
  await tab.goto(address, { waitUntil: 'commit' })
  return { tab, arrive }
}

test('uma aba nova mostra o quadro como estava, e depois o de verdade', async ({ page, context }) => {
  await enterAsBroker(page)
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await expectKept(page, '/broker')

  const { tab, arrive } = await openBeforeApp(context, '/broker')
  await expect(seen(tab)).toBeVisible()
  await expect(seen(tab).locator('article').first()).toContainText('Marina Tavares')
  // Texts like 'há 2 min' would be wrong by now.
  await expect(seen(tab).locator('time').first()).toBeHidden()
  await expect(tab.locator('#root > *')).toHaveCount(0)
  // Only the sheets that style what is seen.
  await expect(tab.locator('head link[rel=stylesheet]')).toHaveCount(1)
  arrive()
  await expect(seen(tab)).toHaveCount(0)
  await expect(card(tab, 'Marina Tavares').locator('time')).toBeVisible()
})

test('o que mudou desde então não aparece como era', async ({ page, context }) => {
  await enterAsBroker(page)
  await expect(card(page, 'Marina Tavares')).toBeVisible()
  await expectKept(page, '/broker')
  // For example of an older build, whose HTML differs.
  await changeKept(page, (kept) => ({ ...kept, state: `${kept.state} else` }))

  const { tab, arrive } = await openBeforeApp(context, '/broker')
  arrive()
  await expect(card(tab, 'Marina Tavares').locator('time')).toBeVisible()
  expect(await tab.evaluate(() => Reflect.get(window, 'wasSeen'))).toBe(false)
})

const onOwn = onOwnDemo()

onOwn(
  'quem passou a outra pessoa com o app fechado sai do quadro e do que fica dele no aparelho',
  async ({ page, context, portalUrl }) => {
    await enterAsBroker(page)
    await expect(card(page, 'Marina Tavares')).toBeVisible()
    await expectKept(page, '/broker')
    await page.close()
    const { id } = await (await elsewhere(portalUrl)).lead('Marina Tavares')
    await (await elsewhere(portalUrl, ADMIN)).passTo('corretor_rafael', id)

    const tab = await context.newPage()
    await tab.goto('/broker')
    await expect(tab.getByRole('article').first()).toBeVisible()
    await expect(card(tab, 'Marina Tavares')).toHaveCount(0)
    await expectKept(tab, '/broker')
    await expect
      .poll(async () => JSON.stringify(await askDevice(tab, { store: 'answers', work: 'getAll' })))
      .not.toContain('Marina Tavares')
    await expect(seen(tab)).toHaveCount(0)
  },
)

test.describe(() => {
  // Requests in progress when the user left.
  test.use({ expectedNoise: { patterns: [REFUSED] } })

  test('quem saiu não deixa nada para a próxima aba', async ({ page, context }) => {
    await enterAsBroker(page)
    await expect(card(page, 'Marina Tavares')).toBeVisible()
    await expectKept(page, '/broker')
    await leave(page)
    await expect(page).toHaveURL('/login')
    await expect.poll(() => askDevice(page, { store: 'answers', work: 'count' })).toBe(0)

    const { tab, arrive } = await openBeforeApp(context, '/broker')
    arrive()
    await expect(tab).toHaveURL('/login')
    expect(await tab.evaluate(() => Reflect.get(window, 'wasSeen'))).toBe(false)
  })
})
