// Pure rules of the phone's board: which part of the board handles a touch, and which gesture it is. Distances are in
// CSS px, times in ms.

/** What a sideways drag moves: the card, the pages or the tabs. */
export type Owner = 'card' | 'page' | 'rail'

type Screen = { width: number; height: number }

export type Landing = Screen & {
  x: number
  y: number
  on: 'card' | 'rail' | 'board' | 'elsewhere'
  /** The device setting 'swipe cards'. If off, a sideways drag on a card turns the page. */
  areCardsSwiped: boolean
  /** The pages are moving, so any touch stops them. */
  isPaging: boolean
}

/** The width in px of the screen edges that belong to the system's gestures: back at the sides, home at the bottom. */
const EDGE = 24

/** Decides what a touch at this place belongs to. Returns null if the board ignores the touch. */
export function ownerOf({ x, y, width, height, on, areCardsSwiped, isPaging }: Landing): Owner | null {
  if (on === 'elsewhere' || x < EDGE || x > width - EDGE) return null
  if (on === 'rail') return y > height - EDGE ? null : 'rail'
  return on === 'card' && areCardsSwiped && !isPaging ? 'card' : 'page'
}

/**
 * The state of a touch: 'armed', 'sideways' and 'drag' belong to a gesture. 'over' leaves the rest of the touch to
 * native scrolling.
 */
export type Mode = 'undecided' | 'armed' | 'sideways' | 'drag' | 'over'

export const PRESS_FEEDBACK_MS = 80
export const ARMED_MS = 150
export const TAKEN_MS = 350
/** A pointer that moves at most this far, in px, counts as pressed in one place. */
const STILL = 5
const SLOP = 8
/** A movement is horizontal if it is 1.4 times wider than high, that is within 35.5 degrees. */
const LEVEL = 1.4

/** Returns the mode after the pointer moved by `dx`, `dy` from its start. The direction is decided once. */
export function afterMove(mode: Mode, dx: number, dy: number): Mode {
  const distance = Math.hypot(dx, dy)
  if (mode === 'armed' && distance > STILL) return Math.abs(dx) > Math.abs(dy) ? 'drag' : 'over'
  if (mode === 'undecided' && distance >= SLOP)
    return Math.abs(dx) > LEVEL * Math.abs(dy) ? 'sideways' : 'over'
  return mode
}

/**
 * Returns the state that held when the pointer moved. A busy phone may handle the movement late, after the long press
 * began.
 */
export function modeAt(mode: Mode, pressedMs: number): Mode {
  return mode === 'armed' && pressedMs < ARMED_MS ? 'undecided' : mode
}

/** True if the pointer was lifted before the long press. A busy phone may handle the release late, after it began. */
export function isTap(pressedMs: number, distance: number): boolean {
  return pressedMs < TAKEN_MS && distance <= STILL
}

/** The state after a pointer has pressed a card for `pressedMs`, `distance` px from its start. */
export function afterPress(mode: Mode, pressedMs: number, distance: number): Mode {
  if (mode === 'undecided' && pressedMs >= ARMED_MS && distance <= STILL)
    return afterPress('armed', pressedMs, 0)
  return mode === 'armed' && pressedMs >= TAKEN_MS ? 'drag' : mode
}

/** Tells where a drag counts from. Only the slop is subtracted, so that a quick flick within one event is not lost. */
export function dragOrigin(landedX: number, dx: number): number {
  return landedX + SLOP * Math.sign(dx)
}

/** Beyond the last stage a page follows the pointer by `factor` only, and by at most `most` px. */
export function rubberBand(distance: number, factor: number, most: number): number {
  return Math.sign(distance) * Math.min(most, Math.abs(distance) * factor)
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
