// Moves the focus through a menu with arrow keys, Home and End.
import type { KeyboardEvent } from 'react'

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** `selector` finds the items within the element that has the listener. */
export function moveMenuFocus(event: KeyboardEvent<HTMLElement>, selector: string) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.findIndex((item) => item === document.activeElement)
  const step = STEP[event.key]
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? -1 : step && (at + step) % items.length
  if (next === undefined) return
  event.preventDefault()
  items.at(next)?.focus()
}
