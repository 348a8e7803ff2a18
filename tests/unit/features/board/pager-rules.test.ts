// Functions of the fractional stage index: drags, targets, title, pill, tabs.
import { describe, expect, it } from 'vitest'
import {
  type Drag,
  draggedTo,
  pageTarget,
  pillAt,
  railScrollAt,
  scrubTarget,
  tabAt,
  titleAt,
} from '#features/board/gestures/pager-rules.ts'
import { table } from '#tests/support/table.ts'

const W = 390

describe('draggedTo', () => {
  it.each([
    ['one to one', 1, -195, 1.5],
    ['back', 1, 390, 0],
    ['past the first: a third of the way', 0, 100, -35 / W],
    ['past the first: at most 72 px', 0, 390, -72 / W],
    ['past the last', 4, -100, 4 + 35 / W],
    ['into the end', 0.5, 295, -35 / W],
  ])('%s', (_, startP, dx, p) => {
    expect(draggedTo(startP, dx, { unit: W, last: 4 })).toBeCloseTo(p)
  })

  it('the tabs move three times as fast', () => {
    expect(draggedTo(0, -260, { unit: 130, last: 4 })).toBe(2)
  })
})

describe('pageTarget', () => {
  const drag = (changes: Partial<Drag>): Drag => {
    const dx = changes.dx ?? 0
    return { from: 1, p: 1 - dx / W, dx, velocity: 0, width: W, last: 4, ...changes }
  }
  it.each([
    ['a slow drag under 30 % returns', { dx: -116 }, 1],
    ['30 % commits', { dx: -117 }, 2],
    ['and the other way', { dx: 117 }, 0],
    ['a flick commits', { dx: -24, velocity: -0.35 }, 2],
    ['too slow a flick', { dx: -24, velocity: -0.34 }, 1],
    ['too short a flick', { dx: -23, velocity: -2 }, 1],
    ['a flick against the drag returns', { dx: -60, velocity: 0.9 }, 1],
    ['one stage at most', { dx: -380, velocity: -5 }, 2],
    ['nothing before the first', { from: 0, p: -0.1, dx: 140, velocity: 2 }, 0],
    ['nothing after the last', { from: 4, p: 4.1, dx: -140, velocity: -2 }, 4],
    ['caught on its way and let go: where it is nearest', { from: 2, p: 1.3, dx: 0 }, 1],
    ['caught on its way and flicked on: the next after that', { from: 2, p: 1.6, dx: -30, velocity: -1 }, 3],
  ] as [string, Partial<Drag>, number][])('%s', (_, changes, target) => {
    expect(pageTarget(drag(changes))).toBe(target)
  })
})

it.each([
  ['nearest when it rests', { p: 1.6, velocity: 0 }, 2],
  ['as far as its speed carries', { p: 0.2, velocity: -1.5 }, 2],
  ['any number of stages', { p: 0, velocity: -3 }, 4],
  ['never past an end', { p: 3, velocity: 9 }, 0],
])('a scrub ends %s', (_, { p, velocity }, target) => {
  expect(scrubTarget({ p, velocity, unit: 130, last: 4 })).toBe(target)
})

it.each([
  [0, 1, 0],
  [0.25, 0.5, 12],
  [-0.25, 0.5, -12],
  [0.5, 0, 24],
  [1, 0, 24],
  [-2, 0, -24],
])('a title %d stages away has opacity %d and is shifted by %d px', (distance, opacity, x) => {
  expect(titleAt(distance)).toEqual({ opacity, x })
})

const TABS = [
  { left: 12, width: 160 },
  { left: 176, width: 100 },
  { left: 280, width: 140 },
]

table('the pill at %d', (p) => pillAt(p, TABS), [
  [0, { left: 12, width: 160, index: 0, share: 0 }],
  [0.5, { left: 94, width: 130, index: 0, share: 0.5 }],
  [1, { left: 176, width: 100, index: 1, share: 0 }],
  [2, { left: 280, width: 140, index: 2, share: 0 }],
  [2.2, { left: 280, width: 140, index: 2, share: expect.closeTo(0.2) }],
  [-0.2, { left: 12, width: 160, index: 0, share: 0 }],
])

it.each([
  ['at its beginning', 0, 0],
  ['in between', 1, 226 - 150],
  ['at its end', 2, 132],
])('the tabs are scrolled %s', (_, p, scroll) => {
  expect(railScrollAt(p, TABS, { view: 300, content: 432 })).toBe(scroll)
})

it('tabs that fit are not scrolled', () => {
  expect(railScrollAt(2, TABS, { view: 600, content: 432 })).toBe(0)
})

table('at %d is tab %s', (x) => tabAt(x, TABS), [
  [12, 0],
  [172, 0],
  [174, null],
  [280, 2],
  [421, null],
])
