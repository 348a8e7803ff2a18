// The window of cards that are in the page: it always covers the visible ones, and moves in steps.
import { expect, it } from 'vitest'
import { windowAround } from '#features/board/columns/card-window.ts'

const COUNT = 400

/** The windows while a list is scrolled card by card, with this many cards on the screen. */
function windowsOf(starts: readonly number[], visible: number) {
  let window = { first: 0, end: 0 }
  return starts.map((startIndex) => {
    const range = { startIndex, endIndex: Math.min(COUNT - 1, startIndex + visible - 1), count: COUNT }
    window = windowAround(range, window)
    return { ...range, ...window, window }
  })
}

const down = Array.from({ length: 300 }, (_, at) => at)

it.each([
  ['down', down],
  ['up', down.toReversed()],
])('covers the visible cards and one beyond each end, %s', (_, starts) => {
  for (const visible of [3, 6, 8])
    for (const { startIndex, endIndex, first, end } of windowsOf(starts, visible)) {
      expect(first).toBeLessThanOrEqual(Math.max(0, startIndex - 1))
      expect(end).toBeGreaterThanOrEqual(Math.min(COUNT, endIndex + 2))
      expect(end - first).toBeLessThanOrEqual(visible + 12)
    }
})

it.each([6, 7, 8, 9])('changes once for each four cards that pass, %i on the screen', (visible) => {
  const windows = new Set(windowsOf(down, visible).map(({ window }) => window))
  expect(windows.size).toBeLessThanOrEqual(down.length / 4 + 1)
})

it('stays where the direction turns', () => {
  const windows = windowsOf([40, 41, 40, 41, 42, 41], 7)
  expect(new Set(windows.map(({ window }) => window)).size).toBeLessThanOrEqual(2)
})

it('holds exactly the visible cards of a very tall column', () => {
  const [{ first, end } = { first: NaN, end: NaN }] = windowsOf([37], 20)
  expect([first, end]).toEqual([37, 57])
})

it('shrinks with the list', () => {
  const last = { first: 392, end: 400 }
  expect(windowAround({ startIndex: 0, endIndex: 2, count: 3 }, last)).toEqual({ first: 0, end: 3 })
})
