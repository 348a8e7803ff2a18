// Helpers that read a broker's stored data.
import type { Page } from '@playwright/test'
import { askDevice } from '#tests/support/browser/device.ts'
import {
  enterAsBroker,
  expect,
  NO_NETWORK,
  PORTAL_AWAY,
  REFUSED,
  test as base,
} from '#tests/support/browser/story.ts'
import { startWeakSignal, type WeakSignal } from '#tests/support/browser/weak-signal.ts'

/** Each test has its own address, with a line to the portal that can be held and cut. */
export const test = base.extend<{ line: WeakSignal }>({
  line: async ({ portalUrl }, use) => {
    const line = await startWeakSignal(portalUrl)
    await use(line)
    await line.stop()
  },
  baseURL: async ({ line }, use) => use(line.origin),
})

export const ON_THE_DEVICE = {
  serviceWorkers: 'allow' as const,
  leavesWaiting: true,
  expectedNoise: { patterns: [REFUSED, NO_NETWORK, PORTAL_AWAY] },
}

export const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(`^${name}`) })

export const messages = (page: Page) => page.getByRole('dialog').getByRole('log', { name: 'Mensagens' })

/** Board and worker are ready: from now on the app opens offline. */
export async function enterAndSettle(page: Page, username = 'camila') {
  await enterAsBroker(page, username)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await expect.poll(() => heldOf(page, 'leads')).toBeGreaterThan(0)
}

/** The number of records. */
export const heldOf = (page: Page, store: string) => askDevice(page, { store, work: 'count' })

export async function openConversation(page: Page, name: string) {
  await card(page, name)
    .getByRole('button', { name: /conversa/i })
    .click()
}

export async function leave(page: Page) {
  await page.getByRole('button', { name: /^Conta de/ }).click()
  await page.getByRole('button', { name: 'Sair' }).click()
}
