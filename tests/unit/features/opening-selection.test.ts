// The brokers that the CRM opens with.
import { expect, test } from 'vitest'
import type { Listed } from '#features/crm/listed-brokers.ts'
import { openingSelection } from '#features/crm/opening-selection.ts'

const broker = (name: string): Listed => ({
  instanceName: `corretor_${name}`,
  name,
  pictureUrl: null,
  isConnected: true,
  total: 1,
})
const names = (stored: string, listed: readonly Listed[]) =>
  openingSelection(stored, listed).map((name) => name.replace('corretor_', ''))

test.each([
  ['', ['ana', 'bia'], ['ana', 'bia']],
  ['bia', ['ana', 'bia'], ['bia']],
  ['saiu bia', ['ana', 'bia'], ['bia']],
  ['saiu', ['ana', 'bia'], ['ana', 'bia']],
  ['ana', [], []],
])('stored %j of %j: %j', (stored, listed, expected) => {
  expect(names(stored, listed.map(broker))).toEqual(expected)
})

test('of many brokers the first twenty are opened, because each board is loaded by itself', () => {
  expect(
    names(
      '',
      Array.from({ length: 50 }, (_, at) => broker(`b${at}`)),
    ),
  ).toHaveLength(20)
})
