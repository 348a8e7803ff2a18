// Swiping a message's bubble to the right starts a reply to it.
import { type PointerEvent, useState } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'
import { OneTouch, type Way } from '#ui/motion/one-touch.ts'

/** A swipe of this many px starts a reply. */
const FAR = 48
const FURTHEST = 72
const SLOP = 10

/** Returns false for a movement to the left or mostly vertical, and null while it is too short to tell. */
function isToTheRight({ dx, dy }: Way): boolean | null {
  if (Math.abs(dy) > SLOP || dx < -SLOP) return false
  return dx < SLOP ? null : true
}

/** `onAnswer` is undefined if the reader cannot reply to this message. */
export function useSwipeAnswer(onAnswer: (() => void) | undefined) {
  const [touch] = useState(() => new OneTouch(isToTheRight))
  if (!onAnswer) return {}
  const end = (event: PointerEvent<HTMLElement>) => {
    const { currentTarget } = event
    const way = touch.end(event)
    delete currentTarget.dataset['swiped']
    currentTarget.style.removeProperty('--swiped')
    if (!way || way.dx < FAR) return
    tremble('done')
    onAnswer()
  }
  return {
    onPointerDownCapture: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') touch.press(event)
    },
    onPointerMoveCapture: (event: PointerEvent<HTMLElement>) => {
      const way = touch.move(event)
      if (!way) return
      const { currentTarget: bubble } = event
      if (bubble.dataset['swiped'] === undefined) bubble.setPointerCapture(event.pointerId)
      bubble.dataset['swiped'] = ''
      bubble.style.setProperty('--swiped', `${Math.min(FURTHEST, Math.max(0, way.dx))}px`)
    },
    onPointerUpCapture: end,
    onPointerCancelCapture: end,
  }
}
