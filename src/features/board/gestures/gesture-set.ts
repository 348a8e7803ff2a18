// Combines the gestures of the phone's board: pointer, pages, swipe, drag, keys, focus.
import { cardSwipe } from '#ui/device-switch.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { onArrival } from '../ground/arrivals.ts'
import { createBoardKeys } from './board-keys.ts'
import { TouchDrag } from './touch-drag/touch-drag.ts'
import { CardSwipe, type SwipeView } from './card-swipe.ts'
import type { TouchDragView } from './touch-drag/preview.ts'
import { createFocusRestore } from './focus-keeper.ts'
import type { GestureBoard } from './gesture.ts'
import { PagerMotion } from './pager-motion.ts'
import { createListAnimation, enterFrom } from '../columns/list-animation.ts'
import { PointerTracker } from './pointer.ts'

type GestureSetParts = {
  root: HTMLElement
  board: () => GestureBoard
  showSwipe: (view: SwipeView | null) => void
  showDrag: (view: TouchDragView | null) => void
}

export type GestureSet = ReturnType<typeof createGestureSet>

export function createGestureSet({ root, board, showSwipe, showDrag }: GestureSetParts) {
  const pager = new PagerMotion(root, board().active, {
    onNear: (index) => {
      if (root.dataset['dragging'] === 'rail') tremble('step')
      board().onNear(index)
    },
    onTarget: (index) => board().onTarget(index),
  })
  const listAnimation = createListAnimation(root)
  const swipe = new CardSwipe({ root, board, listAnimation, show: showSwipe })
  const drag = new TouchDrag({ root, board, pager, listAnimation, show: showDrag })
  const pointer = new PointerTracker({
    root,
    pager,
    gestures: { page: pager.gesture('page'), rail: pager.gesture('rail'), card: swipe, drag },
    areCardsSwiped: cardSwipe.isOn,
  })
  const keys = createBoardKeys({ root, board, drag, listAnimation })
  const focus = createFocusRestore(root, board)
  const stopArrivals = onArrival((leadId, side) =>
    listAnimation.open(leadId, (card) => enterFrom(side, card)),
  )

  return {
    pointer,
    /** The board calls this after each of its renders. */
    see: () => {
      const { active, columns, newest } = board()
      pager.see(active, columns.length)
      listAnimation.see(newest)
      swipe.see()
      keys.see()
      focus.see()
    },
    end: () => {
      pointer.end()
      swipe.finish()
      drag.cancel()
      keys.end()
      focus.end()
      listAnimation.end()
      stopArrivals()
      pager.end()
    },
  }
}
