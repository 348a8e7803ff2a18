// Amounts in millionths of a real, formatted and parsed.
import { expect, test } from 'vitest'
import { formatMicros, readMicros } from '#domain/reais.ts'

test.each([
  [84_200_000, 'R$ 84,20'],
  [0, 'R$ 0,00'],
  [12_345, 'R$ 0,012345'],
  [1_250_500_000, 'R$ 1.250,50'],
])('%i', (...[micros, text]) => {
  expect(formatMicros(micros)).toBe(text)
  expect(readMicros(text)).toBe(micros)
})

test.each(['', '-1', '1,2,3', '12.34', 'mil', '1e9', '9999999999999'])('%o is no amount', (text) =>
  expect(readMicros(text)).toBeNull(),
)
