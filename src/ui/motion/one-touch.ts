// Recognises touches outside the board. It follows one pointer from press to release, and decides once whether the
// movement is a gesture.

/** How far the pointer is from where it was pressed, in px. */
export type Way = { dx: number; dy: number }

type At = { clientX: number; clientY: number; pointerId?: number | undefined }

/**
 * Decides what a movement is: true if it is a gesture, false if the browser scrolls, null if it is too early to tell.
 */
type Decide = (way: Way) => boolean | null

/**
 * True if the user lifted the finger. A touch that the system takes over, for example for a call, must have no effect.
 */
export const isLifted = ({ type }: { type: string }) => type === 'touchend' || type === 'pointerup'

export class OneTouch {
  readonly #decide: Decide
  #from: At | null = null
  #isOurs: boolean | null = null
  #way: Way = { dx: 0, dy: 0 }

  constructor(decide: Decide) {
    this.#decide = decide
  }

  /** Begins to follow this pointer. */
  press({ clientX, clientY, pointerId }: At) {
    this.#from = { clientX, clientY, pointerId }
    this.#way = { dx: 0, dy: 0 }
    this.#isOurs = this.#decide(this.#way)
  }

  /** True if the event is from the followed pointer. */
  holds({ pointerId }: { pointerId?: number | undefined }) {
    return this.#from !== null && this.#from.pointerId === pointerId
  }

  /** The way so far if the movement is a gesture, otherwise null. */
  move(at: At): Way | null {
    if (!this.#from || !this.holds(at)) return null
    this.#way = { dx: at.clientX - this.#from.clientX, dy: at.clientY - this.#from.clientY }
    this.#isOurs ??= this.#decide(this.#way)
    return this.#isOurs ? this.#way : null
  }

  /** The whole way if the movement was a gesture and the user lifted the finger, otherwise null. */
  end(event: { type: string }): Way | null {
    const isMeant = this.#isOurs && isLifted(event)
    this.#from = this.#isOurs = null
    return isMeant ? this.#way : null
  }
}
