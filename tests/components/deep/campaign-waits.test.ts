// Texts of a waiting or running campaign: how many are left, until when, and why it has not begun.
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onPhone } from '#tests/support/components/device.ts'

/** Noon of a Sunday in São Paulo. */
const SUNDAY = Date.parse('2026-11-22T15:00:00Z')
const MONDAY_8 = '2026-11-23T11:00:00Z'

const running = {
  id: 7,
  status: 'running',
  kanban_stage: 'conversa',
  message: 'Oi, {nome}!',
  total_contacts: 5,
  processed_contacts: 0,
  pause_reason: null,
  wait_reason: 'sunday',
  next_send_at: MONDAY_8,
  scheduled_at: null,
}

async function openCampaign(campaign: Partial<typeof running>, counts: Record<string, number>) {
  vi.useFakeTimers({ toFake: ['Date'], now: SUNDAY })
  const { network } = brokerPortal(undefined, {
    'GET /api/campaigns/active': () => ({
      campaign: { ...running, ...campaign },
      counts,
      endsAt: '2026-11-23T11:01:00Z',
      nowMs: SUNDAY,
    }),
    'POST /rest/v1/rpc/get_campaign_history': () => [],
  })
  await onPhone()
  await openApp('/broker/remarketing', network, CAMILA)
}
afterEach(() => vi.useRealTimers())

const panel = page.getByRole('region', { name: 'Campanha em Andamento' })

test('enquanto carrega, e se falhar, a tela já tem o seu título', async () => {
  const answer = Promise.withResolvers<Response>()
  const { network } = brokerPortal(undefined, {
    'GET /api/campaigns/active': () => answer.promise,
    'POST /rest/v1/rpc/get_campaign_history': () => [],
  })
  await onPhone()
  await openApp('/broker/remarketing', network, CAMILA)
  const titles = page.getByRole('heading', { level: 1 })
  await expect.element(titles).toHaveTextContent('Remarketing')
  answer.resolve(Response.json({ error: { code: 'x', message: 'Não deu.' } }, { status: 400 }))
  await expect.element(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible()
  await expect.element(titles).toHaveTextContent('Remarketing')
})

test('antes da primeira mensagem: quando começa, por quê, quantas faltam e quando termina', async () => {
  await openCampaign({}, { pending: 5 })
  await expect.element(panel).toHaveTextContent('Começa amanhã, 8h: domingo não há envio.')
  await expect.element(panel).toHaveTextContent('Faltam 5 · termina amanhã, 8h01')
})

test('depois da primeira ela continua', async () => {
  await openCampaign({ processed_contacts: 4 }, { sent: 4, pending: 1 })
  await expect.element(panel).toHaveTextContent('Domingo não há envio. Ela continua amanhã às 8h.')
  await expect.element(panel).toHaveTextContent('Falta 1 · termina amanhã, 8h01')
})
