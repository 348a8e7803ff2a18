// The speed of a pointer at its release, in px/ms.
import { describe, expect, it } from 'vitest'
import { type Sample, velocityOf } from '#ui/motion/velocity.ts'

describe('velocityOf', () => {
  const at = (...samples: [timeMs: number, x: number][]): Sample[] =>
    samples.map(([timeMs, at]) => ({ timeMs, at }))
  it.each([
    ['nothing measured', at(), 0, 0],
    ['one sample', at([0, 100]), 10, 0],
    ['steady', at([0, 100], [16, 116], [32, 132]), 40, 1],
    ['backwards', at([0, 100], [10, 80]), 10, -2],
    ['only the last 80 ms count', at([0, 0], [100, 500], [150, 510], [180, 516]), 180, 0.2],
    ['rested before it was lifted', at([0, 100], [16, 140]), 77, 0],
    ['lifted just in time', at([0, 100], [16, 116]), 76, 1],
    ['two at one time', at([5, 100], [5, 104]), 5, 4],
  ])('%s', (_, samples, liftedAtMs, velocity) => {
    expect(velocityOf(samples, liftedAtMs)).toBeCloseTo(velocity)
  })
})
