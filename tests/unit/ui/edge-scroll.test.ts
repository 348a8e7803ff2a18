// How far an area scrolls while an item is held near its edge.
import { describe, expect, it } from 'vitest'
import { edgeScroll } from '#ui/motion/edge-scroll.ts'

const AREA = { start: 100, end: 1_100 }
const FRAME_MS = 1_000 / 60
const at = (px: number, elapsedMs = FRAME_MS) => edgeScroll(px, AREA, { zone: 80, most: 16, elapsedMs })

describe('edgeScroll', () => {
  it.each([
    ['in the middle', 600, 0],
    ['at the border of the zone', 180, 0],
    ['half way into the zone', 140, -4],
    ['at the very start', 100, -16],
    ['before it', 60, -16],
    ['half way at the end', 1_060, 4],
    ['at the very end', 1_100, 16],
    ['past it', 1_300, 16],
  ])('%s', (_, px, scrolled) => {
    expect(at(px)).toBeCloseTo(scrolled)
  })

  it('depends on time, not on frames', () => {
    expect(at(1_100, 2 * FRAME_MS)).toBeCloseTo(32)
    expect(at(1_100, 0)).toBe(0)
  })

  it('does not scroll in the middle of an area narrower than its zones', () => {
    const narrow = { start: 0, end: 100 }
    const speed = (px: number) => edgeScroll(px, narrow, { zone: 80, most: 16, elapsedMs: FRAME_MS })
    expect(speed(50)).toBe(0)
    expect(speed(0)).toBeCloseTo(-16)
    expect(speed(100)).toBeCloseTo(16)
  })
})
