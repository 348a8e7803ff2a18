// What a card says of its broker. Spec 2.9.
import { expect, it } from 'vitest'
import { brokerLabel } from '#domain/broker.ts'

it.each([
  ['corretor_camila', 'camila'],
  ['camila', 'camila'],
  ['corretor_corretor_ana', 'corretor_ana'],
  ['corretor_', 'Corretor'],
  ['corretor_ ', 'Corretor'],
  ['', 'Corretor'],
])('%s is labelled %s', (instanceName, label) => {
  expect(brokerLabel(instanceName)).toBe(label)
})
