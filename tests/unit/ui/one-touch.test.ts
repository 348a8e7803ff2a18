// One touch outside the board: the direction is decided once, and only a lifted finger decides.
import { describe, expect, test, vi } from 'vitest'
import { OneTouch, type Way } from '#ui/motion/one-touch.ts'

const at = (clientX: number, clientY: number, pointerId = 1) => ({ clientX, clientY, pointerId })
const UP = { type: 'pointerup' }
/** Ours to the right beyond 10 px, the browser's in every other direction. */
const toTheRight = ({ dx, dy }: Way) => (Math.hypot(dx, dy) < 10 ? null : dx >= 10)

describe('a touch', () => {
  test('is nobody’s within the slop, and decides nothing there', () => {
    const touch = new OneTouch(toTheRight)
    touch.press(at(100, 100))
    expect(touch.move(at(105, 100))).toBeNull()
    expect(touch.end(UP)).toBeNull()
  })

  test('is decided once: it stays ours or the browser’s, however it goes on', () => {
    const decide = vi.fn<typeof toTheRight>(toTheRight)
    const touch = new OneTouch(decide)
    touch.press(at(100, 100))
    expect(touch.move(at(120, 100))).toEqual({ dx: 20, dy: 0 })
    expect(touch.move(at(90, 160))).toEqual({ dx: -10, dy: 60 })
    expect(touch.end(UP)).toEqual({ dx: -10, dy: 60 })
    touch.press(at(100, 100))
    expect(touch.move(at(100, 130))).toBeNull()
    expect(touch.move(at(160, 130))).toBeNull()
    expect(touch.end(UP)).toBeNull()
    expect(decide).toHaveBeenCalledTimes(4)
  })

  test.each(['pointercancel', 'touchcancel', 'touchstart'])('that ends by %s decides nothing', (type) => {
    const touch = new OneTouch(toTheRight)
    touch.press(at(100, 100))
    touch.move(at(180, 100))
    expect(touch.end({ type })).toBeNull()
    expect(touch.move(at(190, 100))).toBeNull()
    expect(touch.end(UP)).toBeNull()
  })

  test('belongs to the pointer that pressed', () => {
    const touch = new OneTouch(() => true)
    expect(touch.holds(at(0, 0))).toBe(false)
    touch.press(at(100, 100))
    expect(touch.move(at(0, 0, 2))).toBeNull()
    expect([touch.holds({ pointerId: 1 }), touch.holds({ pointerId: 2 })]).toEqual([true, false])
    expect(touch.end({ type: 'touchend' })).toEqual({ dx: 0, dy: 0 })
    expect(touch.holds({ pointerId: 1 })).toBe(false)
  })
})
