// A card of the phone's board swiped sideways: to the neighbouring stage, or back.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { unsent } from '#tests/support/components/app.tsx'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { MOVE, SYNC } from '#tests/support/components/broker-portal.ts'
import { boxOf, emulate, felt, tap } from '#tests/support/components/device.ts'
import {
  card,
  countOf,
  NEW,
  openBoard,
  p,
  shiftOf,
  tab,
  title,
  touchCard,
  undo,
} from '#tests/support/components/phone-board.ts'

const ONE_LESS = 'Novos Contatos (11)'
const rogerio = card('Rogério Bastos')
const under = page.getByText('Mover para')

/** The lead below it in its stage, a place that stays correct when messages arrive. */
function leadBelow(lead: Element): string | undefined {
  const next = `[data-index="${Number((lead as HTMLElement).dataset['index']) + 1}"]`
  return lead.closest('[role=tabpanel]')?.querySelector<HTMLElement>(next)?.dataset['lead']
}

/** Whether nothing covers the words' ends or their middle. */
function isOnTop(words: Element): boolean {
  const { left, width, top, height } = words.getBoundingClientRect()
  return [0.1, 0.5, 0.9].every((part) =>
    words.contains(document.elementFromPoint(left + width * part, top + height / 2)),
  )
}

const swipes = () => countOf('[data-swipe]')

test('além do limite vai para o estágio vizinho, o portal o sabe, e Desfazer o traz de volta ao mesmo lugar', async () => {
  const { pointer, portal } = await openBoard()
  const below = leadBelow(rogerio.element())
  expect(below).toBeDefined()
  await touchCard(pointer, rogerio)
  await pointer.by(8 + 80, 0)
  await expect.element(under).toBeVisible()
  expect(document.querySelector('[data-swipe]')?.textContent).toContain('Conversa')
  expect(felt).toEqual([])
  await pointer.by(40, 0)
  await expect.element(tab('Conversa')).toHaveAttribute('data-aimed', '')
  await expect.poll(() => [...felt]).toEqual([10])
  await pointer.up()
  await expect.element(title).toHaveTextContent(ONE_LESS)
  await expect.element(rogerio).not.toBeInTheDocument()
  await expect.element(tab('Conversa')).toHaveTextContent('9')
  await expect.element(page.getByText('Rogério foi para Conversa')).toBeVisible()
  await expect.poll(() => [...felt]).toEqual([10, 15])
  expect(p()).toBe(0)
  await expect.poll(() => portal.lead(2)?.status).toBe('conversa')

  await tap(undo)
  await expect.element(title).toHaveTextContent(NEW)
  await expect.poll(() => leadBelow(rogerio.element())).toBe(below)
  await expect.poll(() => getComputedStyle(rogerio.element()).transform).toBe('none')
  await expect.poll(() => [...felt]).toEqual([10, 15, 8])
  await expect.poll(() => portal.lead(2)?.status).toBe('new')
})

test('antes do limite volta, e nada muda; voltar 12 px desarma, tremer sobre o limite não', async () => {
  const { pointer, portal } = await openBoard()
  await touchCard(pointer, rogerio)
  await pointer.by(8 + 110, 0)
  await expect.element(under).toBeVisible()
  await pointer.up()
  await expect.poll(swipes).toBe(0)
  expect(getComputedStyle(rogerio.element()).transform).toBe('none')
  expect(felt).toEqual([])

  await touchCard(pointer, rogerio)
  await pointer.by(8 + 118, 0)
  await expect.element(tab('Conversa')).toHaveAttribute('data-aimed', '')
  await pointer.by(-10, 0)
  await pointer.by(10, 0)
  await expect.element(tab('Conversa')).toHaveAttribute('data-aimed', '')
  await expect.poll(() => [...felt]).toEqual([10])
  await pointer.by(-18, 0)
  await expect.element(tab('Conversa')).not.toHaveAttribute('data-aimed')
  await pointer.up()
  await expect.poll(swipes).toBe(0)
  await expect.element(title).toHaveTextContent(NEW)
  await expect.element(undo).not.toBeInTheDocument()
  expect(portal.network.bodiesOf(MOVE)).toEqual([])
})

test('um gesto rápido basta; puxado de volta não vai', async () => {
  const { pointer } = await openBoard()
  await touchCard(pointer, rogerio)
  await pointer.by(8 + 200, 0)
  await pointer.by(-60, 0, 96)
  await pointer.flick()
  await expect.poll(swipes).toBe(0)
  await expect.element(title).toHaveTextContent(NEW)

  await touchCard(pointer, rogerio)
  await pointer.by(70, 0, 64)
  await pointer.flick()
  await expect.element(title).toHaveTextContent(ONE_LESS)
})

test('sem vizinho estica até 48 px e diz por quê', async () => {
  const { pointer } = await openBoard()
  const marina = card('Marina Tavares')
  await touchCard(pointer, marina, { x: 350 })
  await pointer.by(-300, 0)
  const why = page.getByText('Primeiro estágio')
  await expect.element(why).toBeVisible()
  expect(isOnTop(why.element())).toBe(true)
  expect(shiftOf(marina.element())).toBe(-48)
  expect(felt).toEqual([])
  await pointer.up()
  await expect.poll(() => getComputedStyle(marina.element()).transform).toBe('none')
  await expect.element(title).toHaveTextContent(NEW)
})

test('para um estágio que encerra pergunta antes', async () => {
  const { pointer } = await openBoard()
  await tap(tab('Negociação'))
  await expect.element(title).toHaveTextContent('Negociação (5)')
  await expect.poll(p).toBe(2)
  const name = page.getByRole('article').first().getByRole('heading').element().textContent
  const swipe = async () => {
    await touchCard(pointer, card(name))
    await pointer.by(150, 0)
    await pointer.up()
  }
  await swipe()
  const question = page.getByRole('dialog', { name: /para Fechado\?/ })
  await expect.element(question).toBeVisible()
  await expectAccessible()
  await tap(question.getByRole('button', { name: 'Cancelar' }))
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(title).toHaveTextContent('Negociação (5)')
  await swipe()
  await tap(question.getByRole('button', { name: 'Mover' }))
  await expect.element(title).toHaveTextContent('Negociação (4)')
})

test('começar num botão do card move o card e não aperta o botão', async () => {
  const { pointer } = await openBoard()
  const button = boxOf(rogerio.getByRole('button', { name: /conversa/i }))
  await pointer.down(button.left + 10, button.middle)
  await pointer.by(-60, 0)
  await expect.poll(swipes).toBe(1)
  await expect.element(page.getByText('Primeiro estágio')).toBeVisible()
  await pointer.by(60, 0)
  await pointer.up()
  await expect.poll(swipes).toBe(0)
  expect(countOf('[role=dialog], dialog[open]')).toBe(0)
})

test('um segundo dedo, uma ligação ou sair do app devolvem tudo', async () => {
  const { pointer } = await openBoard()
  for (const disturb of [() => pointer.second(200, 600), () => pointer.taken()]) {
    await touchCard(pointer, rogerio)
    await pointer.by(160, 0)
    await expect.poll(swipes).toBe(1)
    await disturb()
    await expect.poll(swipes).toBe(0)
    await expect.poll(() => getComputedStyle(rogerio.element()).transform).toBe('none')
    await pointer.up()
  }
  await expect.element(title).toHaveTextContent(NEW)
})

test('desligado na conta, deslizar um card troca de estágio, sem tremer', async () => {
  const { pointer } = await openBoard()
  await tap(page.getByRole('button', { name: /camila/i }))
  for (const name of ['Deslizar cards para mover', 'Vibrar ao mover']) {
    await tap(page.getByText(name))
    await expect.element(page.getByRole('switch', { name })).not.toBeChecked()
  }
  await expectAccessible()
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Fechar' }))
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await touchCard(pointer, rogerio, { x: 330 })
  await pointer.by(-200, 0)
  await pointer.up()
  await expect.element(title).toHaveTextContent('Conversa (8)')
  expect(felt).toEqual([])
})

test('o que outro aparelho move não salta sob o dedo; chega quando ele se levanta', async () => {
  const { pointer, portal } = await openBoard()
  // The event stream reconnects at once when the network returns.
  dispatchEvent(new Event('online'))
  await expect.poll(portal.network.isHeard).toBe(true)
  const luciana = card('Luciana Prado')
  const before = boxOf(luciana)
  await touchCard(pointer, luciana)
  await pointer.by(60, 0)
  await expect.poll(swipes).toBe(1)
  const asked = portal.network.bodiesOf(SYNC).length
  portal.changeElsewhere(2, { status: 'conversa' })
  await expect.poll(() => portal.network.bodiesOf(SYNC).length).toBeGreaterThan(asked)
  await pointer.by(-40, 0)
  expect(boxOf(luciana).top).toBeCloseTo(before.top, 0)
  await expect.element(title).toHaveTextContent(NEW)
  await pointer.up()
  await expect.element(title).toHaveTextContent(ONE_LESS)
  portal.changeElsewhere(2, { status: 'new' })
  await expect.element(title).toHaveTextContent(NEW)
})

const REFUSAL = { success: false, message: 'Estágio indisponível', code: 'stage.unknown' }

test('uma recusa devolve o card e diz por quê', async () => {
  const { pointer, portal } = await openBoard()
  portal.network.on(MOVE, () => REFUSAL)
  await touchCard(pointer, rogerio)
  await pointer.by(200, 0)
  await pointer.up()
  await expect.element(page.getByText('Erro ao atualizar status: Estágio indisponível')).toBeVisible()
  await expect.element(title).toHaveTextContent(NEW)
  await expect.poll(() => getComputedStyle(rogerio.element()).transform).toBe('none')
})

test('uma recusa no instante em que o card acaba de sair o devolve também', async () => {
  const { pointer, portal } = await openBoard()
  // React schedules renders by a message to itself: while that is held, the refusal arrives.
  const { animate } = Element.prototype
  const { postMessage } = MessagePort.prototype
  const held: (() => void)[] = []
  const gone = new Promise<void>((resolve) => {
    Element.prototype.animate = function (...how) {
      if (this.matches('[role=tab]')) {
        MessagePort.prototype.postMessage = function (...what: [unknown]) {
          held.push(() => postMessage.apply(this, what))
        }
        resolve()
      }
      return animate.apply(this, how)
    }
  })
  portal.network.on(MOVE, async () => {
    await gone
    return REFUSAL
  })
  await touchCard(pointer, rogerio)
  await pointer.by(200, 0)
  await pointer.up()
  await gone
  await expect.poll(() => portal.network.bodiesOf(MOVE).length).toBe(1)
  // The refusal is stored.
  await expect.poll(unsent).toBe(0)
  Object.assign(Element.prototype, { animate })
  Object.assign(MessagePort.prototype, { postMessage })
  for (const draw of held) draw()
  await expect.element(page.getByText('Erro ao atualizar status: Estágio indisponível')).toBeVisible()
  await expect.element(title).toHaveTextContent(NEW)
  await expect.poll(() => getComputedStyle(rogerio.element()).transform).toBe('none')
})

test('com menos movimento o card segue o dedo e depois está onde deve, sem tremer', async () => {
  const { pointer } = await openBoard()
  await emulate({ reducedMotion: 'reduce' })
  await touchCard(pointer, rogerio)
  await pointer.by(8 + 150, 0)
  await expect.poll(() => shiftOf(rogerio.element())).toBe(150)
  await pointer.up()
  await expect.element(title).toHaveTextContent(ONE_LESS)
  await tap(undo)
  await expect.element(title).toHaveTextContent(NEW)
  expect(felt).toEqual([])
})

test('o quadro, o aviso e Mover para são acessíveis', async () => {
  await emulate({ reducedMotion: 'reduce' })
  const { pointer } = await openBoard()
  await expectAccessibleInBoth()
  await touchCard(pointer, rogerio)
  await pointer.by(200, 0)
  await pointer.up()
  // A focused toast stays, however long axe takes.
  await expect.element(undo).toBeVisible()
  undo.element().focus()
  await expectAccessibleInBoth()
  await tap(undo)
  await expect.element(title).toHaveTextContent(NEW)
  await tap(rogerio.getByRole('button', { name: /Mover/ }))
  await expect.element(page.getByRole('dialog', { name: 'Mover para' })).toBeVisible()
  await expectAccessibleInBoth()
})
