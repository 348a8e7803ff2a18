// Positions derived from `p`, the fractional index of the shown stage: of the page, its title, the tabs and the pill.
import { clamp, rubberBand } from './gesture-rules.ts'

const END_FACTOR = 0.35
const MAX_STRETCH = 72

/** `p` during a drag: `unit` px are one stage; `last` is the last stage's index. */
export function draggedTo(
  startP: number,
  dx: number,
  { unit, last }: { unit: number; last: number },
): number {
  const p = startP - dx / unit
  const inside = clamp(p, 0, last)
  return inside + rubberBand((p - inside) * unit, END_FACTOR, MAX_STRETCH) / unit
}

const COMMIT_SHARE = 0.3
const FLICK = 0.35
const MIN_FLICK = 24

export type Drag = {
  /** The stage on screen when the touch began, or the stage to which the pages were moving. */
  from: number
  p: number
  dx: number
  /** The speed in px per ms. */
  velocity: number
  width: number
  last: number
}

/** The stage where released pages come to rest: the same or a neighbour. */
export function pageTarget({ from, p, dx, velocity, width, last }: Drag): number {
  const isFlick =
    Math.abs(velocity) >= FLICK && Math.abs(dx) >= MIN_FLICK && Math.sign(velocity) === Math.sign(dx)
  const isPulled = Math.abs(dx) >= COMMIT_SHARE * width
  return clamp(isFlick || isPulled ? from - Math.sign(dx) : Math.round(p), 0, last)
}

const PROJECTION_MS = 180

type Scrub = { p: number; velocity: number; unit: number; last: number }

/** The stage where released tabs come to rest; a fast flick passes several. */
export function scrubTarget({ p, velocity, unit, last }: Scrub): number {
  return clamp(Math.round(p - (velocity * PROJECTION_MS) / unit), 0, last)
}

const TITLE_SHIFT = 24

/**
 * Returns the look of the title of a stage that is `distance` stages away from `p`. A title fades out over the first
 * half of the way; the next fades in over the second.
 */
export function titleAt(distance: number): { opacity: number; x: number } {
  const share = clamp(distance * 2, -1, 1)
  return { opacity: 1 - Math.abs(share), x: share * TITLE_SHIFT }
}

/** A tab's place in the bar. */
export type Tab = { left: number; width: number }

/** Returns the pill's place between tab `index` and the next one; `share` of the way is done. */
export function pillAt(p: number, tabs: readonly Tab[]): Tab & { index: number; share: number } {
  const index = clamp(Math.floor(p), 0, Math.max(0, tabs.length - 1))
  const share = clamp(p - index, 0, 1)
  const from = tabs[index] ?? { left: 0, width: 0 }
  const to = tabs[index + 1] ?? from
  const between = (a: number, b: number) => a + (b - a) * share
  return { left: between(from.left, to.left), width: between(from.width, to.width), index, share }
}

/** Tells how far the tab bar is scrolled: the pill is in the middle where the ends allow it. */
export function railScrollAt(
  p: number,
  tabs: readonly Tab[],
  { view, content }: { view: number; content: number },
) {
  const { left, width } = pillAt(p, tabs)
  return clamp(left + width / 2 - view / 2, 0, Math.max(0, content - view))
}

/** Returns the index of the tab at `x`, counted from the start of the tab bar's content; null if none is there. */
export function tabAt(x: number, tabs: readonly Tab[]): number | null {
  const index = tabs.findIndex(({ left, width }) => x >= left && x <= left + width)
  return index < 0 ? null : index
}
