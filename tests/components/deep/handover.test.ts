// A conversation that the assistant handed over: its card in the message list, earlier messages folded, and giving it
// back.
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { messageRow } from '#tests/support/components/broker-portal.ts'
import { queryClient } from '#data/query-client.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const passing = page.getByRole('region', { name: 'Passagem do assistente' })
const log = page.getByRole('log', { name: 'Mensagens' })
const button = (name: string) => passing.getByRole('button', { name, exact: true })
const BACK = 'Devolver ao assistente'
const GIVE = 'POST /api/assist/1/give-back'
const nowSeconds = Math.floor(Date.now() / 1000)

/** Messages of assistant and lead, and one after the card. */
const LINES = ['Linha um', 'Linha dois', 'Linha três', 'Linha quatro', 'Quero sim', 'Tenho carta'].map(
  (body, index) =>
    messageRow({
      id: 11 + index,
      body,
      timestamp: nowSeconds - 600 + index * 60,
      ...(index % 2 && { type: 'outgoing', delivery: 'sent' }),
    }),
)
const HANDOVER = {
  at: new Date((nowSeconds - 350) * 1000).toISOString(),
  wants: '3 quartos',
  said: 'A partir de R$ 598 mil.',
  missing: '',
  lines: 5,
  firstId: 11,
  lastId: 15,
}

async function open(baton: string | null = 'broker', handover: object | null = HANDOVER) {
  const { portal } = await openBoard()
  // Newest first, as the server answers.
  portal.network.on('GET /rest/v1/whatsapp_messages', () => LINES.toReversed())
  portal.network.on('GET /api/assist/1/handover', () => ({ handover, baton }))
  portal.network.on(GIVE, () => ({ isAnsweredNow: false }))
  await tap(card('Marina Tavares').getByRole('button', { name: 'Abrir conversa com Marina Tavares' }))
  await expect.element(page.getByRole('textbox', { name: 'Mensagem' })).toBeVisible()
  return portal
}
const expectSeen = async (seen: readonly string[]) => {
  for (const { body } of LINES) {
    const line = log.getByText(body)
    if (seen.includes(body)) await expect.element(line).toBeVisible()
    else await expect.element(line).not.toBeInTheDocument()
  }
}

test('o cartão fica na conversa, no seu momento; o que veio antes abre e recolhe', async () => {
  await open()
  await expect.element(passing.getByText('3 quartos')).toBeVisible()
  await expectSeen(['Linha quatro', 'Quero sim', 'Tenho carta'])
  await expectAccessible()
  const isBefore = (a: Element, b: Element) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const at = passing.element()
  expect(isBefore(log.getByText('Quero sim').element(), at)).toBe(true)
  expect(isBefore(at, log.getByText('Tenho carta').element())).toBe(true)
  await button('Ver as 5 mensagens').click()
  await expectSeen(LINES.map(({ body }) => body))
  await button('Recolher as mensagens').click()
  await expectSeen(['Linha quatro', 'Quero sim', 'Tenho carta'])
})

test('sem rede o cartão fica como o aparelho o tem, e nada se devolve', async () => {
  const portal = await open()
  await expect.element(passing.getByText('3 quartos')).toBeVisible()
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  portal.network.on('GET /api/assist/1/handover', () => Promise.reject(new TypeError('no network')))
  portal.network.on('GET /rest/v1/whatsapp_messages', () => Promise.reject(new TypeError('no network')))
  queryClient.removeQueries({ queryKey: ['conversation'] })
  queryClient.removeQueries({ queryKey: ['handover'] })
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => {
    online.mockRestore()
    dispatchEvent(new Event('online'))
  })
  dispatchEvent(new Event('offline'))
  await tap(card('Marina Tavares').getByRole('button', { name: 'Abrir conversa com Marina Tavares' }))
  await expect.element(passing.getByText('3 quartos')).toBeVisible()
  await expect.element(button(BACK)).toBeDisabled()
})

test('devolver ao assistente: uma vez, o cartão sai e o menu também não oferece mais', async () => {
  const portal = await open()
  await button(BACK).click()
  await expect.element(page.getByText('Devolvido. O assistente responde das 20h às 8h')).toBeVisible()
  await expect.element(passing).not.toBeInTheDocument()
  await expectSeen(LINES.map(({ body }) => body))
  expect(portal.network.bodiesOf(GIVE)).toHaveLength(1)
  await page.getByRole('button', { name: 'Opções de Marina Tavares' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Silenciar' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: BACK })).not.toBeInTheDocument()
})

test('depois da primeira linha do corretor o botão fica nas opções', async () => {
  const portal = await open('broker', null)
  await expectSeen(LINES.map(({ body }) => body))
  await page.getByRole('button', { name: 'Opções de Marina Tavares' }).click()
  await page.getByRole('menuitem', { name: BACK }).click()
  await expect.poll(() => portal.network.bodiesOf(GIVE)).toHaveLength(1)
})

test('pausado por outra pessoa, as opções dizem isso e nada se devolve', async () => {
  const portal = await open('stopped')
  await expect.element(passing).toBeVisible()
  await expect.element(button(BACK)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Opções de Marina Tavares' }).click()
  await tap(page.getByRole('menuitem', { name: 'Assistente pausado nesta conversa' }))
  expect(portal.network.bodiesOf(GIVE)).toHaveLength(0)
})
