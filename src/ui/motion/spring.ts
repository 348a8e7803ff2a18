// Animates a number to a target, by a curve or by a spring that continues its present speed.
import { animateValue, cubicBezier, keyframes, type MotionValue, spring } from 'framer-motion/dom'
import { wantsLessMotion } from './motion.ts'

export type Run = {
  /** Stops at the present value without calling `onDone`. */
  stop: () => void
  /** Jumps to the target and ends. */
  finish: () => void
}

type SpringRun = {
  to: number
  spring: { stiffness: number; damping: number; mass: number }
  /** The speed at the start, in units per second. */
  velocity?: number
  /** How much of the value one pixel is. The animation ends half a pixel before the target. */
  px?: number
  mostMs: number
  onDone: () => void
}

const ARRIVED_PX = 0.5
/** The animation may end below this speed, in px per second. */
const ARRIVED_SPEED = 20

export function springTo(value: MotionValue<number>, run: SpringRun): Run {
  const { to, velocity = 0, px = 1, mostMs } = run
  return follow(value, { ...run, mostMs }, (onUpdate, onComplete) =>
    animateValue({
      type: spring,
      keyframes: [value.get(), to],
      ...run.spring,
      velocity,
      restDelta: ARRIVED_PX * px,
      restSpeed: ARRIVED_SPEED * px,
      onUpdate,
      onComplete,
    }),
  )
}

const EASE_OUT = cubicBezier(0.22, 0.9, 0.28, 1)

export function easeTo(value: MotionValue<number>, run: { to: number; ms: number; onDone: () => void }): Run {
  return follow(value, { ...run, mostMs: run.ms }, (onUpdate, onComplete) =>
    animateValue({
      type: keyframes,
      keyframes: [value.get(), run.to],
      duration: run.ms,
      ease: EASE_OUT,
      onUpdate,
      onComplete,
    }),
  )
}

type Start = (onUpdate: (now: number) => void, onComplete: () => void) => { stop: () => void }

/** Calls `onDone` exactly once: when the value rests, at the time limit, or by `finish`. */
function follow(
  value: MotionValue<number>,
  { to, mostMs, onDone }: { to: number; mostMs: number; onDone: () => void },
  start: Start,
): Run {
  let isOver = false
  const stop = () => {
    isOver = true
    clearTimeout(latest)
    running?.stop()
  }
  const finish = () => {
    if (isOver) return
    stop()
    value.set(to)
    onDone()
  }
  const latest = setTimeout(finish, wantsLessMotion() ? 0 : mostMs)
  const running = wantsLessMotion() ? null : start((now) => !isOver && value.set(now), finish)
  return { stop, finish }
}
