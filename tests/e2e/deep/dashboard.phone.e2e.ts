// The dashboard on a phone, in the dark theme and offline.
import { expect, expectAccessible, NO_NETWORK, test } from '#tests/support/browser/story.ts'
import { openReports } from '#tests/e2e/dashboard.ts'

test.use({ expectedNoise: { patterns: [NO_NETWORK] } })

test('no celular e no escuro o painel cabe na tela e espera o sinal', async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await openReports(page)
  await expect(page.locator('.apexcharts-svg')).toHaveCount(5)
  // A phone's window grows with overflowing content, so its own width proves nothing.
  const content = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(content).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Total Leads:/ }).click()
  await expect(page.getByRole('dialog').getByText('Mostrando 20 leads')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByRole('button', { name: 'Carregar mais leads' })).toBeDisabled()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Carregar mais leads' }).click()
  await expect(page.getByText('Mostrando 40 leads - clique para carregar mais')).toBeVisible()
})
