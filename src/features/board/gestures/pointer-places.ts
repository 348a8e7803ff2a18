// Finds what a pointer touches on the phone's board, and listens to page events that affect gestures.

import type { Point } from './gesture.ts'

/** Touches on these elements do not reach the board, because they handle pointers themselves. */
const OTHERS = 'dialog, input, textarea, select, [data-own-touch]'

type Place = { on: 'card' | 'rail' | 'board' | 'elsewhere'; article: HTMLElement | null }

/** Looks up the element at the point, because for a touch in a gap the event's target may be a neighbouring card. */
export function placeOf({ x, y }: Point, root: HTMLElement): Place {
  const target = document.elementFromPoint(x, y)
  // While the search covers the board, the board is inert.
  const isCovered = root.closest('[inert]') !== null
  if (!target || isCovered || target.closest(OTHERS)) return { on: 'elsewhere', article: null }
  if (target.closest('[data-rail]')) return { on: 'rail', article: null }
  const article = target.closest<HTMLElement>('article[data-lead]')
  return article && root.contains(article) ? { on: 'card', article } : { on: 'board', article: null }
}

type Ears = {
  /** Called when a list was scrolled or still glides, with the event's time. */
  scrolled: (timeMs: number) => void
  clicked: (event: MouseEvent) => void
  /** Called for each pressed pointer, so also for a second one. */
  pressed: (pointerId: number) => void
  /** True while a gesture handles the pointer; then the browser must not scroll. */
  isTaken: () => boolean
  isDown: () => boolean
  /** Called when the screen rotates, the app loses the foreground, or Escape is pressed. */
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
  // This listener must exist before any touch: on a busy phone one added at the touch is too late. The browser would
  // then scroll, and cancel the pointer during a drag.
  root.addEventListener('touchmove', keepFromScrolling, active)
  // The target gets this listener too, because it receives all events of its touch even after it left the page.
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
