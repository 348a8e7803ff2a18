// The service worker's install over a weak line: interrupted, it continues where it was.
import type { Page } from '@playwright/test'
import { enterAsBroker, expect } from '#tests/support/browser/story.ts'
import { ON_THE_DEVICE, test } from '#tests/e2e/local-data.ts'

test.use(ON_THE_DEVICE)

/** The number of cached files, and the worker's state. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('precache'))
    const files = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).length),
    )
    const registration = await navigator.serviceWorker.getRegistration()
    return { files: files.reduce((sum, count) => sum + count, 0), isActive: registration?.active != null }
  })

test('cortada no meio, a instalação continua de onde estava, e depois o app abre sem sinal', async ({
  page,
  line,
}) => {
  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  // Slow enough to be interrupted.
  line.shape({ rttMs: 100, kbitPerSecond: 600 })
  await expect.poll(async () => (await stored(page)).files, { timeout: 60_000 }).toBeGreaterThan(0)
  line.cut()
  const before = await stored(page)
  expect(before.isActive).toBe(false)

  line.shape({ rttMs: 0, kbitPerSecond: Infinity })
  line.mend()
  await page.reload()
  await expect.poll(async () => (await stored(page)).isActive, { timeout: 60_000 }).toBe(true)
  expect((await stored(page)).files).toBeGreaterThan(before.files)

  line.cut()
  await page.reload()
  await expect(page.getByRole('article').first()).toBeVisible()
})
