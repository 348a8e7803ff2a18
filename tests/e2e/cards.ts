// Helpers for cards, notes and search on a board that no other test changes, for both devices.
import type { Locator, Page } from '@playwright/test'
import { enterAsBroker, expect, expectAccessible } from '#tests/support/browser/story.ts'

export const enter = (page: Page) => enterAsBroker(page, 'juliana')

export const cards = (page: Page) => page.getByRole('article')
export const notes = (page: Page) => page.getByRole('dialog', { name: 'Notas do Lead' })
export const notesField = (page: Page) => notes(page).getByRole('textbox', { name: 'Notas do Lead' })
export const searchField = (page: Page) => page.getByRole('textbox', { name: 'Buscar contato' })

/** Types into the open search and waits for its result, which moves the cards. */
export async function searchFor(page: Page, text: string) {
  await searchField(page).fill(text)
  await expect(page.getByText(/encontrados?$|Nenhum contato com/).first()).toBeAttached()
}

/** A card with a name instead of a number, so that it can be searched. */
export async function namedCard(page: Page): Promise<{ card: Locator; name: string }> {
  await cards(page).first().waitFor()
  for (const card of await cards(page).all()) {
    const name = (await card.getByRole('heading').innerText()).trim()
    if (/^\p{L}+ \p{L}+$/u.test(name))
      return { card: page.getByRole('article', { name: new RegExp(`^${name}`) }), name }
  }
  throw new Error('no card with a name')
}

/** With the search open on the board; `found` contains the results. */
export async function expectSearchToFind(page: Page, found: Page | Locator) {
  await searchField(page).fill('ROGERIO bastos')
  await expect(found.getByRole('article')).toHaveCount(1)
  await expect(found.getByRole('article', { name: /^Rogério Bastos/ })).toBeVisible()
  await searchField(page).fill('igor')
  await expect(found.getByRole('article', { name: /^Igor Salles/ })).toContainText('Quando sai a vistoria?')
  await searchField(page).fill('(11) 95550-0142')
  await expect(found.getByRole('article', { name: /^\(11\) 95550-0142/ })).toBeVisible()
  await searchField(page).fill('carta de credito')
  await expect(found.getByRole('article', { name: /^Rogério Bastos/ })).toBeVisible()
  await searchField(page).fill('zuleica')
  await expect(page.getByText('Nenhum contato com "zuleica"')).toBeVisible()
  await page.getByRole('button', { name: 'Limpar busca' }).last().click()
  await expect(searchField(page)).toHaveValue('')
  await expect(searchField(page)).toBeFocused()
}

/** Moves a card by its button and the sheet. */
export async function moveTo(page: Page, card: Locator, stage: string) {
  await card.getByRole('button', { name: 'Mover' }).click()
  const sheet = page.getByRole('dialog', { name: 'Mover para' })
  await sheet.getByRole('menuitemradio', { name: stage }).click()
  await expect(sheet).toBeHidden()
}

type Look = { colorScheme: 'light' | 'dark'; openSearch: () => Promise<void> }

export async function expectNotesAndSearchAccessible(page: Page, { colorScheme, openSearch }: Look) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await enterAsBroker(page)
  await cards(page).first().getByRole('button', { name: 'Notas' }).click()
  await expect(notes(page)).toBeVisible()
  await expectAccessible(page)
  await notes(page).getByRole('button', { name: 'Editar nome' }).click()
  await expectAccessible(page)
  await notes(page).getByRole('button', { name: 'Fechar' }).click()
  await openSearch()
  await expectAccessible(page)
  for (const text of ['a', 'zuleica']) {
    await searchFor(page, text)
    await expectAccessible(page)
  }
}

/** Opens the conversation of the found Igor Salles; going back leads to the search, which still shows it. */
export async function openFoundAndGoBack(page: Page, results: Page | Locator) {
  const igor = results.getByRole('article', { name: /^Igor Salles/ })
  await igor.getByRole('button', { name: 'Abrir conversa' }).click()
  const conversation = page.getByRole('dialog', { name: 'Igor Salles' })
  await expect(conversation).toBeVisible()
  await page.goBack()
  await expect(conversation).toBeHidden()
  await expect(searchField(page)).toHaveValue('igor')
}
