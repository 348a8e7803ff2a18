// Dragging a card of the phone's board after a long press.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boxOf, felt, type Pointer, tap } from '#tests/support/components/device.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import {
  card,
  countOf,
  list,
  NEW,
  openBoard,
  tab,
  title,
  touchCard,
  undo,
} from '#tests/support/components/phone-board.ts'

/** Long enough that a drag may start; and long enough that it does. */
const ARMED_MS = 200
const LIFTED_MS = 360

const rogerio = card('Rogério Bastos')
const carried = () => countOf('[data-carry]')

async function pickUp(pointer: Pointer, held = rogerio) {
  const box = await touchCard(pointer, held, { pressedMs: LIFTED_MS })
  await expect.poll(carried).toBe(1)
  return box
}

async function overTab(pointer: Pointer, name: string) {
  const { left, width, middle } = boxOf(tab(name))
  await pointer.to(left + width / 2, middle)
}

async function expectNothingMoved() {
  await expect.poll(carried).toBe(0)
  await expect.element(title).toHaveTextContent(NEW)
  expect(countOf('article[data-origin]')).toBe(0)
  expect(undo.query()).toBeNull()
}

test('segurar levanta; soltar numa aba move; Desfazer traz de volta', async () => {
  const { pointer } = await openBoard()
  await pickUp(pointer)
  await expect.poll(() => [...felt]).toEqual([15])
  expect(countOf('article[data-origin]')).toBe(1)
  await overTab(pointer, 'Conversa')
  await pointer.up()
  await expect.poll(carried).toBe(0)
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(page.getByText('Rogério foi para Conversa')).toBeVisible()
  await tap(undo)
  await expect.element(title).toHaveTextContent(NEW)
  await expect.element(page.getByRole('article').nth(1)).toHaveTextContent('Rogério Bastos')
})

// Towards the first stage, where a pointer at the edge turns no further page, however slow the machine is.
test('na borda a página vira, e o card pousa no seu lugar', async () => {
  const inNew = [leadRow(1, { name: 'Marina Tavares' }), leadRow(3, { name: 'Igor Salles' })]
  const leads = [...inNew, leadRow(2, { name: 'Luciana Prado', status: 'conversa' })]
  const { pointer } = await openBoard(leads, '/broker?estagio=conversa')
  const { top } = await pickUp(pointer, card('Luciana Prado'))
  await pointer.to(20, top + 200)
  await expect.element(title).toHaveTextContent('Novos Contatos (2)')
  await pointer.to(200, top + 200)
  await pointer.up()
  await expect.poll(carried).toBe(0)
  await expect.element(title).toHaveTextContent('Novos Contatos (3)')
  await expect.element(page.getByRole('article').nth(1)).toHaveTextContent('Luciana Prado')
  await expect.poll(() => countOf('[data-landing]')).toBe(0)
  expect(location.search).not.toContain('estagio=conversa')
  await tap(undo)
  await expect.element(title).toHaveTextContent('Novos Contatos (2)')
})

test('ficar sobre uma aba abre o estágio; soltar fora de tudo devolve o card', async () => {
  const { pointer } = await openBoard()
  await pickUp(pointer)
  await overTab(pointer, 'Conversa')
  await expect.element(title).toHaveTextContent('Conversa (8)')
  await pointer.to(200, 60)
  await pointer.up()
  await expectNothingMoved()
})

test('soltar no mesmo estágio não muda nada e não abre nada', async () => {
  const { pointer } = await openBoard()
  const button = boxOf(rogerio.getByRole('button', { name: /conversa/i }))
  await pointer.down(button.left + 10, button.middle, { pressedMs: LIFTED_MS, heldMs: LIFTED_MS })
  await expect.poll(carried).toBe(1)
  await pointer.up()
  await expectNothingMoved()
  expect(countOf('dialog[open]')).toBe(0)
})

test('um toque de que um telefone ocupado só fala depois de levantar o card abre a conversa', async () => {
  const { pointer, portal } = await openBoard()
  portal.network.on('GET /rest/v1/whatsapp_messages', () => [])
  await pickUp(pointer)
  await pointer.up(50)
  await expect.element(page.getByRole('button', { name: 'Opções de Rogério Bastos' })).toBeVisible()
  await expect.poll(carried).toBe(0)
})

test('perto do pé da lista ela rola; um segundo dedo, a tela tirada ou Esc devolvem o card', async () => {
  const { pointer } = await openBoard()
  const disturb = [
    () => pointer.second(100, 400),
    () => pointer.taken(),
    () => userEvent.keyboard('{Escape}'),
  ]
  for (const how of disturb) {
    const { top } = await pickUp(pointer)
    await pointer.to(200, top + 120)
    await how()
    await expect.poll(carried).toBe(0)
    await pointer.up()
    await expectNothingMoved()
  }
  await pickUp(pointer)
  const { top, height } = boxOf(list)
  await pointer.to(200, top + height - 10)
  await expect.poll(() => list.element().scrollTop).toBeGreaterThan(100)
  await pointer.taken()
  await expectNothingMoved()
})

test('armado, o primeiro movimento para cima rola a lista', async () => {
  const { pointer } = await openBoard()
  await touchCard(pointer, card('Luciana Prado'), { pressedMs: ARMED_MS })
  expect(countOf('article[data-press="armed"]')).toBe(1)
  await pointer.by(0, -80)
  await expect.poll(() => countOf('article[data-press]')).toBe(0)
  expect(carried()).toBe(0)
  await pointer.up()
  await expect.poll(() => list.element().scrollTop).toBeGreaterThan(20)
})

test('armado, o primeiro movimento para o lado levanta o card', async () => {
  const { pointer } = await openBoard()
  await touchCard(pointer, card('Luciana Prado'), { pressedMs: ARMED_MS, heldMs: ARMED_MS })
  expect(countOf('article[data-press="armed"]')).toBe(1)
  await pointer.by(20, 0, 32)
  await expect.poll(carried).toBe(1)
  expect(countOf('[data-swipe]')).toBe(0)
  await pointer.taken()
  await expectNothingMoved()
})
