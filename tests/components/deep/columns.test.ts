// The board of columns: cards dragged with mouse, touch and keys, and what must not move.
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { MOVE, SYNC } from '#tests/support/components/broker-portal.ts'
import {
  cardIn,
  cardsIn,
  carry,
  column,
  countOf,
  dragged,
  gripOf,
  middleOf,
  nameOf,
  openColumns,
  slotIn,
} from '#tests/support/components/columns.ts'
import { boxOf, emulate, onDesk, pointerOn, painted } from '#tests/support/components/device.ts'

const press = (keys: string) => userEvent.keyboard(keys)
const UNDO = '{Control>}z{/Control}'
const said = async (text: string) => {
  await expect.element(page.getByRole('status').filter({ hasText: text })).toBeInTheDocument()
}

test('com o mouse: 4 px ainda não, 7 px sim; solto sobre um card vale a coluna; desfazer traz de volta', async () => {
  const { mouse, name } = await openColumns()
  const card = cardIn('Conversa', name)
  const before = countOf('Negociação')
  const { x, y } = gripOf(card)
  await mouse.to(x, y)
  await mouse.down()
  await mouse.to(x + 4, y)
  await painted()
  expect(dragged()).toBe(0)
  await mouse.to(x + 7, y)
  await expect.poll(dragged).toBe(1)
  const other = middleOf(cardsIn('Negociação').first())
  await mouse.to(other.x, other.y, 5)
  await expect.poll(() => slotIn('Negociação')).toBe(1)
  await mouse.up()
  await expect.element(card).not.toBeInTheDocument()
  expect(countOf('Negociação')).toBe(before + 1)
  await said(`${name} movido para Negociação. Desfazer disponível.`)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect.element(card).toBeVisible()
  await expect.poll(() => countOf('Negociação')).toBe(before)
})

test('o card na mão é o mesmo, o ponteiro o segura, e a roda rola a coluna que está embaixo', async () => {
  const { mouse, name } = await openColumns()
  const { x, y } = middleOf(column('Novos Contatos'))
  await carry(mouse, cardIn('Conversa', name), { x, y })
  const under = () => document.elementFromPoint(x, y)
  await expect.poll(() => getComputedStyle(under() ?? document.body).cursor).toBe('grabbing')
  expect(under()?.querySelector('footer')?.textContent).toBe(
    cardIn('Conversa', name).element().querySelector('footer')?.textContent,
  )
  under()?.dispatchEvent(new WheelEvent('wheel', { deltaY: 120, clientX: x, clientY: y, bubbles: true }))
  expect(document.querySelector('[data-stage=new] [data-cards]')?.scrollTop).toBe(120)
  await press('{Escape}')
  await expect.poll(dragged).toBe(0)
})

test('solto fora, na mesma coluna ou com Esc nada muda e nada é pedido; Ctrl+Z desfaz o último movimento', async () => {
  const { mouse, name, portal } = await openColumns()
  const card = cardIn('Conversa', name)
  for (const to of [page.getByRole('heading', { level: 1 }), column('Conversa')].map(middleOf)) {
    await carry(mouse, card, to)
    await mouse.up()
    await expect.poll(dragged).toBe(0)
    await expect.element(card).toBeVisible()
  }
  await carry(mouse, card, middleOf(column('Negociação')))
  await press('{Escape}')
  await expect.poll(dragged).toBe(0)
  await mouse.up()
  await said('Movimento cancelado.')
  await carry(mouse, card, middleOf(column('Negociação')))
  await mouse.up()
  await expect.element(cardIn('Negociação', name)).toBeInTheDocument()
  const asked = () => portal.network.bodiesOf(MOVE).map((body) => body['p_novo_status'])
  await expect.poll(asked).toEqual(['negociacao'])
  await press(UNDO)
  await expect.element(card).toBeVisible()
  await expect.poll(asked).toEqual(['negociacao', 'conversa'])
})

test('um movimento recusado volta com o texto da recusa', async () => {
  const { mouse, name, portal } = await openColumns()
  portal.network.on(MOVE, () => ({
    success: false,
    code: 'unknown_stage',
    message: 'Este estágio não existe mais.',
  }))
  await carry(mouse, cardIn('Conversa', name), middleOf(column('Negociação')))
  await mouse.up()
  await expect
    .element(page.getByText('Erro ao atualizar status: Este estágio não existe mais.'))
    .toBeVisible()
  await expect.element(cardIn('Conversa', name)).toBeVisible()
  expect(cardIn('Negociação', name).query()).toBeNull()
})

test('um quadro parado na mão: o que outros movem aparece ao soltar', async () => {
  const { mouse, name, portal } = await openColumns()
  dispatchEvent(new Event('online'))
  await expect.poll(portal.network.isHeard).toBe(true)
  const before = countOf('Novos Contatos')
  await carry(mouse, cardIn('Conversa', name), middleOf(column('Negociação')))
  const asked = portal.network.bodiesOf(SYNC).length
  portal.changeElsewhere(1, { status: 'conversa' })
  await expect.poll(() => portal.network.bodiesOf(SYNC).length).toBeGreaterThan(asked)
  await painted()
  expect(countOf('Novos Contatos')).toBe(before)
  await mouse.up()
  await expect.poll(() => countOf('Novos Contatos')).toBe(before - 1)
  await expect.element(cardIn('Conversa', name)).not.toBeInTheDocument()
})

test.each([
  { press: 'o botão direito', button: 2, ctrlKey: false },
  { press: 'Ctrl e o botão', button: 0, ctrlKey: true },
])('$press abre o menu do navegador e não segura a coluna', async ({ button, ctrlKey }) => {
  const { portal } = await openColumns()
  dispatchEvent(new Event('online'))
  await expect.poll(portal.network.isHeard).toBe(true)
  const left = cardsIn('Novos Contatos').first()
  const name = nameOf(left)
  // The menu takes the mouseup.
  left.element().dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button, ctrlKey }))
  await painted()
  portal.changeElsewhere(1, { status: 'conversa' })
  await expect.element(cardIn('Conversa', name)).toBeVisible()
  await expect.element(cardIn('Novos Contatos', name)).not.toBeInTheDocument()
})

test('só com o teclado: espaço pega, setas escolhem, espaço solta; cada passo é dito e o foco segue o card', async () => {
  const { name } = await openColumns()
  cardIn('Conversa', name).element().focus()
  await press(' ')
  await said(`${name} na mão. Use as setas para escolher o estágio, espaço para soltar, Esc para cancelar.`)
  await press('{ArrowRight}')
  await said('Sobre Negociação, estágio 3 de 5.')
  await press('{Escape}')
  await said('Movimento cancelado.')
  await expect.element(cardIn('Conversa', name)).toHaveFocus()

  await press(' {ArrowLeft}{ArrowLeft}')
  await said('Primeiro estágio')
  await press('{ArrowRight}{ArrowRight} ')
  await said('Solto em Negociação.')
  await expect.element(cardIn('Negociação', name)).toHaveFocus()

  await press('{Alt>}{ArrowLeft}{/Alt}')
  await expect.element(cardIn('Conversa', name)).toHaveFocus()
  expect(location.pathname).toBe('/broker')
})

/** If not all columns fit, those of closed stages are strips. */
const widthOf = (stage: string) => boxOf(column(stage)).width

test('uma tira se abre sob o card que para sobre ela, e volta a ser tira quando ele sai ou é solto', async () => {
  const { mouse, name } = await openColumns({ width: 1_100 })
  await expect.poll(() => widthOf('Fechado')).toBe(44)
  const before = countOf('Fechado')
  await carry(mouse, cardIn('Conversa', name), middleOf(column('Fechado')))
  await expect.poll(() => widthOf('Fechado')).toBeGreaterThan(200)
  await expect.poll(() => slotIn('Fechado')).toBe(1)
  // Still over this column when the strip beside it is narrow again.
  const away = middleOf(column('Negociação'))
  await mouse.to(away.x + 60, away.y, 5)
  await expect.poll(() => widthOf('Fechado')).toBe(44)
  await expect.poll(() => slotIn('Negociação')).toBe(1)
  const back = middleOf(column('Fechado'))
  await mouse.to(back.x, back.y, 5)
  await expect.poll(() => widthOf('Fechado')).toBeGreaterThan(200)
  await mouse.up()
  await expect.poll(() => countOf('Fechado')).toBe(before + 1)
  await expect.poll(() => widthOf('Fechado')).toBe(44)
  expect(localStorage.getItem('board.unfolded')).toBeNull()
})

test('com as setas a tira se abre na hora, e a que fica para trás se fecha', async () => {
  await openColumns({ width: 1_100 })
  const name = nameOf(cardsIn('Negociação').first())
  const before = countOf('Fechado')
  cardIn('Negociação', name).element().focus()
  await press(' {ArrowRight}')
  await expect.poll(() => widthOf('Fechado')).toBeGreaterThan(200)
  await expect.poll(() => slotIn('Fechado')).toBe(1)
  await press('{ArrowRight}')
  await expect.poll(() => [widthOf('Fechado'), widthOf('Arquivado') > 200]).toEqual([44, true])
  await press('{Escape}')
  await expect.poll(() => widthOf('Arquivado')).toBe(44)
  await expect.element(cardIn('Negociação', name)).toHaveFocus()
  await press(' {ArrowRight} ')
  await expect.poll(() => countOf('Fechado')).toBe(before + 1)
  await expect.poll(() => widthOf('Fechado')).toBe(44)
})

test('uma parada de Tab; setas andam na coluna e entre colunas; com as notas abertas nada se arrasta', async () => {
  const { mouse } = await openColumns()
  const stops = () => document.querySelectorAll('article[tabindex="0"]').length
  await expect.poll(stops).toBe(1)
  const cards = cardsIn('Novos Contatos')
  cards.first().element().focus()
  await press('{ArrowDown}')
  await expect.element(cards.nth(1)).toHaveFocus()
  await press('{ArrowRight}')
  await expect.poll(() => column('Conversa').element().querySelector('article:focus')).not.toBeNull()
  expect(stops()).toBe(1)
  await press('{ArrowLeft}{Enter}')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await press('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  const from = gripOf(cardsIn('Conversa').first())
  await press('n')
  await expect.element(page.getByRole('dialog', { name: 'Notas do Lead' })).toBeVisible()
  await mouse.to(from.x, from.y)
  await mouse.down()
  await mouse.to(from.x + 40, from.y)
  await painted()
  expect(dragged()).toBe(0)
  await mouse.up()
})

test('no alto da coluna, quantos contatos dela têm algo sem ler', async () => {
  await openColumns()
  await expect.element(column('Novos Contatos').getByText(', 1 não lida')).toBeInTheDocument()
  expect(
    column('Arquivado')
      .getByText(/não lida/)
      .elements(),
  ).toEqual([])
})

test('com um card na mão a tela segue acessível', async () => {
  await emulate({ reducedMotion: 'reduce' })
  await openColumns()
  cardsIn('Conversa').first().element().focus()
  await press(' {ArrowRight}')
  await expect.poll(() => slotIn('Negociação')).toBe(1)
  // The original card is dimmed on purpose during the drag.
  const ghost = document.querySelector<HTMLElement>('[data-held]')
  if (!ghost) throw new Error('nothing is held')
  ghost.style.opacity = '1'
  await expectAccessibleInBoth()
  await press('{Escape}')
})

describe('com o dedo', () => {
  test('o que o card diz do dia se lê inteiro na coluna, e tem 44 px para o toque', async () => {
    await openColumns({ hasTouch: true, width: 800 })
    const line = column('Novos Contatos')
      .getByRole('button', { name: / sem resposta$/ })
      .first()
    await expect.element(line).toBeVisible()
    expect(boxOf(line).height).toBeGreaterThanOrEqual(44)
    const { scrollWidth, clientWidth } = line.element()
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  })

  test('com o teclado aberto numa tela deitada o que se busca aparece', async () => {
    await openColumns({ hasTouch: true, width: 915 })
    const search = page.getByLabelText(/^Buscar/).first()
    await search.fill('Marina')
    await onDesk({ hasTouch: true, width: 915, height: 190 })
    const name = cardsIn('Novos Contatos').first().getByRole('heading')
    await expect.element(name).toHaveTextContent('Marina Tavares')
    await expect.poll(() => name.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(190)
    expect(search.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0)
  })

  test('um toque rápido rola; segurar 150 ms pega o card', async () => {
    await openColumns({ hasTouch: true })
    const pointer = pointerOn()
    const card = gripOf(cardsIn('Novos Contatos').first())
    await pointer.down(card.x, card.y)
    await pointer.by(0, -48)
    expect(dragged()).toBe(0)
    await pointer.up()
    await expect
      .poll(() => document.querySelector('[data-stage=new] [data-cards]')?.scrollTop ?? 0)
      .toBeGreaterThan(0)

    const held = gripOf(cardsIn('Conversa').first())
    const name = nameOf(cardsIn('Conversa').first())
    await pointer.down(held.x, held.y, { pressedMs: 150 })
    await expect.poll(dragged).toBe(1)
    const to = middleOf(column('Negociação'))
    await pointer.to(to.x, to.y)
    await expect.poll(() => slotIn('Negociação')).toBe(1)
    await pointer.up()
    await expect.element(cardIn('Conversa', name)).not.toBeInTheDocument()
    await said(`${name} movido para Negociação`)
  })
})

test('em 1.280 px as cinco colunas estão abertas', async () => {
  await openColumns({ width: 1_280 })
  for (const stage of ['Novos Contatos', 'Conversa', 'Negociação', 'Fechado', 'Arquivado'])
    expect([stage, widthOf(stage) >= 212]).toEqual([stage, true])
  const { left, width } = boxOf(column('Arquivado'))
  expect(left + width).toBeLessThanOrEqual(1_280)
})

test('no telefone deitado cabem duas linhas de cartões', async () => {
  await openColumns({ hasTouch: true, width: 844, height: 390 })
  for (const at of [0, 1]) await expect.element(cardsIn('Conversa').nth(at)).toBeInViewport({ ratio: 0.95 })
  await expect.element(page.getByRole('button', { name: 'Adicionar lead' })).toBeInViewport({ ratio: 1 })
})
