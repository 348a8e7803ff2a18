// Which part of the phone's board owns a touch, and its gesture.
import { describe, expect, it } from 'vitest'
import {
  afterMove,
  afterPress,
  dragOrigin,
  isTap,
  type Landing,
  type Mode,
  modeAt,
  ownerOf,
  rubberBand,
} from '#features/board/gestures/gesture-rules.ts'
import { table } from '#tests/support/table.ts'

const landing = (changes: Partial<Landing> = {}): Landing => ({
  x: 195,
  y: 400,
  width: 390,
  height: 844,
  on: 'card',
  areCardsSwiped: true,
  isPaging: false,
  ...changes,
})

describe('ownerOf', () => {
  table('a touch landing with %o is owned by %s', (changes: Partial<Landing>) => ownerOf(landing(changes)), [
    [{}, 'card'],
    [{ areCardsSwiped: false }, 'page'],
    [{ isPaging: true }, 'page'],
    [{ on: 'board' }, 'page'],
    [{ on: 'rail' }, 'rail'],
    [{ on: 'rail', areCardsSwiped: false, isPaging: true }, 'rail'],
    [{ on: 'elsewhere' }, null],
    [{ x: 23 }, null],
    [{ x: 24 }, 'card'],
    [{ x: 366 }, 'card'],
    [{ x: 367 }, null],
    [{ x: 10, on: 'rail' }, null],
    [{ y: 820, on: 'rail' }, 'rail'],
    [{ y: 821, on: 'rail' }, null],
    [{ y: 840 }, 'card'],
  ])
})

describe('modeAt', () => {
  it.each<[Mode, number, Mode]>([
    ['armed', 149, 'undecided'],
    ['armed', 150, 'armed'],
    ['undecided', 400, 'undecided'],
    ['drag', 100, 'drag'],
    ['sideways', 100, 'sideways'],
  ])('%s that moved after %i ms was %s', (mode, pressedMs, was) => {
    expect(modeAt(mode, pressedMs)).toBe(was)
  })
})

describe('isTap', () => {
  it.each<[number, number, boolean]>([
    [50, 0, true],
    [349, 5, true],
    [350, 0, false],
    [50, 6, false],
  ])('lifted after %i ms, %i px from its start: %s', (pressedMs, distance, is) => {
    expect(isTap(pressedMs, distance)).toBe(is)
  })
})

describe('afterMove', () => {
  it.each<[Mode, number, number, Mode]>([
    ['undecided', 7, 0, 'undecided'],
    ['undecided', 5, 5, 'undecided'],
    ['undecided', 8, 0, 'sideways'],
    ['undecided', -8, 0, 'sideways'],
    ['undecided', 0, 8, 'over'],
    ['undecided', 14.1, 10, 'sideways'],
    ['undecided', 14, 10, 'over'],
    ['armed', 3, 3, 'armed'],
    ['armed', 6, 0, 'drag'],
    ['armed', 6, 5, 'drag'],
    ['armed', 5, 6, 'over'],
    ['armed', 0, -6, 'over'],
    ['sideways', 0, 300, 'sideways'],
    ['drag', 0, 300, 'drag'],
    ['over', 300, 0, 'over'],
  ])('%s, moved by %d, %d: %s', (mode, dx, dy, next) => {
    expect(afterMove(mode, dx, dy)).toBe(next)
  })
})

describe('afterPress', () => {
  it.each<[Mode, number, number, Mode]>([
    ['undecided', 149, 0, 'undecided'],
    ['undecided', 150, 5, 'armed'],
    ['undecided', 150, 5.1, 'undecided'],
    ['undecided', 350, 0, 'drag'],
    ['undecided', 400, 7, 'undecided'],
    ['armed', 349, 4, 'armed'],
    ['armed', 350, 4, 'drag'],
    ['sideways', 400, 40, 'sideways'],
    ['over', 400, 0, 'over'],
  ])('%s, pressed for %d ms at %d px: %s', (mode, pressedMs, distance, next) => {
    expect(afterPress(mode, pressedMs, distance)).toBe(next)
  })
})

it('subtracts exactly the slop, even for a flick within one event', () => {
  expect(dragOrigin(200, 150)).toBe(208)
  expect(dragOrigin(200, -150)).toBe(192)
})

it.each([
  [100, 35],
  [-100, -35],
  [400, 72],
  [-400, -72],
  [0, 0],
])('a rubber band pulled by %d gives %d', (distance, given) => {
  expect(rubberBand(distance, 0.35, 72)).toBeCloseTo(given)
})
