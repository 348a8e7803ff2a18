// Cards, notes, names, search and relative times on the phone.
import type { Page } from '@playwright/test'
import {
  cards,
  enter,
  expectNotesAndSearchAccessible,
  expectSearchToFind,
  moveTo,
  namedCard,
  notes,
  notesField as field,
  searchField,
  searchFor,
  openFoundAndGoBack,
} from '#tests/e2e/cards.ts'
import { enterAsBroker, expect, test } from '#tests/support/browser/story.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Sair sem salvar?' })
/** The board with the same cards lies below them. */
const results = (page: Page) => page.getByRole('feed', { name: 'Resultados da busca' })
const searchButton = (page: Page) => page.getByRole('button', { name: 'Buscar contato' })

async function openSearch(page: Page) {
  await searchButton(page).click()
  await expect(searchField(page)).toBeVisible()
}

test('a nota é escrita, aparece no card e continua lá depois de recarregar', async ({ page }) => {
  await enter(page)
  const { card } = await namedCard(page)
  const text = `Prefere andar alto.\nLigar às ${Date.now()}`
  await card.getByRole('button', { name: 'Notas' }).click()
  await field(page).fill(text)
  await notes(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(notes(page)).toBeHidden()
  await expect(card).toContainText('Prefere andar alto.')
  await page.reload()
  await card.getByRole('button', { name: 'Notas' }).click()
  await expect(field(page)).toHaveValue(text)
})

test('texto não salvo: sair pergunta antes, também por Esc e Voltar, e o rascunho sobrevive', async ({
  page,
}) => {
  await enter(page)
  const { card } = await namedCard(page)
  await card.getByRole('button', { name: 'Notas' }).click()
  const before = await field(page).inputValue()
  await field(page).fill('Ainda não terminei')
  const step = () => page.evaluate(() => String(history.state?.layer))
  const own = await step()
  for (const leave of [
    () => notes(page).getByRole('button', { name: 'Cancelar' }).click(),
    () => notes(page).getByRole('button', { name: 'Fechar' }).click(),
    () => field(page).press('Escape'),
    () => page.goBack(),
  ]) {
    await leave()
    await expect(question(page)).toBeVisible()
    await question(page).getByRole('button', { name: 'Continuar escrevendo' }).click()
    await expect(question(page)).toBeHidden()
    await expect(field(page)).toHaveValue('Ainda não terminei')
  }
  // The confirmation's step back would cancel the reload.
  await expect.poll(step).toBe(own)
  await page.reload()
  await card.getByRole('button', { name: 'Notas' }).click()
  await expect(field(page)).toHaveValue('Ainda não terminei')
  await expect(notes(page)).toContainText('Recuperamos o que você escreveu')
  await field(page).press('Escape')
  await question(page).getByRole('button', { name: 'Sair sem salvar' }).click()
  await expect(notes(page)).toBeHidden()
  await expect(page).toHaveURL(/\/broker(\?.*)?$/)
  // A browser that is still going back ignores a second step; no user is that fast.
  await page.waitForFunction(() => history.state?.layer === undefined)
  await card.getByRole('button', { name: 'Notas' }).click()
  await expect(field(page)).toHaveValue(before)
  await page.goBack()
  await expect(notes(page)).toBeHidden()
})

test('uma nota que não pode ser guardada diz isso e fica no campo', async ({ page }) => {
  await enter(page)
  const { card } = await namedCard(page)
  await card.getByRole('button', { name: 'Notas' }).click()
  await field(page).fill('Não se perde')
  await page.evaluate(() => {
    const refuse = () => {
      throw new Error('no entropy')
    }
    Object.defineProperty(crypto, 'getRandomValues', { value: refuse })
    Object.defineProperty(crypto, 'randomUUID', { value: refuse })
  })
  await notes(page).getByRole('button', { name: 'Salvar' }).click()
  await expect(notes(page).getByRole('alert').first()).toHaveText('Erro ao salvar notas. Tente novamente.')
  await expect(field(page)).toHaveValue('Não se perde')
  await field(page).press('Escape')
  await question(page).getByRole('button', { name: 'Sair sem salvar' }).click()
})

test('o nome muda onde está: Esc o deixa, Enter o guarda', async ({ page }) => {
  await enter(page)
  const { card, name } = await namedCard(page)
  const edit = notes(page).getByRole('button', { name: 'Editar nome' })
  const nameField = notes(page).getByRole('textbox', { name: 'Nome do lead' })
  const rename = async (from: string, to: string) => {
    await edit.click()
    await expect(nameField).toHaveValue(from)
    await nameField.fill(to)
    await nameField.press('Enter')
    await expect(notes(page)).toContainText(to)
  }
  await card.getByRole('button', { name: 'Notas' }).click()
  await edit.click()
  await nameField.fill('Outra pessoa')
  await nameField.press('Escape')
  await expect(notes(page)).toBeVisible()
  await expect(notes(page)).toContainText(name)
  await rename(name, `${name} Filho`)
  await notes(page).getByRole('button', { name: 'Fechar' }).click()
  const renamed = page.getByRole('article', { name: new RegExp(`^${name} Filho`) })
  await expect(renamed).toBeVisible()
  await renamed.getByRole('button', { name: 'Notas' }).click()
  await rename(`${name} Filho`, name)
  await notes(page).getByRole('button', { name: 'Fechar' }).click()
  await expect(card).toBeVisible()
})

test('a busca acha em todos os estágios, sem acento, por número e por nota', async ({ page }) => {
  await enterAsBroker(page)
  await openSearch(page)
  await searchFor(page, 'igor')
  await expect(results(page).getByRole('article', { name: /^Igor Salles/ })).toContainText('Fechado')
  await expectSearchToFind(page, results(page))
})

test('do achado se abre a conversa; Voltar passa por ela e pela busca até o quadro', async ({ page }) => {
  await enterAsBroker(page)
  await cards(page).first().waitFor()
  await openSearch(page)
  await searchFor(page, 'igor')
  await openFoundAndGoBack(page, results(page))
  await page.goBack()
  await expect(searchField(page)).toBeHidden()
  await expect(searchButton(page)).toBeFocused()
  await expect(page.getByRole('article', { name: /^Marina Tavares/ })).toBeVisible()
  await expect(page).toHaveURL(/\/broker(\?.*)?$/)
})

test('do achado o lead muda de estágio e volta', async ({ page }) => {
  await enter(page)
  const { name } = await namedCard(page)
  await openSearch(page)
  await searchFor(page, name)
  const card = results(page).getByRole('article', { name: new RegExp(`^${name}`) })
  await moveTo(page, card, 'Negociação')
  await expect(card).toContainText('Negociação')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(results(page)).not.toContainText('Negociação')
})

test('há quanto tempo continua certo, e o destaque vai embora aos cinco minutos', async ({
  page,
  context,
}) => {
  await enterAsBroker(page)
  const person = /^Marina Tavares/
  const sentAt = await page.getByRole('article', { name: person }).locator('time').getAttribute('datetime')
  const later = await context.newPage()
  await later.addInitScript(tellPagesTime)
  await later.clock.install({ time: Date.parse(sentAt ?? '') + 10_000 })
  await later.goto('/broker')
  const card = later.getByRole('article', { name: person })
  const time = card.locator('time')
  await expect(time).toHaveText('agora')
  await expect(card).toHaveAttribute('data-fresh')
  await later.clock.fastForward(3 * 60_000)
  await expect(time).toHaveText('há 3 min')
  await expect(card).toHaveAttribute('aria-label', /há 3 minutos, recente/)
  await later.clock.fastForward(2 * 60_000)
  await expect(time).toHaveText('há 5 min')
  await expect(card).not.toHaveAttribute('data-fresh')
  await later.clock.fastForward('05:00:00')
  await expect(time).toHaveText('há 5 h')
})

/** Answers with the page's time, because another Date header would correct the page's clock. */
function tellPagesTime() {
  const own = Object.getOwnPropertyDescriptor(Headers.prototype, 'get')?.value as Headers['get']
  Headers.prototype.get = function (name) {
    return name === 'Date' ? new Date().toUTCString() : own.call(this, name)
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nota e busca são acessíveis (${colorScheme})`, ({ page }) =>
    expectNotesAndSearchAccessible(page, { colorScheme, openSearch: () => openSearch(page) }))
}

test('nota e busca cabem em 320 px e com texto a 200 %', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await enterAsBroker(page)
  const expectToFit = async (what: string) => {
    const overflow = await page.evaluate(() => {
      const boxes = [document.documentElement, ...document.querySelectorAll('dialog[open], article')]
      return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth))
    })
    expect(overflow, what).toBeLessThanOrEqual(0)
  }
  for (const size of ['100%', '200%']) {
    await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size)
    await cards(page).first().getByRole('button', { name: 'Notas' }).click()
    await expect(notes(page)).toBeVisible()
    await expectToFit(`nota com texto a ${size}`)
    await notes(page).getByRole('button', { name: 'Fechar' }).click()
    await openSearch(page)
    await searchFor(page, 'a')
    await expect(results(page).getByRole('article').first()).toBeVisible()
    await expectToFit(`busca com texto a ${size}`)
    await page.getByRole('button', { name: 'Fechar busca' }).click()
  }
})
