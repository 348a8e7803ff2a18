// On a wide screen the conversation is beside the board, which stays usable; offline it shows the card's message.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { prepareConversations } from '#features/conversation/conversation-dialog.tsx'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { brokerPortal, leadRow, messageRow } from '#tests/support/components/broker-portal.ts'
import { boxOf, expectApart, onDesk, restOf, targetOf } from '#tests/support/components/device.ts'
import { card } from '#tests/support/components/phone-board.ts'

const dock = (name: string) => page.getByRole('dialog', { name })
const MESSAGES = 'GET /rest/v1/whatsapp_messages'

async function openDesk(portal = brokerPortal()) {
  portal.network.on(MESSAGES, () => [])
  portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
  await onDesk()
  await openApp('/broker', portal.network, CAMILA)
  return portal
}

test('a 1440 px a conversa fica ao lado do quadro, que continua em uso', async () => {
  await openDesk()
  const marina = card('Marina Tavares')
  await marina.getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares')).toBeVisible()
  const { left, width } = boxOf(dock('Marina Tavares'))
  expect([left, width]).toEqual([1440 - 428, 428])
  const columns = page.getByRole('region', { name: 'Estágios' })
  expect(boxOf(columns).left + boxOf(columns).width).toBeLessThanOrEqual(left)
  const outline = () => getComputedStyle(marina.element()).outlineStyle
  await expect.poll(outline).toBe('solid')

  await card('Luciana Prado').getByText('Bom dia!').click()
  await expect.element(dock('Luciana Prado')).toBeVisible()
  await expect.poll(outline).toBe('none')
  await expectAccessible()
  // One step back closes it, however many were opened beside the board.
  await page.getByRole('button', { name: 'Fechar', exact: true }).click()
  await expect.element(dock('Luciana Prado')).not.toBeInTheDocument()
  expect(boxOf(columns).width).toBe(1440)
})

test('onde cinco colunas não cabem, as encerradas são tiras que se abrem, e a escolha fica', async () => {
  await openDesk()
  const strip = page.getByRole('button', { name: /^Fechado \(3\)/ })
  await expect.element(card('Igor Salles')).toBeVisible()
  expect(strip.elements()).toEqual([])
  await card('Marina Tavares').getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares')).toBeVisible()
  await expect.element(strip).toBeVisible()
  expect(boxOf(strip).width).toBe(44)
  const columns = page.getByRole('region', { name: 'Estágios' }).element()
  expect(columns.scrollWidth).toBe(columns.clientWidth)
  await expect.element(card('Igor Salles')).not.toBeInTheDocument()
  await expectAccessible()
  await strip.click()
  await expect.element(card('Igor Salles')).toBeVisible()
  expect(localStorage.getItem('board.unfolded')).toBe('fechado')
  await page.getByRole('button', { name: 'Recolher Fechado' }).click()
  await expect.element(strip).toBeVisible()
})

test('a busca abre a tira em que achou alguém, e a tira volta depois dela', async () => {
  await openDesk()
  await onDesk({ width: 1_000, height: 800 })
  const strip = page.getByRole('button', { name: /^Fechado/ })
  await expect.element(strip).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Buscar contato' })
  await field.fill('igor salles')
  await expect.element(card('Igor Salles')).toBeVisible()
  await field.fill('')
  await expect.element(card('Igor Salles')).not.toBeInTheDocument()
  await expect.element(strip).toBeVisible()
})

test('em 1.280 px, com a conversa ao lado, as cinco colunas continuam à vista', async () => {
  await openDesk()
  await onDesk({ width: 1_280, height: 800 })
  await card('Marina Tavares').getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Arquivado/ })).toBeInViewport({ ratio: 1 })
  const columns = page.getByRole('region', { name: 'Estágios' }).element()
  expect(columns.scrollWidth).toBe(columns.clientWidth)
})

test('Esc fecha a conversa ao lado e devolve o foco ao cartão', async () => {
  await openDesk()
  await expect.element(card('Marina Tavares')).toBeVisible()
  card('Marina Tavares').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dock('Marina Tavares')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dock('Marina Tavares')).not.toBeInTheDocument()
  await expect.element(card('Marina Tavares')).toHaveFocus()
})

test('Esc num menu da conversa fecha só o menu', async () => {
  await openDesk()
  await card('Marina Tavares').getByText('Bom dia!').click()
  const options = dock('Marina Tavares').getByRole('button', { name: /^Opções de/ })
  await options.click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await expect.element(options).toHaveFocus()
})

test('um nome comum e o número cabem ao lado do quadro, cada um na sua linha', async () => {
  await openDesk(brokerPortal([leadRow(1, { name: 'Helena Duarte', status: 'negociacao' })]))
  await card('Helena Duarte').getByText('Bom dia!').click()
  const dialog = dock('Helena Duarte')
  await expect.element(dialog).toBeVisible()
  const header = dialog.element().querySelector('header')!
  expect(header.querySelector('h2')?.clientHeight).toBe(20)
  const number = header.querySelector('h2 + p')!.getBoundingClientRect()
  const words = header.querySelector('h2')!.parentElement!.getBoundingClientRect()
  expect(number.bottom).toBeLessThanOrEqual(words.bottom)
})

test('numa janela mais baixa que ele, o menu rola até a última opção', async () => {
  await openDesk()
  await card('Marina Tavares').getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares')).toBeVisible()
  await onDesk({ height: 190 })
  await page.getByRole('button', { name: 'Opções de Marina Tavares' }).click()
  const last = page.getByRole('menuitem').last()
  await expect.element(last).toBeInTheDocument()
  last.element().scrollIntoView()
  const { bottom } = last.element().getBoundingClientRect()
  expect(bottom).toBeLessThanOrEqual(190)
})

test('abaixo de 1200 px a conversa continua por cima, com 80 %', async () => {
  await openDesk()
  await page.viewport(1024, 768)
  await card('Marina Tavares').getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares')).toBeVisible()
  await expect.poll(() => Math.round(boxOf(dock('Marina Tavares')).height)).toBe(Math.ceil(768 * 0.8))
})

test('da conversa aberta à caixa é um Tab; na busca do quadro está escrita a sua tecla', async () => {
  await openDesk()
  await expect.element(card('Marina Tavares')).toBeVisible()
  expect(document.querySelector('search kbd')?.textContent).toBe('/')
  await card('Marina Tavares').getByText('Bom dia!').click()
  const box = dock('Marina Tavares').getByRole('textbox', { name: 'Mensagem' })
  await expect.element(box).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(box).toHaveFocus()
})

test('as respostas rápidas vêm para o aparelho antes da primeira conversa', async () => {
  const portal = await openDesk()
  await expect.element(card('Marina Tavares')).toBeVisible()
  const asked = () => portal.network.bodiesOf('GET /rest/v1/quick_replies').length
  expect(asked()).toBe(0)
  prepareConversations()
  await expect.poll(asked).toBe(1)
})

test('uma conversa nunca aberta, sem conexão, mostra o que o cartão sabe', async () => {
  const portal = brokerPortal([leadRow(1, { name: 'Marina Tavares' })])
  await openDesk(portal)
  portal.network.on(MESSAGES, () => Response.error())
  await card('Marina Tavares').getByText('Bom dia!').click()
  const said = dock('Marina Tavares').getByText('Bom dia! Ainda tem a unidade?')
  await expect.element(said).toBeVisible()

  // A message written now is shown after it, once.
  let isAway = true
  portal.network.on('POST /api/messages/text', ({ body }) =>
    isAway ? Response.error() : { message: messageRow({ id: 7, type: 'outgoing', body: body['text'] }) },
  )
  const words = dock('Marina Tavares').getByText('Consigo às 10h')
  await dock('Marina Tavares').getByRole('textbox', { name: 'Mensagem' }).fill('Consigo às 10h')
  await dock('Marina Tavares').getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect.element(words).toBeVisible()
  await expect.element(card('Marina Tavares')).toHaveTextContent('Consigo às 10h')
  expect(words.elements()).toHaveLength(1)
  await expect.element(said).toBeVisible()
  const log = dock('Marina Tavares').getByRole('log')
  await expect.element(log).toHaveTextContent(/na fila|enviando/i)

  // The text leaves while its conversation still cannot be read.
  isAway = false
  dispatchEvent(new Event('online'))
  await expect.element(log).not.toHaveTextContent(/na fila|enviando/i)
  const timestamp = Math.floor(Date.now() / 1000)
  const read = { type: 'outgoing', kind: 'text', delivery: 'read' } as const
  portal.changeElsewhere(1, { last_message: { id: 7, body: 'Consigo às 10h', timestamp, ...read } })
  await expect.element(words.first()).toBeVisible()
  await expect.element(log.getByTitle('lida')).toBeVisible()
  expect(words.elements()).toHaveLength(1)
})

test('lida sem conexão numa conversa nunca aberta, a marca de não lida some', async () => {
  const portal = brokerPortal([leadRow(1, { name: 'Marina Tavares', unread_count: 2 })])
  await openDesk(portal)
  let isAway = true
  portal.network.on(MESSAGES, () => Response.error())
  portal.network.on('POST /rest/v1/rpc/mark_read', () => (isAway ? Response.error() : 0))
  await expect.element(card('Marina Tavares').getByText('2', { exact: true })).toBeVisible()
  await card('Marina Tavares').getByText('Bom dia!').click()
  await expect.element(dock('Marina Tavares').getByText('Bom dia! Ainda tem a unidade?')).toBeVisible()
  await expect.element(card('Marina Tavares').getByText('2', { exact: true })).not.toBeInTheDocument()
  isAway = false
  dispatchEvent(new Event('online'))
})

test('ao lado do quadro o cabeçalho segue a própria largura, e nada se sobrepõe', async () => {
  const named = 'Maria Aparecida dos Santos Albuquerque'
  await openDesk(brokerPortal([leadRow(1, { name: named, status: 'negociacao' })]))
  await card(named).getByText('Bom dia!').click()
  const dialog = dock(named)
  await expect.element(dialog).toBeVisible()
  const name = dialog.getByText(named, { exact: true })
  const parts = ['Dados do lead', /^Status/, /^Opções de/, 'Fechar'].map((label) =>
    dialog.getByRole('button', { name: label }),
  )
  expectApart([...parts, name].map(boxOf))
  expect(dialog.element().querySelector('header')?.clientHeight).toBeLessThanOrEqual(57)
})

test('no tablet o lápis do nome é um alvo de 44 px, acima do número', async () => {
  await openDesk()
  await onDesk({ hasTouch: true, width: 820, height: 1180 })
  await card('Marina Tavares').getByText('Bom dia!').click()
  const pencil = dock('Marina Tavares').getByRole('button', { name: 'Editar nome' })
  await expect.element(pencil).toBeVisible()
  await restOf(pencil)
  expect(targetOf(pencil).height).toBeGreaterThanOrEqual(44)
})
