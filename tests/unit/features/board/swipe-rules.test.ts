// When a swiped card moves to the neighbouring stage.
import { describe, expect, it } from 'vitest'
import {
  commits,
  isPast,
  leaveMs,
  thresholdOf,
  tiltAt,
  withoutNeighbour,
} from '#features/board/gestures/swipe-rules.ts'
import { table } from '#tests/support/table.ts'

it.each([
  [358, 114.56],
  [300, 96],
  [240, 96],
])('a card of %d px moves from %d px on', (width, threshold) => {
  expect(thresholdOf(width)).toBeCloseTo(threshold)
})

it.each([
  [99, false, false],
  [100, false, true],
  [-100, false, true],
  [99, true, true],
  [88, true, true],
  [87, true, false],
  [-87, true, false],
])('at %d px, past before: %s, it is past: %s', (dx, wasPast, past) => {
  expect(isPast(dx, 100, wasPast)).toBe(past)
})

describe('commits', () => {
  it.each([
    ['short and slow', 99, 0, false],
    ['past the threshold, at rest', 100, 0, true],
    ['past it to the left', -100, 0, true],
    ['past it, drawn back a little', 120, -0.2, true],
    ['past it, drawn back', 120, -0.21, false],
    ['past it to the left, drawn back', -120, 0.3, false],
    ['a flick', 48, 0.65, true],
    ['a flick to the left', -48, -0.65, true],
    ['too short a flick', 47, 3, false],
    ['too slow a flick', 60, 0.64, false],
    ['a flick back', 60, -2, false],
  ])('%s', (_, dx, velocity, does) => {
    expect(commits({ dx, velocity, threshold: 100 })).toBe(does)
  })
})

it.each([
  [390, 0, 220],
  [200, 0, 200 / 1.2],
  [200, 4, 120],
  [240, -1.5, 160],
])('%d px at %d px/ms take %d ms', (remaining, velocity, ms) => {
  expect(leaveMs(remaining, velocity)).toBeCloseTo(ms)
})

it.each([
  [0, 0],
  [90, 0.3],
  [600, 0.6],
  [-600, -0.6],
])('moved by %d px a card tilts by %d degrees', (dx, degrees) => {
  expect(tiltAt(dx)).toBeCloseTo(degrees)
})

table('without a neighbour %d px become %d', withoutNeighbour, [
  [100, 25],
  [-100, -25],
  [390, 48],
])
