// 'Hoje' on a phone: its sections, keys and swipes; and the next step suggested after a message.
import { expect, test, vi } from 'vitest'
import { noteServerTime } from '#api/clock.ts'
import { isDayOffered, noteDaySeen } from '#data/day-offer.ts'
import { LEAD_MARKS } from '#data/lead-marks.ts'
import { page, userEvent } from 'vitest/browser'
import { calendarDay } from '#domain/format.ts'
import { zonedMs } from '#domain/zone.ts'
import { dayTitle } from '#features/today/texts.ts'
import { CAMILA, openApp, unsent } from '#tests/support/components/app.tsx'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import {
  brokerPortal,
  leadRow,
  type Row,
  STAGES,
  SYNC,
  messageRow,
} from '#tests/support/components/broker-portal.ts'
import { boxOf, onDesk, pointerOn, onPhone, restOf, tap } from '#tests/support/components/device.ts'

const agoSeconds = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60
const wrote = (minutes: number): Partial<Row> => ({
  last_message: {
    body: 'Qual o valor da entrada?',
    timestamp: agoSeconds(minutes),
    type: 'incoming',
    kind: 'text',
    delivery: null,
  },
})
const late = (id: number, minutes: number): Partial<Row> => ({
  last_message: null,
  next: [{ id, op: null, kind: 'task', due: agoSeconds(minutes), note: '' }],
})

async function openToday(
  rows: readonly Row[],
  answers: Parameters<typeof brokerPortal>[1] = {},
  address = '/broker/hoje',
) {
  const portal = brokerPortal(rows, answers)
  const finished: unknown[] = []
  portal.network.on('POST /rest/v1/rpc/action_finish', ({ body }) => {
    finished.push(body['p_action_id'])
    return { success: true, code: 'saved', message: null, action_id: body['p_action_id'] }
  })
  const putOff: unknown[] = []
  portal.network.on('POST /rest/v1/rpc/action_snooze', ({ body }) => {
    putOff.push(body['p_action_id'])
    return { success: true, code: 'saved', message: null, action_id: body['p_action_id'] }
  })
  portal.network.on('POST /rest/v1/rpc/get_scheduled_messages', () => [])
  await onPhone()
  await openApp(address, portal.network, CAMILA)
  return { portal, finished, putOff }
}

const usual = () => [
  leadRow(1, { name: 'Beatriz Antunes', ...wrote(22) }),
  leadRow(2, { name: 'Denise Cordeiro', ...wrote(9) }),
  leadRow(3, { name: 'Wesley Nogueira', ...late(31, 90) }),
  leadRow(4, { name: 'Caio Figueiredo', ...late(41, 60 * 30) }),
  leadRow(5, { name: 'Helena Duarte', last_message: null }),
]
const heading = (name: string) => page.getByRole('heading', { name })

test('de quem espera porque a resposta não saiu, isso é dito', async () => {
  const answer = { body: 'Bom dia! Tem vaga coberta.', type: 'outgoing' as const, kind: 'text' as const }
  await openToday([
    leadRow(1, {
      name: 'Ricardo Paiva',
      waiting_since: agoSeconds(30),
      last_message: { ...answer, timestamp: agoSeconds(20), delivery: 'failed' },
    }),
  ])
  await expect
    .element(page.getByRole('button', { name: /Ricardo Paiva/ }))
    .toHaveTextContent('Não saiu: Bom dia! Tem vaga coberta.')
})

test('quem espera primeiro, com o relógio e a meta; depois o atrasado; a aba conta os dois', async () => {
  await openToday(usual())
  await expect.element(heading('Esperando você')).toBeVisible()
  await expect.element(page.getByText('passou 7 min')).toBeVisible()
  await expect.element(page.getByText('faltam 6 min')).toBeVisible()
  await expect.element(heading('Atrasadas')).toBeVisible()
  await expect.element(page.getByText('Sem próxima ação (1)')).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Hoje\s*4$/ })).toBeVisible()
})

test('no computador o que vem depois fica ao lado de quem espera', async () => {
  await openToday(usual())
  await onDesk()
  const places = [
    page.getByRole('heading', { name: /^Esperando você/ }),
    page.getByRole('heading', { name: /^Depois de hoje/ }),
  ]
  for (const place of places) await expect.element(place).toBeInViewport({ ratio: 1 })
  const [waiting, later] = places.map((place) => boxOf(place))
  expect([waiting?.top, (later?.left ?? 0) > 800]).toEqual([later?.top, true])
})

test('a meta é a da agência, como o quadro a traz', async () => {
  const { portal } = await openToday([leadRow(1, { name: 'Beatriz Antunes', ...wrote(22) })])
  await expect.element(page.getByText('passou 7 min')).toBeVisible()
  const sync = {
    cursor: '2',
    target: 1_200,
    reset: false,
    leads: [],
    removed: [],
    stages: STAGES,
  }
  portal.network.on(SYNC, () => sync)
  await expect.poll(() => portal.network.isHeard()).toBe(true)
  portal.network.tell({ kind: 'board', instanceName: CAMILA.instanceName ?? '' })
  await expect.element(page.getByText('meta 20 min')).toBeVisible()
  await expect.element(page.getByText('passou 2 min')).toBeVisible()
  portal.network.on(SYNC, () => ({ ...sync, target: 900 }))
  portal.network.tell({ kind: 'board', instanceName: CAMILA.instanceName ?? '' })
  await expect.element(page.getByText('meta 15 min')).toBeVisible()
})

test.each([
  [2, 23],
  [-2, 23],
  [-2, 0],
])('com o relógio do telefone %d dias errado, às %d h 10, o dia é o do portal', async (days, hour) => {
  const rightMs = zonedMs(calendarDay(Date.now()), hour, 10)
  const dated = () => new Date(rightMs).toUTCString()
  vi.useFakeTimers({ now: rightMs, toFake: ['Date'] })
  const rows = [
    leadRow(1, { name: 'Beatriz Antunes', ...wrote(22) }),
    leadRow(2, { name: 'Wesley Nogueira', ...late(21, 90) }),
    leadRow(3, { name: 'Helena Duarte', ...late(31, -24 * 60) }),
  ]
  vi.setSystemTime(rightMs + days * 86_400_000)
  try {
    const { portal, putOff } = await openToday(rows, {
      'POST /rest/v1/rpc/get_broker_day': () => ({
        answered: 0,
        median: null,
        at: rightMs / 1000,
        waiting: [{ id: 1, counted: 22 * 60, open: true }],
      }),
      'GET /api/assist/own': () =>
        Response.json({ isOn: false, isAvailable: true }, { headers: { Date: dated() } }),
      'GET /api/instance': () =>
        Response.json(
          { state: 'open', number: '5511901000101', replacedNumber: null },
          { headers: { Date: dated() } },
        ),
    })
    await expect.element(page.getByText('passou 7 min')).toBeVisible()
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(dayTitle(rightMs))
    await expect.element(page.getByText('Tarefa · Wesley Nogueira')).toBeVisible()
    // Due tomorrow: neither late nor today's, whatever the phone's clock says.
    await expect.element(heading('Depois de hoje')).toBeVisible()
    await expect.element(page.getByText('Tarefa · Helena Duarte')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Hoje', exact: true })).not.toBeInTheDocument()
    page
      .getByRole('button', { name: /^Tarefa · Wesley Nogueira/ })
      .element()
      .focus()
    await userEvent.keyboard('a')
    await expect.poll(() => putOff).toEqual([21])
    const [{ p_due_at: dueAt } = {}] = portal.network.bodiesOf('POST /rest/v1/rpc/action_snooze')
    const aheadMs = Date.parse(String(dueAt)) - rightMs
    expect(Math.round(aheadMs / 3_600_000)).toBe(1)
  } finally {
    vi.useRealTimers()
    // Resets the device's clock for the next test.
    noteServerTime(new Response(null, { headers: { Date: new Date().toUTCString() } }))
  }
})

test('uma mensagem agendada fica na linha do dia e abre a conversa; a que parou diz isso', async () => {
  const later = (id: number, minutes: number, why?: string) => ({
    later: [{ id, op: null, due: agoSeconds(-minutes), silent: true, ...(why && { why }) }],
  })
  await openToday([
    leadRow(1, { name: 'Sandra Lemos', last_message: null, ...later(11, 0) }),
    leadRow(2, { name: 'Rogério Matos', last_message: null, ...later(21, -60, 'answered') }),
  ])
  const day = page.getByRole('listitem').filter({ hasText: 'Mensagem · ' })
  await expect.element(day.nth(0)).toHaveTextContent('Rogério MatosNão saiu. Abra a conversa para decidir.')
  await expect.element(day.nth(1)).toHaveTextContent('Sandra LemosSó se o lead não responder antes')
  await expectAccessible()
  await tap(page.getByRole('button', { name: /Mensagem · Sandra Lemos/ }))
  await expect.element(page.getByRole('dialog', { name: /Sandra Lemos/ })).toBeVisible()
})

test('o que não cabe na primeira tela vem em seguida: nenhuma linha falta', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1)
  await openToday(ids.map((id) => leadRow(id, { name: `Lead ${id}`, ...late(100 + id, 30 + id) })))
  await expect
    .poll(() => document.querySelectorAll('[data-task]').length, { message: 'rows' })
    .toBe(ids.length)
})

test('é acessível', async () => {
  await openToday(usual())
  await expect.element(heading('Atrasadas')).toBeVisible()
  await expectAccessibleInBoth()
})

test('o anel conclui; varrida à direita conclui, à esquerda adia', async () => {
  const { finished, putOff } = await openToday(usual())
  await tap(page.getByRole('button', { name: 'Concluir: Tarefa · Caio Figueiredo' }))
  await expect.poll(() => finished).toEqual([41])
  const pointer = pointerOn()
  const row = page.getByText('Tarefa · Wesley Nogueira')
  const { left, middle } = boxOf(row)
  await pointer.down(left + 20, middle)
  await pointer.to(left - 140, middle)
  await pointer.up()
  await expect.poll(() => putOff).toEqual([31])
})

test('num aparelho de toque, o clique de um mouse também conclui', async () => {
  const { finished } = await openToday(usual())
  await page.getByRole('button', { name: 'Concluir: Tarefa · Caio Figueiredo' }).click()
  await expect.poll(() => finished).toHaveLength(1)
})

test('o anel de uma visita que já passou pergunta o que foi dela, também depois de deixada para depois', async () => {
  const due = agoSeconds(120)
  const { finished } = await openToday([
    leadRow(1, {
      name: 'Helena Duarte',
      last_message: null,
      next: [{ id: 5, op: null, kind: 'visit', due, note: '' }],
    }),
    leadRow(2, {
      name: 'Marina Tavares',
      last_message: null,
      next: [{ id: 6, op: null, kind: 'visit', due: agoSeconds(30), note: '' }],
    }),
  ])
  const question = page.getByRole('region', { name: /^A visita aconteceu\? Helena Duarte/ })
  await expect.element(question).toBeVisible()
  // A visit that is being asked about is not listed twice; one in progress is neither late nor asked about.
  await expect.element(page.getByRole('link', { name: /^Hoje\s*1$/ })).toBeVisible()
  await expect.element(heading('Atrasadas')).not.toBeInTheDocument()
  await expect.element(page.getByText('Ninguém esperando você')).not.toBeInTheDocument()
  await tap(question.getByRole('button', { name: 'Perguntar depois' }))
  await expect.element(question).not.toBeInTheDocument()
  await tap(page.getByRole('button', { name: 'Concluir: Visita · Helena Duarte' }))
  await expect.element(question.getByRole('button', { name: 'Sim' })).toHaveFocus()
  expect(finished).toEqual([])
})

test('um aviso tocado pergunta de novo da visita que foi deixada para depois', async () => {
  const due = agoSeconds(120)
  const visit = { id: 5, op: null, kind: 'visit' as const, due, note: '' }
  const left = [{ key: `1 ${due * 1000}`, untilMs: null }]
  localStorage.setItem(LEAD_MARKS.leftVisits, JSON.stringify(left))
  await openToday(
    [leadRow(1, { name: 'Helena Duarte', last_message: null, next: [visit] })],
    {},
    '/broker/hoje?visita=1',
  )
  const question = page.getByRole('region', { name: /^A visita aconteceu\? Helena Duarte/ })
  await expect.element(question).toBeVisible()
  await expect.element(heading('Atrasadas')).not.toBeInTheDocument()
  await tap(question.getByRole('button', { name: 'Perguntar depois' }))
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(heading('Atrasadas')).toBeVisible()
})

test('Remarcar, tocado num aviso, abre logo a folha da visita que já passou', async () => {
  const visit = { id: 5, op: null, kind: 'visit' as const, due: agoSeconds(120), note: 'Vista Serrana' }
  await openToday(
    [leadRow(1, { name: 'Helena Duarte', last_message: null, next: [visit] })],
    {},
    '/broker/hoje?remarcar=1',
  )
  const moving = page.getByRole('dialog', { name: 'Remarcar visita' })
  await expect.element(moving.getByText(/^Era /)).toBeVisible()
})

/** Swipes a future visit sideways, between two x positions on its text. */
async function sweepVisit(fromX: number, toX: number) {
  const visit = { id: 5, op: null, kind: 'visit' as const, due: agoSeconds(-1), note: '' }
  const today = await openToday([leadRow(1, { name: 'Helena Duarte', last_message: null, next: [visit] })])
  const pointer = pointerOn()
  const { left, middle } = await restOf(page.getByText('Visita · Helena Duarte'))
  await pointer.down(left + fromX, middle)
  await pointer.to(left + toX, middle)
  await pointer.up()
  return today
}

test('varrida à direita, uma visita que ainda vem não é concluída: abre o que se pode fazer com ela', async () => {
  const { finished } = await sweepVisit(20, 180)
  const step = page.getByRole('dialog', { name: 'Próximo passo' })
  await expect.element(step.getByRole('button', { name: 'Excluir' })).toBeVisible()
  expect(finished).toEqual([])
})

test('uma visita não é adiada por uma hora: varrida à esquerda ela é remarcada, com horário livre', async () => {
  const { putOff } = await sweepVisit(180, 20)
  await expect.element(page.getByRole('dialog', { name: 'Remarcar visita' })).toBeVisible()
  expect(putOff).toEqual([])
})

test('um duplo toque no anel conclui uma só, embora a linha de baixo já esteja sob o dedo', async () => {
  const { finished } = await openToday(usual())
  const ring = page.getByRole('button', { name: 'Concluir: Tarefa · Caio Figueiredo' })
  const { left, width, middle } = await restOf(ring)
  const tapAt = (timeStamp: number) => {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true })
    Object.defineProperty(click, 'timeStamp', { value: timeStamp })
    document.elementFromPoint(left + width / 2, middle)?.dispatchEvent(click)
  }
  const firstMs = performance.now() + 60_000
  tapAt(firstMs)
  await expect.element(ring).not.toBeInTheDocument()
  const below = page.getByRole('button', { name: 'Concluir: Tarefa · Wesley Nogueira' })
  await expect.poll(() => Math.abs(boxOf(below).middle - middle)).toBeLessThan(8)
  tapAt(firstMs + 200)
  await expect.poll(() => finished).toEqual([41])
  tapAt(firstMs + 1_000)
  await expect.poll(() => finished).toEqual([41, 31])
})

test('concluída em dois aparelhos ao mesmo tempo, é uma só: some daqui, e nada fica pendente', async () => {
  const { portal } = await openToday(usual())
  const wesley = page.getByRole('button', { name: 'Concluir: Tarefa · Wesley Nogueira' })
  await expect.element(wesley).toBeVisible()
  // The other device was first, so this one's command has no effect.
  portal.network.on('POST /rest/v1/rpc/action_finish', () => {
    portal.changeElsewhere(3, { next: null })
    return { success: true, code: 'already', message: null, action_id: 31 }
  })
  await tap(wesley)
  await expect.element(wesley).not.toBeInTheDocument()
  await expect.poll(unsent).toBe(0)
  await expect.element(page.getByRole('link', { name: /^Hoje\s*3$/ })).toBeVisible()
})

test('o que foi feito hoje fica na linha do dia, atrás da hora que é; o de ontem e o desfeito não', async () => {
  const call = { id: 71, kind: 'call', due: agoSeconds(0), at: agoSeconds(0), note: 'Ia falar com o marido' }
  const done = (...rows: unknown[]): Partial<Row> => ({ last_message: null, done: rows })
  await openToday([
    leadRow(1, { name: 'Luciana Prado', ...done(call) }),
    leadRow(2, { name: 'Tiago Meireles', ...done({ ...call, id: 72, kind: 'text', note: '' }) }),
    leadRow(3, { name: 'Sandra Lemos', ...done({ ...call, id: 73, kind: 'visit', note: '', missed: true }) }),
    leadRow(4, { name: 'Caio Figueiredo', ...done({ ...call, id: 74, at: agoSeconds(60 * 26) }) }),
    leadRow(5, {
      name: 'Helena Duarte',
      ...done({ ...call, id: 75, due: agoSeconds(-30) }),
      next: [{ id: 76, op: null, kind: 'call', due: agoSeconds(-30), note: 'Ia falar com o marido' }],
    }),
    leadRow(6, { name: 'Igor Salles', ...done('nothing that is known') }),
  ])
  const row = (title: string) => page.getByRole('button', { name: new RegExp(`^${title}`) })
  await expect.element(row('Ligar · Luciana Prado')).toHaveTextContent(/Concluída às \d\d:\d\d · Ia falar/)
  await expect.element(row('Mensagem · Tiago Meireles')).toHaveTextContent(/Enviada às \d\d:\d\d/)
  await expect.element(row('Visita · Sandra Lemos')).toHaveTextContent('Não veio')
  await expect.element(page.getByText(/ · (Caio Figueiredo|Igor Salles)/)).not.toBeInTheDocument()
  const list = [...document.querySelectorAll('.timeline > li')].map(({ className, textContent }) =>
    className.includes('timeline-now') ? 'now' : (textContent ?? ''),
  )
  expect(list.indexOf('now')).toBe(3)
  expect(list.filter((text) => text.includes('Helena Duarte') && text.includes('Concluída'))).toEqual([])
  await expectAccessibleInBoth()
  await tap(row('Ligar · Luciana Prado'))
  await expect.element(page.getByRole('dialog', { name: 'Luciana Prado' })).toBeVisible()
})

test('sem rede, o concluído aparece feito na hora, e desfeito volta; com rede é um só', async () => {
  const { portal } = await openToday(usual())
  const ring = page.getByRole('button', { name: 'Concluir: Tarefa · Wesley Nogueira' })
  const doneRow = page.getByRole('button', { name: /Tarefa · Wesley Nogueira\s*Concluída às/ })
  await expect.element(ring).toBeVisible()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await tap(ring)
  await expect.element(doneRow).toBeVisible()
  await tap(page.getByRole('button', { name: 'Desfazer' }))
  await expect.element(doneRow).not.toBeInTheDocument()
  await tap(ring)
  await expect.element(doneRow).toBeVisible()
  const due = agoSeconds(90)
  portal.network.on('POST /rest/v1/rpc/action_finish', () => {
    portal.changeElsewhere(3, {
      next: null,
      done: [{ id: 31, kind: 'task', due, at: agoSeconds(0), note: '' }],
    })
    return { success: true, code: 'saved', message: null, action_id: 31 }
  })
  online.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.poll(unsent).toBe(0)
  await expect.poll(() => doneRow.elements().length).toBe(1)
})

test('cada lead é medido pela meta da sua roleta', async () => {
  await openToday([
    leadRow(1, { name: 'Beatriz Antunes', ...wrote(9), target: 300 }),
    leadRow(2, { name: 'Denise Cordeiro', ...wrote(9) }),
  ])
  await expect.element(page.getByRole('button', { name: /Beatriz Antunes.*passou 4 min/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Denise Cordeiro.*faltam 6 min/ })).toBeVisible()
})

test('a busca encontra qualquer lead, abre a conversa, e fechada devolve o foco', async () => {
  await openToday(usual())
  const open = page.getByRole('button', { name: 'Buscar contato' })
  await tap(open)
  await page.getByRole('textbox', { name: 'Buscar contato' }).fill('helena')
  await expect.element(page.getByRole('article').filter({ hasText: 'Helena Duarte' })).toBeVisible()
  await expect.element(heading('Esperando você')).not.toBeInTheDocument()
  await expectAccessible()
  await tap(page.getByRole('button', { name: 'Fechar busca' }))
  await expect.element(heading('Esperando você')).toBeVisible()
  await expect.element(open).toHaveFocus()
})

test('um lead é adicionado dali mesmo', async () => {
  await openToday(usual(), { 'POST /rest/v1/rpc/get_available_empreendimentos': () => [] })
  await tap(page.getByRole('button', { name: 'Adicionar lead' }))
  await expect.element(page.getByRole('dialog', { name: 'Adicionar lead' })).toBeVisible()
  await expectAccessible()
})

test('setas andam, Espaço conclui, A adia, Enter abre a conversa', async () => {
  const { finished, putOff } = await openToday(usual())
  await expect.element(heading('Atrasadas')).toBeVisible()
  const first = page.getByRole('button', { name: /Denise Cordeiro/ })
  first.element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(page.getByRole('button', { name: /Tarefa · Caio Figueiredo/ }).last()).toHaveFocus()
  await userEvent.keyboard('a')
  await expect.poll(() => putOff).toEqual([41])
  page
    .getByRole('button', { name: /^Tarefa · Wesley Nogueira/ })
    .element()
    .focus()
  await userEvent.keyboard(' ')
  await expect.poll(() => finished).toEqual([31])
  first.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Denise Cordeiro' })).toBeVisible()
})

test.each([
  ['sem ninguém esperando e nada atrasado', [leadRow(5, { last_message: null })], 'Ninguém esperando você'],
  ['sem leads', [], 'Seu dia aparece aqui'],
] as const)('%s o dia o diz', async (_, rows, words) => {
  await openToday(rows)
  await expect.element(page.getByText(words)).toBeVisible()
})

test('fora do horário a meta não corre, e isso é dito; depois só conta o tempo em que há alguém', async () => {
  const counted = { id: 1, counted: 240, open: false }
  await openToday(
    [
      leadRow(1, { name: 'Beatriz Antunes', ...wrote(60 * 9) }),
      leadRow(2, { name: 'Denise Cordeiro', ...wrote(22) }),
    ],
    {
      'POST /rest/v1/rpc/get_broker_day': () => ({
        answered: 0,
        median: null,
        at: agoSeconds(0),
        waiting: [counted, { id: 2, counted: 60 * 7, open: true }],
      }),
    },
  )
  const beatriz = page.getByRole('button', { name: /Beatriz Antunes/ })
  await expect.element(beatriz).toHaveTextContent('fora do horário')
  expect(beatriz.element().querySelector('.clock')?.getAttribute('data-tone')).toBe('calm')
  await expect
    .element(page.getByRole('button', { name: /Denise Cordeiro/ }))
    .toHaveTextContent('faltam 8 min')
  await expectAccessibleInBoth()
})

test('com alguns respondidos diz quantos, e quão cedo', async () => {
  await openToday([leadRow(5, { last_message: null })], {
    'POST /rest/v1/rpc/get_broker_day': () => ({ answered: 14, median: 200 }),
  })
  await expect
    .element(
      page.getByText('Tudo respondido e nada atrasado. Hoje você respondeu 14 leads, metade em até 4 min.'),
    )
    .toBeVisible()
})

test('de manhã o quadro oferece o dia, até que seja visto', async () => {
  const morning = Date.parse('2026-11-23T08:00-03:00')
  localStorage.removeItem('today.seen')
  expect(isDayOffered(morning)).toBe(true)
  expect(isDayOffered(Date.parse('2026-11-23T12:00-03:00'))).toBe(false)
  noteDaySeen(morning)
  expect(isDayOffered(morning)).toBe(false)
  expect(isDayOffered(morning + 86_400_000)).toBe(true)
})

/** A conversation whose newest message is the broker's, a minute old; returns the commands about next steps. */
async function openAfterMessage() {
  const portal = brokerPortal([
    leadRow(1, {
      name: 'Rogério Bastos',
      last_message: {
        body: 'Fechado, sábado às 10h.',
        timestamp: agoSeconds(1),
        type: 'outgoing',
        kind: 'text',
        delivery: 'sent',
      },
      waiting_since: null,
    }),
  ])
  const own = messageRow({
    body: 'Fechado, sábado às 10h.',
    timestamp: agoSeconds(1),
    type: 'outgoing',
    delivery: 'sent',
  })
  portal.network.on('GET /rest/v1/whatsapp_messages', () => [own])
  portal.network.on('POST /rest/v1/rpc/erased_leads', () => [])
  const deeds: unknown[] = []
  for (const name of ['action_save', 'action_finish'])
    portal.network.on(`POST /rest/v1/rpc/${name}`, ({ body }) => {
      deeds.push(body['p_kind'] ?? body['p_outcome'])
      return { success: true, code: 'saved', message: null, action_id: 9 }
    })
  await onPhone()
  await openApp('/broker?lead=1', portal.network, CAMILA)
  const strip = page.getByRole('region', { name: 'Próximo passo' })
  await expect.element(strip).toBeVisible()
  return { strip, deeds }
}

test('depois de uma mensagem um toque marca o próximo passo, e a linha o desfaz', async () => {
  const { strip, deeds } = await openAfterMessage()
  await expectAccessible()
  await tap(strip.getByRole('button', { name: /^Ligar / }))
  await expect.poll(() => deeds).toEqual(['call'])
  await tap(page.getByRole('button', { name: 'Desfazer' }))
  await expect.poll(() => deeds).toEqual(['call', 'removed'])
})

test('Escolher uma visita leva a quem a marca: dia, horário livre, lugar e o que o lead recebe', async () => {
  const { strip, deeds } = await openAfterMessage()
  await tap(strip.getByRole('button', { name: 'Escolher' }))
  const step = page.getByRole('dialog', { name: 'Próximo passo' })
  await tap(step.getByText('Visita', { exact: true }))
  await expect.element(step.getByText('Quando')).not.toBeInTheDocument()
  await tap(step.getByRole('button', { name: 'Agendar visita' }))
  await expect.element(page.getByRole('dialog', { name: 'Agendar visita' })).toBeVisible()
  expect(deeds).toEqual([])
})

test('um duplo toque marca um próximo passo só', async () => {
  const { strip, deeds } = await openAfterMessage()
  const call = strip.getByRole('button', { name: /^Ligar / }).element() as HTMLElement
  call.click()
  call.click()
  await expect.element(page.getByRole('button', { name: 'Desfazer' })).toBeVisible()
  await expect.poll(unsent).toBe(0)
  expect(deeds).toEqual(['call'])
})

const swept = async (name: string, end: 'up' | 'taken') => {
  const row = page.getByRole('listitem').filter({ hasText: name })
  const { left, middle } = await restOf(row)
  const finger = pointerOn()
  await finger.down(left + 60, middle)
  await finger.to(left + 120, middle)
  await finger.to(left + 200, middle)
  await finger[end]()
}

test('uma linha varrida só conta quando o dedo levanta: o que o sistema tira não decide nada', async () => {
  const { finished } = await openToday([leadRow(3, { name: 'Wesley Nogueira', ...late(31, 90) })])
  await expect.element(page.getByText('Tarefa · Wesley Nogueira')).toBeVisible()
  await swept('Wesley Nogueira', 'taken')
  await restOf(page.getByRole('listitem').filter({ hasText: 'Wesley Nogueira' }))
  expect(finished).toEqual([])
  await swept('Wesley Nogueira', 'up')
  await expect.poll(() => finished).toEqual([31])
})

test('depois de hoje: sete dias com o que está marcado, e a lista do dia escolhido', async () => {
  await openToday([
    leadRow(1, { name: 'Caio Figueiredo', ...late(11, -24 * 60) }),
    leadRow(2, { name: 'Igor Salles', ...late(21, -3 * 24 * 60) }),
  ])
  await expect.element(heading('Depois de hoje')).toBeVisible()
  const days = page.getByRole('radio')
  await expect.poll(() => days.all().length).toBe(7)
  await expect.element(days.nth(0)).toBeChecked()
  await expect.element(page.getByText('Tarefa · Caio Figueiredo')).toBeVisible()
  await tap(days.nth(2))
  await expect.element(page.getByText('Tarefa · Igor Salles')).toBeVisible()
  await expect.element(page.getByText('Tarefa · Caio Figueiredo')).not.toBeInTheDocument()
  await tap(days.nth(2))
  await expect.element(page.getByText('Tarefa · Igor Salles')).not.toBeInTheDocument()
  await expectAccessibleInBoth()
})

test('o que foi prometido sem data é lembrado, até ser marcado ou não ser promessa', async () => {
  const said = {
    body: 'Bom dia. Te aviso assim que sair a tabela.',
    type: 'outgoing' as const,
    kind: 'text' as const,
  }
  await openToday([
    leadRow(1, {
      name: 'Patrícia Sales',
      last_message: { ...said, timestamp: agoSeconds(60 * 50), delivery: 'read' },
    }),
  ])
  await expect.element(heading('Prometido, sem data')).toBeVisible()
  await expect.element(page.getByText('“Te aviso assim que sair a tabela.”')).toBeVisible()
  await tap(page.getByRole('button', { name: 'Marcar' }))
  await expect.element(page.getByRole('dialog', { name: 'Próximo passo' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: /Patrícia Sales.*você/ }), { trial: true })
  page
    .getByRole('button', { name: /Patrícia Sales.*você/ })
    .element()
    .focus()
  await userEvent.keyboard('{Delete}')
  await expect.element(heading('Prometido, sem data')).not.toBeInTheDocument()
  expect(localStorage.getItem(LEAD_MARKS.noPromises)).not.toBeNull()
})

test('com dois passos é perguntado qual muda', async () => {
  await openToday([
    leadRow(3, {
      name: 'Wesley Nogueira',
      last_message: null,
      next: [
        { id: 31, op: null, kind: 'call', due: agoSeconds(90), note: '' },
        { id: 32, op: null, kind: 'task', due: agoSeconds(-120), note: 'Levar a planta' },
      ],
    }),
  ])
  await tap(page.getByRole('button', { name: 'Remarcar' }))
  const sheet = page.getByRole('dialog', { name: 'Próximo passo' })
  await tap(sheet.getByRole('button', { name: /Levar a planta/ }))
  await expect.element(sheet.getByRole('button', { name: 'Concluir' })).toBeVisible()
  await expect.element(sheet.getByText('Levar a planta')).toBeVisible()
})
