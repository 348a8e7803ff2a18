// Cards and the search over columns on the desktop, by mouse and keyboard.
import {
  enter,
  expectNotesAndSearchAccessible,
  expectSearchToFind,
  moveTo,
  namedCard,
  searchField,
  searchFor,
  openFoundAndGoBack,
} from '#tests/e2e/cards.ts'
import { waitForDragging } from '#tests/support/browser/columns.ts'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

test('a busca acha em todos os estágios, sem acento, por número e por nota', async ({ page }) => {
  await enterAsBroker(page)
  await expectSearchToFind(page, page)
})

test('do achado se abre a conversa; Voltar e Esc passam por ela e pela busca até o quadro', async ({
  page,
}) => {
  await enterAsBroker(page)
  // The keyboard works before dragging is loaded.
  await waitForDragging(page)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await searchFor(page, 'igor')
  await openFoundAndGoBack(page, page)
  await searchField(page).press('Escape')
  await expect(searchField(page)).toHaveValue('')
  await expect(page.getByRole('article', { name: /^Marina Tavares/ })).toBeVisible()
  await expect(page).toHaveURL(/\/broker(\?.*)?$/)
})

test('do achado o lead muda de estágio e volta', async ({ page }) => {
  await enter(page)
  const { card, name } = await namedCard(page)
  await searchFor(page, name)
  await moveTo(page, card, 'Negociação')
  const place = page.getByRole('region', { name: /^Negociação/ })
  await expect(place.getByRole('article', { name: new RegExp(`^${name}`) })).toBeVisible()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(place.getByRole('article')).toHaveCount(0)
})

test('o teclado abre a nota, o estágio e a conversa, e o foco volta ao card', async ({ page }) => {
  await enter(page)
  const { card, name } = await namedCard(page)
  await card.focus()
  for (const [key, title] of [
    ['n', 'Notas do Lead'],
    ['m', 'Mover para'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: title })).toBeHidden()
    await expect(card).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
  await expect(card).toBeFocused()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nota e busca são acessíveis (${colorScheme})`, ({ page }) =>
    expectNotesAndSearchAccessible(page, { colorScheme, openSearch: () => searchField(page).waitFor() }))
}
