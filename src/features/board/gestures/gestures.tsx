// The gestures of the phone's board, loaded as a chunk of their own after the board is shown.
import { useDrag } from '@use-gesture/react'
import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBusy } from '#ui/busy.ts'
import { Moving } from '#ui/motion/lazy-motion.tsx'
import { TouchDragLayer } from './touch-drag/layer.tsx'
import type { TouchDragView } from './touch-drag/preview.ts'
import type { SwipeView } from './card-swipe.ts'
import type { GestureBoard } from './gesture.ts'
import { createGestureSet, type GestureSet } from './gesture-set.ts'
import { RailPills } from './rail-pills.tsx'
import { SwipeLayer } from './swipe-layer.tsx'

export function Gestures(board: GestureBoard) {
  const [swipe, showSwipe] = useState<SwipeView | null>(null)
  const [drag, showDrag] = useState<TouchDragView | null>(null)
  const gestures = useGestures(board, { showSwipe, showDrag: showDrag })
  useBusy(swipe !== null || drag !== null)

  useDrag(
    ({ event }) => {
      const pointer = gestures.current?.pointer
      if (!pointer || !(event instanceof PointerEvent)) return
      if (event.type === 'pointerdown') pointer.down(event)
      else if (event.type === 'pointermove') pointer.move(event)
      else pointer.up(event)
    },
    // A swipe on the bar above the board turns the pages too.
    { target: document.body, pointer: { capture: false, keys: false }, eventOptions: { passive: true } },
  )
  return (
    <Moving>
      <RailPills key={board.columns.length} root={board.root} columns={board.columns} />
      {swipe && createPortal(<SwipeLayer {...swipe} />, swipe.page)}
      {drag && <TouchDragLayer {...drag} columns={board.columns} shown={board.shown} />}
    </Moving>
  )
}

type Show = {
  showSwipe: (view: SwipeView | null) => void
  showDrag: (view: TouchDragView | null) => void
}

/** Creates the gestures once per board; they read the board's newest state at every event. */
function useGestures(board: GestureBoard, { showSwipe, showDrag }: Show) {
  const newest = useRef(board)
  const gestures = useRef<GestureSet>(null)
  const { root, onDrive } = board
  useLayoutEffect(() => {
    newest.current = board
  })
  useLayoutEffect(() => {
    if (!root.current) return undefined
    const made = createGestureSet({
      root: root.current,
      board: () => newest.current,
      showSwipe,
      showDrag: showDrag,
    })
    gestures.current = made
    onDrive(true)
    return () => {
      gestures.current = null
      made.end()
      onDrive(false)
    }
  }, [root, onDrive, showSwipe, showDrag])
  useLayoutEffect(() => gestures.current?.see())
  return gestures
}
