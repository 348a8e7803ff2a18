// The size budgets of the broker's way, on the built app (PRODUCT.md 5).
import { expect, test } from 'vitest'
import { measureBundle } from '#tests/bench/bundle.ts'
import { isWithin } from '#tests/bench/measure.ts'

test('from an empty cache to the board the broker fetches no more than the budget, and nothing of other screens', async () => {
  const { measures, strangers } = await measureBundle()
  expect(measures.filter((measure) => !isWithin(measure))).toEqual([])
  expect(strangers).toEqual([])
})
