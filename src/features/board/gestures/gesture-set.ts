// Puts the gestures of the phone's board together: finger, pages, swipe, carry, keys, focus.
import { cardSwipe } from '#ui/device-switch.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { onArrival } from '../columns/arrivals.ts'
import { createBoardKeys } from './board-keys.ts'
import { CardCarry } from './touch-drag.ts'
import { CardSwipe, type SwipeView } from './card-swipe.ts'
import type { CarryView } from './touch-drag-preview.ts'
import { createFocusKeeper } from './focus-keeper.ts'
import type { GestureBoard } from './gesture-context.ts'
import { PagerMotion } from '../pager/pager-motion.ts'
import { createSlots, enterFrom } from '../columns/list-animation.ts'
import { Finger } from './pointer.ts'

type HandsParts = {
  root: HTMLElement
  board: () => GestureBoard
  showSwipe: (view: SwipeView | null) => void
  showCarry: (view: CarryView | null) => void
}

export type Hands = ReturnType<typeof createHands>

export function createHands({ root, board, showSwipe, showCarry }: HandsParts) {
  const pager = new PagerMotion(root, board().active, {
    onNear: (index) => {
      if (root.dataset['dragging'] === 'rail') tremble('step')
      board().onNear(index)
    },
    onTarget: (index) => board().onTarget(index),
  })
  const slots = createSlots(root)
  const swipe = new CardSwipe({ root, board, slots, show: showSwipe })
  const carry = new CardCarry({ root, board, pager, slots, show: showCarry })
  const finger = new Finger({
    root,
    pager,
    hands: { page: pager.hand('page'), rail: pager.hand('rail'), card: swipe, carry },
    areCardsSwiped: cardSwipe.isOn,
  })
  const keys = createBoardKeys({ root, board, carry, slots })
  const focus = createFocusKeeper(root, board)
  const stopArrivals = onArrival((leadId, side) => slots.open(leadId, (card) => enterFrom(side, card)))

  return {
    finger,
    /** After every drawing of the board. */
    see: () => {
      const { active, columns, newest } = board()
      pager.see(active, columns.length)
      slots.see(newest)
      swipe.see()
      keys.see()
      focus.see()
    },
    end: () => {
      finger.end()
      swipe.finish()
      carry.cancel()
      keys.end()
      focus.end()
      slots.end()
      stopArrivals()
      pager.end()
    },
  }
}
