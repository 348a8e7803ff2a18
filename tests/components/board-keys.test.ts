// The phone's board by keyboard: every gesture has a key, and the focus is never lost.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { card, NEW, openBoard, p, tab, title } from '#tests/support/components/phone-board.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const press = (...keys: string[]) => userEvent.keyboard(keys.join(''))
const ALT_RIGHT = '{Alt>}{ArrowRight}{/Alt}'
const UNDO = '{Control>}z{/Control}'
const rogerio = card('Rogério Bastos')
const luciana = card('Luciana Prado')

test('setas vão de card em card e de estágio em estágio', async () => {
  await openBoard()
  card('Marina Tavares').element().focus()
  await press('{ArrowDown}')
  await expect.element(rogerio).toHaveFocus()
  await press('{ArrowRight}')
  await expect.element(title).toHaveTextContent('Conversa (8)')
  await expect.element(page.getByRole('article').first()).toHaveFocus()
  for (let time = 0; time < 2; time++) {
    await press('{ArrowLeft}')
    await expect.element(title).toHaveTextContent(NEW)
    await expect.element(rogerio).toHaveFocus()
  }
})

/** The computed colour of the focused element. */
function focusColour(): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = 'var(--color-focus)'
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

test('o card que tem o foco mostra o anel, e o que o perdeu não', async () => {
  await openBoard()
  const hasRing = (at: typeof rogerio) => getComputedStyle(at.element()).boxShadow.includes(focusColour())
  card('Marina Tavares').element().focus()
  await press('{ArrowDown}')
  await expect.poll(() => hasRing(rogerio)).toBe(true)
  await press('{ArrowDown}')
  await expect.poll(() => hasRing(luciana)).toBe(true)
  await expect.poll(() => hasRing(rogerio)).toBe(false)
})

test('Alt e seta movem um estágio, o foco fica no card seguinte, Ctrl+Z desfaz um a um', async () => {
  await openBoard()
  rogerio.element().focus()
  await press(ALT_RIGHT)
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(luciana).toHaveFocus()
  await press(ALT_RIGHT)
  await expect.element(title).toHaveTextContent('Novos Contatos (10)')
  await press(UNDO)
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(luciana).toBeVisible()
  for (let time = 0; time < 2; time++) {
    await press(UNDO)
    await expect.element(title).toHaveTextContent(NEW)
  }
})

test.runIf(isDeepRun)('Ctrl+Z logo depois de mover desfaz esse movimento, e não o de antes', async () => {
  await openBoard()
  rogerio.element().focus()
  await press(ALT_RIGHT, ALT_RIGHT, UNDO)
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(luciana).toBeVisible()
  await press(UNDO)
  await expect.element(title).toHaveTextContent(NEW)
})

test('Espaço levanta, setas escolhem o estágio, Espaço solta, Esc desiste; tudo é dito', async () => {
  await openBoard()
  const said = async (words: string) => {
    await expect.element(page.getByRole('status').filter({ hasText: words })).toBeInTheDocument()
  }
  rogerio.element().focus()
  await press(' ')
  await said(
    'Rogério Bastos na mão. Use as setas para escolher o estágio, espaço para soltar, Esc para cancelar.',
  )
  await press('{ArrowRight}{ArrowRight}')
  await said('Sobre Negociação, estágio 3 de 5.')
  await press('{Escape}')
  await said('Movimento cancelado.')
  await expect.element(title).toHaveTextContent(NEW)
  await expect.poll(p).toBe(0)
  await expect.element(rogerio).toHaveFocus()

  await press(' {ArrowRight} ')
  await said('Solto em Conversa.')
  await expect.element(title).toHaveTextContent('Conversa (9)')
  await expect.element(rogerio).toHaveFocus()
  await press(UNDO)
  await expect.element(title).toHaveTextContent('Conversa (8)')
})

test('Mover para: o card se move, o foco vai para o vizinho', async () => {
  await openBoard()
  rogerio.element().focus()
  await press('m')
  const sheet = page.getByRole('dialog', { name: 'Mover para' })
  await expect.element(sheet.getByRole('menuitemradio', { name: /^Novos Contatos/ })).toHaveFocus()
  await press('{ArrowDown}{Enter}')
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(luciana).toHaveFocus()
  await press(UNDO)
  await expect.element(title).toHaveTextContent(NEW)
})

test.runIf(isDeepRun)('movido na conversa, o foco fica no vizinho quando ela fecha', async () => {
  await openBoard()
  rogerio.element().focus()
  await press('{Enter}')
  const conversation = page.getByRole('dialog', { name: /Rogério/ })
  await expect.element(conversation).toHaveFocus()
  await conversation.getByRole('button', { name: /Novos Contatos/ }).click()
  await page.getByRole('menuitemradio', { name: 'Conversa' }).click()
  await expect.element(page.getByText('Rogério foi para Conversa')).toBeVisible()
  await press('{Escape}')
  await expect.element(conversation).not.toBeInTheDocument()
  await expect.element(title).toHaveTextContent('Novos Contatos (11)')
  await expect.element(luciana).toHaveFocus()
  await tab('Conversa').click()
  rogerio.element().focus()
  await press('{Alt>}{ArrowLeft}{/Alt}')
  await expect.element(title).toHaveTextContent('Conversa (8)')
})
