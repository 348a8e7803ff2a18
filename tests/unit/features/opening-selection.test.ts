// The brokers that the CRM opens with.
import { expect, test } from 'vitest'
import type { Listed } from '#features/crm/listed-brokers.ts'
import { everybody, lastSelection } from '#features/crm/opening-selection.ts'

const broker = (name: string): Listed => ({
  instanceName: `corretor_${name}`,
  name,
  pictureUrl: null,
  isConnected: true,
  isActive: true,
  total: 1,
})
const names = (list: readonly string[] | null) => list?.map((name) => name.replace('corretor_', '')) ?? null

test.each([
  ['', ['ana', 'bia'], null],
  ['bia', ['ana', 'bia'], ['bia']],
  ['saiu bia', ['ana', 'bia'], ['bia']],
  ['saiu', ['ana', 'bia'], null],
  ['ana', [], null],
])('stored %j of %j: %j', (stored, listed, expected) => {
  expect(names(lastSelection(stored, listed.map(broker)))).toEqual(expected)
})

test('of many brokers the first twenty are opened, because each board is loaded by itself', () => {
  expect(names(everybody(['ana', 'bia'].map(broker)))).toEqual(['ana', 'bia'])
  expect(everybody(Array.from({ length: 50 }, (_, at) => broker(`b${at}`)))).toHaveLength(20)
})
