// A broker whose connection moves to another gateway: the app says so, and shows the new one's code until it is open.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { expectAccessibleInBoth } from '#tests/support/components/axe.ts'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { onDesk } from '#tests/support/components/device.ts'

const MOVING = /está mudando de serviço\. Leia o novo código com o seu celular/

test('a mudança de serviço é dita, e o código fica na tela até a nova conexão abrir', async () => {
  let isMoving = true
  const { network } = brokerPortal(undefined, {
    'GET /api/instance': () => ({
      state: 'open',
      number: '5511901000101',
      replacedNumber: null,
      limit: null,
      isMoving,
    }),
    'POST /api/instance/connect': () => ({
      kind: 'code',
      image: 'data:image/png;base64,iVBORw0KGgo=',
      pairingCode: null,
      count: 1,
      limit: 30,
      lifetimeMs: 45_000,
    }),
  })
  await onDesk()
  await openApp('/broker', network, CAMILA)
  await expect.element(page.getByText(MOVING)).toBeVisible()
  await page.getByRole('button', { name: 'Ver código' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conectar WhatsApp' })
  await expect.element(dialog.getByRole('img', { name: /^QR Code para conectar/ })).toBeVisible()
  await expect.element(dialog.getByText(/as mensagens seguem pela conexão de agora/)).toBeVisible()
  await expectAccessibleInBoth()
  // Polls found the link of before open meanwhile, which ends nothing.
  await expect.element(dialog.getByRole('img')).toBeVisible()

  isMoving = false
  await expect.element(dialog.getByText('Conectado!'), { timeout: 10_000 }).toBeVisible()
  await expect.element(dialog, { timeout: 10_000 }).not.toBeInTheDocument()
  await expect.element(page.getByText(MOVING)).not.toBeInTheDocument()
})
