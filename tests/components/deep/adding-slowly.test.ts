// 'Adicionar lead' closes for the conversation that it opens, also while the conversation's code is still loading.
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal, leadRow } from '#tests/support/components/broker-portal.ts'
import { onPhone } from '#tests/support/components/device.ts'

const slow = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('#features/conversation/conversation-dialog.tsx', async (fetchIt) => {
  await slow.promise
  return fetchIt()
})

test('Abrir com a conversa ainda a caminho: a folha fica até ela chegar, e um passo atrás volta ao quadro', async () => {
  const { network } = brokerPortal([leadRow(1, { name: 'Marina Tavares' })])
  network.on('GET /rest/v1/whatsapp_messages', () => [])
  network.on('GET /rest/v1/quick_replies', () => [])
  network.on('POST /rest/v1/rpc/erased_leads', () => [])
  network.on('POST /rest/v1/rpc/get_available_empreendimentos', () => [])
  await onPhone()
  await openApp('/broker', network, CAMILA)
  await page.getByRole('button', { name: 'Adicionar lead' }).click()
  const sheet = page.getByRole('dialog', { name: 'Adicionar lead' })
  await sheet.getByLabelText('WhatsApp').fill('(11) 95000-0001')
  await sheet.getByRole('button', { name: 'Abrir' }).click()
  await expect.element(sheet).toBeVisible()

  slow.resolve()
  const conversation = page.getByRole('dialog', { name: 'Marina Tavares' })
  await expect.element(conversation).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  history.back()
  await expect.element(conversation).not.toBeInTheDocument()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByRole('article', { name: /^Marina/ })).toBeVisible()
})
