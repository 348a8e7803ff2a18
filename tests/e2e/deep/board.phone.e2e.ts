// A board that fails to load, and content cut off on a narrow phone with large text.
import { boxOf, restOf } from '#tests/support/browser/pointer.ts'
import { enterAsAdmin, enterAsBroker, expect, REFUSED, test } from '#tests/support/browser/story.ts'
import { ACCOUNT_SCREENS } from '#tests/e2e/screens.ts'

test.use({ expectedNoise: { patterns: [REFUSED] } })

test('um quadro que não carrega diz isso e tenta de novo', async ({ page }) => {
  await page.route('**/rest/v1/rpc/sync_board', (route) =>
    route.fulfill({ status: 404, json: { code: 'PGRST202', message: '' } }),
  )
  // The opening event stream refetches everything once; after that nothing does by itself.
  const again = page.waitForResponse('**/api/events*').then(() => page.waitForResponse('**/rpc/sync_board'))
  await enterAsBroker(page)
  await again
  await expect(page.getByText('Não foi possível carregar')).toBeVisible()
  await page.unroute('**/rest/v1/rpc/sync_board')
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a 320 e a 390 px e com texto a 200 % nada se perde para o lado', async ({ page }) => {
  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size)
      // A phone's window grows with overflowing content, so its own width proves nothing.
      const reach = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(reach, `a ${width} px com texto a ${size}`).toBeLessThanOrEqual(width)
    }
  }
  const screens = page.getByRole('navigation', { name: 'Principal' })
  expect(await screens.evaluate((nav) => nav.scrollWidth <= nav.clientWidth)).toBe(true)
  await page.getByRole('button', { name: 'Abrir conversa' }).first().click()
  const conversation = page.getByRole('dialog')
  for (const width of [390, 360, 320]) {
    await page.setViewportSize({ width, height: 640 })
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size)
      const cut = await conversation.locator('header').evaluate(cutTexts)
      // At this size a name may be cut on a small phone; a number never.
      expect(cut.join(), `a ${width} px com texto a ${size}`).toMatch(size === '100%' ? /^$/ : /^\D*$/)
    }
  }
  await conversation.getByRole('button', { name: 'Fechar' }).click()
  await page.getByRole('button', { name: /^Conta de/ }).click()
  const line = await restOf(page.getByText('WhatsApp: Conectado'))
  const cutting = await boxOf(page.getByRole('button', { name: 'Desconectar' }))
  expect(cutting.x >= line.x + line.width || cutting.y >= line.y + line.height).toBe(true)
  await page.getByRole('button', { name: 'Sair' }).click()
  await expect(page).toHaveURL('/login')
  await enterAsAdmin(page)
  for (const address of ['/', '/crm?corretores=camila', '/prompts?agente=1&ver=chat', ...ACCOUNT_SCREENS]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size)
      expect(await page.evaluate(cutControls, 320), `${address} com texto a ${size}`).toEqual([])
    }
  }
})

/** Texts that end in an ellipsis. */
function cutTexts(within: Element): string[] {
  return [...within.querySelectorAll('span')]
    .filter((span) => getComputedStyle(span).overflowX !== 'visible')
    .filter((span) => span.clientWidth > 1 && span.scrollWidth > span.clientWidth)
    .map((span) => span.textContent)
}

/** Controls that are cut off at a side that does not scroll. */
function cutControls(windowWidth: number): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const spills = (control: Element) => {
    const { left, right } = control.getBoundingClientRect()
    return [...control.children].some((child) => {
      const box = child.getBoundingClientRect()
      return box.width > 1 && (box.left < left - 1 || box.right > right + 1)
    })
  }
  return [...document.querySelectorAll('main a, main button, main input, main select')]
    .filter((control) => {
      const { left, right, width } = control.getBoundingClientRect()
      const isCut = left < -1 || right > windowWidth + 1
      return width > 1 && (isCut || spills(control)) && !scrolls(control.parentElement)
    })
    .map((control) => control.outerHTML.slice(0, 200))
}
