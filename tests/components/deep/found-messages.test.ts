// Messages found by the board's search: those of this device at once, also without a signal, then the portal's; a tap
// opens the conversation at the message.
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { leadRow, messageRow, STAGES, type brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onDesk, onPhone, tap } from '#tests/support/components/device.ts'
import { card, openBoard } from '#tests/support/components/phone-board.ts'

const SEARCH = 'POST /rest/v1/rpc/search_messages'
const MESSAGES = 'GET /rest/v1/whatsapp_messages'
const field = page.getByRole('textbox', { name: 'Buscar contato' })
const found = page.getByRole('region', { name: 'Mensagens' })
const group = (title: string) => found.getByRole('heading', { name: title, exact: true })
const conversation = page.getByRole('dialog', { name: 'Rogério Bastos' }).first()

const hit = (columns: object = {}) => ({
  id: 900,
  contact_id: 2,
  name: 'Rogério Bastos',
  number: null,
  instanceName: 'corretor_camila',
  timestamp: 1_795_000_000,
  type: 'outgoing',
  kind: 'text',
  body: 'Posso mostrar a varanda no sábado.',
  ...columns,
})

const kept = () => [
  messageRow({ id: 41, body: 'A varanda é fechada?' }),
  messageRow({ id: 40, body: 'Bom dia!' }),
]

/** The board, whose device stores the conversation with Rogério. */
async function openWithConversation() {
  const { portal } = await openBoard()
  portal.network.on(MESSAGES, kept)
  await tap(card('Rogério Bastos').getByText('Consigo visitar'))
  await expect.element(conversation.getByText('A varanda é fechada?')).toBeVisible()
  await tap(conversation.getByRole('button', { name: 'Fechar' }).first())
  await expect.element(conversation).not.toBeInTheDocument()
  return portal
}

async function look(words: string) {
  await tap(page.getByRole('button', { name: 'Buscar contato' }))
  await field.fill(words)
}

type Portal = ReturnType<typeof brokerPortal>
const asked = ({ network }: Portal) => network.bodiesOf(SEARCH)

test('no aparelho e no portal, cada uma uma vez, com a palavra marcada, acessível', async () => {
  const portal = await openWithConversation()
  const same = hit({ id: 41, type: 'incoming', body: 'A varanda é fechada?' })
  portal.network.on(SEARCH, () => ({ messages: [same, hit()], until: null }))
  await look('varand')
  await expect.element(group('No aparelho')).toBeVisible()
  await expect.element(found.getByText('Posso mostrar a')).toBeVisible()
  expect(
    found
      .getByRole('listitem')
      .elements()
      .map((one) => one.textContent),
  ).toEqual([
    expect.stringContaining('A varanda é fechada?'),
    expect.stringContaining('Nós: Posso mostrar a varanda no sábado.'),
  ])
  expect(found.element().querySelector('mark')?.textContent).toBe('varanda')
  expect(asked(portal).at(-1)).toEqual({ p_query: 'varand', p_brokers: ['corretor_camila'], p_before: null })
  await expectAccessibleInBoth()
})

test('um toque abre a conversa naquela mensagem, buscando as mais antigas', async () => {
  const { portal } = await openBoard()
  portal.network.on(SEARCH, () => ({ messages: [hit()], until: null }))
  const page50 = Array.from({ length: 50 }, (_, at) =>
    messageRow({ id: 1_050 - at, body: `Recente ${at}`, timestamp: 1_795_900_000 - at }),
  )
  portal.network.on(MESSAGES, ({ url }) =>
    /lt/.test(url.search)
      ? [messageRow({ id: 900, body: 'Posso mostrar a varanda no sábado.', timestamp: 1_795_000_000 })]
      : page50,
  )
  await look('varanda')
  await tap(found.getByText('Posso mostrar a'))
  await expect.element(conversation.getByText('Posso mostrar a varanda no sábado.')).toBeVisible()
})

test('sem conexão acha o que está no aparelho, e diz que é só isso', async () => {
  const portal = await openWithConversation()
  const before = asked(portal).length
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => {
    online.mockRestore()
    dispatchEvent(new Event('online'))
  })
  dispatchEvent(new Event('offline'))
  await look('varanda fech')
  await expect.element(found.getByText('Sem conexão: só o que está no aparelho.')).toBeVisible()
  await expect.element(found.getByRole('listitem')).toHaveTextContent('A varanda é fechada?')
  expect(asked(portal)).toHaveLength(before)
  await tap(found.getByRole('listitem'))
  await expect.element(conversation.getByText('A varanda é fechada?')).toBeVisible()
})

test('mais antigas vêm a pedido, e uma falha é dita em português', async () => {
  const { portal } = await openBoard()
  portal.network.on(SEARCH, ({ body }) =>
    body['p_before'] === null
      ? { messages: [hit()], until: 1_795_000_001 }
      : { messages: [hit({ id: 800, body: 'A varanda de antes' })], until: null },
  )
  await look('varanda')
  const more = found.getByRole('button', { name: 'Buscar mais antigas' })
  await tap(more)
  await expect.element(found.getByText('de antes')).toBeVisible()
  await expect.element(more).not.toBeInTheDocument()
  portal.network.on(SEARCH, () =>
    Response.json({ error: { code: 'x', message: 'O portal está ocupado.' } }, { status: 503 }),
  )
  await field.fill('cobertura')
  await expect.element(found.getByText(/^Erro ao buscar: /)).toBeVisible()
})

test('duas letras não buscam, e uma conversa que saiu do quadro não aparece', async () => {
  const portal = await openWithConversation()
  await look('va')
  await expect.element(found).not.toBeInTheDocument()
  expect(asked(portal)).toEqual([])
  portal.network.on('POST /rest/v1/rpc/sync_board', () => ({
    cursor: '99',
    reset: true,
    leads: [leadRow(1)],
    removed: [],
    stages: STAGES,
  }))
  portal.network.tell({ kind: 'board', instanceName: 'corretor_camila' })
  await expect.element(card('Rogério Bastos')).not.toBeInTheDocument()
  await field.fill('varanda')
  await expect.element(found.getByText('Nada nas conversas guardadas aqui.')).toBeVisible()
})

test('num telefone estreito nada passa da borda, e na mesa ficam ao lado das colunas', async () => {
  const { portal } = await openBoard()
  portal.network.on(SEARCH, () => ({ messages: [hit({ body: `varanda ${'x'.repeat(200)}` })], until: null }))
  await onPhone()
  await page.viewport(360, 740)
  await look('varanda')
  await expect.element(found.getByRole('listitem')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  const { left, right } = found.getByRole('listitem').element().getBoundingClientRect()
  expect([left >= 0, right <= 360]).toEqual([true, true])
  await onDesk()
  await field.fill('varanda')
  await expect.element(found.getByRole('listitem')).toBeVisible()
})
