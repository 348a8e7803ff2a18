// Where a pointer lands on the phone's board, and what else the page says that concerns it.

import type { Point } from './gesture.ts'

/** What has its own use for a pointer. */
const OTHERS = 'dialog, input, textarea, select, [data-own-touch]'

type Place = { on: 'card' | 'rail' | 'board' | 'elsewhere'; article: HTMLElement | null }

/** By the point itself: a browser's own target may be a card beside the gap that was meant. */
export function placeOf({ x, y }: Point, root: HTMLElement): Place {
  const target = document.elementFromPoint(x, y)
  // Something lies over the whole board: the search.
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
  /** A pointer came down, perhaps a second one. */
  pressed: (pointerId: number) => void
  /** A gesture has the pointer: the browser must not scroll with it. */
  isTaken: () => boolean
  isDown: () => boolean
  /** The screen was turned, the app left, Escape pressed. */
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
  // There before any pointer: one that is heard only from the touch on reaches the browser too late on a busy phone, which
  // then scrolls with the pointer that carries, and takes it away.
  root.addEventListener('touchmove', keepFromScrolling, active)
  // On the target itself, too: it hears its touch to the end, even once it has left the page.
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
