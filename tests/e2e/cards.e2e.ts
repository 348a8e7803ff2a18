// Cards, notes, names, the search and the time that stays true (SPEC.md 2.9, 8; INTERACTIONS 7, 9).
import type { Locator, Page } from '@playwright/test'
import { enterAsBroker, expect, expectAccessible, test } from '#tests/support/story.ts'

/** A board that no other story changes. */
const enter = (page: Page) => enterAsBroker(page, 'juliana')

const cards = (page: Page) => page.getByRole('article')
const notes = (page: Page) => page.getByRole('dialog', { name: 'Notas do Lead' })
const field = (page: Page) => notes(page).getByRole('textbox', { name: 'Notas do Lead' })
const question = (page: Page) => page.getByRole('dialog', { name: 'Sair sem salvar?' })
const searchField = (page: Page) => page.getByRole('textbox', { name: 'Buscar contato' })

async function nameOf(card: Locator): Promise<string> {
  return (await card.getByRole('heading').innerText()).trim()
}

/** A card with a name, not a number, so that it can be found by it. */
async function namedCard(page: Page): Promise<{ card: Locator; name: string }> {
  await cards(page).first().waitFor()
  for (const card of await cards(page).all()) {
    const name = await nameOf(card)
    if (/^\p{L}+ \p{L}+$/u.test(name))
      return { card: page.getByRole('article', { name: new RegExp(`^${name}`) }), name }
  }
  throw new Error('no card with a name')
}

const results = (page: Page) => page.getByRole('feed', { name: 'Resultados da busca' })
/** Where the search shows what it found: on a phone the board with the same cards lies below. */
const foundOn = (page: Page, isMobile: boolean) => (isMobile ? results(page) : page)

async function openSearch(page: Page, isMobile: boolean) {
  if (isMobile) await page.getByRole('button', { name: 'Buscar contato' }).click()
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
  await page.reload()
  await card.getByRole('button', { name: 'Notas' }).click()
  await expect(field(page)).toHaveValue('Ainda não terminei')
  await expect(notes(page)).toContainText('Recuperamos o que você escreveu')
  await field(page).press('Escape')
  await question(page).getByRole('button', { name: 'Sair sem salvar' }).click()
  await expect(notes(page)).toBeHidden()
  await expect(page).toHaveURL(/\/broker(\?.*)?$/)
  // A browser told to go back while it still goes back forgets the first wish; no thumb is that fast.
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

test('a busca acha em todos os estágios, sem acento, por número e por nota', async ({ page, isMobile }) => {
  await enterAsBroker(page)
  await openSearch(page, isMobile)
  const found = foundOn(page, isMobile)
  await searchField(page).fill('ROGERIO bastos')
  await expect(found.getByRole('article')).toHaveCount(1)
  await expect(found.getByRole('article', { name: /^Rogério Bastos/ })).toBeVisible()
  await searchField(page).fill('igor')
  await expect(found.getByRole('article', { name: /^Igor Salles/ })).toContainText('Quando sai a vistoria?')
  if (isMobile) await expect(found.getByRole('article', { name: /^Igor Salles/ })).toContainText('Fechado')
  await searchField(page).fill('(11) 95550-0142')
  await expect(found.getByRole('article', { name: /^\(11\) 95550-0142/ })).toBeVisible()
  await searchField(page).fill('carta de credito')
  await expect(found.getByRole('article', { name: /^Rogério Bastos/ })).toBeVisible()
  await searchField(page).fill('zuleica')
  await expect(page.getByText('Nenhum contato com "zuleica"')).toBeVisible()
  await page.getByRole('button', { name: 'Limpar busca' }).last().click()
  await expect(searchField(page)).toHaveValue('')
  await expect(searchField(page)).toBeFocused()
})

test('do achado se abre a conversa; Voltar passa por ela e pela busca até o quadro', async ({
  page,
  isMobile,
}) => {
  await enterAsBroker(page)
  await cards(page).first().waitFor()
  // The key is known a moment after the cards are seen.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await searchField(page).fill('igor')
  const igor = foundOn(page, isMobile).getByRole('article', { name: /^Igor Salles/ })
  await igor.getByRole('button', { name: 'Abrir conversa' }).click()
  const conversation = page.getByRole('dialog', { name: 'Igor Salles' })
  await expect(conversation).toBeVisible()
  await page.goBack()
  await expect(conversation).toBeHidden()
  await expect(searchField(page)).toHaveValue('igor')
  if (isMobile) {
    await page.goBack()
    await expect(searchField(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Buscar contato' })).toBeFocused()
  } else {
    await searchField(page).press('Escape')
    await expect(searchField(page)).toHaveValue('')
  }
  await expect(page.getByRole('article', { name: /^Marina Tavares/ })).toBeVisible()
  await expect(page).toHaveURL(/\/broker(\?.*)?$/)
})

test('do achado o lead muda de estágio e volta', async ({ page, isMobile }) => {
  await enter(page)
  const { name } = await namedCard(page)
  await openSearch(page, isMobile)
  await searchField(page).fill(name)
  const move = async (stage: string) => {
    await foundOn(page, isMobile)
      .getByRole('article', { name: new RegExp(`^${name}`) })
      .getByRole('button', { name: 'Mover' })
      .click()
    const sheet = page.getByRole('dialog', { name: 'Mover para' })
    await sheet.getByRole('menuitemradio', { name: stage }).click()
    await expect(sheet).toBeHidden()
  }
  const place = isMobile ? results(page) : page.getByRole('region', { name: /^Negociação/ })
  await move('Negociação')
  await expect(place.getByRole('article', { name: new RegExp(`^${name}`) })).toContainText(
    isMobile ? 'Negociação' : name,
  )
  await page.getByRole('button', { name: 'Desfazer' }).click()
  if (isMobile) await expect(place).not.toContainText('Negociação')
  else await expect(place.getByRole('article')).toHaveCount(0)
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

test('há quanto tempo continua certo, e o destaque vai embora aos cinco minutos', async ({
  page,
  context,
}) => {
  await enterAsBroker(page)
  const person = /^Marina Tavares/
  const sentAt = await page.getByRole('article', { name: person }).locator('time').getAttribute('datetime')
  const later = await context.newPage()
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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nota e busca são acessíveis (${colorScheme})`, async ({ page, isMobile }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await enterAsBroker(page)
    await cards(page).first().getByRole('button', { name: 'Notas' }).click()
    await expect(notes(page)).toBeVisible()
    await expectAccessible(page)
    await notes(page).getByRole('button', { name: 'Editar nome' }).click()
    await expectAccessible(page)
    await notes(page).getByRole('button', { name: 'Fechar' }).click()
    await openSearch(page, isMobile)
    await expectAccessible(page)
    for (const text of ['a', 'zuleica']) {
      await searchField(page).fill(text)
      await expect(page.getByText(/encontrados|Nenhum contato com/).first()).toBeAttached()
      await expectAccessible(page)
    }
  })
}

test('nota e busca cabem em 320 px e com texto a 200 %', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'uma medida do telefone')
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
    await openSearch(page, isMobile)
    await searchField(page).fill('a')
    await expect(
      page.getByRole('feed', { name: 'Resultados da busca' }).getByRole('article').first(),
    ).toBeVisible()
    await expectToFit(`busca com texto a ${size}`)
    await page.getByRole('button', { name: 'Fechar busca' }).click()
  }
})
