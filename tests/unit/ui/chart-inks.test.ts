// Which words can be read on which part of a chart (DESIGN-SYSTEM 2.2).
import { expect, it } from 'vitest'
import { contrast, partGround } from '#ui/chart-inks.ts'

it.each([
  ['rgb(0, 90, 104)', 'rgb(255, 255, 255)', 7.89],
  ['rgb(201, 132, 20)', 'rgb(255, 255, 255)', 3.09],
  ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 21],
])('%s against %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

it('a thirteenth part begins the colours anew', () => {
  expect(partGround(0)).toBe('bg-chart-1')
  expect(partGround(11)).toBe('bg-chart-12')
  expect(partGround(12)).toBe('bg-chart-1')
})
