// The soft hue of a word.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hueOf } from '#ui/primitives/hue.ts'
import { table } from '#tests/support/table.ts'

table('%s has the hue %s', hueOf, [
  ['new', 'new'],
  ['fechado', 'closed'],
  ['negociacao', 'negociacao'],
  ['remarketing_sent', 'remarketing-sent'],
  ['', 'default'],
])

it('gives any other word one of the six shared hues, always the same', () => {
  const shared = ['new', 'contacted', 'qualified', 'negociacao', 'closed', 'remarketing-sent']
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: 'grapheme' }).map((word) => `${word}_`),
      (word) => {
        expect(shared).toContain(hueOf(word))
        expect(hueOf(word)).toBe(hueOf(word))
      },
    ),
  )
})

it('spreads names over all six', () => {
  const names = Array.from({ length: 60 }, (_, index) => `Pessoa ${index}`)
  expect(new Set(names.map((name) => hueOf(name))).size).toBe(6)
})
