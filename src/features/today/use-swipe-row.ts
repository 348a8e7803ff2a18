// A row that is swept aside: to the right it is done, to the left put off. The same ways stand in its sheet and on its keys.
import { useDrag } from '@use-gesture/react'
import { useRef } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'

/** So far aside a row is let go of for good, in px. */
const THRESHOLD = 88

export function useSwipeRow(onRight: () => void, onLeft: () => void) {
  const row = useRef<HTMLLIElement>(null)
  const bind = useDrag(
    ({ movement: [x], last, canceled, tap, first }) => {
      if (!row.current || tap) return
      row.current.style.transition = last ? 'transform 180ms' : 'none'
      row.current.style.transform = last ? '' : `translateX(${x}px)`
      if (first || !last || canceled || Math.abs(x) < THRESHOLD) return
      tremble('threshold')
      if (x > 0) onRight()
      else onLeft()
    },
    { axis: 'x', filterTaps: true, pointer: { touch: true } },
  )
  return { row, bind }
}
