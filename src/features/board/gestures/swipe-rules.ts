// Rules for when a swiped card moves to the neighbouring stage.
import { clamp, rubberBand } from './gesture-rules.ts'

const MIN_THRESHOLD = 96
const THRESHOLD_SHARE = 0.32
const HYSTERESIS = 12

export function thresholdOf(cardWidth: number): number {
  return Math.max(MIN_THRESHOLD, THRESHOLD_SHARE * cardWidth)
}

/** True past the threshold. It stays true until some px below it, so that a trembling pointer causes no flicker. */
export function isPast(dx: number, threshold: number, wasPast: boolean): boolean {
  return Math.abs(dx) >= threshold - (wasPast ? HYSTERESIS : 0)
}

const AGAINST = 0.2
const FLICK = 0.65
const MIN_FLICK = 48

type Release = { dx: number; velocity: number; threshold: number }

export function commits({ dx, velocity, threshold }: Release): boolean {
  const along = velocity * Math.sign(dx)
  const isFlick = along >= FLICK && Math.abs(dx) >= MIN_FLICK
  return isFlick || (Math.abs(dx) >= threshold && along >= -AGAINST)
}

const LEAVE_SPEED = 1.2
const MIN_LEAVE_MS = 120
const MAX_LEAVE_MS = 220

/** Tells how long a card takes to leave the screen, with `remaining` px to go. */
export function leaveMs(remaining: number, velocity: number): number {
  return clamp(remaining / Math.max(Math.abs(velocity), LEAVE_SPEED), MIN_LEAVE_MS, MAX_LEAVE_MS)
}

const MAX_TILT = 0.6
const PX_A_DEGREE = 300

/** Returns the tilt of a swiped card, in degrees. */
export function tiltAt(dx: number): number {
  return clamp(dx / PX_A_DEGREE, -MAX_TILT, MAX_TILT)
}

const END_FACTOR = 0.25
const MAX_STRETCH = 48

/** Tells how far a card follows the pointer towards a side without a stage. */
export function withoutNeighbour(dx: number): number {
  return rubberBand(dx, END_FACTOR, MAX_STRETCH)
}
