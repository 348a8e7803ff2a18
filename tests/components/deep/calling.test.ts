// In 'Hoje' a planned call is one tap away: on time or late, and only where the lead has a number.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal, leadRow, type Row } from '#tests/support/components/broker-portal.ts'
import { boxOf, onPhone } from '#tests/support/components/device.ts'

const action = (id: number, kind: 'call' | 'task', inMinutes: number): Partial<Row> => ({
  last_message: null,
  next: [{ id, op: null, kind, due: Math.floor(Date.now() / 1000) + inMinutes * 60, note: '' }],
})

test('uma ligação marcada está a um toque em Hoje, com 44 px; o que não é ligação não liga', async () => {
  const { network } = brokerPortal([
    leadRow(1, { name: 'Wesley Nogueira', number: '5511955550141', ...action(31, 'call', -90) }),
    leadRow(2, { name: 'Caio Figueiredo', number: '5511955550142', ...action(41, 'task', -60) }),
    leadRow(3, { name: 'Helena Duarte', number: null, ...action(51, 'call', -30) }),
  ])
  await onPhone()
  await openApp('/broker/hoje', network, CAMILA)
  const call = page.getByRole('link', { name: /^Ligar para/ })
  await expect.element(call).toHaveAttribute('href', 'tel:+5511955550141')
  await expect.element(call).toHaveAccessibleName('Ligar para Wesley Nogueira')
  const { width, height } = boxOf(call)
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
})
