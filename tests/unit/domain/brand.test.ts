// With any colour of an agency, text is readable in the light and the dark theme.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentsOf, contrast, HARDEST, isColor, TEXT_CONTRAST } from '#domain/brand.ts'

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#005a68', '#005a68', 1],
])('%s on %s has a contrast of %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2)
  expect(contrast(other, one)).toBeCloseTo(expected, 2)
})

test.each([
  // Dark enough on white, far too dark for the dark theme.
  ['#005a68', 'light', '#005a68'],
  ['#ffffff', 'dark', '#ffffff'],
  ['#000000', 'light', '#000000'],
] as const)('%s stays unchanged in %s, where it is readable', (color, theme, expected) => {
  expect(accentsOf(color)[theme].primary).toBe(expected)
})

test('every colour gives accents that are readable on their background', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, (chosen) => {
      const themes = accentsOf(chosen)
      for (const theme of ['light', 'dark'] as const) {
        const its = themes[theme]
        const pairs = [
          [its.primary, HARDEST[theme]],
          [its['on-primary'], its.primary],
          [its['on-primary'], its['primary-hover']],
          [its['on-primary'], its['primary-active']],
          [its['on-primary-soft'], its['primary-soft']],
          [its['on-primary-soft'], its['primary-soft-2']],
        ] as const
        for (const [ink, paper] of pairs) expect(contrast(ink, paper)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
        expect(Object.values(its).every(isColor)).toBe(true)
      }
    }),
    { examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#0000ff'], ['#777777'], ['#ff0000']] },
  )
})
