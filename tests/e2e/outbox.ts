// Helpers that fill and read the outbox.
import type { Page } from '@playwright/test'
import { elsewhere } from '#tests/support/browser/elsewhere.ts'
import { enterAsBroker, expect, NO_NETWORK, REFUSED, test as base } from '#tests/support/browser/story.ts'
import { askDevice } from '#tests/support/browser/device.ts'

/** The leads that these tests change; each is restored afterwards. */
const NAMES = ['Rogério Bastos', 'Luciana Prado', 'Wesley Nogueira', 'Marina Tavares']

export const test = base.extend<{ board: void; other: Awaited<ReturnType<typeof elsewhere>> }>({
  /** The same broker's other device. */
  other: async ({ portalUrl }, use) => use(await elsewhere(portalUrl)),
  board: [
    async ({ other: device }, use) => {
      const before = await Promise.all(NAMES.map((name) => device.lead(name)))
      await use()
      for (const { id, status, notes } of before) {
        await device.move(id, status)
        await device.note(id, notes ?? '')
      }
    },
    { auto: true },
  ],
})

export const ON_THE_DEVICE = {
  serviceWorkers: 'allow' as const,
  leavesWaiting: true,
  expectedNoise: { patterns: [REFUSED, NO_NETWORK] },
}

export const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(`^${name}`) })

export const queue = (page: Page) => page.getByRole('dialog', { name: 'Pendências' })

/** Waits until everything loaded on first use is there, so that the network may fail from now on. */
export async function enterAndSettle(page: Page) {
  await enterAsBroker(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

export async function move(page: Page, name: string, stage: string) {
  await card(page, name).getByRole('button', { name: /Mover/ }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^${stage}`) }).click()
}

export async function note(page: Page, name: string, text: string) {
  await card(page, name).getByRole('button', { name: 'Notas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notas do Lead' })
  await dialog.getByRole('textbox', { name: 'Notas do Lead' }).fill(text)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
}

/** The visible texts of the waiting entries. */
export async function waitingOn(page: Page): Promise<string[]> {
  const entries = (await askDevice(page, { store: 'outbox', work: 'getAll' })) as {
    state: string
    command: { kind: string }
  }[]
  return entries
    .filter(({ state }) => state !== 'applied')
    .map(({ command, state }) => `${command.kind} ${state}`)
}
