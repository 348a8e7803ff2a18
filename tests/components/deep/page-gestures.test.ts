// Turning the pages of the phone's board with a real pointer.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { boxOf, felt, painted, tap } from '#tests/support/components/device.ts'
import { letTimeGoOn, stopTime } from '#tests/support/components/time.ts'
import {
  card,
  countOf,
  list,
  NEW,
  openBoard,
  p,
  tab,
  title,
  touchCard,
} from '#tests/support/components/phone-board.ts'

const HEADER_Y = 90

test('arrastar o cabeçalho além de 30 % troca; menos volta; o endereço acompanha', async () => {
  const { pointer } = await openBoard()
  await pointer.down(330, HEADER_Y)
  await pointer.to(330 - 8 - 110, HEADER_Y)
  expect(p()).toBeCloseTo(110 / 390, 1)
  await pointer.up()
  await expect.poll(p).toBe(0)
  await expect.element(title).toHaveTextContent(NEW)

  await pointer.down(330, HEADER_Y)
  await pointer.to(330 - 8 - 120, HEADER_Y)
  await pointer.up()
  await expect.element(title).toHaveTextContent('Conversa (8)')
  await expect.poll(p).toBe(1)
  expect(location.search).toContain('estagio=conversa')
  await expect.element(tab('Conversa')).toHaveAttribute('aria-selected', 'true')
})

test('o nome do estágio no trilho não some depois de um arrasto: fica à vista, sobre a pílula', async () => {
  const { pointer } = await openBoard()
  await pointer.down(330, HEADER_Y)
  await pointer.to(330 - 8 - 120, HEADER_Y)
  await pointer.up()
  await expect.poll(p).toBe(1)
  const chosen = tab('Conversa')
  await expect.element(chosen).toHaveAttribute('aria-selected', 'true')
  const name = chosen.getByText('Conversa').element()
  const { left, top, width, height } = name.getBoundingClientRect()
  expect(width).toBeGreaterThan(20)
  const on = document.elementFromPoint(left + width / 2, top + height / 2)
  expect(chosen.element().contains(on), 'nothing lies over it').toBe(true)
  for (let part: Element | null = name; part; part = part.parentElement) {
    const { opacity, visibility } = getComputedStyle(part)
    expect({ opacity, visibility }).toEqual({ opacity: '1', visibility: 'visible' })
  }
  expect(left).toBeGreaterThanOrEqual(0)
  expect(left + width).toBeLessThanOrEqual(innerWidth)
})

test('um toque rápido e curto basta; a barra de cima e o espaço vazio também trocam', async () => {
  const { pointer } = await openBoard()
  const account = boxOf(page.getByText('camila').first())
  await pointer.down(account.left + 5, account.middle)
  await pointer.by(-50, 0, 64)
  await pointer.flick()
  await expect.poll(p).toBe(1)
  const second = boxOf(page.getByRole('article').nth(1))
  // Between two cards.
  await pointer.down(100, second.top - 5)
  await pointer.by(60, 0, 64)
  await pointer.flick()
  await expect.poll(p).toBe(0)
})

test('no fim a página estica e volta; as bordas da tela são do sistema', async () => {
  const { pointer } = await openBoard()
  await pointer.down(60, HEADER_Y)
  await pointer.by(308, 0)
  expect(p()).toBeCloseTo(-72 / 390, 2)
  await pointer.up()
  await expect.poll(p).toBe(0)
  for (const [from, by] of [
    [12, 300],
    [378, -300],
  ] as const) {
    await pointer.down(from, HEADER_Y)
    await pointer.by(by, 0)
    expect(p()).toBe(0)
    await pointer.up()
    expect(p()).toBe(0)
  }
  await expect.element(title).toHaveTextContent(NEW)
})

test('deslizar o trilho percorre vários estágios, e cada um treme', async () => {
  const { pointer } = await openBoard()
  await pointer.down(340, boxOf(page.getByRole('tablist')).middle)
  await pointer.by(-280, 0)
  await pointer.up()
  await expect.element(title).toHaveTextContent('Negociação (5)')
  await expect.poll(p).toBe(2)
  expect(felt).toEqual([8, 8])
  expect(location.search).toContain('estagio=negociacao')
})

test('um dedo apanha a página no caminho', async () => {
  const { pointer } = await openBoard()
  stopTime()
  await pointer.down(330, HEADER_Y)
  await pointer.by(-200, 0)
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await pointer.up()
  now.mockReturnValue(performance.now() + 60)
  await expect.poll(p).toBeGreaterThan(0.55)
  await pointer.down(330, HEADER_Y)
  const caught = p()
  expect(caught).toBeLessThan(0.95)
  now.mockRestore()
  await painted()
  expect(p()).toBe(caught)
  letTimeGoOn()
  await pointer.by(-40, 0)
  await pointer.by(200, 0)
  await pointer.up()
  await expect.poll(p).toBe(0)
})

test('tocar numa aba vai direto; tocar na ativa leva ao topo; cada estágio guarda onde estava', async () => {
  await openBoard()
  list.element().scrollTo({ top: 200 })
  await tap(tab('Arquivado'))
  await expect.element(title).toHaveTextContent('Arquivado (21)')
  await tap(tab('Novos Contatos'))
  await expect.element(title).toHaveTextContent(NEW)
  await expect.poll(() => list.element().scrollTop).toBe(200)
  await tap(tab('Novos Contatos'))
  await expect.poll(() => list.element().scrollTop).toBe(0)
})

test('quem rolou as abas à procura de um estágio fica onde está quando algo chega', async () => {
  const { portal } = await openBoard()
  const rail = page.getByRole('tablist', { name: 'Estágios' }).element()
  rail.scrollTo({ left: 60 })
  portal.changeElsewhere(1, { name: 'Marina Tavares Lima' })
  await expect.element(card('Marina Tavares Lima')).toBeVisible()
  await painted()
  expect(rail.scrollLeft).toBe(60)
})

test('um gesto inclinado é da lista, não do card nem da página', async () => {
  const { pointer } = await openBoard()
  await touchCard(pointer, card('Luciana Prado'))
  await pointer.by(-20, -60)
  await pointer.by(0, -120)
  expect(countOf('[data-swipe]')).toBe(0)
  await pointer.up()
  await expect.poll(() => list.element().scrollTop).toBeGreaterThan(20)
  expect(p()).toBe(0)
})
