// The gestures of the phone's board, laid over it once it is there: they come in a chunk of their own.
import { useDrag } from '@use-gesture/react'
import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBusy } from '#ui/busy.ts'
import { Moving } from '#ui/motion/lazy-motion.tsx'
import { CarryLayer } from './touch-drag-layer.tsx'
import type { CarryView } from './touch-drag-preview.ts'
import type { SwipeView } from './card-swipe.ts'
import type { GestureBoard } from './gesture-context.ts'
import { createHands, type Hands } from './gesture-set.ts'
import { SwipeLayer } from './swipe-layer.tsx'

export function Gestures(board: GestureBoard) {
  const [swipe, showSwipe] = useState<SwipeView | null>(null)
  const [carry, showCarry] = useState<CarryView | null>(null)
  const hands = useHands(board, { showSwipe, showCarry })
  useBusy(swipe !== null || carry !== null)

  useDrag(
    ({ event }) => {
      const finger = hands.current?.finger
      if (!finger || !(event instanceof PointerEvent)) return
      if (event.type === 'pointerdown') finger.down(event)
      else if (event.type === 'pointermove') finger.move(event)
      else finger.up(event)
    },
    // The bar above turns pages, too.
    { target: document.body, pointer: { capture: false, keys: false }, eventOptions: { passive: true } },
  )
  return (
    <Moving>
      {swipe && createPortal(<SwipeLayer {...swipe} />, swipe.page)}
      {carry && <CarryLayer {...carry} columns={board.columns} shown={board.shown} />}
    </Moving>
  )
}

type Show = {
  showSwipe: (view: SwipeView | null) => void
  showCarry: (view: CarryView | null) => void
}

/** The hands live as long as the board; what they see of it is always the newest. */
function useHands(board: GestureBoard, { showSwipe, showCarry }: Show) {
  const newest = useRef(board)
  const hands = useRef<Hands>(null)
  const { root, onDrive } = board
  useLayoutEffect(() => {
    newest.current = board
  })
  useLayoutEffect(() => {
    if (!root.current) return undefined
    const made = createHands({ root: root.current, board: () => newest.current, showSwipe, showCarry })
    hands.current = made
    onDrive(true)
    return () => {
      hands.current = null
      made.end()
      onDrive(false)
    }
  }, [root, onDrive, showSwipe, showCarry])
  useLayoutEffect(() => hands.current?.see())
  return hands
}
