// Waiting leads and next steps on the phone's board: filter chips, unread counts, a card's line and its sheet.
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { comingSaturday } from '#tests/support/clock.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { leadRow } from '#tests/support/components/broker-portal.ts'
import { tap } from '#tests/support/components/device.ts'
import { card, openBoard, tab, title } from '#tests/support/components/phone-board.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const chip = (name: string) => page.getByRole('button', { name, exact: false })
const sheet = page.getByRole('dialog', { name: 'Próximo passo' })
const agoSeconds = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60
const wrote = (minutes: number) => ({
  last_message: {
    body: 'Qual o valor da entrada?',
    timestamp: agoSeconds(minutes),
    type: 'incoming' as const,
    kind: 'text' as const,
    delivery: null,
  },
})
const due = (minutes: number) => ({
  next: [{ id: 7, op: null, kind: 'call' as const, due: agoSeconds(-minutes), note: '' }],
})

async function openDay(address?: string) {
  const leads = [
    leadRow(1, { name: 'Marina Tavares', unread_count: 2, ...wrote(40) }),
    leadRow(2, { name: 'Luciana Prado', last_message: null, ...due(120) }),
    leadRow(3, { name: 'Wesley Nogueira', status: 'negociacao', last_message: null, ...due(-180) }),
    leadRow(4, { name: 'Helena Duarte', last_message: null }),
  ]
  const { portal } = await openBoard(leads, address)
  await expect.element(chip('Sem resposta 1')).toBeVisible()
  return portal
}

test('os filtros contam todos os estágios, levam ao mais próximo, e Esc volta a todos', async () => {
  await openDay()
  await expect.element(tab('Novos Contatos')).toHaveTextContent('1 não lida')
  await tap(chip('Não lidas 1'))
  await expect.element(title).toHaveTextContent('Novos Contatos (1)')
  await tap(chip('Atrasadas 1'))
  await expect.element(title).toHaveTextContent('Negociação (1)')
  await expect.element(card('Wesley Nogueira')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await tap(tab('Novos Contatos'))
  await expect.element(title).toHaveTextContent('Novos Contatos (3)')
  await expectAccessible()
})

test('os filtros cabem no lugar reservado, e nada desce quando chegam', async () => {
  await openDay()
  const filters = page.getByRole('group', { name: 'Filtrar' }).element()
  const reservedPx = parseFloat(getComputedStyle(filters.parentElement ?? filters).minHeight)
  expect(filters.getBoundingClientRect().height).toBe(reservedPx)
})

test('o número ao lado de Hoje fica à parte, também antes de o dia ser aberto', async () => {
  await openDay()
  const count = page.getByRole('link', { name: /^Hoje/ }).getByText('2', { exact: true })
  await expect.element(count).toBeVisible()
  expect(getComputedStyle(count.element()).paddingLeft).toBe('6px')
})

test.runIf(isDeepRun)(
  'o filtro fica no endereço: por um link, com a conversa aberta e depois do Voltar',
  async () => {
    const filterSaid = () => new URLSearchParams(location.search).get('filtro')
    await openDay('/broker?filtro=atrasadas')
    await expect.element(title).toHaveTextContent('Negociação (1)')
    await expect.element(chip('Atrasadas 1')).toHaveAttribute('aria-pressed', 'true')
    await tap(chip('Não lidas 1'))
    await expect.element(title).toHaveTextContent('Novos Contatos (1)')
    expect(filterSaid()).toBe('nao-lidas')
    await tap(card('Marina Tavares').getByText('Qual o valor da entrada?'))
    await expect.element(page.getByRole('dialog', { name: /Marina Tavares/ })).toBeVisible()
    expect(filterSaid()).toBe('nao-lidas')
    history.back()
    await expect.element(title).toHaveTextContent('Novos Contatos (1)')
    expect(filterSaid()).toBe('nao-lidas')
    await tap(chip('Todos'))
    await expect.element(title).toHaveTextContent('Novos Contatos (3)')
    expect(filterSaid()).toBeNull()
  },
)

test('um filtro que não existe mostra todos', async () => {
  await openDay('/broker?filtro=outro')
  await expect.element(title).toHaveTextContent('Novos Contatos (3)')
})

test('a linha do card diz quem espera, o que é o próximo, ou de onde veio', async () => {
  await openDay()
  await expect.element(card('Marina Tavares').getByText('Sem resposta há 40 min')).toBeVisible()
  await expect.element(card('Luciana Prado').getByText(/^Ligar · (hoje|amanhã) /)).toBeVisible()
  await expect.element(card('Helena Duarte').getByText('Instagram · Mirante do Lago')).toBeVisible()
})

test('o centro de um card abre a conversa: só o texto da linha é o botão do próximo passo', async () => {
  await openDay()
  const opening = []
  for (const name of ['Marina Tavares', 'Luciana Prado', 'Helena Duarte']) {
    await expect.element(card(name)).toBeVisible()
    const { left, top, width, height } = card(name).element().getBoundingClientRect()
    const at = (x: number, y: number) => document.elementFromPoint(left + x, top + y)
    // The middle, and what surrounds the words of the line.
    const line = card(name).element().querySelector('.day-line')?.getBoundingClientRect()
    if (!line) throw new Error('no line')
    const around = [line.top - top + 2, line.bottom - top - 2].map((y) => at(line.left - left + 40, y))
    opening.push(
      ...[at(width / 2, height / 2), ...around].map((found) => found?.closest('.day-line') ?? null),
    )
    expect(at(line.left - left + 40, line.top - top + line.height / 2)?.className).toBe('day-line')
  }
  expect(opening).toEqual(Array(9).fill(null))
})

test('quem passa da meta pelo relógio fica âmbar, até o portal dizer que ninguém está de plantão', async () => {
  // Noon of a Monday, within the agency's working hours.
  vi.useFakeTimers({ now: comingSaturday()(2, 12), toFake: ['Date'] })
  try {
    const { network } = await openDay()
    const asked = () => network.bodiesOf('POST /rest/v1/rpc/get_broker_day').length
    network.on('POST /rest/v1/rpc/get_broker_day', () => ({
      answered: 0,
      median: null,
      at: Date.now() / 1000,
      waiting: [{ id: 1, counted: 0, open: false }],
    }))
    const line = card('Marina Tavares').getByText('Sem resposta há 40 min')
    await expect.element(line).toHaveAttribute('data-tone', 'late')
    expect(asked()).toBe(0)
    vi.setSystemTime(Date.now() + 61_000)
    document.dispatchEvent(new Event('visibilitychange'))
    await expect.poll(asked).toBe(1)
    await expect
      .element(card('Marina Tavares').getByText('Sem resposta há 41 min'))
      .toHaveAttribute('data-tone', 'plain')
  } finally {
    vi.useRealTimers()
  }
})

test.runIf(isDeepRun)(
  'um próximo passo é escolhido, aparece no card, vai ao portal e volta atrás',
  async () => {
    const portal = await openDay()
    const saved: unknown[] = []
    for (const name of ['action_save', 'action_finish'])
      portal.network.on(`POST /rest/v1/rpc/${name}`, ({ body }) => {
        saved.push([name, body['p_kind'] ?? body['p_outcome'], body['p_note']])
        return { success: true, code: 'saved', message: null, action_id: 8 }
      })
    await tap(card('Marina Tavares').getByText('Sem resposta há 40 min'))
    await expect.element(sheet).toBeVisible()
    await expectAccessible()
    await tap(sheet.getByText('Tarefa'))
    await tap(sheet.getByText('Amanhã 9h', { exact: true }))
    await sheet.getByRole('textbox', { name: 'Anotação' }).fill('Levar a planta')
    await tap(sheet.getByRole('button', { name: 'Tarefa amanhã 9h' }))
    await expect.element(card('Marina Tavares').getByText('Tarefa · amanhã 9h')).toBeVisible()
    // A lead with a next step no longer waits.
    await expect.element(chip('Sem resposta 0')).toBeVisible()
    await expect.poll(() => saved).toEqual([['action_save', 'task', 'Levar a planta']])
    await tap(page.getByRole('button', { name: 'Desfazer' }))
    await expect.poll(() => saved.at(-1)).toEqual(['action_finish', 'removed', undefined])
  },
)

test('o que está aberto é concluído, adiado ou mudado; pelo teclado, P', async () => {
  const portal = await openDay()
  const finished: unknown[] = []
  portal.network.on('POST /rest/v1/rpc/action_finish', ({ body }) => {
    finished.push(body['p_action_id'])
    return { success: true, code: 'saved', message: null, action_id: 7 }
  })
  card('Luciana Prado').element().focus()
  await userEvent.keyboard('p')
  await expect.element(sheet.getByText(/^Ligar · /)).toBeVisible()
  await tap(sheet.getByText('Concluir'))
  await expect.element(card('Luciana Prado').getByText('Instagram · Mirante do Lago')).toBeVisible()
  await expect.poll(() => finished).toEqual([7])
})

test('a 360 px com texto a 130 % as três abas ficam numa linha', async () => {
  await openDay()
  await page.viewport(360, 640)
  document.documentElement.style.fontSize = '130%'
  try {
    const links = page.getByRole('navigation', { name: 'Principal' }).getByRole('link').elements()
    const boxes = links.map((link) => link.getBoundingClientRect())
    expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
    expect(links.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
    const account = page
      .getByRole('button', { name: /^Conta de/ })
      .element()
      .getBoundingClientRect()
    expect(boxes.at(-1)?.right).toBeLessThanOrEqual(account.left)
    expect(account.right).toBeLessThanOrEqual(360)
  } finally {
    document.documentElement.style.fontSize = ''
  }
})

test('não lidas fora da vista contam na borda dos estágios, e um toque leva ao mais próximo', async () => {
  await openBoard([
    leadRow(1, { name: 'Marina Tavares' }),
    leadRow(2, { status: 'arquivado', unread_count: 2 }),
    leadRow(3, { status: 'arquivado', unread_count: 1 }),
  ])
  await page.viewport(360, 640)
  const edge = page.getByRole('button', { name: '2 não lidas em Arquivado. Ir para lá' })
  await expect.element(edge).toBeVisible()
  const { width, height } = edge.element().getBoundingClientRect()
  expect([width, height]).toEqual([44, 44])
  await tap(edge)
  await expect.element(edge).not.toBeInTheDocument()
  await expect.element(title).toHaveTextContent('Novos Contatos (1)')
})

test.each([390, 375, 360])('a %i px a linha do card diz a espera inteira', async (width) => {
  await openDay()
  await page.viewport(width, 740)
  const line = card('Marina Tavares').getByRole('button', { name: /^Sem resposta/ })
  await expect.element(line).toHaveTextContent('Sem resposta há 40 min')
  const { scrollWidth, clientWidth } = line.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})
