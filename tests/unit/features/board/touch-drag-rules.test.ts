// A dragged card at the sides of the board, above and below its list, and over a tab.
import { describe, expect, it } from 'vitest'
import {
  autoscroll,
  type Edge,
  followEdge,
  NO_EDGE,
  tabHover,
} from '#features/board/gestures/touch-drag/rules.ts'
import { table } from '#tests/support/table.ts'

/** The page turns caused by a pointer's path near the sides, with their times. */
function turns(path: readonly [nowMs: number, x: number][]): [number, number][] {
  let edge: Edge = NO_EDGE
  const due: [number, number][] = []
  for (const [nowMs, x] of path) {
    const step = followEdge(edge, { x, width: 390, nowMs })
    edge = step.edge
    if (step.isDue) due.push([nowMs, edge.side])
  }
  return due
}

const every10ms = (fromMs: number, toMs: number, x: number): [number, number][] =>
  Array.from({ length: (toMs - fromMs) / 10 }, (_, index) => [fromMs + index * 10, x])

describe('followEdge', () => {
  it('turns after 450 ms at a side, then every 700 ms', () => {
    expect(turns(every10ms(0, 2000, 380))).toEqual([
      [450, 1],
      [1150, 1],
      [1850, 1],
    ])
    expect(turns(every10ms(0, 600, 10))).toEqual([[450, -1]])
  })

  it('the zone is 44 px wide', () => {
    expect(turns(every10ms(0, 600, 44))).toEqual([])
    expect(turns(every10ms(0, 600, 43))).toEqual([[450, -1]])
    expect(turns(every10ms(0, 600, 346))).toEqual([])
  })

  it('leaving the zone for less than 120 ms keeps the progress', () => {
    const path = [...every10ms(0, 200, 380), ...every10ms(200, 300, 200), ...every10ms(300, 600, 380)]
    expect(turns(path)).toEqual([[450, 1]])
  })

  it('leaving it for longer restarts', () => {
    const path = [...every10ms(0, 200, 380), ...every10ms(200, 330, 200), ...every10ms(330, 1000, 380)]
    expect(turns(path)).toEqual([[780, 1]])
  })

  it('changing sides restarts', () => {
    expect(turns([...every10ms(0, 300, 380), ...every10ms(300, 800, 10)])).toEqual([[750, -1]])
  })

  it('the glow grows', () => {
    const edge: Edge = { side: 1, sinceMs: 0, waitMs: 450, leftAtMs: null }
    expect(followEdge(edge, { x: 380, width: 390, nowMs: 225 }).glow).toBeCloseTo(0.5)
    expect(followEdge(NO_EDGE, { x: 200, width: 390, nowMs: 225 }).glow).toBe(0)
  })
})

describe('autoscroll', () => {
  const list = { top: 100, bottom: 700 }
  const frame = 1000 / 60
  it.each([
    ['in the middle', 400, 0],
    ['at the border of the zone', 172, 0],
    ['half way into it, above', 136, -3],
    ['half way into it, below', 664, 3],
    ['at the top', 100, -12],
    ['beyond the bottom', 900, 12],
  ])('%s', (_, y, px) => {
    expect(autoscroll(y, list, frame)).toBeCloseTo(px)
  })
  it('depends on time, not on frames', () => {
    expect(autoscroll(900, list, frame / 2)).toBeCloseTo(6)
  })
})

table('a tab hovered for %d ms is %s', tabHover, [
  [0, 'none'],
  [249, 'none'],
  [250, 'lit'],
  [500, 'open'],
])
