// Helpers for 'Gerenciar Corretores'.
import type { Browser, Locator, Page } from '@playwright/test'
import { enterAsBroker, expect } from '#tests/support/browser/story.ts'

export const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

export async function openAdding(page: Page) {
  // The second click of a double click hits the first one's dialog.
  await page.getByRole('button', { name: 'Adicionar Corretor' }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Adicionar Corretor' })
  const field = dialog.getByLabel('Nome do corretor')
  await expect(field).toBeFocused()
  return { dialog, field, create: dialog.getByRole('button', { name: 'Criar corretor' }) }
}

/** Returns the one-time link. */
export async function readInvite(page: Page, username: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Link de primeiro acesso' })
  await expectWithin(dialog.getByText(`Envie este link para ${shown(username)}`), dialog)
  const link = await dialog.getByRole('textbox').inputValue()
  await dialog.getByRole('button', { name: 'Concluir' }).click()
  await expect(dialog).toBeHidden()
  return link
}

/** A long name overflows nothing. */
async function expectWithin(words: Locator, dialog: Locator) {
  const overhang = await words.evaluate((text) => text.scrollWidth - text.clientWidth)
  expect(overhang).toBeLessThanOrEqual(0)
  expect((await words.boundingBox())?.width).toBeLessThan((await dialog.boundingBox())?.width ?? 0)
}

export const shown = (username: string) => username.charAt(0).toUpperCase() + username.slice(1)

/** The browser of a broker who has the portal open while the administrator acts. */
export async function openAs(browser: Browser, origin: string, username: string): Promise<Page> {
  const page = await browser.newPage({ baseURL: origin, locale: 'pt-BR', serviceWorkers: 'block' })
  await enterAsBroker(page, username)
  await expect(page.getByRole('article').first()).toBeVisible()
  return page
}
