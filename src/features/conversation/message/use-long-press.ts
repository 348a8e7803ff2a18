// Opens a menu on a long press or a right click.
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { OneTouch, type Way } from '#ui/motion/one-touch.ts'
import type { Spot } from '#ui/primitives/overlay/action-menu.tsx'

const PRESS_MS = 450
/** A pointer that moves further than this, in px, scrolls and opens no menu. */
const SLOP = 10
const isMoved = ({ dx, dy }: Way) => Math.hypot(dx, dy) > SLOP || null

/** Swallows the click at the end of a long press, which would hit a link or the opened menu. */
function swallowClick() {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  addEventListener('pointerdown', () => removeEventListener('click', stop, true), {
    capture: true,
    once: true,
  })
}

export function useLongPress(onPress: (spot: Spot) => void, pressMs = PRESS_MS) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [touch] = useState(() => new OneTouch(isMoved))
  const isPressed = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: (event: PointerEvent) => {
      isPressed.current = false
      if (event.pointerType === 'mouse') return
      const { clientX: x, clientY: y } = event
      touch.press(event)
      timer.current = setTimeout(() => {
        isPressed.current = true
        swallowClick()
        onPress({ x, y })
      }, pressMs)
    },
    onPointerMove: (event: PointerEvent) => {
      if (touch.move(event)) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onContextMenu: (event: MouseEvent) => {
      // Selected text has the system's own menu.
      if (getSelection()?.isCollapsed === false) return
      event.preventDefault()
      cancel()
      if (!isPressed.current) onPress({ x: event.clientX, y: event.clientY })
    },
  }
}
