// The phone's board under a real finger: every row of the gesture tables (INTERACTIONS 1-4), by touch events of the browser.
import type { Locator, Page } from '@playwright/test'
import type { Finger } from '#tests/support/finger.ts'
import { boxOf } from '#tests/support/finger.ts'
import { card, felt, NEW, p, tab, test, title, touchCard, undo } from '#tests/support/phone-board.ts'
import { enterAsBroker, expect, expectAccessible, REFUSED } from '#tests/support/story.ts'

// A stand-in for an answer sees nothing of what passes by the worker.
test.use({ expectedNoise: { patterns: [REFUSED] }, serviceWorkers: 'block' })

/** Nothing lies over its ends or its middle. */
function isOnTop(words: Element): boolean {
  const { left, width, top, height } = words.getBoundingClientRect()
  return [0.1, 0.5, 0.9].every((part) =>
    words.contains(document.elementFromPoint(left + width * part, top + height / 2)),
  )
}

/** The lead beneath it in its stage: a place that stays true when somebody writes meanwhile. */
function leadBelow(lead: Locator): Promise<string | undefined> {
  return lead.evaluate((node) => {
    const next = `[data-index="${Number(node.dataset['index']) + 1}"]`
    return node.closest('[role=tabpanel]')?.querySelector<HTMLElement>(next)?.dataset['lead']
  })
}

test.describe('deslizar um card', () => {
  test('além do limite vai para o estágio vizinho, e Desfazer o traz de volta ao mesmo lugar', async ({
    page,
    finger,
  }) => {
    const rogerio = card(page, 'Rogério Bastos')
    const below = await leadBelow(rogerio)
    expect(below).toBeDefined()
    await touchCard(finger, rogerio)
    await finger.by(8 + 80, 0)
    const under = page.locator('[data-swipe]')
    await expect(under).toContainText('Mover para')
    await expect(under).toContainText('Conversa')
    expect(await felt(page)).toEqual([])
    await finger.by(40, 0)
    await expect(tab(page, 'Conversa')).toHaveAttribute('data-aimed', '')
    expect(await felt(page)).toEqual([10])
    await finger.up()
    await expect(rogerio).toHaveCount(0)
    await expect(title(page)).toHaveText('Novos Contatos (11)')
    await expect(tab(page, 'Conversa')).toContainText('9')
    await expect(page.getByText('Rogério foi para Conversa')).toBeVisible()
    expect(await felt(page)).toEqual([10, 15])
    expect(await p(page)).toBe(0)

    await undo(page).tap()
    await expect(title(page)).toHaveText(NEW)
    await expect.poll(() => leadBelow(rogerio)).toBe(below)
    await expect(rogerio).toHaveCSS('transform', 'none')
    expect(await felt(page)).toEqual([10, 15, 8])
  })

  test('antes do limite volta, e nada muda', async ({ page, finger }) => {
    const rogerio = card(page, 'Rogério Bastos')
    await touchCard(finger, rogerio)
    await finger.by(8 + 110, 0)
    await expect(page.locator('[data-swipe]')).toContainText('Conversa')
    await finger.up()
    await expect(page.locator('[data-swipe]')).toHaveCount(0)
    await expect(rogerio).toHaveCSS('transform', 'none')
    await expect(title(page)).toHaveText(NEW)
    await expect(undo(page)).toHaveCount(0)
    expect(await felt(page)).toEqual([])
  })

  test('voltar 12 px desarma; tremer sobre o limite não treme de novo', async ({ page, finger }) => {
    await touchCard(finger, card(page, 'Rogério Bastos'))
    await finger.by(8 + 118, 0)
    const conversa = tab(page, 'Conversa')
    await expect(conversa).toHaveAttribute('data-aimed', '')
    await finger.by(-10, 0)
    await finger.by(10, 0)
    await expect(conversa).toHaveAttribute('data-aimed', '')
    expect(await felt(page)).toEqual([10])
    await finger.by(-18, 0)
    await expect(conversa).not.toHaveAttribute('data-aimed')
    await finger.up()
    await expect(page.locator('[data-swipe]')).toHaveCount(0)
    await expect(title(page)).toHaveText(NEW)
  })

  test('um gesto rápido basta; puxado de volta não vai', async ({ page, finger }) => {
    const rogerio = card(page, 'Rogério Bastos')
    await touchCard(finger, rogerio)
    await finger.by(8 + 200, 0)
    await finger.by(-60, 0, 96)
    await finger.flick()
    await expect(page.locator('[data-swipe]')).toHaveCount(0)
    await expect(title(page)).toHaveText(NEW)

    await touchCard(finger, rogerio)
    await finger.by(70, 0, 64)
    await finger.flick()
    await expect(title(page)).toHaveText('Novos Contatos (11)')
    await undo(page).tap()
    await expect(title(page)).toHaveText(NEW)
  })

  test('sem vizinho estica até 48 px e diz por quê', async ({ page, finger }) => {
    const marina = card(page, 'Marina Tavares')
    await touchCard(finger, marina, 350)
    await finger.by(-300, 0)
    const why = page.getByText('Primeiro estágio')
    await expect(why).toBeVisible()
    expect(await why.evaluate(isOnTop)).toBe(true)
    const shift = await marina.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).m41)
    expect(shift).toBe(-48)
    expect(await felt(page)).toEqual([])
    await finger.up()
    await expect(marina).toHaveCSS('transform', 'none')
    await expect(title(page)).toHaveText(NEW)
  })

  test('para um estágio que encerra pergunta antes', async ({ page, finger }) => {
    await tab(page, 'Negociação').tap()
    await expect(title(page)).toHaveText('Negociação (5)')
    await expect.poll(() => p(page)).toBe(2)
    const first = page.getByRole('article').first()
    const name = (await first.getByRole('heading').textContent()) ?? ''
    const swipe = async () => {
      await touchCard(finger, card(page, name))
      await finger.by(150, 0)
      await finger.up()
    }
    await swipe()
    const question = page.getByRole('dialog', { name: /para Fechado\?/ })
    await expect(question).toBeVisible()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancelar' }).tap()
    await expect(question).toBeHidden()
    await expect(title(page)).toHaveText('Negociação (5)')
    await swipe()
    await question.getByRole('button', { name: 'Mover' }).tap()
    await expect(title(page)).toHaveText('Negociação (4)')
    await undo(page).tap()
    await expect(title(page)).toHaveText('Negociação (5)')
  })

  test('começar num botão do card move o card e não aperta o botão', async ({ page, finger }) => {
    const button = await boxOf(card(page, 'Rogério Bastos').getByRole('button', { name: /conversa/i }))
    await finger.down(button.x + 10, button.middle)
    await finger.by(-60, 0)
    await expect(page.locator('[data-swipe]')).toHaveCount(1)
    await expect(page.getByText('Primeiro estágio')).toBeVisible()
    await finger.by(60, 0)
    await finger.up()
    await expect(page.locator('[data-swipe]')).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('um segundo dedo, uma ligação ou sair do app devolvem tudo', async ({ page, finger }) => {
    const rogerio = card(page, 'Rogério Bastos')
    for (const disturb of [() => finger.second(200, 600), () => finger.taken()]) {
      await touchCard(finger, rogerio)
      await finger.by(160, 0)
      await expect(page.locator('[data-swipe]')).toHaveCount(1)
      await disturb()
      await expect(page.locator('[data-swipe]')).toHaveCount(0)
      await expect(rogerio).toHaveCSS('transform', 'none')
      await finger.up()
    }
    await expect(title(page)).toHaveText(NEW)
  })

  test('desligado na conta, deslizar um card troca de estágio', async ({ page, finger }) => {
    await page.getByRole('button', { name: /camila/i }).tap()
    for (const setting of ['Deslizar cards para mover', 'Vibrar ao mover']) {
      await page.getByText(setting).tap()
      await expect(page.getByRole('switch', { name: setting })).not.toBeChecked()
    }
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).tap()
    await expect(page.getByRole('dialog')).toBeHidden()
    await touchCard(finger, card(page, 'Rogério Bastos'), 330)
    await finger.by(-200, 0)
    await finger.up()
    await expect(title(page)).toHaveText('Conversa (8)')
    expect(await felt(page)).toEqual([])
  })
})

test.describe('carregar um card', () => {
  const carried = (page: Page) => page.locator('[data-carry]')

  async function pickUp(page: Page, finger: Finger, name: string) {
    const box = await touchCard(finger, card(page, name))
    await expect(carried(page)).toHaveCount(1)
    return box
  }

  /** So long that it may be lifted, and not so long that it is. */
  const HELD_MS = 200

  /** `heldMs`, as the finger's own events tell it: the browser scrolls by them, too, and little after so long a gap. */
  async function arm(page: Page, finger: Finger, { name, heldMs = 0 }: { name: string; heldMs?: number }) {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 10_000)
    const { y } = await boxOf(card(page, name))
    await finger.down(150, y + 30, heldMs)
    await page.clock.runFor(HELD_MS)
    await expect(page.locator('article[data-press="armed"]')).toHaveCount(1)
  }

  test('segurar levanta; soltar numa aba move; Desfazer traz de volta', async ({ page, finger }) => {
    await pickUp(page, finger, 'Rogério Bastos')
    expect(await felt(page)).toEqual([15])
    await expect(page.locator('article[data-origin]')).toHaveCount(1)
    const target = await boxOf(tab(page, 'Conversa'))
    await finger.to(target.x + target.width / 2, target.middle)
    await finger.up()
    await expect(carried(page)).toHaveCount(0)
    await expect(title(page)).toHaveText('Novos Contatos (11)')
    await expect(page.getByText('Rogério foi para Conversa')).toBeVisible()
    await undo(page).tap()
    await expect(title(page)).toHaveText(NEW)
    await expect(page.getByRole('article').nth(1)).toContainText('Rogério Bastos')
  })

  test('na borda a página vira, e o card pousa no seu lugar', async ({ page, finger }) => {
    const box = await pickUp(page, finger, 'Rogério Bastos')
    await finger.to(370, box.y + 200)
    // Seen at the frame that turns: a finger that stays there turns the next page, too.
    await page.waitForFunction(() => document.querySelector('h1')?.textContent.startsWith('Conversa'))
    await finger.to(200, box.y + 200, 16)
    await finger.up()
    await expect(carried(page)).toHaveCount(0)
    await expect(title(page)).toHaveText('Conversa (9)')
    await expect(card(page, 'Rogério Bastos')).toBeVisible()
    await expect(page.locator('[data-landing]')).toHaveCount(0)
    await expect(page).toHaveURL(/estagio=conversa/)
    await undo(page).tap()
    await expect(title(page)).toHaveText('Conversa (8)')
  })

  test('ficar sobre uma aba abre o estágio; soltar fora de tudo devolve o card', async ({ page, finger }) => {
    await pickUp(page, finger, 'Rogério Bastos')
    const target = await boxOf(tab(page, 'Conversa'))
    await finger.to(target.x + target.width / 2, target.middle)
    await expect(title(page)).toHaveText('Conversa (8)')
    await finger.to(200, 60)
    await finger.up()
    await expect(carried(page)).toHaveCount(0)
    await expect(title(page)).toHaveText(NEW)
    await expect(page.locator('article[data-origin]')).toHaveCount(0)
    await expect(undo(page)).toHaveCount(0)
  })

  test('soltar no mesmo estágio não muda nada e não abre nada', async ({ page, finger }) => {
    const button = await boxOf(card(page, 'Rogério Bastos').getByRole('button', { name: /conversa/i }))
    await finger.down(button.x + 10, button.middle)
    await expect(carried(page)).toHaveCount(1)
    await finger.up()
    await expect(carried(page)).toHaveCount(0)
    await expect(title(page)).toHaveText(NEW)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('perto do pé da lista ela rola', async ({ page, finger }) => {
    await pickUp(page, finger, 'Rogério Bastos')
    const list = await boxOf(page.getByRole('tabpanel'))
    await finger.to(200, list.y + list.height - 10)
    await expect
      .poll(() => page.getByRole('tabpanel').evaluate(({ scrollTop }) => scrollTop))
      .toBeGreaterThan(100)
    await finger.second(100, 400)
    await expect(carried(page)).toHaveCount(0)
    await finger.up()
    await expect(title(page)).toHaveText(NEW)
  })

  test('um segundo dedo ou a tela tirada devolvem o card', async ({ page, finger }) => {
    for (const disturb of [
      () => finger.second(100, 400),
      () => finger.taken(),
      () => page.keyboard.press('Escape'),
    ]) {
      const box = await pickUp(page, finger, 'Rogério Bastos')
      await finger.to(200, box.y + 120)
      await disturb()
      await expect(carried(page)).toHaveCount(0)
      await finger.up()
      await expect(title(page)).toHaveText(NEW)
      await expect(page.locator('article[data-origin]')).toHaveCount(0)
    }
  })

  test('armado, o primeiro movimento para cima rola a lista', async ({ page, finger }) => {
    await arm(page, finger, { name: 'Luciana Prado' })
    await finger.by(0, -80)
    await expect(page.locator('article[data-press]')).toHaveCount(0)
    await expect(carried(page)).toHaveCount(0)
    await finger.up()
    await expect
      .poll(() => page.getByRole('tabpanel').evaluate(({ scrollTop }) => scrollTop))
      .toBeGreaterThan(20)
  })

  test('armado, o primeiro movimento para o lado levanta o card', async ({ page, finger }) => {
    await arm(page, finger, { name: 'Luciana Prado', heldMs: HELD_MS })
    await finger.by(20, 0, 32)
    await expect(carried(page)).toHaveCount(1)
    await expect(page.locator('[data-swipe]')).toHaveCount(0)
    await page.clock.resume()
    await finger.taken()
    await expect(carried(page)).toHaveCount(0)
  })
})

test.describe('ao redor de um gesto', () => {
  test('o que outro aparelho move não salta sob o dedo; chega quando ele se levanta', async ({
    page,
    finger,
    browser,
    baseURL,
  }) => {
    const other = await browser.newPage({ baseURL: baseURL ?? '' })
    await enterAsBroker(other)
    const luciana = card(page, 'Luciana Prado')
    const before = await boxOf(luciana)
    await touchCard(finger, luciana)
    await finger.by(60, 0)
    await expect(page.locator('[data-swipe]')).toHaveCount(1)
    await moveElsewhere(other, 'Rogério Bastos', 'Conversa')
    await expect(other.getByText('Rogério foi para Conversa')).toBeVisible()
    await finger.by(-40, 0)
    expect((await boxOf(luciana)).y).toBeCloseTo(before.y, 0)
    await expect(title(page)).toHaveText(NEW)
    await finger.up()
    await expect(title(page)).toHaveText('Novos Contatos (11)')
    await other.keyboard.press('Control+z')
    await expect(title(page)).toHaveText(NEW)
    await other.close()
  })

  test('uma recusa devolve o card e diz por quê', async ({ page, finger }) => {
    await page.route('**/rest/v1/rpc/atualizar_status_lead', (route) =>
      route.fulfill({ json: { success: false, message: 'Estágio indisponível', code: 'stage.unknown' } }),
    )
    await touchCard(finger, card(page, 'Rogério Bastos'))
    await finger.by(200, 0)
    await finger.up()
    await expect(page.getByText('Erro ao atualizar status: Estágio indisponível')).toBeVisible()
    await expect(title(page)).toHaveText(NEW)
    await expect(card(page, 'Rogério Bastos')).toHaveCSS('transform', 'none')
    await page.unroute('**/rest/v1/rpc/atualizar_status_lead')
  })

  test('uma recusa no instante em que o card acaba de sair o devolve também', async ({ page, finger }) => {
    // React draws when it is told to by a message to itself: while that waits, the refusal comes.
    await page.evaluate((waitMs) => {
      const { animate } = Element.prototype
      const { postMessage } = MessagePort.prototype
      const gone = new Promise<void>((resolve) => {
        Element.prototype.animate = function (...how) {
          if (this.matches('[role=tab]')) {
            MessagePort.prototype.postMessage = function (...what: [unknown]) {
              setTimeout(() => postMessage.apply(this, what), waitMs)
            }
            resolve()
          }
          return animate.apply(this, how)
        }
      })
      Object.assign(window, { gone })
    }, 1_500)
    await page.route('**/rest/v1/rpc/atualizar_status_lead', async (route) => {
      await page.evaluate(() => (window as unknown as { gone: Promise<void> }).gone)
      await route.fulfill({
        json: { success: false, message: 'Estágio indisponível', code: 'stage.unknown' },
      })
    })
    await touchCard(finger, card(page, 'Rogério Bastos'))
    await finger.by(200, 0)
    await finger.up()
    await expect(page.getByText('Erro ao atualizar status: Estágio indisponível')).toBeVisible()
    await expect(title(page)).toHaveText(NEW)
    await expect(card(page, 'Rogério Bastos')).toHaveCSS('transform', 'none')
    await page.unroute('**/rest/v1/rpc/atualizar_status_lead')
  })

  test('com menos movimento o card segue o dedo e depois está onde deve, sem tremer', async ({
    page,
    finger,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const rogerio = card(page, 'Rogério Bastos')
    await touchCard(finger, rogerio)
    await finger.by(8 + 150, 0)
    const shift = await rogerio.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).m41)
    expect(shift).toBe(150)
    await finger.up()
    await expect(title(page)).toHaveText('Novos Contatos (11)')
    await undo(page).tap()
    await expect(title(page)).toHaveText(NEW)
    expect(await felt(page)).toEqual([])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`o quadro, o aviso e Mover para são acessíveis (${colorScheme})`, async ({ page, finger }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expectAccessible(page)
      await touchCard(finger, card(page, 'Rogério Bastos'))
      await finger.by(200, 0)
      await finger.up()
      // With the focus on it the notice stays, however long the looking takes.
      await undo(page).focus()
      await expectAccessible(page)
      await undo(page).tap()
      await expect(title(page)).toHaveText(NEW)
      await card(page, 'Rogério Bastos').getByRole('button', { name: /Mover/ }).tap()
      await expect(page.getByRole('dialog', { name: 'Mover para' })).toBeVisible()
      await expectAccessible(page)
    })
  }
})

async function moveElsewhere(page: Page, name: string, stage: string) {
  await card(page, name).getByRole('button', { name: /Mover/ }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^${stage}`) }).click()
}
