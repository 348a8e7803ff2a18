// Readable text colours on each part of a chart.
import { expect, it } from 'vitest'
import { contrast, partGround } from '#ui/charts/chart-inks.ts'

it.each([
  ['rgb(0, 90, 104)', 'rgb(255, 255, 255)', 7.89],
  ['rgb(201, 132, 20)', 'rgb(255, 255, 255)', 3.09],
  ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 21],
])('%s against %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

it('a thirteenth part restarts the colours, and no part of a ring equals its neighbour', () => {
  expect([0, 11, 12].map((index) => partGround(index, 20))).toEqual([
    'bg-chart-1',
    'bg-chart-12',
    'bg-chart-1',
  ])
  for (let count = 2; count < 40; count++) {
    const ring = Array.from({ length: count }, (_, index) => partGround(index, count))
    expect(ring.filter((ground, index) => ground === ring[(index + 1) % count])).toEqual([])
  }
})
