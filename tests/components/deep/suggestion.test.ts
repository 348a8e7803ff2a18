// The assistant's draft above the box: it appears after a pause in the place of the quick replies, and is never sent by
// itself.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { messageRow } from '#tests/support/components/broker-portal.ts'
import type { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import type { Request } from '#tests/support/components/network.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const draft = page.getByRole('region', { name: 'Sugestão do assistente' })
const writing = page.getByRole('textbox', { name: 'Mensagem' })
const replies = page.getByRole('list', { name: 'Respostas rápidas' })
const button = (name: string) => draft.getByRole('button', { name, exact: true })
const TEXT = 'Aceitamos carta de crédito como parte da entrada. Sábado, 10h ou 11h?'
const ASK = 'POST /api/assist/1/suggestion'
const answer = (suggestion: object | null, isBeingWritten = false) => ({ suggestion, isBeingWritten })
const SUGGESTION = { id: 7, text: TEXT, sources: [{ label: 'Tabela', at: '2026-11-21' }], model: 'm' }

async function open(suggestion: object | null = SUGGESTION, type = 'incoming') {
  const { portal } = await openBoard()
  const line = messageRow({
    id: 11,
    body: 'Vocês aceitam carta de crédito?',
    type,
    ...(type === 'outgoing' && { delivery: 'sent' }),
  })
  portal.network.on('GET /rest/v1/whatsapp_messages', () => [line])
  portal.network.on('GET /rest/v1/quick_replies', () => [
    { id: 'a', broker_id: null, title: 'Bom dia', body: 'Bom dia!' },
  ])
  portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
  portal.network.on(ASK, () => answer(suggestion))
  portal.network.on('POST /api/assist/suggestions/7/dismiss', () => ({}))
  await enter()
  return portal
}
async function enter() {
  await tap(card('Marina Tavares').getByRole('button', { name: 'Abrir conversa com Marina Tavares' }))
  await expect.element(writing).toBeVisible()
}
const asked = ({ network }: ReturnType<typeof brokerPortal>, request: Request = ASK) =>
  network.bodiesOf(request).length

test('o rascunho fica no lugar das respostas rápidas, diz de onde veio e vai para o campo', async () => {
  const portal = await open()
  await expect.element(draft.getByText(TEXT), { timeout: 5_000 }).toBeVisible()
  await expect.element(replies).not.toBeInTheDocument()
  await expectAccessible()
  await button('usou a tabela de 21/11').click()
  await expect.element(draft.getByText('Tabela', { exact: true })).toBeVisible()
  await button('Usar').click()
  await expect.element(writing).toHaveValue(TEXT)
  await expect.element(draft).not.toBeInTheDocument()
  // The draft is in the box, and nothing was sent.
  expect(asked(portal, 'POST /api/messages/text')).toBe(0)
  expect(asked(portal)).toBe(1)
})

test('editar leva o rascunho e o teclado; dispensar não volta', async () => {
  const portal = await open()
  await button('Editar').click({ timeout: 5_000 })
  await expect.element(writing).toHaveFocus()
  await userEvent.keyboard(' Até lá!')
  await expect.element(writing).toHaveValue(`${TEXT} Até lá!`)
  await writing.clear()
  // Each of the three has its own background.
  await expect.element(button('Dispensar'), { timeout: 5_000 }).toBeVisible()
  const fillOf = (of: Element | null) => of && getComputedStyle(of).backgroundColor
  expect(fillOf(button('Dispensar').element().parentElement)).toBe(fillOf(writing.element().parentElement))
  await button('Dispensar').click({ timeout: 5_000 })
  await expect.element(draft).not.toBeInTheDocument()
  await expect.element(replies).toBeVisible()
  expect(asked(portal, 'POST /api/assist/suggestions/7/dismiss')).toBe(1)
})

test('depois de uma mensagem nossa, ou sem nada a sugerir, ficam as respostas rápidas', async () => {
  const portal = await open(null)
  await expect.poll(() => asked(portal), { timeout: 5_000 }).toBe(1)
  await expect.element(replies).toBeVisible()
  await expect.element(draft).not.toBeInTheDocument()
})

test('quem fecha a conversa enquanto o rascunho é escrito o encontra quando volta', async () => {
  const portal = await open()
  const { promise, resolve } = Promise.withResolvers<object>()
  portal.network.on(ASK, () => promise)
  await expect.poll(() => asked(portal), { timeout: 5_000 }).toBe(1)
  // The portal's answer while the draft is being written.
  portal.network.on(ASK, () => answer(null, true))
  await page.getByRole('button', { name: 'Fechar' }).click()
  await expect.element(writing).not.toBeInTheDocument()
  await enter()
  resolve(answer(SUGGESTION))
  await expect.element(draft.getByText(TEXT), { timeout: 5_000 }).toBeVisible()
  expect(asked(portal)).toBe(1)
})

test('o que outro aparelho já pediu aparece quando fica pronto', async () => {
  const portal = await open()
  const answers = [answer(null, true), answer(null, true), answer(SUGGESTION)]
  portal.network.on(ASK, () => answers.shift())
  await expect.element(draft.getByText(TEXT), { timeout: 15_000 }).toBeVisible()
  expect(asked(portal)).toBe(3)
  await button('Dispensar').click()
  await expect.element(draft).not.toBeInTheDocument()
  expect(asked(portal)).toBe(3)
})
