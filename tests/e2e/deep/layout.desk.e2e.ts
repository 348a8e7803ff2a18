// From a small phone to a wide desktop (a tablet, an iPad, a laptop at 125 %) no screen is cut off and the header has
// one row.
import type { Page } from '@playwright/test'
import { enterAsAdmin, enterAsBroker, expect, test } from '#tests/support/browser/story.ts'
import { ADMIN_SCREENS } from '#tests/e2e/screens.ts'

/** A small phone upright and on its side, then up to a narrow laptop. */
const SIZES = [
  [360, 740],
  [844, 390],
  ...[640, 768, 820, 1024, 1160].map((width) => [width, 900] as const),
] as const
const BROKER_SCREENS = ['/broker', '/broker/hoje', '/broker/remarketing']

test('do celular deitado ao notebook nenhuma tela do administrador é cortada', async ({ page }) => {
  await enterAsAdmin(page)
  for (const [screen] of ADMIN_SCREENS) await expectWhole(page, screen)
})

test('do celular deitado ao notebook nenhuma tela do corretor é cortada', async ({ page }) => {
  await enterAsBroker(page)
  // The first page's style sheet holds this look.
  await expect(page.getByRole('link', { name: /^Hoje/ }).locator('span')).toHaveCSS('padding-left', '6px')
  for (const screen of BROKER_SCREENS) await expectWhole(page, screen)
})

async function expectWhole(page: Page, screen: string) {
  await page.goto(screen)
  await expect(page.locator('main').getByRole('heading').first()).toBeVisible()
  await expect(page.locator('main .animate-pulse')).toHaveCount(0)
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => page.evaluate(faultsOf), `${screen} com ${width} px`).toEqual([])
  }
}

/** Controls that are unreachable at this width, and headers with more than one row; empty if all is well. */
function faultsOf(): string[] {
  const faults: string[] = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.push(`a página tem ${scrollWidth} px`)
  const rows = new Set<number>()
  for (const shown of document.querySelectorAll('header :is(a, button)')) {
    const { top, height, width } = shown.getBoundingClientRect()
    // Targets of different height in a row have the same middle.
    if (width > 0 && shown.closest('main') === null) rows.add(Math.round((top + height / 2) / 8))
  }
  // On a phone the administrator's header has the account above the screens.
  if (rows.size > (innerWidth < 640 ? 2 : 1)) faults.push(`o cabeçalho tem ${rows.size} linhas`)
  const scrollsAside = (element: Element): boolean => {
    const { parentElement: around } = element
    if (!around) return false
    return /auto|scroll/.test(getComputedStyle(around).overflowX) || scrollsAside(around)
  }
  for (const shown of document.querySelectorAll(':is(a, button, input, select, textarea, th, td, h1, h2)')) {
    const { right, left, width } = shown.getBoundingClientRect()
    const isOut = width > 1 && (right > innerWidth + 1 || left < -1)
    if (isOut && shown.closest('.sr-only') === null && !scrollsAside(shown))
      faults.push(`${shown.tagName} '${shown.textContent.slice(0, 40)}' vai até ${Math.round(right)} px`)
  }
  return faults
}
