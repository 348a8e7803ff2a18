// 'Gasto dos agentes' in the dashboard: each agent's cost, the cost of voice messages and of summaries, and the sum; hidden
// without costs.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { expectAccessible } from '#tests/support/components/axe.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'
import { NO_ANSWERS, NO_LEADS } from '#tests/support/make-app.ts'

const COSTS = 'POST /rest/v1/rpc/get_agent_costs'
const here = { isRemoved: false }
const nobody = { micros: 0, benchMicros: 0, conversations: 1, answers: 0 }
const NOTHING = { agents: [], voices: { count: 0, micros: 0 }, summaries: null }

async function open(costs: object, size = onDesk) {
  const portal = adminPortal({
    'POST /rest/v1/rpc/get_dashboard_overview_data': () => ({
      kpi: NO_LEADS,
      previous: null,
      period: { start: '2026-10-26T00:00:00', end: '2026-11-24T00:00:00', days: 30 },
      charts: { statusDistribution: [], leadSource: [], leadsByDayOfWeek: [], leadsByCampaign: [] },
    }),
    'POST /rest/v1/rpc/get_response_times': () => ({
      ...NO_ANSWERS,
      wroteUnansweredLeads: 0,
      leftContact: NO_ANSWERS,
    }),
    'POST /rest/v1/rpc/get_lead_trend': () => ({ step: 'day', points: [] }),
    'POST /rest/v1/rpc/get_value_and_losses': () => ({ open: [], won: { leads: 0, cents: 0 }, lost: [] }),
    'POST /rest/v1/rpc/get_available_empreendimentos': () => [],
    'GET /rest/v1/kanban_stages': () => [],
    [COSTS]: () => costs,
  })
  await size()
  await openApp('/reports', portal, ADMIN)
  await expect.poll(() => portal.bodiesOf(COSTS)).toHaveLength(1)
  return portal
}

const card = page.getByRole('region', { name: 'Gasto dos agentes' })

test.each([
  ['mesa', onDesk],
  ['celular', onPhone],
])('cada agente com o que gastou, e a soma (%s)', async (_, size) => {
  const portal = await open(
    {
      agents: [
        {
          ...here,
          id: 1,
          name: 'Nina',
          micros: 1_540_000,
          benchMicros: 40_000,
          conversations: 12,
          answers: 31,
        },
        { ...here, id: 2, name: 'Lia', micros: 90_000, benchMicros: 90_000, conversations: 0, answers: 0 },
        { ...nobody, id: 3, name: 'Lia', isRemoved: true },
      ],
      voices: { count: 8, micros: 264_000 },
      summaries: { count: 3, inputTokens: 4_210, outputTokens: 350, micros: 6_000, isUnpriced: false },
    },
    size,
  )
  const nina = card.getByRole('row', { name: /Nina/ })
  for (const words of ['31', 'R$ 0,125', 'R$ 1,54']) await expect.element(nina).toHaveTextContent(words)
  await expect.element(card.getByRole('row', { name: /^Lia 0/ })).toHaveTextContent('–')
  await expect.element(card.getByRole('row', { name: /^Lia \(removido\)/ })).toBeVisible()
  await expect.element(card).toHaveTextContent('Transcrição de voz: 8 áudios')
  await expect
    .element(card)
    .toHaveTextContent(
      'Resumos de conversas: 3 pedidos ao modelo, 4.210 tokens lidos e 350 escritos, R$ 0,006',
    )
  await expect.element(card.getByText('R$ 1,90', { exact: true })).toBeVisible()
  expect(portal.bodiesOf(COSTS)).toMatchObject([{ p_empreendimentos: [] }])
  await expectAccessible()
})

test('só resumos também custam', async () => {
  const summaries = { count: 1, inputTokens: 900, outputTokens: 60, micros: 0, isUnpriced: true }
  await open({ ...NOTHING, summaries })
  await expect
    .element(card)
    .toHaveTextContent('Resumos de conversas: 1 pedido ao modelo, 900 tokens lidos e 60 escritos, sem preço')
})

test('onde nada foi gasto não há cartão', async () => {
  await open(NOTHING)
  await expect.element(page.getByText('Detalhamento de Leads')).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})
