// The campaign report: a failed campaign shows the kind of failure and what to do; the sending rules explain
// themselves.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADMIN, openApp } from '#tests/support/components/app.tsx'
import { adminPortal } from '#tests/support/components/admin-portal.ts'
import { onDesk, onPhone } from '#tests/support/components/device.ts'

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
  ['storage', 'O banco de dados teve uma falha interna'],
  [null, 'O portal teve uma falha ao processar esta campanha'],
])('uma campanha em erro diz por quê: %s', async (reason, sentence) => {
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_campaign_stats': () => [],
    'POST /rest/v1/rpc/get_segment_sends': () => ({ count: 0, sends: [] }),
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

test('no telefone cada pessoa do resultado tem uma linha de 44 px', async () => {
  const message = { delivery: 'read' }
  const person = { contact_id: 1, name: 'Rui Prado', state: 'sent', reason: null, message }
  const portal = adminPortal({
    'GET /rest/v1/kanban_stages': () => [],
    'POST /rest/v1/rpc/get_campaign_stats': () => [],
    'POST /rest/v1/rpc/get_segment_sends': () => ({ count: 0, sends: [] }),
    'POST /rest/v1/rpc/get_campaign_history': () => [{ ...campaign, pause_reason: null }],
    'GET /rest/v1/campaign_recipients': () => [
      { ...person, id: 1 },
      { ...person, id: 2 },
    ],
  })
  await onPhone()
  await openApp('/remarketing', portal, ADMIN)
  await page.getByRole('button', { name: /^Ver resultado da campanha/ }).click()
  await expect.element(results.getByText('Rui Prado').first()).toBeVisible()
  const heights = [...results.element().querySelectorAll('li')].map((row) => row.offsetHeight)
  expect(heights).toHaveLength(2)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
})

test('as regras de envio dizem o que fazem, com os números que estão nos campos', async () => {
  await onDesk()
  await openApp(
    '/remarketing',
    adminPortal({
      'GET /rest/v1/kanban_stages': () => [],
      'POST /rest/v1/rpc/get_campaign_stats': () => [],
      'POST /rest/v1/rpc/get_segment_sends': () => ({ count: 0, sends: [] }),
      'POST /rest/v1/rpc/get_campaign_history': () => [],
      'GET /rest/v1/campaign_settings': () => [
        {
          opens_at: 8,
          closes_at: 20,
          sends_on_sundays: false,
          daily_cap: 200,
          warm_up_from: 20,
          warm_up_days: 10,
          rest_days: 7,
        },
      ],
    }),
    ADMIN,
  )
  await page.getByRole('button', { name: 'Regras de envio' }).click()
  const sending = page.getByRole('dialog', { name: 'Regras de envio' })
  for (const sentence of [
    'As campanhas enviam das 8h às 20h, de segunda a sábado. Fora disso elas esperam.',
    'Até 200 mensagens de campanha por número.',
    'Quem recebeu uma campanha nos últimos 7 dias fica de fora da próxima.',
    'Não recebe campanhas de nenhum corretor.',
  ])
    await expect.element(sending).toHaveTextContent(sentence)
  await sending.getByLabelText('Limite por dia').fill('90')
  await expect.element(sending).toHaveTextContent('Até 90 mensagens de campanha por número.')
})
