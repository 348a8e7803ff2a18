// A campaign that stopped on a fault says in its results what kind of fault it was, and what can be done.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

const results = page.getByRole('dialog', { name: 'Resultado por contato' })
const campaign = {
  id: 7,
  instanceName: 'corretor_camila',
  created_at: '2026-11-09T13:00:00Z',
  kanban_stage: 'new',
  stage_name: 'Novos Contatos',
  status: 'error',
  total_contacts: 24,
  processed_contacts: 15,
  message: 'Oi, {nome}!',
  delivered: 13,
  read: 10,
  answered: 3,
  opted_out: 0,
  failed: 0,
  unknown: 0,
  waiting: 9,
}

test.each([
  ['schema', 'O banco de dados não está na versão que o portal espera'],
  ['data', 'não conseguiu usar os dados de um contato da lista'],
  [null, 'O portal teve uma falha ao processar esta campanha'],
])('uma campanha em erro diz por quê: %s', async (reason, sentence) => {
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_campaign_stats': () => [],
    'POST /rest/v1/rpc/get_campaign_history': () => [{ ...campaign, pause_reason: reason }],
    'GET /rest/v1/campaign_recipients': () => [],
  })
  await onDesk()
  await openApp('/remarketing', portal, ADMIN)
  await page.getByRole('button', { name: /^Ver resultado da campanha/ }).click()
  await expect.element(results).toHaveTextContent(sentence)
  await expect.element(results).toHaveTextContent('quem ainda não recebeu continua na lista')
  await expect.element(results.getByRole('button', { name: 'Continuar campanha' })).toBeVisible()
})
