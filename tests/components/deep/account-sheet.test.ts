// The account sheet under a finger.
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { CAMILA, openApp } from '#tests/support/components/app.tsx'
import { brokerPortal } from '#tests/support/components/broker-portal.ts'
import { boxOf, onPhone, restOf, tap } from '#tests/support/components/device.ts'

test('o que chega atrasado não tira nada de debaixo do dedo, nem Sair', async () => {
  const { network } = brokerPortal()
  const assistant = Promise.withResolvers<unknown>()
  network.on('GET /api/assist/own', () => assistant.promise)
  await onPhone()
  await openApp('/broker', network, CAMILA)
  await tap(page.getByRole('button', { name: /^Conta de/ }))
  const buttons = ['Agenda de visitas', 'Trocar senha', 'Sair'].map((name) =>
    page.getByRole('button', { name }),
  )
  const before = await Promise.all(buttons.map((button) => restOf(button)))

  assistant.resolve({ isOn: false, isAvailable: true })
  await expect
    .element(page.getByRole('switch', { name: 'Assistente fora do meu horário' }))
    .toBeInTheDocument()
  expect(buttons.map((button) => boxOf(button).top)).toEqual(before.map(({ top }) => top))
  await expect.element(page.getByRole('button', { name: 'Sair' })).toBeInViewport({ ratio: 1 })
})
