// Scrolls during a drag: the board near its sides, a column near its top and bottom.
import { type EdgeZone, edgeScroll } from '#ui/motion/edge-scroll.ts'
import type { Field, Point } from './rules.ts'

const SIDES: EdgeZone = { zone: 80, most: 16 }
const ENDS: EdgeZone = { zone: 64, most: 16 }

/** A longer pause between two frames counts as this long, so that nothing leaps after the page stood still. */
const MAX_ELAPSED_MS = 50

type HeldOver = {
  board: HTMLElement
  field: Field
  /** The pointer's position; null outside the board. */
  at: () => Point | null
  /** The column under the pointer. */
  column: () => HTMLElement | null
}

/** Scrolls until the returned function is called. */
export function scrollAtEdges({ board, field, at, column }: HeldOver): () => void {
  const across = inWholePixels((px) => (board.scrollLeft += px))
  const along = inWholePixels((px) => {
    const cards = column()?.querySelector('[data-cards]')
    if (cards) cards.scrollTop += px
  })
  let last = performance.now()
  let request = requestAnimationFrame(scroll)
  function scroll(now: number) {
    const elapsedMs = Math.min(Math.max(0, now - last), MAX_ELAPSED_MS)
    last = now
    const point = at()
    if (point) {
      across(edgeScroll(point.x, { start: field.left, end: field.right }, { ...SIDES, elapsedMs }))
      along(edgeScroll(point.y, { start: field.top, end: field.bottom }, { ...ENDS, elapsedMs }))
    }
    request = requestAnimationFrame(scroll)
  }
  return () => cancelAnimationFrame(request)
}

/** Browsers round scroll positions to whole pixels, so this adds fractions up until they make one. */
function inWholePixels(scrollBy: (px: number) => void): (px: number) => void {
  let rest = 0
  return (px) => {
    rest = px === 0 ? 0 : rest + px
    const whole = Math.trunc(rest)
    rest -= whole
    if (whole !== 0) scrollBy(whole)
  }
}
