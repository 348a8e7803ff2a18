// The twelve colours of charts, for every kind of colour vision and in both themes.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { distance } from '#tests/support/colour-sight.ts'

const TOKENS = readFileSync('src/styles/tokens.css', 'utf8')
const palette = [...TOKENS.matchAll(/--color-chart-\d+: light-dark\((#\w{6}), (#\w{6})\)/g)]

describe.each([
  ['light', 1],
  ['dark', 2],
])('%s', (_, theme) => {
  const colours = palette.map((match) => match[theme] ?? '')
  const pairs = colours.flatMap((one, index) =>
    colours.slice(index + 1).map((other) => [one, other] as const),
  )

  it.each([
    ['full', 14],
    ['deuteranopia', 11.5],
  ] as const)('all 66 pairs are distinct with %s sight', (sight, least) => {
    expect(pairs).toHaveLength(66)
    expect(Math.min(...pairs.map(([one, other]) => distance(one, other, sight)))).toBeGreaterThan(least)
  })
})

it.each([
  ['#000000', '#ffffff', 100],
  ['#ff0000', '#00ff00', 86.6],
  ['#ff0000', '#ff0000', 0],
])('%s and %s are %d apart', (one, other, apart) => {
  expect(distance(one, other, 'full')).toBeCloseTo(apart, 1)
})

it('a red and a green of equal lightness look the same without cones for them', () => {
  expect(distance('#b3593c', '#6c7d3c', 'full')).toBeGreaterThan(30)
  expect(distance('#b3593c', '#6c7d3c', 'deuteranopia')).toBeLessThan(12)
})
