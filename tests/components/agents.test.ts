// The list of agents: what is true of each, and the way to a WhatsApp for one that has none.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal, AGENT } from '#tests/support/components/admin-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

const INFO = {
  version: 0,
  lastEdit: null,
  paused: null,
  activeCount: 0,
  pausedCount: 0,
  replyCount: 0,
  roleta: null,
}

async function open(columns: object) {
  const portal = adminPortal({
    'GET /api/agents': () => [{ ...AGENT, ...columns }],
    'GET /api/agents/instances': () => [
      { instanceName: 'central', number: null, isLinked: false, agent: null },
    ],
    'POST /rest/v1/rpc/get_agent_info': () => INFO,
    'GET /rest/v1/kanban_stages': () => [],
  })
  await onDesk()
  await openApp('/prompts', portal, ADMIN)
}

test.each([
  ['sem instância', { instanceName: null, isLinked: false }, 'Escolher o WhatsApp'],
  ['desconectado', { isLinked: false }, 'Conectar o WhatsApp'],
])('um agente %s diz onde se liga', async (_, columns, way) => {
  await open(columns)
  await page.getByRole('button', { name: way }).click()
  const facts = page.getByRole('dialog', { name: AGENT.name })
  await expect.element(facts.getByLabelText('WhatsApp central')).toBeVisible()
  if (way === 'Conectar o WhatsApp')
    await expect
      .element(facts.getByRole('link', { name: 'Conectar em Gerenciar Corretores' }))
      .toHaveAttribute('href', '/')
})

test('onde nada responde está "Sem motor", e nunca "Disponível"', async () => {
  await open({ model: null })
  const main = page.getByRole('main')
  await expect.element(main.getByText('Sem motor')).toBeVisible()
  await expect.element(main.getByText(/^Ninguém responde aqui ainda/)).toBeVisible()
  await expect.element(main.getByText('Disponível')).not.toBeInTheDocument()
})
