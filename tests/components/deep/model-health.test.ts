// Saúde do sistema of an administrator: what is wrong, what the trial of the model found, and what its endpoint said.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { expectAccessible } from '#tests/support/components/axe.ts'

const FOUND = {
  at: '2026-11-28T12:00:00Z',
  answers: true,
  tools: 'refused',
  inputTokens: 40,
  outputTokens: 2,
  isEstimated: true,
  seconds: 1.24,
  fault: 'no-tools',
  said: 'lago-mini does not support tools',
}
const HEALTH = {
  status: 'ok',
  database: 'ok',
  gateway: 'ok',
  version: '1',
  webhook: { waiting: 0, setAside: 0, oldestSeconds: null },
  links: { open: 1, dead: 0 },
  sending: { queued: 0, oldestSeconds: null },
  campaigns: { running: 0, paused: 0, scheduled: 0, waiting: 0 },
  push: { waiting: 0, oldestSeconds: null, devices: 0 },
  backup: null,
  versions: { node: '20', database: 'PostgreSQL 18', schema: '1', gateway: '2.3.7' },
  upSeconds: 60,
  model: {
    model: 'lago-mini',
    found: FOUND,
    failure: { at: '2026-11-28T13:00:00Z', fault: 'limited', said: 'quota exceeded' },
  },
}

/** The tables and functions that the page reads through the API. */
const EMPTY_TABLES = {
  'GET /rest/v1/kanban_stages': () => [],
  'GET /rest/v1/agent_prompts': () => [],
  'POST /rest/v1/rpc/authenticate_admin': () => [],
  'POST /rest/v1/rpc/get_total_contatos_por_corretor': () => [],
  'POST /rest/v1/rpc/listar_roletas_com_corretores': () => [],
}

test('o que está errado é dito: banco, backup, tarefas e tabelas', async () => {
  const portal = adminPortal({
    ...EMPTY_TABLES,
    'GET /api/health': () => ({
      ...HEALTH,
      status: 'degraded',
      faults: ['table-damaged', 'backup-late', 'worker-failing'],
      backup: { lastAtMs: Date.parse('2026-11-25T12:00:00Z'), sizeBytes: 1_000_000, isFailing: false },
      workers: [
        { name: 'push', state: 'ok', seconds: null },
        { name: 'campaigns', state: 'failing', seconds: 720 },
      ],
      damagedTables: ['whatsapp_messages'],
    }),
  })
  await openApp('/saude', portal, ADMIN)
  await expect
    .element(page.getByRole('region', { name: 'Agora' }))
    .toHaveTextContent('Banco de dadosTabela danificada')
  const queues = page.getByRole('region', { name: 'Filas' })
  for (const words of [
    'atrasado',
    'Tarefas do servidorcampanhas: com falha há 12 min',
    'Tabelas danificadaswhatsapp_messages',
  ])
    await expect.element(queues).toHaveTextContent(words)
})

test('cada serviço de WhatsApp tem a sua linha, se há mais de um', async () => {
  const portal = adminPortal({
    ...EMPTY_TABLES,
    'GET /api/health': () => ({
      ...HEALTH,
      gateway: 'unreachable',
      gateways: [
        { title: 'Evolution API', health: 'ok' },
        { title: 'WAHA', health: 'unreachable' },
      ],
    }),
  })
  await openApp('/saude', portal, ADMIN)
  const now = page.getByRole('region', { name: 'Agora' })
  for (const words of [
    'Serviço de WhatsApp (Evolution API)Acessível',
    'Serviço de WhatsApp (WAHA)Fora do ar',
  ])
    await expect.element(now).toHaveTextContent(words)
})

test('o modelo diz se responde, se usa ferramentas e o que o serviço disse', async () => {
  const portal = adminPortal({
    ...EMPTY_TABLES,
    'GET /api/health': () => HEALTH,
    'POST /api/agents/model/trial': () => FOUND,
  })
  await openApp('/saude', portal, ADMIN)
  const group = page.getByRole('region', { name: 'Modelo dos agentes' })
  for (const words of [
    'lago-mini',
    'Sim',
    'Este modelo não usa ferramentas: só sugere',
    '1,2 s, cerca de 42 tokens',
    'lago-mini does not support tools',
    'O modelo recusou por excesso de uso.',
    'quota exceeded',
  ])
    await expect.element(group).toHaveTextContent(words)
  await page.getByRole('button', { name: 'Testar o modelo' }).click()
  await expect.poll(() => portal.bodiesOf('POST /api/agents/model/trial')).toEqual([{}])
  await expectAccessible()
})
