// Swiping a bubble to the right replies to it.
import { type PointerEvent, useRef } from 'react'
import { tremble } from '#ui/feedback/haptics.ts'

/** The distance in px that counts as a reply. */
const FAR = 48
const FURTHEST = 72
/** A movement that is more vertical than horizontal scrolls. */
const SLOP = 10

type Start = { x: number; y: number; isSwipe: boolean }

/** undefined: this message cannot be replied to. */
export function useSwipeAnswer(onAnswer: (() => void) | undefined) {
  const start = useRef<Start>(null)
  const end = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    start.current = null
    delete currentTarget.dataset['swiped']
    currentTarget.style.removeProperty('--swiped')
  }
  if (!onAnswer) return {}
  return {
    onPointerDownCapture: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      start.current = pointerType === 'mouse' ? null : { x, y, isSwipe: false }
    },
    onPointerMoveCapture: (event: PointerEvent<HTMLElement>) => {
      const { current: from } = start
      if (!from) return
      const aside = event.clientX - from.x
      if (!from.isSwipe) {
        if (Math.abs(event.clientY - from.y) > SLOP || aside < -SLOP) return void (start.current = null)
        if (aside < SLOP) return
        from.isSwipe = true
        event.currentTarget.setPointerCapture(event.pointerId)
        event.currentTarget.dataset['swiped'] = ''
      }
      event.currentTarget.style.setProperty('--swiped', `${Math.min(FURTHEST, Math.max(0, aside))}px`)
    },
    onPointerUpCapture: (event: PointerEvent<HTMLElement>) => {
      const { current: from } = start
      const isMeant = from?.isSwipe === true && event.clientX - from.x >= FAR
      end(event)
      if (!isMeant) return
      tremble('done')
      onAnswer()
    },
    onPointerCancelCapture: end,
  }
}
