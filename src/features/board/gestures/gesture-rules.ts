// Who owns a touch on the phone's board, and what becomes of it: pure, in CSS px and ms.

/** What a sideways drag moves. */
export type Owner = 'card' | 'page' | 'rail'

type Screen = { width: number; height: number }

export type Landing = Screen & {
  x: number
  y: number
  on: 'card' | 'rail' | 'board' | 'elsewhere'
  /** The account's setting: off, a sideways drag on a card turns the page. */
  areCardsSwiped: boolean
  /** The page is still on its way: any touch catches it. */
  isPaging: boolean
}

/** Left to the system's gestures: back at the sides, home below the rail. */
const EDGE = 24

/** null: the touch is not the board's. */
export function ownerOf({ x, y, width, height, on, areCardsSwiped, isPaging }: Landing): Owner | null {
  if (on === 'elsewhere' || x < EDGE || x > width - EDGE) return null
  if (on === 'rail') return y > height - EDGE ? null : 'rail'
  return on === 'card' && areCardsSwiped && !isPaging ? 'card' : 'page'
}

/** 'sideways' and 'drag' are gestures; 'over' is given up for this touch: native scroll has it. */
export type Mode = 'undecided' | 'armed' | 'sideways' | 'drag' | 'over'

export const PRESS_FEEDBACK_MS = 80
export const ARMED_MS = 150
export const TAKEN_MS = 350
/** So far a pointer may tremble while it presses. */
const STILL = 5
const SLOP = 8
/** Within 35.5 degrees of level. */
const LEVEL = 1.4

/** After the pointer moved to `dx`, `dy` from where it landed. Direction is decided once. */
export function afterMove(mode: Mode, dx: number, dy: number): Mode {
  const distance = Math.hypot(dx, dy)
  if (mode === 'armed' && distance > STILL) return Math.abs(dx) > Math.abs(dy) ? 'drag' : 'over'
  if (mode === 'undecided' && distance >= SLOP)
    return Math.abs(dx) > LEVEL * Math.abs(dy) ? 'sideways' : 'over'
  return mode
}

/** What it was when it moved: a busy phone may tell of that after it took the pointer for one that presses. */
export function modeAt(mode: Mode, pressedMs: number): Mode {
  return mode === 'armed' && pressedMs < ARMED_MS ? 'undecided' : mode
}

/** It was lifted before it could take the card: a busy phone may tell of that after it did. */
export function isTap(pressedMs: number, distance: number): boolean {
  return pressedMs < TAKEN_MS && distance <= STILL
}

/** After a pointer on a card has pressed for so long, `distance` from where it landed. */
export function afterPress(mode: Mode, pressedMs: number, distance: number): Mode {
  if (mode === 'undecided' && pressedMs >= ARMED_MS && distance <= STILL)
    return afterPress('armed', pressedMs, 0)
  return mode === 'armed' && pressedMs >= TAKEN_MS ? 'drag' : mode
}

/** A drag counts from here: exactly the slop is absorbed, or a flick that comes as one event would be lost. */
export function dragOrigin(landedX: number, dx: number): number {
  return landedX + SLOP * Math.sign(dx)
}

/** Pulled past an end, it follows less and less far. */
export function rubberBand(distance: number, factor: number, most: number): number {
  return Math.sign(distance) * Math.min(most, Math.abs(distance) * factor)
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
