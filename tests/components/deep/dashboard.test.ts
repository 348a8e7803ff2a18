// 'Visão geral' in Relatórios: its figures open the leads that they count, in a dialog as wide as its table; the trend
// of the period; cards that use the width.
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { boxOf, onDesk, onPhone } from '#tests/support/components/device.ts'

const FIGURE = 'POST /rest/v1/rpc/get_leads_behind_figure'
const VALUE = 'POST /rest/v1/rpc/get_leads_of_value'
const kpi = {
  totalLeads: 40,
  avgResponseTimeHours: 1.5,
  avgLeadsPerDay: 20,
  conversionRate: 5,
  answeredLeads: 30,
  unansweredLeads: 10,
}
const line = { answeredLeads: 30, unansweredLeads: 10, withinFiveMinutes: 12, withinFiveMinutesRate: 30 }
const TIMES = {
  ...line,
  wroteUnansweredLeads: 8,
  medianHours: 0.2,
  p90Hours: 5.158333,
  leftContact: { ...line, medianHours: 0.1, p90Hours: 2.5 },
}
const campaigns = ['Verão', 'Inverno', 'sem campanha'].map((campaign, at) => ({ campaign, count: 10 - at }))
const TREND = {
  step: 'day',
  points: [
    { from: '2026-10-31', to: '2026-10-31', leads: 25, answered: 18 },
    { from: '2026-11-01', to: '2026-11-01', leads: 15, answered: 12 },
  ],
}
const LEADS = Array.from({ length: 3 }, (_, at) => ({
  id: at + 1,
  nome_lead: `Mônica Barbosa de Almeida ${at}`,
  number_lead: '5511955500142',
  created_at: '2026-11-01T12:00:00.000000+00:00',
  kanban_lead: 'conversa',
  empreendimento: 'Residencial Jardim das Acácias do Sul',
  broker_name: 'corretor_guilhermina',
  response_seconds: 39_000,
  waiting_since: null,
}))

const LOST = [{ reason: 'none', leads: 2, cents: 0 }]

/** The days of a month, with leads on each. */
const DAYS = Array.from({ length: 30 }, (_, at) => {
  const day = `2026-11-${String(at + 1).padStart(2, '0')}`
  return { from: day, to: day, leads: 12, answered: 9 }
})

async function open({ width = 1_280, address = '/reports', lost = LOST, trend = TREND } = {}) {
  const portal = adminPortal({
    'POST /rest/v1/rpc/get_dashboard_overview_data': () => ({
      kpi,
      previous: null,
      period: { start: '2026-10-31T00:00:00', end: '2026-11-01T23:59:59', days: 2 },
      charts: {
        statusDistribution: [{ status: 'new', count: 40 }],
        leadSource: [],
        leadsByDayOfWeek: [],
        leadsByCampaign: campaigns,
      },
    }),
    'POST /rest/v1/rpc/get_lead_trend': () => trend,
    'POST /rest/v1/rpc/get_response_times': () => TIMES,
    'POST /rest/v1/rpc/get_value_and_losses': () => ({
      open: [{ stage: 'new', leads: 3, cents: 300 }],
      won: { leads: 0, cents: 0 },
      lost,
    }),
    'POST /rest/v1/rpc/get_agent_costs': () => ({
      agents: [],
      voices: { count: 0, micros: 0 },
      summaries: null,
    }),
    'POST /rest/v1/rpc/get_available_empreendimentos': () => [],
    'GET /rest/v1/kanban_stages': () => [],
    [FIGURE]: () => LEADS,
    [VALUE]: () => LEADS,
    'POST /rest/v1/rpc/count_leads_of_figure': () => 3,
    'POST /rest/v1/rpc/count_leads_of_value': () => 3,
  })
  if (width < 700) await onPhone()
  else await onDesk({ width })
  await openApp(address, portal, ADMIN)
  await expect.element(page.getByRole('toolbar', { name: 'Leads e respostas por dia' })).toBeVisible()
  return portal
}

const figure = (name: string | RegExp) => page.getByRole('button', { name })

test.each([
  [/^Quem escreveu, Mediana: 12min/, 'Leads respondidos', FIGURE, 'answered', null],
  [/^Quem escreveu, 90% .*: 5h 10min/, 'Respondidos depois de 5h 10min', FIGURE, 'answered-after', '18570'],
  [/^Quem deixou contato, Mediana: 6min/, 'Leads chamados', FIGURE, 'contacted', null],
  [/^Quem deixou contato, 90% /, 'Chamados depois de 2h 30min', FIGURE, 'contacted-after', '9000'],
  [/^Valor em aberto: /, 'Valor em aberto', VALUE, 'open-value', null],
  [/^Perdidos no período: 2/, 'Perdidos no período', VALUE, 'lost', null],
] as const)('%s abre a sua lista', async (name, title, request, kind, value) => {
  const portal = await open()
  await figure(name).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect.element(dialog.getByText(/^3 leads · /)).toBeVisible()
  await expect.element(dialog.getByRole('row', { name: /Almeida 0/ })).toBeVisible()
  expect(portal.bodiesOf(request)).toMatchObject([{ p_figure: kind, p_value: value }])
})

test('sem nenhuma perda o total não é um botão', async () => {
  await open({ lost: [] })
  await expect.element(page.getByText('Nenhum lead perdido.')).toBeVisible()
  expect(figure(/^Perdidos no período/).query()).toBeNull()
})

test('a barra de uma campanha diz de que é parte', async () => {
  await open()
  await expect.element(page.getByText('% dos 19 leads com campanha').first()).toBeVisible()
  await expect
    .element(page.getByRole('columnheader', { name: '% dos 19 leads com campanha' }))
    .toBeInTheDocument()
})

test('a evolução mostra cada dia, e cada dia abre os seus leads', async () => {
  const portal = await open()
  const days = page.getByRole('toolbar', { name: 'Leads e respostas por dia' })
  await expect
    .element(days.getByRole('button', { name: '01/11/2026: 15 leads, 12 respondidos. Ver leads' }))
    .toHaveTextContent('01nov')
  // One tab stop; the arrows move through the days.
  days.getByRole('button').last().element().focus()
  await userEvent.keyboard('{ArrowLeft}{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Leads que chegaram' })
  await expect.element(dialog.getByText('3 leads · 31/10/2026')).toBeVisible()
  expect(portal.bodiesOf(FIGURE)).toMatchObject([
    { p_figure: 'total', p_data_inicio: '2026-10-31T00:00:00Z', p_data_fim: '2026-10-31T23:59:59Z' },
  ])
  await expectAccessible()
})

test.each([1_024, 1_280, 1_920])('com %i px a lista mostra a tabela inteira', async (width) => {
  await open({ width, address: '/reports?figura=total' })
  const table = page.getByRole('dialog').getByRole('table')
  await expect.element(table.getByRole('row', { name: /Almeida 0/ })).toBeVisible()
  const frame = table.element().parentElement
  expect(frame?.scrollWidth).toBe(frame?.clientWidth)
})

test('onde a tabela precisa rolar, a primeira coluna fica, e a linha se abre por ela', async () => {
  await open({ width: 820, address: '/reports?figura=total' })
  const table = page.getByRole('dialog').getByRole('table')
  const name = table.getByText('Mônica Barbosa de Almeida 0')
  await expect.element(name).toBeVisible()
  const frame = table.element().parentElement
  if (!frame) throw new Error('a table is in a frame')
  expect(frame.scrollWidth).toBeGreaterThan(frame.clientWidth)
  const before = name.element().getBoundingClientRect()
  frame.scrollLeft = 120
  expect(name.element().getBoundingClientRect().left).toBe(before.left)
  const under = document.elementFromPoint(before.left + 30, before.top + before.height / 2)
  expect(under?.getAttribute('aria-label')).toBe('Abrir conversa com Mônica Barbosa de Almeida 0')
})

test('no celular os dias rolam dentro do cartão, e a página cabe na tela', async () => {
  await open({ width: 390, trend: { step: 'day', points: DAYS } })
  const newest = page.getByRole('button', { name: /^30\/11\/2026/ })
  // The page scrolls down to it, the card sideways.
  await expect.poll(() => boxOf(newest).left + boxOf(newest).width).toBeLessThanOrEqual(390)
  expect(boxOf(newest).left).toBeGreaterThanOrEqual(0)
  expect(boxOf(newest).width).toBeGreaterThanOrEqual(44)
  expect(document.documentElement.scrollWidth).toBe(390)
})

test('os quatro números usam a largura: uma linha na mesa, duas no celular', async () => {
  const tops = () =>
    ['Total Leads', 'Tempo médio de resposta', 'Média de leads por dia', 'Taxa de conversão'].map((name) =>
      Math.round(
        page.getByRole('heading', { name }).element().closest('section')!.getBoundingClientRect().top,
      ),
    )
  await open()
  expect(new Set(tops()).size).toBe(1)
  await expectAccessibleInBoth()
  await onPhone()
  await expect.poll(() => new Set(tops()).size).toBe(2)
})
