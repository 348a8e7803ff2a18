// 'Marcar como não lida': from the card and from the conversation, offline, by keyboard, and undone by opening.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const UNREAD = 'POST /rest/v1/rpc/lead_unread'
const READ = 'POST /rest/v1/rpc/mark_read'
const CELIA = 'Célia Moura'
const sheet = page.getByRole('dialog', { name: 'Mover para' })
const conversation = page.getByRole('dialog', { name: CELIA })
const dot = () => card(CELIA).element().querySelector('.unread-pill')

async function open(unreadCount = 0) {
  const rows = [
    leadRow(1, { name: CELIA, unread_count: unreadCount }),
    leadRow(2, { name: 'Marina Tavares' }),
  ]
  const { portal } = await openBoard(rows)
  const { network } = portal
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  return { network }
}

test('do cartão, em dois toques: um ponto sem número, e abrir a conversa o tira', async () => {
  const { network } = await open()
  await card(CELIA).getByRole('button', { name: /Mover/ }).click()
  await sheet.getByRole('button', { name: 'Marcar como não lida' }).click()
  await expect
    .element(card(CELIA))
    .toHaveAttribute('aria-label', expect.stringContaining('Marcada como não lida'))
  expect(dot()?.textContent).toBe('')
  await expect
    .poll(() => network.bodiesOf(UNREAD))
    .toMatchObject([{ p_contact_id: 1, p_operation_id: expect.any(String) }])
  await expectAccessibleInBoth()
  await card(CELIA).getByText('Bom dia!').click()
  await expect.poll(() => network.bodiesOf(READ)).toEqual([{ p_contact_id: 1, p_up_to: 0 }])
  await conversation.getByRole('button', { name: 'Fechar' }).click()
  await expect.poll(dot).toBe(null)
})

test('da conversa, sem sinal e pelo teclado: ela se fecha, o ponto fica e espera na fila', async () => {
  const { network } = await open()
  await card(CELIA).getByText('Bom dia!').click()
  const options = conversation.getByRole('button', { name: `Opções de ${CELIA}` })
  await expect.element(options).toBeVisible()
  network.on(UNREAD, () => Response.error())
  ;(options.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const item = page.getByRole('menuitem', { name: 'Marcar como não lida' })
  await expect.element(item).toBeVisible()
  ;(item.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(conversation).not.toBeInTheDocument()
  await expect.poll(() => dot()?.textContent).toBe('')
  await expect.element(card(CELIA).getByText('Na fila')).toBeVisible()
  expect(network.bodiesOf(READ), 'nothing marks it as read again').toEqual([])
  network.on(UNREAD, () => ({ code: 'saved', message: null, current: null }))
  dispatchEvent(new Event('online'))
})

test('quem tem mensagens novas tem Marcar como lida, sem abrir', async () => {
  const { network } = await open(3)
  expect(dot()?.textContent).toBe('3')
  await card(CELIA).getByRole('button', { name: /Mover/ }).click()
  await sheet.getByRole('button', { name: 'Marcar como lida' }).click()
  await expect.poll(dot).toBe(null)
  await expect.poll(() => network.bodiesOf(READ)).toMatchObject([{ p_contact_id: 1 }])
})
