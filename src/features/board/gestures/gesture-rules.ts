// Pure rules that decide which part of the phone's board owns a touch, and its gesture. In CSS px and ms.

/** What a sideways drag moves. */
export type Owner = 'card' | 'page' | 'rail'

type Screen = { width: number; height: number }

export type Landing = Screen & {
  x: number
  y: number
  on: 'card' | 'rail' | 'board' | 'elsewhere'
  /** The device setting; if off, a sideways drag on a card turns the page. */
  areCardsSwiped: boolean
  /** The pages are moving: any touch stops them. */
  isPaging: boolean
}

/** Left to the system's gestures: back at the sides, home below the tabs. */
const EDGE = 24

/** null: the board ignores the touch. */
export function ownerOf({ x, y, width, height, on, areCardsSwiped, isPaging }: Landing): Owner | null {
  if (on === 'elsewhere' || x < EDGE || x > width - EDGE) return null
  if (on === 'rail') return y > height - EDGE ? null : 'rail'
  return on === 'card' && areCardsSwiped && !isPaging ? 'card' : 'page'
}

/** 'sideways' and 'drag' are gestures; 'over' leaves the rest of this touch to native scrolling. */
export type Mode = 'undecided' | 'armed' | 'sideways' | 'drag' | 'over'

export const PRESS_FEEDBACK_MS = 80
export const ARMED_MS = 150
export const TAKEN_MS = 350
/** Maximum movement of a pressed pointer, in px. */
const STILL = 5
const SLOP = 8
/** The ratio that means within 35.5 degrees of horizontal. */
const LEVEL = 1.4

/** The mode after the pointer moved by `dx`, `dy` from its start. The direction is decided once. */
export function afterMove(mode: Mode, dx: number, dy: number): Mode {
  const distance = Math.hypot(dx, dy)
  if (mode === 'armed' && distance > STILL) return Math.abs(dx) > Math.abs(dy) ? 'drag' : 'over'
  if (mode === 'undecided' && distance >= SLOP)
    return Math.abs(dx) > LEVEL * Math.abs(dy) ? 'sideways' : 'over'
  return mode
}

/** The mode at the time of the movement: on a busy phone its event may be handled after the long press began. */
export function modeAt(mode: Mode, pressedMs: number): Mode {
  return mode === 'armed' && pressedMs < ARMED_MS ? 'undecided' : mode
}

/** The pointer was lifted before a long press: on a busy phone this may be handled after the press began. */
export function isTap(pressedMs: number, distance: number): boolean {
  return pressedMs < TAKEN_MS && distance <= STILL
}

/** The mode after a pointer has pressed a card for so long, `distance` px from its start. */
export function afterPress(mode: Mode, pressedMs: number, distance: number): Mode {
  if (mode === 'undecided' && pressedMs >= ARMED_MS && distance <= STILL)
    return afterPress('armed', pressedMs, 0)
  return mode === 'armed' && pressedMs >= TAKEN_MS ? 'drag' : mode
}

/** The x from which a drag counts: only the slop is subtracted, so that a flick within one event is not lost. */
export function dragOrigin(landedX: number, dx: number): number {
  return landedX + SLOP * Math.sign(dx)
}

/** Beyond an end the page follows less and less. */
export function rubberBand(distance: number, factor: number, most: number): number {
  return Math.sign(distance) * Math.min(most, Math.abs(distance) * factor)
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
