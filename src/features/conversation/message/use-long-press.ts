// Opens a menu on a long press or a right click.
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { Spot } from '#ui/primitives/overlay/action-menu.tsx'

const PRESS_MS = 450
/** A pointer that moves further, in px, scrolls. */
const SLOP = 10

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
  const from = useRef<Spot>({ x: 0, y: 0 })
  const isPressed = useRef(false)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      isPressed.current = false
      if (pointerType === 'mouse') return
      from.current = { x: clientX, y: clientY }
      timer.current = setTimeout(() => {
        isPressed.current = true
        swallowClick()
        onPress(from.current)
      }, pressMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.current.x, clientY - from.current.y) > SLOP) cancel()
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
