// What a dragged card touches, checked once per frame: a side that turns the page, a list's end that scrolls, a tab.
import { motionValue, type MotionValue } from 'framer-motion/dom'
import { tremble } from '#ui/feedback/haptics.ts'
import { autoscroll, followEdge, NO_EDGE, tabHover } from './rules.ts'
import { aimAt, type GestureBoard, type Point } from '../gesture.ts'
import type { PagerMotion } from '#features/board/gestures/pager-motion.ts'
import { tabAt } from '#features/board/gestures/pager-rules.ts'

/** The strength of each side's glow, from 0 to 1. */
export type EdgeGlow = Record<'left' | 'right', MotionValue<number>>

type WatchParts = { root: HTMLElement; board: () => GestureBoard; pager: PagerMotion }

export function createDragTargets({ root, board, pager }: WatchParts) {
  const glow: EdgeGlow = { left: motionValue(0), right: motionValue(0) }
  let at: Point = { x: 0, y: 0 }
  let from = 0
  let frame = 0
  let lastMs = 0
  let edge = NO_EDGE
  let aimed: number | null = null
  /** The tab under the dragged card, and since when; null if there is none. */
  let hovered: { index: number | null; sinceMs: number } = { index: null, sinceMs: 0 }
  /** The board's size, measured once, because it stays the same during a drag. */
  let sizes = { width: 0, top: 0, bottom: 0 }

  const aim = (index: number | null) => {
    if (index !== aimed) aimAt(root, index)
    aimed = index
  }
  const isOverRail = () => at.y > sizes.bottom
  const lookAtSides = (nowMs: number) => {
    const x = isOverRail() ? sizes.width / 2 : at.x
    const step = followEdge(edge, { x, width: sizes.width, nowMs })
    edge = step.edge
    glow.left.set(edge.side < 0 ? step.glow : 0)
    glow.right.set(edge.side > 0 ? step.glow : 0)
    const next = pager.target + edge.side
    const isThere = edge.side !== 0 && next >= 0 && next < board().columns.length
    if (!step.isDue || !isThere) return isThere && step.glow > 0 ? next : null
    pager.turn(next)
    tremble('threshold')
    return next
  }
  const lookAtTabs = (nowMs: number) => {
    const index = isOverRail() ? tabAt(at.x, pager.tabs) : null
    if (index !== hovered.index) hovered = { index, sinceMs: nowMs }
    if (index === null) return null
    const hover = tabHover(nowMs - hovered.sinceMs)
    if (hover === 'open' && pager.target !== index) pager.turn(index)
    return hover === 'none' ? null : index
  }
  const check = (nowMs: number) => {
    const elapsedMs = nowMs - lastMs
    lastMs = nowMs
    const side = lookAtSides(nowMs)
    const tab = lookAtTabs(nowMs)
    const away = pager.target === from ? null : pager.target
    aim(tab ?? side ?? away)
    const list = isOverRail() ? null : root.querySelector('[role="tabpanel"]')
    const by = autoscroll(at.y, sizes, elapsedMs)
    if (list && by !== 0) list.scrollTop += by
    frame = requestAnimationFrame(check)
  }
  return {
    glow,
    start: (grip: { at: Point; from: number; frame: { top: number; bottom: number } }) => {
      sizes = { width: innerWidth, top: grip.frame.top, bottom: grip.frame.bottom }
      at = grip.at
      from = grip.from
      aimed = null
      edge = NO_EDGE
      hovered = { index: null, sinceMs: 0 }
      lastMs = performance.now()
      frame = requestAnimationFrame(check)
    },
    see: (point: Point) => {
      at = point
    },
    stop: () => {
      cancelAnimationFrame(frame)
      glow.left.set(0)
      glow.right.set(0)
    },
    /** The index of the stage where the card would land now; null outside of all stages. */
    target: () => {
      if (isOverRail()) return tabAt(at.x, pager.tabs)
      return at.y < sizes.top ? null : pager.target
    },
  }
}
