// The scroll distance that keeps visible cards in place when the order changes.
import { expect, it } from 'vitest'
import { leastShift } from '#features/board/columns/use-steady-list.ts'

const HEIGHT = 100
const startOf = (index: number) => index * HEIGHT
const list = (...ids: number[]) => ids.map((id) => ({ id }))
/** Leads 3, 4 and 5 of 1 to 6 are visible. */
const seen = [3, 4, 5].map((id) => ({ key: id, start: startOf(id - 1) }))

it.each([
  ['nothing moved', list(1, 2, 3, 4, 5, 6), 0],
  ['a lead from above went to the top', list(2, 1, 3, 4, 5, 6), 0],
  ['a lead from below went to the top', list(6, 1, 2, 3, 4, 5), 100],
  ['a new lead came', list(9, 1, 2, 3, 4, 5, 6), 100],
  ['the first in sight went to the top', list(3, 1, 2, 4, 5, 6), 0],
  ['one in sight is gone', list(1, 2, 4, 5, 6), -100],
  ['two above are gone', list(3, 4, 5, 6), -200],
  ['all in sight are gone', list(1, 2, 6), 0],
])('%s', (_, leads, shift) => {
  expect(leastShift(seen, leads, startOf)).toBe(shift)
})
