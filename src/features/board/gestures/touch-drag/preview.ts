// The drag preview of a card: lifted above the pointer, tilted in its direction, animated to where the card lands.
import { motionValue, type MotionValue } from 'framer-motion/dom'
import { DURATION, SPRING } from '#ui/motion/motion.ts'
import { easeTo, type Run, springTo } from '#ui/motion/spring.ts'
import type { EdgeGlow } from './targets.ts'
import type { GrippedCard, Point } from '../gesture.ts'

/** The preview is this many px above the pointer, so that the hand does not hide it. */
const ABOVE_POINTER = 12
const LIFTED_SCALE = 0.96
const LEAN = 2
/** The preview's tilt changes only after a movement of this many px. */
const LEAN_AFTER = 8
const LIFT_MS = 160
/** The preview shrinks to this size as it disappears into a tab. */
const SWALLOWED_SCALE = 0.3

export type TouchDragView = {
  /** The element at whose sides the glow appears. */
  pages: Element
  element: HTMLElement
  box: GrippedCard['box']
  pose: Pose
  glow: EdgeGlow
}

export type Pose = Record<'x' | 'y' | 'scale' | 'rotate' | 'opacity', MotionValue<number>>

export type DragPreview = ReturnType<typeof createDragPreview>

export function createDragPreview({ article, box, pages }: GrippedCard) {
  const { top, left, width, height } = box
  const pose: Pose = {
    x: motionValue(0),
    y: motionValue(0),
    scale: motionValue(1),
    rotate: motionValue(0),
    opacity: motionValue(1),
  }
  const raise = motionValue(0)
  let moved: Point = { x: 0, y: 0 }
  let side = 0
  let runs: Run[] = []

  const place = () => {
    pose.x.set(moved.x)
    pose.y.set(moved.y + raise.get())
  }
  raise.on('change', place)
  const spring = (value: MotionValue<number>, to: number) => {
    const run = { to, spring: SPRING.home, px: 0.01, mostMs: LIFT_MS, onDone: () => undefined }
    runs.push(springTo(value, run))
  }
  const lean = (to: 1 | -1) => {
    if (side === to) return
    side = to
    spring(pose.rotate, to * LEAN)
  }
  const stop = () => {
    for (const run of runs) run.stop()
    runs = []
  }
  /** Animates the preview for 200 ms. */
  const go = (to: Partial<Record<keyof Pose, number>>, onDone: () => void) => {
    stop()
    const all = { x: pose.x.get(), y: pose.y.get(), rotate: 0, scale: 1, opacity: 1, ...to }
    const ms = DURATION.base
    const ease = (key: keyof Pose, done: () => void) =>
      runs.push(easeTo(pose[key], { to: all[key], ms, onDone: done }))
    for (const key of ['y', 'rotate', 'scale', 'opacity'] as const) ease(key, () => undefined)
    ease('x', onDone)
  }
  const centredOn = (target: DOMRect): Point => ({
    x: target.left + target.width / 2 - left - width / 2,
    y: target.top + target.height / 2 - top - height / 2,
  })
  return {
    view: { pages, element: dragPreviewOf(article), box, pose },
    lift: () => {
      spring(pose.scale, LIFTED_SCALE)
      spring(raise, -ABOVE_POINTER)
      lean(1)
    },
    follow: (to: Point) => {
      if (Math.abs(to.x) > LEAN_AFTER) lean(to.x < 0 ? -1 : 1)
      moved = to
      place()
    },
    fly: (to: Point, onDone: () => void) => go(to, onDone),
    flyTo: (target: DOMRect, onDone: () => void) =>
      go({ x: target.left - left, y: target.top - top }, onDone),
    sinkInto: (target: DOMRect, onDone: () => void) =>
      go({ ...centredOn(target), scale: SWALLOWED_SCALE, opacity: 0 }, onDone),
    fade: (onDone: () => void) => go({ opacity: 0 }, onDone),
    end: stop,
  }
}

/** Copies the visible content of the card. */
function dragPreviewOf(article: HTMLElement): HTMLElement {
  const dragPreview = document.createElement('div')
  dragPreview.className = article.className
  if (article.dataset['fresh'] !== undefined) dragPreview.dataset['fresh'] = article.dataset['fresh']
  dragPreview.append(...[...article.childNodes].map((part) => part.cloneNode(true)))
  return dragPreview
}
