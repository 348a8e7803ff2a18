// Swipes a row: to the right finishes its action, to the left postpones it. The lead's sheet and keys do the same.
import { useDrag } from '@use-gesture/react'
import { useRef } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'
import { isLifted } from '#ui/motion/one-touch.ts'

/** How far a finger must swipe the row, in pixels, to finish or postpone its action. */
const THRESHOLD = 88

/**
 * On a device with a touch screen, use-gesture listens only to touches; its `filterTaps` would then swallow every click
 * of a mouse.
 */
export const SWIPE = {
  axis: 'x',
  threshold: 3,
  filterTaps: !('ontouchstart' in globalThis),
  pointer: { touch: true },
} as const

export function useSwipeRow(onRight: (() => void) | null, onLeft: () => void) {
  const row = useRef<HTMLLIElement>(null)
  const bind = useDrag(({ movement: [x], last, canceled, tap, first, event }) => {
    if (!row.current || tap) return
    const shownX = onRight ? x : Math.min(0, x)
    row.current.style.transition = last ? 'transform 180ms' : 'none'
    row.current.style.transform = last ? '' : `translateX(${shownX}px)`
    if (first || !last || canceled || !isLifted(event) || Math.abs(shownX) < THRESHOLD) return
    tremble('threshold')
    if (x > 0) onRight?.()
    else onLeft()
  }, SWIPE)
  return { row, bind }
}
