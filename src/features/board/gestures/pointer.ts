// One pointer on the phone's board, from press to release: its owner, its gesture, and when it is cancelled.
import { type Sample, velocityOf } from '#ui/motion/velocity.ts'
import {
  afterMove,
  afterPress,
  ARMED_MS,
  dragOrigin,
  isTap,
  type Mode,
  modeAt,
  type Owner,
  ownerOf,
  PRESS_FEEDBACK_MS,
  TAKEN_MS,
} from './gesture-rules.ts'
import { listenTo, placeOf } from './pointer-places.ts'
import { type Grip, type GrippedCard, gripOf, type Gesture, type Point } from './gesture.ts'
import type { PagerMotion } from './pager-motion.ts'

/** A list that scrolled within this time still glides, so a touch only stops it. */
const GLIDING_MS = 50
const MAX_SAMPLES = 24

type Touch = {
  pointerId: number
  owner: Owner
  mode: Mode
  grip: Grip
  landedMs: number
  at: Point
  /** The point from which the drag's distance counts. */
  origin: Point
  gesture: Gesture | null
  samples: Sample[]
  timers: ReturnType<typeof setTimeout>[]
  frame: number
}

type PointerParts = {
  root: HTMLElement
  pager: PagerMotion
  gestures: Record<Owner | 'drag', Gesture>
  areCardsSwiped: () => boolean
}

export class PointerTracker {
  readonly #parts: PointerParts
  readonly #stopListening: () => void
  #touch: Touch | null = null
  #isClickDead = false
  /**
   * True if the user flung the list, because the browser took the pointer for scrolling. A scroll that focus causes
   * does not count.
   */
  #isFlung = false
  #scrolledAtMs = -Infinity

  constructor(parts: PointerParts) {
    this.#parts = parts
    const cancel = () => this.cancel()
    this.#stopListening = listenTo(parts.root, {
      scrolled: (timeMs) => this.#isFlung && (this.#scrolledAtMs = timeMs),
      clicked: (event) => this.#killClick(event),
      pressed: (pointerId) => this.#touch && pointerId !== this.#touch.pointerId && cancel(),
      isTaken: () => this.#touch?.gesture !== null && this.#touch !== null,
      isDown: () => this.#touch !== null,
      disturbed: cancel,
    })
  }

  down(event: PointerEvent) {
    this.#isClickDead = false
    if (this.#touch) return
    const { root, pager, areCardsSwiped } = this.#parts
    const isPaging = pager.isMoving()
    const { clientX: x, clientY: y, timeStamp: timeMs } = event
    const { on, article } = placeOf({ x, y }, root)
    const screen = { width: innerWidth, height: innerHeight }
    const owner = ownerOf({ x, y, ...screen, on, areCardsSwiped: areCardsSwiped(), isPaging })
    if (!owner) return
    const isGliding = timeMs - this.#scrolledAtMs < GLIDING_MS
    this.#isFlung = false
    this.#isClickDead = isGliding || (isPaging && owner === 'page')
    if (isGliding) return
    if (isPaging) pager.grab()
    this.#touch = {
      pointerId: event.pointerId,
      owner,
      mode: 'undecided',
      grip: gripOf(isPaging ? null : article, { x, y }),
      landedMs: timeMs,
      at: { x, y },
      origin: { x, y },
      gesture: null,
      samples: [{ at: x, timeMs }],
      timers: article && !isPaging ? this.#watchPress() : [],
      frame: 0,
    }
  }

  move(event: PointerEvent) {
    const touch = this.#touch
    if (!touch || event.pointerId !== touch.pointerId) return
    touch.at = { x: event.clientX, y: event.clientY }
    for (const { clientX: at, timeStamp: timeMs } of coalesced(event)) touch.samples.push({ at, timeMs })
    if (touch.samples.length > MAX_SAMPLES) touch.samples = touch.samples.slice(-MAX_SAMPLES)
    const mode = modeAt(touch.mode, event.timeStamp - touch.landedMs)
    this.#become(afterMove(mode, touch.at.x - touch.grip.x, touch.at.y - touch.grip.y))
    if (touch.gesture && touch.frame === 0) touch.frame = requestAnimationFrame(() => this.#draw())
  }

  up(event: PointerEvent) {
    this.#isFlung ||= event.type === 'pointercancel'
    if (!this.#touch || event.pointerId !== this.#touch.pointerId) return
    if (event.type !== 'pointerup') return this.cancel()
    const { mode, landedMs, at, grip } = this.#touch
    if (mode === 'drag' && isTap(event.timeStamp - landedMs, Math.hypot(at.x - grip.x, at.y - grip.y))) {
      this.#isClickDead = false
      return this.cancel()
    }
    this.#draw()
    const touch = this.#forget()
    if (!touch) return
    const velocity = velocityOf(touch.samples, event.timeStamp)
    if (touch.gesture) touch.gesture.end({ dx: touch.at.x - touch.origin.x, velocity })
    else this.#parts.pager.letGo()
  }

  /** Cancels the gesture, because of a second pointer, a call or another app. */
  cancel() {
    const touch = this.#forget()
    if (touch?.gesture) touch.gesture.cancel()
    else if (touch) this.#parts.pager.letGo()
  }

  end() {
    this.cancel()
    this.#stopListening()
  }

  #become(mode: Mode) {
    const touch = this.#touch
    if (!touch || mode === touch.mode) return
    touch.mode = mode
    mark(touch.grip.card, mode === 'armed' ? 'armed' : null)
    if (mode !== 'sideways' && mode !== 'drag') return
    const { root, gestures } = this.#parts
    const { owner, grip, at } = touch
    touch.timers.forEach(clearTimeout)
    this.#isClickDead = true
    if (mode === 'sideways') touch.origin = { x: dragOrigin(grip.x, at.x - grip.x), y: grip.y }
    touch.gesture = mode === 'drag' ? gestures.drag : gestures[owner]
    capture(root, touch.pointerId)
    touch.gesture.begin({ ...grip, ...at })
  }

  #watchPress() {
    const check = (pressedMs: number) => {
      if (!this.#touch) return
      const { mode, at, grip } = this.#touch
      if (pressedMs === PRESS_FEEDBACK_MS && mode === 'undecided') mark(grip.card, 'pressed')
      this.#become(afterPress(mode, pressedMs, Math.hypot(at.x - grip.x, at.y - grip.y)))
    }
    return [PRESS_FEEDBACK_MS, ARMED_MS, TAKEN_MS].map((ms) => setTimeout(check, ms, ms))
  }

  #draw() {
    if (!this.#touch) return
    const { at, origin, gesture } = this.#touch
    this.#touch.frame = 0
    gesture?.move({ x: at.x - origin.x, y: at.y - origin.y }, at)
  }

  /** Ends the tracking of the pointer, and returns what was tracked. */
  #forget(): Touch | null {
    const touch = this.#touch
    this.#touch = null
    touch?.timers.forEach(clearTimeout)
    if (touch) cancelAnimationFrame(touch.frame)
    mark(touch?.grip.card ?? null, null)
    return touch
  }

  /** Ignores the click at the end of a gesture. Clicks by keyboard have `detail` 0 and count. */
  #killClick(event: MouseEvent) {
    if (!this.#isClickDead || event.detail === 0) return
    this.#isClickDead = false
    event.stopPropagation()
    event.preventDefault()
  }
}

/** Shows a card as pressed, or as ready to be dragged; null shows it as neither. */
function mark(card: GrippedCard | null, press: 'pressed' | 'armed' | null) {
  if (!card) return
  if (press) card.article.dataset['press'] = press
  else delete card.article.dataset['press']
}

/** On a busy phone several movements come as one event. */
function coalesced(event: PointerEvent): readonly PointerEvent[] {
  const parts = 'getCoalescedEvents' in event ? event.getCoalescedEvents() : []
  return parts.length > 0 ? parts : [event]
}

/** Sends all later events of the pointer to the board, even if its card leaves the page. */
function capture(root: HTMLElement, pointerId: number) {
  try {
    root.setPointerCapture(pointerId)
  } catch {
    // The pointer has already ended; its event follows.
  }
}
