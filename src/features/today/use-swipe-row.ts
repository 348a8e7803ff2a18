// A row that is swept aside: to the right it is done, to the left put off. Its sheet and its keys do the same.
import { useDrag } from '@use-gesture/react'
import { useRef } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'

/** A row that is swept this far aside is done or put off, in px. */
const THRESHOLD = 88

/** Only a lifted finger decides. A touch that the system takes away ends the drag, too: a call, the edge's own gesture. */
export const isLifted = ({ type }: Event) => type === 'touchend' || type === 'pointerup'

export function useSwipeRow(onRight: (() => void) | null, onLeft: () => void) {
  const row = useRef<HTMLLIElement>(null)
  const bind = useDrag(
    ({ movement: [x], last, canceled, tap, first, event }) => {
      if (!row.current || tap) return
      const shownX = onRight ? x : Math.min(0, x)
      row.current.style.transition = last ? 'transform 180ms' : 'none'
      row.current.style.transform = last ? '' : `translateX(${shownX}px)`
      if (first || !last || canceled || !isLifted(event) || Math.abs(shownX) < THRESHOLD) return
      tremble('threshold')
      if (x > 0) onRight?.()
      else onLeft()
    },
    { axis: 'x', filterTaps: true, pointer: { touch: true } },
  )
  return { row, bind }
}
