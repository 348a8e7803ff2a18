// Finds what a pointer touches on the phone's board, and listens to page events that affect gestures.

import type { Point } from './gesture.ts'

/** Elements that handle pointers themselves. */
const OTHERS = 'dialog, input, textarea, select, [data-own-touch]'

type Place = { on: 'card' | 'rail' | 'board' | 'elsewhere'; article: HTMLElement | null }

/** Uses the point: the event's target may be a card beside the gap that was touched. */
export function placeOf({ x, y }: Point, root: HTMLElement): Place {
  const target = document.elementFromPoint(x, y)
  // The search covers the whole board.
  const isCovered = root.closest('[inert]') !== null
  if (!target || isCovered || target.closest(OTHERS)) return { on: 'elsewhere', article: null }
  if (target.closest('[data-rail]')) return { on: 'rail', article: null }
  const article = target.closest<HTMLElement>('article[data-lead]')
  return article && root.contains(article) ? { on: 'card', article } : { on: 'board', article: null }
}

type Ears = {
  /** A list was scrolled, or still glides. */
  scrolled: (timeMs: number) => void
  clicked: (event: MouseEvent) => void
  /** A pointer was pressed, perhaps a second one. */
  pressed: (pointerId: number) => void
  /** Whether a gesture owns the pointer, so that the browser must not scroll. */
  isTaken: () => boolean
  isDown: () => boolean
  /** The screen was rotated, the app was left, or Escape was pressed. */
  disturbed: () => void
}

const BY_NOBODY_ELSE = { capture: true, passive: true }

export function listenTo(root: HTMLElement, ears: Ears): () => void {
  const stops = new AbortController()
  const { signal } = stops
  const calm = { ...BY_NOBODY_ELSE, signal }
  const active = { capture: true, passive: false, signal }
  const keepFromScrolling = (event: Event) => {
    if (ears.isTaken() && event.cancelable) event.preventDefault()
  }
  const onScroll = ({ target, timeStamp }: Event) => {
    if (target instanceof Element && target.matches('[data-page]')) ears.scrolled(timeStamp)
  }
  root.addEventListener('scroll', onScroll, calm)
  root.addEventListener('contextmenu', (event) => ears.isDown() && event.preventDefault(), active)
  addEventListener('click', (event) => ears.clicked(event), active)
  addEventListener('pointerdown', ({ pointerId }) => ears.pressed(pointerId), calm)
  // This listener must exist before any touch: on a busy phone one added at the touch is too late. The browser would then
  // scroll, and cancel the pointer during a drag.
  root.addEventListener('touchmove', keepFromScrolling, active)
  // Also on the target, which gets all events of its touch even after its removal from the page.
  addEventListener(
    'touchstart',
    ({ target }) => target?.addEventListener('touchmove', keepFromScrolling, { passive: false, signal }),
    calm,
  )
  addEventListener('resize', ears.disturbed, calm)
  addEventListener('keydown', ({ key }) => key === 'Escape' && ears.disturbed(), calm)
  document.addEventListener('visibilitychange', () => document.hidden && ears.disturbed(), calm)
  return () => stops.abort()
}
