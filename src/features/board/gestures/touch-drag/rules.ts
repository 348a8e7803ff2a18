// Rules of a touch drag at the board's edges: the sides turn the page, top and bottom scroll the list.
import { type EdgeZone, edgeScroll } from '#ui/motion/edge-scroll.ts'

const SIDE_ZONE = 44
const FIRST_ADVANCE_MS = 450
const NEXT_ADVANCE_MS = 700
const RESET_MS = 120

/** The side where the pointer holds a card, and since when. */
export type Edge = {
  side: -1 | 0 | 1
  sinceMs: number
  /** How long the card must be held there until the page turns. */
  waitMs: number
  /** When the pointer left the side's zone; null while the pointer is in it. */
  leftAtMs: number | null
}

export const NO_EDGE: Edge = { side: 0, sinceMs: 0, waitMs: FIRST_ADVANCE_MS, leftAtMs: null }

type EdgeStep = {
  edge: Edge
  /** The glow's strength, from 0 to 1. */
  glow: number
  /** True if the page must turn now. */
  isDue: boolean
}

/** Returns the edge's next state, with the pointer at `x` of `width`. */
export function followEdge(edge: Edge, at: { x: number; width: number; nowMs: number }): EdgeStep {
  const side = at.x < SIDE_ZONE ? -1 : at.x > at.width - SIDE_ZONE ? 1 : 0
  if (side !== edge.side) return leaveEdge(edge, side, at.nowMs)
  if (side === 0) return { edge, glow: 0, isDue: false }
  const glow = Math.min(1, (at.nowMs - edge.sinceMs) / edge.waitMs)
  if (glow < 1) return { edge: { ...edge, leftAtMs: null }, glow, isDue: false }
  return {
    edge: { side, sinceMs: at.nowMs, waitMs: NEXT_ADVANCE_MS, leftAtMs: null },
    glow: 1,
    isDue: true,
  }
}

/** Stops following an edge. A pointer that leaves the zone only briefly does not start its wait again. */
function leaveEdge(edge: Edge, side: Edge['side'], nowMs: number): EdgeStep {
  const leftAtMs = edge.leftAtMs ?? nowMs
  if (edge.side !== 0 && side === 0 && nowMs - leftAtMs < RESET_MS) {
    return { edge: { ...edge, leftAtMs }, glow: 0, isDue: false }
  }
  return { edge: { ...NO_EDGE, side, sinceMs: nowMs }, glow: 0, isDue: false }
}

const SCROLL: EdgeZone = { zone: 72, most: 12 }

/** Tells how far a list scrolls in `elapsedMs` while a card is held at `y`, between its `top` and `bottom`. */
export function autoscroll(
  y: number,
  { top, bottom }: { top: number; bottom: number },
  elapsedMs: number,
): number {
  return edgeScroll(y, { start: top, end: bottom }, { ...SCROLL, elapsedMs })
}

const HIGHLIGHT_MS = 250
const OPEN_MS = 500

/** Tells how a tab under a dragged card looks: first nothing, then it is highlighted, then its stage opens. */
export function tabHover(hoveredMs: number): 'none' | 'lit' | 'open' {
  return hoveredMs >= OPEN_MS ? 'open' : hoveredMs >= HIGHLIGHT_MS ? 'lit' : 'none'
}
